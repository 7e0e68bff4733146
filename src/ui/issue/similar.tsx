/** Issues that say nearly the same: perhaps the same fault under another name, which can be merged at once. */
import type { IssueSummary } from "../../core/issue.ts";
import type { Digest } from "../../core/report.ts";
import { counted } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { ownWords } from "../own-words.ts";
import { A, Form } from "../place.tsx";
import { Time } from "../time.tsx";
import { issueAction, issueUrl } from "./issue-url.ts";

const MESSAGE_CHARS = 120;
const TYPE_CHARS = 60;

/** What is shown beside `digest`, the likeliest first; a sentence where there are none. */
export function Similar({
  digest,
  issues,
  nowMs,
}: {
  readonly digest: Digest;
  /** Null while they cannot be looked for. */
  readonly issues: readonly IssueSummary[] | null;
  readonly nowMs: number;
}) {
  if (issues === null) return <p className="aside">They cannot be looked for at the moment.</p>;
  if (issues.length === 0) return <p className="aside">No other issue says nearly the same.</p>;
  return (
    <ul className="similar">
      {issues.map((issue) => (
        <li key={issue.digest}>
          <A href={issueUrl(issue.digest)}>
            <bdi className="type">{headOf(issue.type || issue.kind, TYPE_CHARS)}</bdi>{" "}
            <span dir="auto">{headOf(ownWords(issue), MESSAGE_CHARS) || "(no message)"}</span>
          </A>
          <p className="similar-facts">
            <code>{issue.digest}</code> <span>{counted(issue.count, "time")}</span>{" "}
            <Time atMs={issue.lastSeenMs} nowMs={nowMs} />
          </p>
          <Form needs="member" method="post" action={issueAction(digest, "notes")}>
            <button type="submit" className="small" name="merge" value={issue.digest}>
              Merge into this<span className="unseen"> issue: {issue.digest}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );
}
