/** Browser reports other than CSP violations, and failed connections, as a list of issues. */
import { use } from "react";
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralizeTotal } from "../parts/number.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";

interface BrowserReportsProps {
  readonly browserReports: Promise<IssueListPage>;
  readonly networkReports: Promise<IssueListPage>;
  readonly nowMs: number;
}

/** The list, most frequent first, or an empty state. */
export function BrowserReports({ browserReports, networkReports, nowMs }: BrowserReportsProps) {
  const pages = [use(browserReports), use(networkReports)];
  const issues = pages.flatMap((page) => page.issues).sort((a, b) => b.count - a.count);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  const isTotalCapped = pages.some((page) => page.isTotalCapped);
  if (issues.length === 0) {
    return (
      <p className="muted">
        No reports yet. Browsers send deprecations, interventions, crashes, isolation policy
        violations and failed connections to the same endpoint.
      </p>
    );
  }
  return (
    <>
      <p className="heading-note">
        {pluralizeTotal({ total, ...(isTotalCapped && { isTotalCapped }) }, "issue")}
      </p>
      <IssueListTable
        issues={issues}
        nowMs={nowMs}
        caption="Other browser reports, most frequent first"
      />
      {(total > issues.length || isTotalCapped) && (
        <p className="muted spaced">
          Only the most frequent are shown. See all{" "}
          <DeskLink href={toSearchUrl("kind:browser")}>browser reports</DeskLink> and{" "}
          <DeskLink href={toSearchUrl("kind:network")}>failed connections</DeskLink>.
        </p>
      )}
    </>
  );
}
