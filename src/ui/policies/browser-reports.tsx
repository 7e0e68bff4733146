/** What browsers report beside violations: by type, the most frequent of each first; failed connections last. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue.ts";
import type { IssuePage } from "../../core/issue-query.ts";
import { counted, Figure } from "../figure.tsx";
import { issueUrl } from "../issue/issue-url.ts";
import { searchUrl } from "../issues/list-url.ts";
import { headOf } from "../long-text.tsx";
import { ownWords } from "../own-words.ts";
import { A } from "../place.tsx";
import { Time } from "../time.tsx";

interface BrowserReportsProps {
  readonly browser: Promise<IssuePage>;
  readonly network: Promise<IssuePage>;
  readonly nowMs: number;
}

/** The groups; a sentence where there are none. */
export function BrowserReports({ browser, network, nowMs }: BrowserReportsProps) {
  const pages = [use(browser), use(network)];
  const groups = [...byType(pages[0]?.issues ?? []), ...networkGroup(pages[1]?.issues ?? [])];
  const shown = groups.reduce((sum, { issues }) => sum + issues.length, 0);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  if (groups.length === 0) {
    return (
      <p className="aside">
        Nothing yet. Deprecations, interventions, crashes, isolation policies and failed connections
        are reported to the same address.
      </p>
    );
  }
  return (
    <div className="browser-reports">
      {groups.map(({ title, issues }) => (
        <section key={title} aria-label={headOf(title, TITLE_CHARS)}>
          <h3>
            <bdi>{headOf(title, TITLE_CHARS)}</bdi>{" "}
            <span className="aside">{counted(issues.length, "issue")}</span>
          </h3>
          <ul>
            {issues.map((issue) => (
              <Item key={issue.digest} issue={issue} nowMs={nowMs} />
            ))}
          </ul>
        </section>
      ))}
      {total > shown && (
        <p className="aside">
          The most frequent. All of them:{" "}
          <A href={searchUrl("kind:browser")}>reports of browsers</A>,{" "}
          <A href={searchUrl("kind:network")}>failed connections</A>.
        </p>
      )}
    </div>
  );
}

const TITLE_CHARS = 60;
const MESSAGE_CHARS = 200;

function Item({ issue, nowMs }: { readonly issue: IssueSummary; readonly nowMs: number }) {
  return (
    <li>
      <A href={issueUrl(issue.digest)} dir="auto">
        {headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}
      </A>{" "}
      <span className="aside">
        <Figure count={issue.count} one="time" />, last{" "}
        <Time atMs={issue.lastSeenMs} nowMs={nowMs} />
      </span>
    </li>
  );
}

interface Group {
  readonly title: string;
  readonly issues: readonly IssueSummary[];
}

/** The words that people know the types by; a type without one is called what it is. */
const TITLES: Readonly<Record<string, string>> = {
  deprecation: "Deprecations",
  intervention: "Interventions",
  crash: "Crashes",
  coep: "Embedder policy (COEP)",
  coop: "Opener policy (COOP)",
  "permissions-policy-violation": "Permissions policy",
  "document-policy-violation": "Document policy",
  "integrity-violation": "Integrity",
};

function byType(issues: readonly IssueSummary[]): readonly Group[] {
  return [...Map.groupBy(issues, ({ type }) => type)].map(([type, those]) => ({
    title: Object.hasOwn(TITLES, type) ? (TITLES[type] ?? type) : type,
    issues: those,
  }));
}

function networkGroup(issues: readonly IssueSummary[]): readonly Group[] {
  return issues.length === 0 ? [] : [{ title: "Failed connections (NEL)", issues }];
}
