/** Comments, decisions, alerts and changes of an issue, from the newest to the first report. */

import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { SentAlert, WithSentAlerts } from "../../../core/alerts/sent-alert.ts";
import type { ActivityEntry, Annotations } from "../../../core/issue/annotations.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { CommentText } from "../../parts/comment-text/comment-text.tsx";
import { DeskForm } from "../../parts/desk-context.tsx";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";
import { ActivityItem, InRelease } from "./activity-item.tsx";

const COMMENT_CHARS = 1_200;
/** Characters of the names of destinations. */
const MAX_NAMES_CHARS = 200;
/** Older entries are collapsed. */
const MAX_SHOWN = 20;

/** The comment form. It is above the timeline, so that the timeline can load without moving it. */
export function IssueCommentForm({ digest }: { digest: Digest }) {
  return (
    <DeskForm
      requiredRole={REQUIRED_ROLES.triage}
      className="comment-form"
      method="post"
      action={toIssueActionUrl(digest, "annotations")}
    >
      <label data-shortcut="c">
        <span className="visually-hidden">Comment</span>
        <textarea
          id="comment"
          name="comment"
          required
          rows={2}
          maxLength={limits.maxCommentChars}
          placeholder="Add a comment. Markdown: `code`, **bold**, lists, links"
          dir="auto"
        />
      </label>
      <button type="submit">Comment</button>
    </DeskForm>
  );
}

/** The timeline, or a message if the annotations could not be read (`null`). */
export function ActivityTimeline({
  issue,
  annotations,
  nowMs,
}: {
  issue: Issue;
  annotations: (Annotations & WithSentAlerts) | null;
  nowMs: number;
}) {
  if (annotations === null)
    return <p className="muted">Activity is temporarily unavailable. No data is lost.</p>;
  const { activity, alerts = [] } = annotations;
  const oldestFirst = [...alerts, ...activity].toSorted((a, b) => a.atMs - b.atMs);
  const newestFirst = oldestFirst.toReversed();
  const older = newestFirst.slice(MAX_SHOWN);
  return (
    <>
      <ol className="timeline">
        {newestFirst.slice(0, MAX_SHOWN).map((entry, n) => (
          <TimelineEntry
            key={newestFirst.length - n}
            entry={entry}
            digest={issue.digest}
            nowMs={nowMs}
          />
        ))}
        {older.length === 0 && <FirstSeen issue={issue} nowMs={nowMs} />}
      </ol>
      {older.length > 0 && (
        <details>
          <summary>{older.length} earlier</summary>
          <ol className="timeline">
            {older.map((entry, n) => (
              <TimelineEntry
                key={older.length - n}
                entry={entry}
                digest={issue.digest}
                nowMs={nowMs}
              />
            ))}
            <FirstSeen issue={issue} nowMs={nowMs} />
          </ol>
        </details>
      )}
    </>
  );
}

function TimelineEntry({
  entry,
  digest,
  nowMs,
}: {
  entry: ActivityEntry | SentAlert;
  digest: Digest;
  nowMs: number;
}) {
  if (!("action" in entry)) {
    return (
      <li data-action="alerted">
        <p>
          Alert sent to <bdi>{abbreviate(entry.to.join(", "), MAX_NAMES_CHARS)}</bdi>{" "}
          <RelativeTime atMs={entry.atMs} nowMs={nowMs} />
        </p>
      </li>
    );
  }
  return (
    <li data-action={entry.action}>
      <p>
        <ActivityItem entry={entry} nowMs={nowMs} />{" "}
        <RelativeTime atMs={entry.atMs} nowMs={nowMs} />
      </p>
      {entry.action === "commented" && <Comment comment={entry} digest={digest} />}
    </li>
  );
}

function Comment({
  comment: { id, text },
  digest,
}: {
  comment: Extract<ActivityEntry, { action: "commented" }>;
  digest: Digest;
}) {
  return (
    <div className="comment-body">
      <div>
        <CommentText text={abbreviate(text, COMMENT_CHARS)} />
        <FullText text={text} maxChars={COMMENT_CHARS} />
      </div>
      <DeskForm
        requiredRole={REQUIRED_ROLES.triage}
        method="post"
        action={toIssueActionUrl(digest, "annotations")}
      >
        <button type="submit" className="small" name="deleteComment" value={id}>
          Delete<span className="visually-hidden"> this comment</span>
        </button>
      </DeskForm>
    </div>
  );
}

function FirstSeen({ issue, nowMs }: { issue: Issue; nowMs: number }) {
  return (
    <li data-action="seen">
      <p>
        First seen
        <InRelease release={issue.firstRelease} />{" "}
        <RelativeTime atMs={issue.firstSeenMs} nowMs={nowMs} />
      </p>
    </li>
  );
}
