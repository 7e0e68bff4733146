/**
 * The layout of every page: skip link, header, `main` and footer. Pages of the desk have its
 * navigation and a lookup form; public pages (receipts) have only the wordmark. The client script
 * recognizes the desk by `data-desk` and announces results in `data-announcer`.
 */
import type { ReactNode } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import { LookupFields } from "../lookup/lookup-form.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import {
  type DeskInfo,
  DeskLink,
  DeskProvider,
  NO_DESK,
  RequireSelfTest,
  useDesk,
} from "../parts/desk-context.tsx";
import { ArrowIcon, ChevronIcon } from "../parts/icons.tsx";
import { PASSKEYS_URL } from "../parts/passkey-reminder.tsx";
import { type ScopedPage, ScopeMenus } from "../parts/scope-switch.tsx";
import { ThemeForm } from "../parts/theme-form.tsx";
import { Wordmark } from "../parts/wordmark.tsx";
import type { DeskPage } from "./desk-page.ts";
import { FlashMessage, type ShownFlash } from "./flash-message.tsx";
import { NavIcon, type NavIconName } from "./nav-icon.tsx";

interface LayoutProps {
  /** The current page in the navigation. */
  readonly current?: DeskPage;
  /** True on the desk; false on public pages. */
  readonly isSignedIn: boolean;
  /** The result of the action that led to this page. */
  readonly flash?: ShownFlash | undefined;
  /** Where the first link of the page leads, in place of the content. */
  readonly skipTo?: { readonly id: string; readonly label: string } | undefined;
  /** The page, if the scope filters its content: the header shows the menus. */
  readonly scoped?: ScopedPage | undefined;
  readonly children: ReactNode;
}

const CONTENT = { id: "content", label: "Skip to content" };

/** The content of `body`, for every page but the failure page. */
export function Layout(props: LayoutProps) {
  const { current, isSignedIn, flash, skipTo = CONTENT, scoped, children } = props;
  const desk = useDesk();
  const { base } = desk;
  const parts = { desk, current };
  // The pages of the lookup have a field of their own.
  const hasLookup = isSignedIn && current !== "lookup";
  return (
    <>
      <a className="skip" href={`#${skipTo.id}`} lang={isSignedIn ? undefined : "en"}>
        {skipTo.label}
      </a>
      <header className="site-header" data-desk={isSignedIn ? base : undefined}>
        {isSignedIn && current !== "home" && (
          <a className="back" href={`${base}/`} data-back="">
            <ArrowIcon direction="left" />
            <span className="visually-hidden">Back</span>
          </a>
        )}
        <Wordmark href={isSignedIn ? `${base}/` : undefined} />
        {isSignedIn && <ProjectMenu current={current} />}
        {hasLookup && (
          <CachedParts
            tag="search"
            attributes={{ className: "lookup compact", id: LOOKUP_SHEET, popover: "auto" }}
            part={HeaderLookup}
            items={[{ base }]}
          />
        )}
        {isSignedIn && (
          <CachedParts
            tag="nav"
            attributes={{ "aria-label": "Desk" }}
            part={PageLinks}
            items={[parts]}
          />
        )}
        {isSignedIn && scoped && <ScopeMenus page={scoped} />}
        {isSignedIn && <AccountMenu current={current} />}
      </header>
      <main id="content" tabIndex={-1}>
        {flash && <FlashMessage flash={flash} />}
        {children}
      </main>
      {isSignedIn && (
        <CachedParts
          tag="footer"
          attributes={{ className: "site-footer" }}
          part={Footer}
          items={[parts]}
        />
      )}
      {isSignedIn && <p className="visually-hidden" role="status" data-announcer="" />}
    </>
  );
}

/** The id of the field in the header, which is a popover on phones. */
const LOOKUP_SHEET = "lookup-sheet";

function HeaderLookup({ base }: Pick<DeskInfo, "base">) {
  return (
    <DeskProvider desk={{ ...NO_DESK, base }}>
      <LookupFields id="lookup-head" isCompact />
      <DeskLink className="phone-only" href="/issues#query">
        Search issues with a query
      </DeskLink>
    </DeskProvider>
  );
}

interface NavigationLink {
  readonly page: DeskPage;
  readonly href: string;
  readonly word: string;
  /** Set if the bar of phones has it; the others are in the menu of the person there. */
  readonly icon?: NavIconName;
}

const NAVIGATION_LINKS: readonly NavigationLink[] = [
  { page: "issues", href: "/issues", word: "Issues", icon: "issues" },
  { page: "releases", href: "/releases", word: "Releases", icon: "releases" },
  { page: "csp", href: "/csp", word: "Policies" },
  { page: "live", href: "/live", word: "Live", icon: "live" },
  { page: "alerts", href: "/alerts", word: "Inbox", icon: "inbox" },
];

