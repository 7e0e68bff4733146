/** Steps through the newest reports of an issue, by plain links. Newer is to the left: the list is newest first. */

import { findLatestReport } from "../../../core/issue/related-reports.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { ArrowIcon } from "../../parts/icons.tsx";
import { toReportSearch } from "../../urls/issue-urls.ts";

/** The address of one report on its issue's page; the fragment keeps the place on the page. */
export function toReportHref(id: string): string {
  return `${toReportSearch(id)}#report`;
}

/**
 * "2 of 13" with links to its neighbours: among the occurrences, or among the linked reports, whichever the open one is. A
 * report that is older than all in `latest` leads to the newest.
 */
export function ReportPagination({
  summaries,
  id,
}: {
  readonly summaries: readonly ReportSummary[];
  readonly id: string;
}) {
  const current = summaries.find((summary) => summary.id === id);
  const newest = findLatestReport(summaries);
  if (newest === undefined) return null;
  if (current === undefined) {
    return (
      <nav className="stepper" aria-label="Reports">
        <DeskLink href={toReportHref(newest.id)}>To the newest</DeskLink>
      </nav>
    );
  }
  const sameKind = summaries.filter(({ isLinked }) => isLinked === current.isLinked);
  const index = sameKind.indexOf(current);
  if (sameKind.length === 1) return null;
  return (
    <nav className="stepper" aria-label="Reports">
      <PageLink target={sameKind[index - 1]} direction="newer" />{" "}
      <span className="stepper-place">
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
      <span className="step" data-end="">
        {arrow}
        <span className="visually-hidden">No {direction} report</span>
      </span>
    );
  }
  return (
    <DeskLink
      id={direction}
      className="step"
      href={toReportHref(target.id)}
      rel={direction === "newer" ? "prev" : "next"}
      data-shortcut={direction === "newer" ? "k" : "j"}
    >
      {arrow}
      <span className="visually-hidden">{word} report</span>
    </DeskLink>
  );
}
