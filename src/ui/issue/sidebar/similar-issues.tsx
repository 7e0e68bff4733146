/** Issues with nearly the same text or place, which can be merged into this one. */
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { SimilarIssue } from "../../../core/ports/storage-ports.ts";
import type { Digest, ReportGrouping } from "../../../core/report.ts";
import { stripTypePrefix } from "../../issues/message-without-type.ts";
import { OtherErrors } from "../../issues/other-errors.tsx";
import { DeskForm, DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toIssueActionUrl, toIssueUrl } from "../../urls/issue-urls.ts";
import { KeyDifferences } from "./grouping-text.tsx";

const MESSAGE_CHARS = 120;
const TYPE_CHARS = 60;

/** The issues similar to `digest`, best match first. */
export function SimilarIssues({
  digest,
  grouping,
  issues,
  nowMs,
}: {
  readonly digest: Digest;
  /** Of the issue `digest`. */
  readonly grouping: ReportGrouping | undefined;
  /** Null while the index is unavailable. */
  readonly issues: readonly SimilarIssue[] | null;
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
            <OtherErrors issue={issue} />
          </DeskLink>
          <KeyDifferences own={grouping} other={issue.grouping} />
          <p className="similar-meta">
            <code>{issue.digest}</code> <span>{pluralize(issue.count, "time")}</span>{" "}
            <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
          </p>
          <DeskForm
            requiredRole={REQUIRED_ROLES.triage}
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
