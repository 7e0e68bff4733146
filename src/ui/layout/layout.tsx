/**
 * The layout of every page: skip link, header, `main` and footer. Pages of the desk have its
 * navigation and a lookup form; public pages (receipts) have only the wordmark. The client script
 * recognizes the desk by `data-desk` and announces results in `data-announcer`.
 */
import type { ReactNode } from "react";
import { hasRole } from "../../core/accounts/actors.ts";
import { LookupForm } from "../lookup/lookup-form.tsx";
import { DeskLink, RequireRole, useDesk } from "../parts/desk-context.tsx";
import { Wordmark } from "../parts/wordmark.tsx";
import { ProfileLink, ProjectMenu } from "./account-links.tsx";
import { type Flash, FlashMessage } from "./flash-message.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { ThemeForm } from "./theme-form.tsx";

/** The pages that the header and the footer link to. */
type DeskPage =
  | "lookup"
  | "issues"
  | "releases"
  | "csp"
  | "live"
  | "status"
  | "connect"
  | "source-maps"
  | "self-test"
  | "settings"
  | "projects"
  | "profile";

/** Props of the layout. */
interface LayoutProps {
  /** The current page in the navigation. */
  readonly current?: DeskPage;
  /** True on the desk; false on public pages. */
  readonly isSignedIn: boolean;
  /** The result of the action that led to this page. */
  readonly flash?: Flash | undefined;
  readonly children: ReactNode;
}

/** The content of `body`, for every page but the failure page. */
export function Layout({ current, isSignedIn, flash, children }: LayoutProps) {
  const { base } = useDesk();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-header" data-desk={isSignedIn ? base : undefined}>
        <Wordmark href={isSignedIn ? `${base}/` : undefined} />
        {isSignedIn && <ProjectMenu />}
        {isSignedIn && current !== "lookup" && <LookupForm id="lookup-head" isCompact />}
        {isSignedIn && (
          <nav aria-label="Desk">
            <PageLinks links={NAVIGATION_LINKS} current={current} />
          </nav>
        )}
        {isSignedIn && <ProfileLink isCurrent={current === "profile"} />}
      </header>
      <main id="content" tabIndex={-1}>
        {flash && <FlashMessage flash={flash} />}
        {children}
      </main>
      {isSignedIn && <Footer current={current} />}
      {isSignedIn && <p className="visually-hidden" role="status" data-announcer="" />}
    </>
  );
}

type NavigationLink = readonly [page: DeskPage, href: string, word: string];

const NAVIGATION_LINKS: readonly NavigationLink[] = [
  ["lookup", "/", "Lookup"],
  ["issues", "/issues", "Issues"],
  ["releases", "/releases", "Releases"],
  ["csp", "/csp", "CSP"],
  ["live", "/live", "Live"],
  ["status", "/status", "Status"],
];

const DESK_FOOTER_LINKS: readonly NavigationLink[] = [
  ["connect", "/connect", "Connect"],
  ["source-maps", "/source-maps", "Source maps"],
];
const FOOTER_LINKS: readonly NavigationLink[] = [
  ...DESK_FOOTER_LINKS,
  ["self-test", "/self-test", "Self-test"],
];

function PageLinks({
  links,
  current,
  children,
}: {
  links: readonly NavigationLink[];
  current: DeskPage | undefined;
  children?: ReactNode;
}) {
  return (
    <ul>
      {links.map(([page, href, word]) => (
        <li key={page}>
          <DeskLink
            href={href}
            aria-current={page === current ? "page" : undefined}
            data-text={word}
          >
            {word}
          </DeskLink>
        </li>
      ))}
      {children}
    </ul>
  );
}

function Footer({ current }: { current: DeskPage | undefined }) {
  const { base, role } = useDesk();
  const hasSelfTest = base === "" && hasRole(role, "member");
  return (
    <footer className="site-footer">
      <nav aria-label="More">
        <PageLinks links={hasSelfTest ? FOOTER_LINKS : DESK_FOOTER_LINKS} current={current}>
          <RequireRole requiredRole="owner">
            <li>
              <DeskLink
                href="/settings"
                aria-current={current === "settings" ? "page" : undefined}
                data-text="Settings"
              >
                Settings
              </DeskLink>
            </li>
          </RequireRole>
          <li>
            <a
              href="/projects"
              aria-current={current === "projects" ? "page" : undefined}
              data-text="Projects"
            >
              Projects
            </a>
          </li>
          <li>
            <a href="/docs">Docs</a>
          </li>
        </PageLinks>
      </nav>
      <ShortcutList />
      <ThemeForm />
    </footer>
  );
}
