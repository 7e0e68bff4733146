/** Issues with nearly the same text, which can be merged into this one. */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { countShown } from "../../../core/stats/trust-counts.ts";
import { stripTypePrefix } from "../../issues/message-without-type.ts";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toIssueActionUrl, toIssueUrl } from "../../urls/issue-urls.ts";

const MESSAGE_CHARS = 120;
const TYPE_CHARS = 60;

/** The issues similar to `digest`, best match first. */
export function SimilarIssues({
  digest,
  issues,
  nowMs,
}: {
  readonly digest: Digest;
  /** Null while the index is unavailable. */
  readonly issues: readonly IssueSummary[] | null;
  readonly nowMs: number;
}) {
  if (issues === null) return <p className="muted">Similar issues are temporarily unavailable.</p>;
  if (issues.length === 0) return <p className="muted">No similar issues.</p>;
  return (
    <ul className="similar">
      {issues.map((issue) => (
        <li key={issue.digest}>
          <DeskLink href={toIssueUrl(issue.digest)}>
            <bdi className="type">{abbreviate(issue.type || issue.kind, TYPE_CHARS)}</bdi>{" "}
            <span dir="auto">
              {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
            </span>
          </DeskLink>
          <p className="similar-meta">
            <code>{issue.digest}</code> <span>{pluralize(countShown(issue), "time")}</span>{" "}
            <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
          </p>
          <DeskForm
            requiredRole="member"
            method="post"
            action={toIssueActionUrl(digest, "annotations")}
          >
            <button type="submit" className="small" name="merge" value={issue.digest}>
              Merge into this<span className="visually-hidden"> issue: {issue.digest}</span>
            </button>
          </DeskForm>
        </li>
      ))}
    </ul>
  );
}
