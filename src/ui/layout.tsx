/**
 * The frame of every page: a link that skips to the content, the header, and `main`. The desk's pages have its navigation
 * and a lookup box within reach; what a visitor sees (receipts) has the wordmark and nothing that leads to a closed desk.
 */
import type { ReactNode } from "react";
import { LookupForm } from "./lookup-form.tsx";
import { Wordmark } from "./wordmark.tsx";

/** What the frame needs to know. */
export interface LayoutProps {
  /** The entry of the navigation that is open. */
  readonly current?: "lookup" | "status" | "self-test";
  /** True on the desk; false on the pages that are public. */
  readonly deskOpen: boolean;
  readonly children: ReactNode;
}

/** The content of `body`, for every page but the failure page. */
export function Layout({ current, deskOpen, children }: LayoutProps) {
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="site-head">
        <Wordmark href={deskOpen ? "/" : undefined} />
        {deskOpen && current !== "lookup" && <LookupForm id="lookup-head" compact />}
        {deskOpen && (
          <nav aria-label="Desk">
            <ul>
              <NavItem href="/" label="Lookup" here={current === "lookup"} />
              <NavItem href="/status" label="Status" here={current === "status"} />
              <NavItem href="/self-test" label="Self-test" here={current === "self-test"} />
            </ul>
          </nav>
        )}
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function NavItem({ href, label, here }: { href: string; label: string; here: boolean }) {
  return (
    <li>
      <a href={href} aria-current={here ? "page" : undefined}>
        {label}
      </a>
    </li>
  );
}
