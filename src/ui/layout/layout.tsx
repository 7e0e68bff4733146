/**
 * The frame of every page: a link that skips to the content, the header, `main`, and the desk's foot. The desk's pages have its
 * navigation and a lookup box within reach; what a visitor sees (receipts) has the wordmark and nothing that leads to a closed
 * desk. `data-desk` tells the page's script that this is the desk, and `data-announcer` is where it says what it has done.
 */
import type { ReactNode } from "react";
import { hasRole } from "../../core/accounts/permissions.ts";
import { LookupForm } from "../lookup/lookup-form.tsx";
import { DeskLink, RequireRole, useDesk } from "../parts/desk-context.tsx";
import { Wordmark } from "../parts/wordmark.tsx";
import { ProfileLink, ProjectMenu } from "./account-links.tsx";
import { type Flash, FlashMessage } from "./flash-message.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { ThemeForm } from "./theme-form.tsx";

/** The pages of the navigation, and those that the foot leads to. */
export type DeskPage =
  | "lookup"
  | "issues"
  | "releases"
  | "csp"
  | "live"
  | "status"
  | "connect"
  | "self-test"
  | "settings"
  | "projects"
  | "profile";

/** What the frame needs to know. */
export interface LayoutProps {
  /** The entry of the navigation that is open. */
  readonly current?: DeskPage;
  /** True on the desk; false on the pages that are public. */
  readonly isSignedIn: boolean;
  /** What somebody has done right before this page. */
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
  ["csp", "/csp", "Policies"],
  ["live", "/live", "Live"],
  ["status", "/status", "Status"],
];

const CONNECT_LINK: NavigationLink = ["connect", "/connect", "Connect"];
const FOOTER_LINKS: readonly NavigationLink[] = [
  CONNECT_LINK,
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

/** What is seldom needed. */
function Footer({ current }: { current: DeskPage | undefined }) {
  const { base, role } = useDesk();
  const hasSelfTest = base === "" && hasRole(role, "member");
  return (
    <footer className="site-footer">
      <nav aria-label="More">
        <PageLinks links={hasSelfTest ? FOOTER_LINKS : [CONNECT_LINK]} current={current}>
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
