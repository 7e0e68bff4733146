/** Comments, decisions, alerts and changes of an issue, from the newest to the first report. */

import type { ReactNode } from "react";
import { REQUIRED_ROLES } from "../../../core/accounts/required-roles.ts";
import type { SentAlert, WithSentAlerts } from "../../../core/alerts/sent-alert.ts";
import type { ActivityEntry, Annotations } from "../../../core/issue/annotations.ts";
import type { FixEvent } from "../../../core/issue/fix-event.ts";
import type { HandOff } from "../../../core/issue/fix-record.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { ISSUE_STATES } from "../../../core/issue/issue-states.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { formatEndReason, SnoozeLimits } from "../../issues/snooze-text.tsx";
import { CommentText } from "../../parts/comment-text/comment-text.tsx";
import { DeskForm, useDesk } from "../../parts/desk-context.tsx";
import { abbreviate, FullText } from "../../parts/long-text.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toIssueActionUrl } from "../../urls/issue-urls.ts";
import { ChangeLink } from "../fix/fix-steps.tsx";

const COMMENT_CHARS = 1_200;
/** Characters of the names of destinations. */
const MAX_NAMES_CHARS = 200;
/** Older entries are collapsed. */
const MAX_SHOWN = 20;

/** The comment form. It is above the timeline, so that the timeline can load without moving it. */
export function IssueCommentForm({ digest }: { digest: Digest }) {
  const { members = [] } = useDesk();
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
          placeholder="Add a comment. @ mentions a member. Markdown: `code`, **bold**, lists, links"
          data-mentions={JSON.stringify(members)}
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
  const { activity, alerts = [], fix = {} } = annotations;
  const { events = [], handOffs = [] } = fix;
  const all = [...alerts, ...activity, ...events, ...handOffs];
  const oldestFirst = all.toSorted((a, b) => a.atMs - b.atMs);
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
  entry: ActivityEntry | SentAlert | FixEvent | HandOff;
  digest: Digest;
  nowMs: number;
}) {
  if ("kind" in entry || "name" in entry) return <FixEntry entry={entry} nowMs={nowMs} />;
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

const FIX_TEXTS: Readonly<Record<FixEvent["kind"], string>> = {
  proposed: "Fix proposed: ",
  merged: "Fix merged: ",
  closed: "Fix closed without a merge: ",
};

/** What happened to a change, or a hand-off to an agent. */
function FixEntry({ entry, nowMs }: { entry: FixEvent | HandOff; nowMs: number }) {
  const by = "kind" in entry ? entry.author : entry.by;
  return (
    <li data-action="fix">
      <p>
        {"kind" in entry ? (
          <>
            {FIX_TEXTS[entry.kind]}
            <ChangeLink change={entry} />
          </>
        ) : (
          <>
            {entry.isReturn ? "Handed back to " : "Handed off to "}
            <bdi>{abbreviate(entry.name, NAME_CHARS)}</bdi>
          </>
        )}
        {by !== undefined && (
          <>
            {" "}
            by <bdi>{abbreviate(by, NAME_CHARS)}</bdi>
          </>
        )}{" "}
        <RelativeTime atMs={entry.atMs} nowMs={nowMs} />
      </p>
    </li>
  );
}

function Comment({
  comment: { id, text, mentions },
  digest,
}: {
  comment: Extract<ActivityEntry, { action: "commented" }>;
  digest: Digest;
}) {
  return (
    <div className="comment-body">
      <div>
        <CommentText text={abbreviate(text, COMMENT_CHARS)} mentions={mentions ?? []} />
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

// One entry of an issue's activity as text: "Resolved in 1.4.0 by Ada".

const NAME_CHARS = 80;

const ACTION_TEXTS: Readonly<Record<ActivityEntry["action"], string>> = {
  commented: "Comment",
  assigned: "Assigned to ",
  unassigned: "Unassigned",
  opened: "Reopened",
  archived: ISSUE_STATES.archived.label,
  trusted: "Reopened by the first report of a higher trust level",
  resolved: "Resolved",
  snoozed: ISSUE_STATES.snoozed.label,
  returned: "Snooze ended",
  regressed: "Regressed",
  merged: "Merged ",
  split: "Split off ",
  linked: "Linked to ",
  unlinked: "Unlinked from ",
};

/** The action, and its author if that person was signed in. */
function ActivityItem({ entry, nowMs }: { entry: ActivityEntry; nowMs: number }) {
  if (entry.action === "assigned" && entry.to === entry.by) {
    return (
      <>
        Taken by <bdi>{abbreviate(entry.by, NAME_CHARS)}</bdi>
      </>
    );
  }
  return (
    <>
      {ACTION_TEXTS[entry.action]}
      {formatObject(entry, nowMs)}
      {entry.by !== undefined && (
        <>
          {" "}
          by <bdi>{abbreviate(entry.by, NAME_CHARS)}</bdi>
        </>
      )}
    </>
  );
}

/** The object of the action: a person, a release, a digest or a limit. */
function formatObject(entry: ActivityEntry, nowMs: number): ReactNode {
  switch (entry.action) {
    case "assigned":
      return <bdi>{abbreviate(entry.to, NAME_CHARS)}</bdi>;
    case "resolved":
      return entry.inNextRelease ? " in the next release" : <InRelease release={entry.release} />;
    case "regressed":
      return <InRelease release={entry.release} />;
    case "snoozed":
      return (
        <>
          {" "}
          <SnoozeLimits decision={entry} nowMs={nowMs} />
        </>
      );
    case "returned":
      return `: ${formatEndReason(entry)}`;
    case "merged":
      return <code>{entry.from}</code>;
    case "split":
      return <code>{entry.digest}</code>;
    case "linked":
    case "unlinked":
      return <bdi>{abbreviate(entry.label, NAME_CHARS)}</bdi>;
    default:
      return null;
  }
}

/** ` in 1.4.0`, or nothing if the release is unknown. */
function InRelease({ release }: { release: string | undefined }) {
  if (release === undefined) return null;
  return (
    <>
      {" "}
      in <bdi>{abbreviate(release, NAME_CHARS)}</bdi>
    </>
  );
}
