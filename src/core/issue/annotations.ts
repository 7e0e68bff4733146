/**
 * Annotations of an issue: assignee, comments, merges. Stored in KV without expiry (version 1):
 * fields may be added, never renamed.
 */
import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";

/**
 * One action of a person, a regression, or the first report of a higher level (`trusted`), which
 * reopens a muted or ignored issue. `by` is the name of the person; absent without sign-in.
 */
export type ActivityEntry = { readonly atMs: number; readonly by?: string } & (
  | { readonly action: "commented"; readonly id: string; readonly text: string }
  | { readonly action: "assigned"; readonly to: string }
  | { readonly action: "unassigned" }
  | { readonly action: "opened" | "muted" | "trusted" }
  | { readonly action: "resolved"; readonly release?: string; readonly inNextRelease?: true }
  | { readonly action: "ignored"; readonly untilMs?: number; readonly untilCount?: number }
  | { readonly action: "regressed"; readonly release?: string }
  | { readonly action: "merged"; readonly from: Digest }
  | { readonly action: "split"; readonly digest: Digest }
);

export interface Annotations {
  readonly v: 1;
  readonly assignee?: string;
  /** The issue that this one was merged into. Its reports count there. */
  readonly mergedInto?: Digest;
  /**
   * The issues that this one was split off from, earliest first. Reports below the watermarks (one
   * per shard) still count there.
   */
  readonly splitOff?: readonly SplitOff[];
  /** Oldest first. */
  readonly activity: readonly ActivityEntry[];
}

/** A past merge of this issue into another. */
export interface SplitOff {
  readonly into: Digest;
  readonly watermarks: Readonly<Record<string, number>>;
}

/** A requested change. `by` is the name of the person. */
export type AnnotationChange = { readonly by?: string } & (
  | { readonly change: "comment"; readonly id: string; readonly text: string }
  | { readonly change: "delete-comment"; readonly id: string }
  | Assignment
  | { readonly change: "merge"; readonly from: readonly Digest[] }
  | { readonly change: "split"; readonly digest: Digest }
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
export const EMPTY_ANNOTATIONS: Annotations = { v: 1, activity: [] };

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
