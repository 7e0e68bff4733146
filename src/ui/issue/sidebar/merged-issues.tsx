/** The issues that were merged into this one; each may stand alone again. */
import type { Issue } from "../../../core/issue/issue.ts";
import { DeskForm } from "../../parts/desk-context.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";

/** Their digests, each with its button; nothing where none was merged. */
export function MergedIssues({ issue }: { readonly issue: Issue }) {
  const { mergedDigests = [], digest } = issue;
  if (mergedDigests.length === 0) return null;
  return (
    <section className="merged">
      <h2>Merged into it</h2>
      <p className="muted">
        Split off, one is an issue of its own when it happens again. What it has counted stays here.
      </p>
      <ul>
        {mergedDigests.map((off) => (
          <li key={off}>
            <code>{off}</code>
            <DeskForm
              requiredRole="member"
              method="post"
              action={toIssueActionUrl(digest, "annotations")}
            >
              <button type="submit" className="small" name="split" value={off}>
                Split off<span className="visually-hidden"> {off}</span>
              </button>
            </DeskForm>
          </li>
        ))}
      </ul>
    </section>
  );
}
