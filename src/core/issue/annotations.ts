/**
 * Annotations of an issue: assignee, comments, merges. Stored in KV without expiry (version 2,
 * `issue-versions.ts`): fields may be added, never renamed.
 */
import * as v from "valibot";
import { MAX_MENTIONS } from "../comment/mentions.ts";
import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";
import {
  choice,
  code,
  flag,
  list,
  local,
  number,
  positiveCount,
  type StoredValue,
  storedObject,
  text,
  timeMs,
  valuesByName,
  variant,
  version2,
} from "../schema/stored-object.ts";
import { fixRecordSchema } from "./fix-record.ts";
import { SNOOZE_ENDS } from "./issue.ts";
import { MAX_LABEL_CHARS, type NewTrackerLink, trackerLinkSchema } from "./tracker-link.ts";

const name = /* @__PURE__ */ text(limits.maxAssigneeChars);
const release = /* @__PURE__ */ text(limits.maxReleaseChars);

/* @__NO_SIDE_EFFECTS__ */
function activity<const Action extends string, const Entries extends v.ObjectEntries>(
  actions: readonly Action[],
  entries: Entries,
) {
  return storedObject({ atMs: timeMs, by: v.optional(name), action: choice(actions), ...entries });
}

/**
 * One action of a person, a regression, or the first report of a higher level (`trusted`), which
 * reopens a snoozed or archived issue. `by` is the name of the person; absent without sign-in.
 */
export type ActivityEntry = StoredValue<typeof activitySchema>;
const activitySchema = /* @__PURE__ */ variant("action", [
  activity(["commented"], {
    id: code("id"),
    text: text(limits.maxCommentChars),
    /** The names of the members that the text mentions. */
    mentions: v.optional(list(name, MAX_MENTIONS)),
  }),
  activity(["assigned"], { to: name }),
  activity(["unassigned"], {}),
  activity(["opened", "archived", "trusted"], {}),
  activity(["resolved"], { release: v.optional(release), inNextRelease: v.optional(flag) }),
  activity(["snoozed"], {
    untilMs: v.optional(timeMs),
    untilCount: v.optional(positiveCount),
    untilUsers: v.optional(positiveCount),
    untilEscalation: v.optional(flag),
    untilNextRelease: v.optional(flag),
    afterRelease: v.optional(release),
  }),
  // A report ended the snooze.
  activity(["returned"], {
    endedBy: choice(SNOOZE_ENDS),
    endedValue: v.optional(number),
    endedUsual: v.optional(number),
    endedInRelease: v.optional(release),
  }),
  activity(["regressed"], { release: v.optional(release) }),
  activity(["merged"], { from: code("digest") }),
  activity(["split"], { digest: code("digest") }),
  // The issue of a tracker, or a plain link.
  activity(["linked", "unlinked"], { label: text(MAX_LABEL_CHARS) }),
]);

const splitOffSchema = /* @__PURE__ */ storedObject({
  into: code("digest"),
  watermarks: valuesByName(code(), number),
});

export type Annotations = StoredValue<typeof annotationsSchema>;
export const annotationsSchema = /* @__PURE__ */ storedObject({
  v: version2,
  assignee: v.optional(name),
  /** The issue that this one was merged into. Its reports count there. */
  mergedInto: v.optional(code("digest")),
  /**
   * The issues that this one was split off from, earliest first. Reports below the watermarks (one
   * per shard) still count there. Watermarks are only valid in their own project.
   */
  splitOff: local(v.optional(list(splitOffSchema))),
  /** The issue of a tracker. */
  tracker: v.optional(trackerLinkSchema),
  /** The changes that fix the issue, and its hand-offs to agents. */
  fix: v.optional(fixRecordSchema),
  /** Oldest first. */
  activity: list(activitySchema, limits.maxActivityPerIssue),
});

/** A past merge of this issue into another. */
export type SplitOff = StoredValue<typeof splitOffSchema>;

/** A requested change. `by` is the name of the person. */
export type AnnotationChange = { readonly by?: string } & (
  | {
      readonly change: "comment";
      readonly id: string;
      readonly text: string;
      readonly mentions?: readonly string[];
    }
  | { readonly change: "delete-comment"; readonly id: string }
  | Assignment
  | { readonly change: "merge"; readonly from: readonly Digest[] }
  | { readonly change: "split"; readonly digest: Digest }
  | { readonly change: "link-tracker"; readonly link: NewTrackerLink }
  | { readonly change: "unlink-tracker" }
);

/** Sets the assignee, or removes it. */
export interface Assignment {
  readonly change: "assign";
  readonly to?: string;
  readonly by?: string;
}

/** A comment repeated within this time is a double click or a reloaded page. */
const REPEATED_COMMENT_MS = 60_000;

/** Annotations of an issue that has none. */
export const EMPTY_ANNOTATIONS: Annotations = { v: 2, activity: [] };

/**
 * Appends an entry. A repeated comment changes nothing. Above `limits.maxActivityPerIssue` entries,
 * drops the oldest entry that is not a comment, or else the oldest comment. Above
 * `limits.maxActivityChars`, drops the oldest entries.
 */
export function appendActivity(annotations: Annotations, activity: ActivityEntry): Annotations {
  if (isRepeatedComment(annotations, activity)) return annotations;
  const entries = [...annotations.activity, activity];
  while (entries.length > limits.maxActivityPerIssue) {
    const oldestIndex = entries.slice(0, -1).findIndex(({ action }) => action !== "commented");
    entries.splice(Math.max(0, oldestIndex), 1);
  }
  let chars = 0;
  // Measured as JSON, where one character can take six.
  const from = entries.findLastIndex((entry) => {
    chars += JSON.stringify(entry).length;
    return chars > limits.maxActivityChars;
  });
  return { ...annotations, activity: entries.slice(from + 1) };
}

function isRepeatedComment({ activity }: Annotations, entry: ActivityEntry): boolean {
  const newest = activity.findLast(({ action }) => action === "commented");
  return (
    entry.action === "commented" &&
    newest?.action === "commented" &&
    newest.text === entry.text &&
    newest.by === entry.by &&
    entry.atMs - newest.atMs < REPEATED_COMMENT_MS
  );
}