/** The data of a part of the layout. */
interface LayoutPartProps {
  readonly desk: DeskInfo;
  readonly current: DeskPage | undefined;
}

/** The links of the header; on phones, those of the bar at the bottom. */
function PageLinks({ desk, current }: LayoutPartProps) {
  const settings = toSettingsLink(desk);
  return (
    <DeskProvider desk={desk}>
      <ul>
        {[...NAVIGATION_LINKS, settings].map(({ page, href, word, icon }) => (
          <li key={page} className={icon === undefined ? "no-phone" : undefined}>
            <DeskLink
              id={page === "alerts" ? "nav-alerts" : undefined}
              href={href}
              aria-current={isCurrent(page, current)}
              data-text={word}
            >
              {icon && <NavIcon name={icon} />}
              {word}
              {page === "alerts" && <AlertMark />}
            </DeskLink>
          </li>
        ))}
        <li className="phone-only">
          {current === "lookup" ? (
            <a href="#lookup">
              <NavIcon name="search" />
              Search
            </a>
          ) : (
            <button type="button" popoverTarget={LOOKUP_SHEET}>
              <NavIcon name="search" />
              Search
            </button>
          )}
        </li>
      </ul>
    </DeskProvider>
  );
}

function isCurrent(page: DeskPage, current: DeskPage | undefined): "page" | "true" | undefined {
  if (page === current) return "page";
  return page === "settings" && current === "connect" ? "true" : undefined;
}

/** The entry to the settings of the project: for owners the settings, for others the status. */
function toSettingsLink({ role }: DeskInfo): NavigationLink {
  return hasRole(role, "owner")
    ? { page: "settings", href: "/settings", word: "Settings" }
    : { page: "settings", href: "/status", word: "Status" };
}

/** The number of unread alerts, and a mark if some cannot be delivered; often nothing. */
function AlertMark() {
  const { unreadAlerts = 0, hasFailingAlerts = false } = useDesk();
  return (
    <>
      {unreadAlerts > 0 && (
        <>
          {" "}
          <span className="unread-mark" data-unread={unreadAlerts}>
            {unreadAlerts > 99 ? "99+" : unreadAlerts}
            <span className="visually-hidden"> unread</span>
          </span>
        </>
      )}
      {hasFailingAlerts && (
        <>
          {" "}
          <span className="unread-mark failing-mark" title="Some alerts were not delivered">
            !<span className="visually-hidden"> Some alerts were not delivered</span>
          </span>
        </>
      )}
    </>
  );
}

function Footer({ desk, current }: LayoutPartProps) {
  return (
    <DeskProvider desk={desk}>
      <nav aria-label="More">
        <ul>
          <li>
            <a href="/docs">Documentation</a>
          </li>
          <RequireSelfTest>
            <li>
              <a href="/self-test" aria-current={current === "self-test" ? "page" : undefined}>
                Self-test
              </a>
            </li>
          </RequireSelfTest>
        </ul>
      </nav>
      <ShortcutList />
    </DeskProvider>
  );
}

// The menus of the header: the project with its siblings, the settings, and the account.

/**
 * The current project as a menu of all of the person's projects. Each project is loaded as a new
 * document with a separate live socket.
 */
function ProjectMenu({ current: page }: { current: DeskPage | undefined }) {
  const { unreadAlerts: _, hasFailingAlerts: _failing, ...desk } = useDesk();
  return (
    <CachedParts
      tag="div"
      attributes={{ className: "header-menu project-switch" }}
      part={ProjectMenuContent}
      items={[{ desk, page }]}
    />
  );
}

interface ProjectMenuProps {
  readonly desk: DeskInfo;
  readonly page: DeskPage | undefined;
}

function ProjectMenuContent({ desk, page }: ProjectMenuProps) {
  const { projects } = desk;
  const current = projects.find(({ isCurrent }) => isCurrent);
  return (
    <DeskProvider desk={desk}>
      <button type="button" className="menu-button borderless" popoverTarget="projects">
        <span className="visually-hidden">Project: </span>
        <bdi>{current?.name ?? "Projects"}</bdi>
        <ChevronIcon />
      </button>
      <div id="projects" className="menu" popover="auto">
        <ul>
          {projects.map(({ id, name, url, isCurrent }) => (
            <li key={id}>
              <a href={url} target="_self" aria-current={isCurrent ? "true" : undefined}>
                <bdi>{name}</bdi>
              </a>
            </li>
          ))}
        </ul>
        <ul>
          {current !== undefined && (
            <li>
              <DeskLink href="/connect" aria-current={page === "connect" ? "page" : undefined}>
                Connect
              </DeskLink>
            </li>
          )}
          {projects.length > 1 && (
            <>
              <li>
                <DeskLink href="/all-issues">Issues of all projects</DeskLink>
              </li>
              <li>
                <DeskLink href="/all-alerts">Inbox of all projects</DeskLink>
              </li>
            </>
          )}
          <li>
            <DeskLink href="/projects#project-name">New project</DeskLink>
          </li>
          <li>
            <DeskLink href="/projects" aria-current={page === "projects" ? "page" : undefined}>
              All projects
            </DeskLink>
          </li>
        </ul>
      </div>
    </DeskProvider>
  );
}

