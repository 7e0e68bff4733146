/**
 * The layout of every page: skip link, header, `main` and footer. Pages of the desk have its
 * navigation and a lookup form; public pages (receipts) have only the wordmark. The client script
 * recognizes the desk by `data-desk` and announces results in `data-announcer`.
 */
import type { ReactNode } from "react";
import { LookupFields } from "../lookup/lookup-form.tsx";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import {
  type DeskInfo,
  DeskLink,
  DeskProvider,
  NO_DESK,
  RequireSelfTest,
  useDesk,
} from "../parts/desk-context.tsx";
import { Wordmark } from "../parts/wordmark.tsx";
import { AccountMenu, ProjectMenu, SettingsLink } from "./account-links.tsx";
import type { DeskPage } from "./desk-page.ts";
import { FlashMessage, type ShownFlash } from "./flash-message.tsx";
import { ShortcutList } from "./shortcut-list.tsx";

interface LayoutProps {
  /** The current page in the navigation. */
  readonly current?: DeskPage;
  /** True on the desk; false on public pages. */
  readonly isSignedIn: boolean;
  /** The result of the action that led to this page. */
  readonly flash?: ShownFlash | undefined;
  readonly children: ReactNode;
}

/** The content of `body`, for every page but the failure page. */
export function Layout({ current, isSignedIn, flash, children }: LayoutProps) {
  const desk = useDesk();
  const { base } = desk;
  const parts = { desk, current };
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-header" data-desk={isSignedIn ? base : undefined}>
        <Wordmark href={isSignedIn ? `${base}/` : undefined} />
        {isSignedIn && <ProjectMenu current={current} />}
        {isSignedIn && current !== "lookup" && (
          <CachedParts
            tag="search"
            attributes={{ className: "lookup compact" }}
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
        {isSignedIn && <SettingsLink current={current} />}
        {isSignedIn && <AccountMenu />}
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

function HeaderLookup({ base }: Pick<DeskInfo, "base">) {
  return (
    <DeskProvider desk={{ ...NO_DESK, base }}>
      <LookupFields id="lookup-head" isCompact />
    </DeskProvider>
  );
}

type NavigationLink = readonly [page: DeskPage, href: string, word: string];

const NAVIGATION_LINKS: readonly NavigationLink[] = [
  ["issues", "/issues", "Issues"],
  ["releases", "/releases", "Releases"],
  ["csp", "/csp", "Policies"],
  ["live", "/live", "Live"],
  ["alerts", "/alerts", "Alerts"],
];

/** The data of a part of the layout. */
interface LayoutPartProps {
  readonly desk: DeskInfo;
  readonly current: DeskPage | undefined;
}

function PageLinks({ desk, current }: LayoutPartProps) {
  return (
    <DeskProvider desk={desk}>
      <ul>
        {NAVIGATION_LINKS.map(([page, href, word]) => (
          <li key={page}>
            <DeskLink
              href={href}
              aria-current={page === current ? "page" : undefined}
              data-text={word}
            >
              {word}
              {page === "alerts" && <AlertMark />}
            </DeskLink>
          </li>
        ))}
      </ul>
    </DeskProvider>
  );
}

/** The number of unread alerts, and a mark if some cannot be delivered; often nothing. */
function AlertMark() {
  const { unreadAlerts = 0, hasFailingAlerts = false } = useDesk();
  return (
    <>
      {unreadAlerts > 0 && (
        <span className="unread-mark">
          {unreadAlerts > 99 ? "99+" : unreadAlerts}
          <span className="visually-hidden"> unread</span>
        </span>
      )}
      {hasFailingAlerts && (
        <span className="unread-mark failing-mark" title="Some alerts were not delivered">
          !<span className="visually-hidden"> Some alerts were not delivered</span>
        </span>
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
            <a href="/docs">Docs</a>
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
