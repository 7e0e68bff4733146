/** The occurrences of an issue in a list. */
import type { IssueSummary } from "../../core/issue/issue.ts";
import { countBesides, countShown } from "../../core/stats/trust-counts.ts";
import { formatNumber, NumberCell } from "../parts/number.tsx";

/** `5 + 3,000 public`: anyone can add public occurrences to an issue with trusted ones. */
export function OccurrenceCount({
  issue,
}: {
  readonly issue: Pick<IssueSummary, "trust" | "count" | "publicCount" | "pageCount">;
}) {
  const publicCount = countBesides(issue);
  return (
    <>
      <NumberCell count={countShown(issue)} one="time" />
      {publicCount > 0 && (
        <small className="muted">{` + ${formatNumber(publicCount)} public`}</small>
      )}
    </>
  );
}
