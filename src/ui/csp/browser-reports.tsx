/** Browser reports other than CSP violations, by type, with failed connections last. */
import { use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueListPage } from "../../core/issue/issue-query.ts";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { OccurrenceCount } from "../issues/occurrence-count.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";

interface BrowserReportsProps {
  readonly browserReports: Promise<IssueListPage>;
  readonly networkReports: Promise<IssueListPage>;
  readonly nowMs: number;
}

/** The groups, or an empty state. */
export function BrowserReports({ browserReports, networkReports, nowMs }: BrowserReportsProps) {
  const pages = [use(browserReports), use(networkReports)];
  const groups = [
    ...groupByType(pages[0]?.issues ?? []),
    ...groupNetworkReports(pages[1]?.issues ?? []),
  ];
  const shown = groups.reduce((sum, { issues }) => sum + issues.length, 0);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  const isCut = total > shown || pages.some(({ isTotalCapped }) => isTotalCapped);
  if (groups.length === 0) {
    return (
      <p className="muted">
        No reports yet. Browsers send deprecations, interventions, crashes, isolation policy
        violations and failed connections to the same endpoint.
      </p>
    );
  }
  return (
    <div className="browser-reports">
      {groups.map(({ title, issues }) => (
        <section key={title} aria-label={abbreviate(title, TITLE_CHARS)}>
          <h3>
            <bdi>{abbreviate(title, TITLE_CHARS)}</bdi>{" "}
            <span className="muted">{pluralize(issues.length, "issue")}</span>
          </h3>
          <ul>
            {issues.map((issue) => (
              <IssueItem key={issue.digest} issue={issue} nowMs={nowMs} />
            ))}
          </ul>
        </section>
      ))}
      {isCut && (
        <p className="muted">
          Only the most frequent are shown. See all{" "}
          <DeskLink href={toSearchUrl("kind:browser")}>browser reports</DeskLink> and{" "}
          <DeskLink href={toSearchUrl("kind:network")}>failed connections</DeskLink>.
        </p>
      )}
    </div>
  );
}

const TITLE_CHARS = 60;
const MESSAGE_CHARS = 200;

function IssueItem({ issue, nowMs }: { readonly issue: IssueSummary; readonly nowMs: number }) {
  return (
    <li>
      <DeskLink href={toIssueUrl(issue.digest)} dir="auto">
        {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
      </DeskLink>{" "}
      <span className="muted">
        <OccurrenceCount issue={issue} />, last{" "}
        <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
      </span>
    </li>
  );
}

interface ReportGroup {
  readonly title: string;
  readonly issues: readonly IssueSummary[];
}

/** Titles of the report types. Other types are shown by their name. */
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

function groupByType(issues: readonly IssueSummary[]): readonly ReportGroup[] {
  return [...Map.groupBy(issues, ({ type }) => type)].map(([type, groupIssues]) => ({
    title: Object.hasOwn(TITLES, type) ? (TITLES[type] ?? type) : type,
    issues: groupIssues,
  }));
}

function groupNetworkReports(issues: readonly IssueSummary[]): readonly ReportGroup[] {
  return issues.length === 0 ? [] : [{ title: "Failed connections (NEL)", issues }];
}
