/** The occurrences of an issue in a list. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { countShown, listCountsBelow } from "../../core/stats/trust-counts.ts";
import { formatNumber, NumberCell } from "../parts/number.tsx";

/** `5 + 20 page + 3,000 public`: counts occurrences below the level of the issue separately. */
export function OccurrenceCount({
  issue,
}: {
  readonly issue: Pick<IssueSummary, "trust" | "count" | "publicCount" | "pageCount">;
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
