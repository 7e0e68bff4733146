/** Links to the newer (left) and older (right) report of an issue. */

import { findLatestReport } from "../../../core/issue/related-reports.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { ArrowIcon } from "../../parts/icons.tsx";
import { toReportSearch } from "../../urls/issue-urls.ts";

/** The URL of one report on its issue's page. The fragment keeps the scroll position. */
export function toReportHref(id: string): string {
  return `${toReportSearch(id)}#report`;
}

/**
 * "2 of 13" with links to the neighbors, among reports of the same sort (occurrences or linked
 * reports). For a report older than all in `summaries`, a link to the newest.
 */
export function ReportPagination({
  summaries,
  id,
}: {
  summaries: readonly ReportSummary[];
  id: string;
}) {
  const current = summaries.find((summary) => summary.id === id);
  const newest = findLatestReport(summaries);
  if (newest === undefined) return null;
  if (current === undefined) {
    return (
      <nav className="pagination" aria-label="Reports">
        <DeskLink href={toReportHref(newest.id)}>Newest report</DeskLink>
      </nav>
    );
  }
  const sameKind = summaries.filter(({ isLinked }) => isLinked === current.isLinked);
  const index = sameKind.indexOf(current);
  if (sameKind.length === 1) return null;
  return (
    <nav className="pagination" aria-label="Reports">
      <PageLink target={sameKind[index - 1]} direction="newer" />{" "}
      <span className="pagination-position">
        {index + 1} of {sameKind.length}
      </span>{" "}
      <PageLink target={sameKind[index + 1]} direction="older" />
    </nav>
  );
}

function PageLink({
  target,
  direction,
}: {
  target: ReportSummary | undefined;
  direction: "newer" | "older";
}) {
  const arrow = <ArrowIcon direction={direction === "newer" ? "left" : "right"} />;
  const word = direction === "newer" ? "Newer" : "Older";
  if (target === undefined) {
    return (
      <span className="pagination-link" data-disabled="">
        {arrow}
        <span className="visually-hidden">No {direction} report</span>
      </span>
    );
  }
  return (
    <DeskLink
      id={direction}
      className="pagination-link"
      href={toReportHref(target.id)}
      rel={direction === "newer" ? "prev" : "next"}
      data-shortcut={direction === "newer" ? "k" : "j"}
    >
      {arrow}
      <span className="visually-hidden">{word} report</span>
    </DeskLink>
  );
}
