/** The issues that were merged into this one, each with a button to split it off. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";
import { KeyDifferences } from "./grouping-text.tsx";

export const MERGED_ID = "merged";

/** Their digests and buttons; nothing if none was merged. */
export function MergedIssues({ issue }: { issue: Issue }) {
  const { mergedDigests = [], digest, grouping, mergedGroupings } = issue;
  if (mergedDigests.length === 0) return null;
  return (
    <section className="merged" id={MERGED_ID}>
      <h2>Merged issues</h2>
      <p className="muted">
        After a split, new reports count for the separate issue. Past counts stay here.
      </p>
      <ul>
        {mergedDigests.map((mergedDigest) => (
          <li key={mergedDigest}>
            <code>{mergedDigest}</code>
            <DeskForm
              requiredRole={REQUIRED_ROLES.triage}
              method="post"
              action={toIssueActionUrl(digest, "annotations")}
            >
              <button type="submit" className="small" name="split" value={mergedDigest}>
                Split off<span className="visually-hidden"> {mergedDigest}</span>
              </button>
            </DeskForm>
            <KeyDifferences own={grouping} other={mergedGroupings?.[mergedDigest]} />
          </li>
        ))}
      </ul>
    </section>
  );
}
