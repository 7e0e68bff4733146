/** The cells of an issue in a list that count its occurrences and users. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { NumberCell } from "../parts/number.tsx";
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
        <NumberCell count={issue.count} one="time" />
      </td>
      <td className="number">
        {issue.userCount !== undefined && <NumberCell count={issue.userCount} one="user" />}
      </td>
    </>
  );
}
