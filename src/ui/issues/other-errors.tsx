/** The number of further members of the group that the error of a title is a member of. */
import type { IssueSummary } from "../../core/issue/issue.ts";

/** "+2 more"; nothing for most issues. */
export function OtherErrors({ issue }: { issue: Pick<IssueSummary, "otherErrors"> }) {
  if (issue.otherErrors === undefined) return null;
  return <span className="other-errors"> +{issue.otherErrors} more</span>;
}
