/** What people did with an issue and said about it, newest first, down to the moment when it was first seen. */
import type { Issue } from "../../core/issue.ts";
import { limits } from "../../core/limits.ts";
import type { Activity as Done, Notes } from "../../core/notes.ts";
import type { Digest } from "../../core/report.ts";
import { headOf, WholeText } from "../long-text.tsx";
import { Form } from "../place.tsx";
import { Time } from "../time.tsx";
import { Deed, In } from "./deed.tsx";
import { issueAction } from "./issue-url.ts";

const COMMENT_CHARS = 1_200;
/** Older ones wait behind a summary. */
const SHOWN = 20;

/** The field for a comment. It stands above what was said, so that nothing moves when that comes. */
export function CommentForm({ digest }: { readonly digest: Digest }) {
  return (
    <Form
      needs="member"
      className="comment-form"
      method="post"
      action={issueAction(digest, "notes")}
    >
      <label data-key="c">
        <span className="unseen">Comment</span>
        <textarea
          id="comment"
          name="comment"
          required
          rows={2}
          maxLength={limits.maxCommentChars}
          placeholder="What do you know about it?"
          dir="auto"
        />
      </label>
      <button type="submit">Comment</button>
    </Form>
  );
}

/** The timeline of an issue's notes; a sentence while they cannot be read (`null`). */
export function Activity({
  issue,
  notes,
  nowMs,
}: {
  readonly issue: Issue;
  readonly notes: Notes | null;
  readonly nowMs: number;
}) {
  if (notes === null) {
    return (
      <p className="aside">
        What people said and did cannot be read at the moment: the index is away. Nothing of it is
        lost.
      </p>
    );
  }
  const newest = notes.activity.toReversed();
  const older = newest.slice(SHOWN);
  return (
    <>
      <ol className="timeline">
        {newest.slice(0, SHOWN).map((done, n) => (
          <Entry key={newest.length - n} done={done} digest={issue.digest} nowMs={nowMs} />
        ))}
        {older.length === 0 && <FirstSeen issue={issue} nowMs={nowMs} />}
      </ol>
      {older.length > 0 && (
        <details>
          <summary>{older.length} earlier</summary>
          <ol className="timeline">
            {older.map((done, n) => (
              <Entry key={older.length - n} done={done} digest={issue.digest} nowMs={nowMs} />
            ))}
            <FirstSeen issue={issue} nowMs={nowMs} />
          </ol>
        </details>
      )}
    </>
  );
}

function Entry({ done, digest, nowMs }: { done: Done; digest: Digest; nowMs: number }) {
  return (
    <li data-did={done.did}>
      <p>
        <Deed done={done} nowMs={nowMs} /> <Time atMs={done.atMs} nowMs={nowMs} />
      </p>
      {done.did === "commented" && <Comment comment={done} digest={digest} />}
    </li>
  );
}

function Comment({
  comment: { id, text },
  digest,
}: {
  comment: Extract<Done, { did: "commented" }>;
  digest: Digest;
}) {
  return (
    <div className="remark">
      <div>
        <p dir="auto">{headOf(text, COMMENT_CHARS)}</p>
        <WholeText text={text} headChars={COMMENT_CHARS} />
      </div>
      <Form needs="member" method="post" action={issueAction(digest, "notes")}>
        <button type="submit" className="small" name="uncomment" value={id}>
          Remove<span className="unseen"> this comment</span>
        </button>
      </Form>
    </div>
  );
}

function FirstSeen({ issue, nowMs }: { issue: Issue; nowMs: number }) {
  return (
    <li data-did="seen">
      <p>
        First seen
        <In release={issue.firstRelease} /> <Time atMs={issue.firstSeenMs} nowMs={nowMs} />
      </p>
    </li>
  );
}
