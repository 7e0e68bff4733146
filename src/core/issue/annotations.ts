/**
 * What people add to an issue beside a decision: who looks after it, what they say, what they merged. Stored in KV for good
 * (version 1): fields may be added, never renamed.
 */
import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";

/** One thing that somebody did, or said. `by` is who, in the words of the sign-in; absent while nobody signs in. */
export type ActivityEntry = { readonly atMs: number; readonly by?: string } & (
  | { readonly action: "commented"; readonly id: string; readonly text: string }
  | { readonly action: "assigned"; readonly to: string }
  | { readonly action: "unassigned" }
  | { readonly action: "opened" | "muted" }
  | { readonly action: "resolved"; readonly release?: string; readonly inNextRelease?: true }
  | { readonly action: "ignored"; readonly untilMs?: number; readonly untilCount?: number }
  | { readonly action: "regressed"; readonly release?: string }
  | { readonly action: "merged"; readonly from: Digest }
  | { readonly action: "split"; readonly digest: Digest }
);

/** What people added to one issue. */
export interface Annotations {
  readonly v: 1;
  readonly assignee?: string;
  /** The issue that this one was merged into: its reports count there. */
  readonly mergedInto?: Digest;
  /**
   * The issues that it was split off from again, and up to where its reports of each shard count there, as the store orders them.
   * The earliest first.
   */
  readonly splitOff?: readonly SplitOff[];
  /** Oldest first. */
  readonly activity: readonly ActivityEntry[];
}

/** A time that an issue was in another one. */
export interface SplitOff {
  readonly into: Digest;
  readonly watermarks: Readonly<Record<string, number>>;
}

/** What somebody wants changed; `by` is who. */
export type AnnotationChange = { readonly by?: string } & (
  | { readonly change: "comment"; readonly id: string; readonly text: string }
  | { readonly change: "delete-comment"; readonly id: string }
  | { readonly change: "assign"; readonly to?: string }
  | { readonly change: "merge"; readonly from: readonly Digest[] }
  | { readonly change: "split"; readonly digest: Digest }
);

/** What is said again so soon was sent twice: by a button that was pressed twice, or a page that was loaded anew. */
const REPEATED_COMMENT_MS = 60_000;

/** Notes with nothing in them. */
export const EMPTY_ANNOTATIONS: Annotations = { v: 1, activity: [] };

/**
 * The notes with one more thing that happened; as they are for the newest comment sent twice. Beyond `limits.maxActivityPerIssue` the
 * oldest is forgotten that is no comment, and a comment where there is nothing else; the oldest of all where they would be longer than
 * `limits.maxActivityChars`.
 */
export function appendActivity(annotations: Annotations, activity: ActivityEntry): Annotations {
  if (isRepeatedComment(annotations, activity)) return annotations;
  const entries = [...annotations.activity, activity];
  while (entries.length > limits.maxActivityPerIssue) {
    const oldestIndex = entries.slice(0, -1).findIndex(({ action }) => action !== "commented");
    entries.splice(Math.max(0, oldestIndex), 1);
  }
  let chars = 0;
  // As JSON: a character alone may be written as six.
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
