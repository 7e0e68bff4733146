/** The cells of an issue in a list that count its occurrences and users. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { countShown, listCountsBelow } from "../../core/stats/trust-counts.ts";
import { formatNumber, NumberCell } from "../parts/number.tsx";
import { Sparkline } from "./sparkline.tsx";

/** The cells for the recent days, the occurrences and the affected users. */
export function IssueCountCells({
  issue,
  todayNumber,
}: {
  readonly issue: IssueSummary;
  /** The current UTC day, as counted by `toDayNumber`. */
  readonly todayNumber: number;
}) {
  return (
    <>
      <td className="sparkline-cell">
        <Sparkline days={issue.recentDays} todayNumber={todayNumber} />
      </td>
      <td className="number">
        <OccurrenceCount issue={issue} />
      </td>
      <td className="number">
        {issue.userCount !== undefined && <NumberCell count={issue.userCount} one="user" />}
      </td>
    </>
  );
}

/** `5 + 20 page + 3,000 public`: counts occurrences below the level of the issue separately. */
function OccurrenceCount({
  issue,
}: {
  issue: Pick<IssueSummary, "trust" | "count" | "publicCount" | "pageCount">;
}) {
  return (
    <>
      <NumberCell count={countShown(issue)} one="time" />
      {listCountsBelow(issue).map(([trust, count]) => (
        <small key={trust} className="muted">{` + ${formatNumber(count)} ${trust}`}</small>
      ))}
    </>
  );
}