/**
 * The menu under the person's initials: on phones, the pages without a place in the bar; profile,
 * theme, keyboard, documentation, sign-out.
 */
function AccountMenu({ current }: { current: DeskPage | undefined }) {
  const { base, name, role, needsPasskey } = useDesk();
  const shown = name ?? "Local";
  return (
    <div className="header-menu account-menu">
      <button type="button" className="menu-button borderless" popoverTarget="account">
        <span className="visually-hidden">
          Account: <bdi>{shown}</bdi>
        </span>
        <Avatar name={shown} size="large" isDecorative />
      </button>
      <div id="account" className="menu" popover="auto">
        <p className="menu-name">
          <bdi>{shown}</bdi>
        </p>
        <CachedParts
          tag="ul"
          attributes={{ className: "phone-only" }}
          part={OtherPages}
          items={[{ desk: { ...NO_DESK, base, role }, current }]}
        />
        <CachedParts tag="ul" part={AccountItems} items={[{ base, needsPasskey }]} />
        <ThemeForm />
        {name !== undefined && (
          <form method="post" action="/sign-out" target="_self">
            <button type="submit">Sign out</button>
          </form>
        )}
      </div>
    </div>
  );
}

/** The pages that phones have no room for in their bar. */
function OtherPages({ desk, current }: LayoutPartProps) {
  const links = [...NAVIGATION_LINKS, toSettingsLink(desk)];
  return (
    <DeskProvider desk={desk}>
      {links.map(({ page, href, word, icon }) =>
        icon === undefined ? (
          <li key={page}>
            <DeskLink href={href} aria-current={isCurrent(page, current)}>
              {word}
            </DeskLink>
          </li>
        ) : null,
      )}
    </DeskProvider>
  );
}

function AccountItems({ base, needsPasskey }: Pick<DeskInfo, "base" | "needsPasskey">) {
  return (
    <DeskProvider desk={{ ...NO_DESK, base }}>
      {needsPasskey && (
        <li>
          <DeskLink href={PASSKEYS_URL}>Add a passkey</DeskLink>
        </li>
      )}
      <li>
        <DeskLink href="/profile">Profile</DeskLink>
      </li>
      <li className="open-shortcuts">
        <button type="button" popoverTarget="shortcuts">
          Keyboard shortcuts
        </button>
      </li>
      <li>
        <button type="button" data-zone-switch="" hidden />
      </li>
      <li>
        <a href="/docs">Documentation</a>
      </li>
    </DeskProvider>
  );
}

// The keyboard shortcuts of the desk, opened by a button in the footer or the `?` key. The client
// script adds the shortcuts of the page (`data-shortcut`). Without scripts the style sheet hides
// the button.

/** Each key as printed on a keyboard. `place` is the kind of list that has it. */
const SHORTCUTS: readonly {
  readonly keys: readonly string[];
  readonly description: string;
  readonly place?: "list" | "selectable";
}[] = [
  { keys: ["/"], description: "Search issues" },
  { keys: ["Ctrl", "K"], description: "Command palette" },
  { keys: ["j", "k"], description: "Next and previous row", place: "list" },
  { keys: ["x"], description: "Select issue", place: "selectable" },
  { keys: ["X"], description: "Select all issues up to this one", place: "selectable" },
  { keys: ["J", "K"], description: "Move and select", place: "selectable" },
  { keys: ["Enter"], description: "Open row", place: "list" },
  { keys: ["z"], description: "Undo the last action, while its result is shown" },
  { keys: ["?"], description: "Show this list" },
];

/** The button and the list of shortcuts. */
function ShortcutList() {
  return (
    <>
      <button type="button" className="text-button open-shortcuts" popoverTarget="shortcuts">
        Keyboard
      </button>
      <div
        id="shortcuts"
        className="shortcuts"
        popover="auto"
        role="dialog"
        aria-labelledby="shortcuts-heading"
      >
        <h2 id="shortcuts-heading">Keyboard shortcuts</h2>
        <dl>
          {SHORTCUTS.map(({ keys, description, place }) => (
            <div key={description} data-place={place}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{description}</dd>
            </div>
          ))}
        </dl>
        <button type="button" popoverTarget="shortcuts" popoverTargetAction="hide">
          Close
        </button>
      </div>
    </>
  );
}
