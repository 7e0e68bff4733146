/**
 * The frame of every page: a link that skips to the content, the header, `main`, and the desk's foot. The desk's pages have its
 * navigation and a lookup box within reach; what a visitor sees (receipts) has the wordmark and nothing that leads to a closed
 * desk. `data-desk` tells the page's script that this is the desk, and `data-say` is where it says what it has done.
 */
import type { ReactNode } from "react";
import { reaches } from "../core/registry/rights.ts";
import { type Done, DoneSentence } from "./done.tsx";
import { KeyList } from "./key-list.tsx";
import { LookupForm } from "./lookup-form.tsx";
import { OwnLink, ProjectSwitch } from "./own-links.tsx";
import { A, For, usePlace } from "./place.tsx";
import { ThemeForm } from "./theme-form.tsx";
import { Wordmark } from "./wordmark.tsx";

/** The pages of the navigation, and those that the foot leads to. */
export type DeskPage =
  | "lookup"
  | "issues"
  | "releases"
  | "policies"
  | "live"
  | "status"
  | "connect"
  | "self-test"
  | "settings"
  | "projects"
  | "me";

/** What the frame needs to know. */
export interface LayoutProps {
  /** The entry of the navigation that is open. */
  readonly current?: DeskPage;
  /** True on the desk; false on the pages that are public. */
  readonly deskOpen: boolean;
  /** What somebody has done right before this page. */
  readonly done?: Done | undefined;
  readonly children: ReactNode;
}

/** The content of `body`, for every page but the failure page. */
export function Layout({ current, deskOpen, done, children }: LayoutProps) {
  const { base } = usePlace();
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-head" data-desk={deskOpen ? base : undefined}>
        <Wordmark href={deskOpen ? `${base}/` : undefined} />
        {deskOpen && <ProjectSwitch />}
        {deskOpen && current !== "lookup" && <LookupForm id="lookup-head" compact />}
        {deskOpen && (
          <nav aria-label="Desk">
            <PageLinks of={NAVIGATION} current={current} />
          </nav>
        )}
        {deskOpen && <OwnLink isCurrent={current === "me"} />}
      </header>
      <main id="content" tabIndex={-1}>
        {done && <DoneSentence done={done} />}
        {children}
      </main>
      {deskOpen && <Foot current={current} />}
      {deskOpen && <p className="unseen" role="status" data-say="" />}
    </>
  );
}

type Entry = readonly [page: DeskPage, href: string, word: string];

const NAVIGATION: readonly Entry[] = [
  ["lookup", "/", "Lookup"],
  ["issues", "/issues", "Issues"],
  ["releases", "/releases", "Releases"],
  ["policies", "/policies", "Policies"],
  ["live", "/live", "Live"],
  ["status", "/status", "Status"],
];

const CONNECT: Entry = ["connect", "/connect", "Connect"];
const FOOT: readonly Entry[] = [CONNECT, ["self-test", "/self-test", "Self-test"]];

function PageLinks({
  of,
  current,
  children,
}: {
  of: readonly Entry[];
  current: DeskPage | undefined;
  children?: ReactNode;
}) {
  return (
    <ul>
      {of.map(([page, href, word]) => (
        <li key={page}>
          <A href={href} aria-current={page === current ? "page" : undefined} data-text={word}>
            {word}
          </A>
        </li>
      ))}
      {children}
    </ul>
  );
}

/** What is seldom needed. */
function Foot({ current }: { current: DeskPage | undefined }) {
  const { base, role } = usePlace();
  const hasSelfTest = base === "" && reaches(role, "member");
  return (
    <footer className="site-foot">
      <nav aria-label="More">
        <PageLinks of={hasSelfTest ? FOOT : [CONNECT]} current={current}>
          <For needs="owner">
            <li>
              <A
                href="/settings"
                aria-current={current === "settings" ? "page" : undefined}
                data-text="Settings"
              >
                Settings
              </A>
            </li>
          </For>
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
      <KeyList />
      <ThemeForm />
    </footer>
  );
}
