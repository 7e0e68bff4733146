/**
 * What people add to an issue beside a decision: who looks after it, what they say, what they merged. Stored in KV for good
 * (version 1): fields may be added, never renamed.
 */
import { limits } from "./limits.ts";
import type { Digest } from "./report.ts";

/** One thing that somebody did, or said. `by` is who, in the words of the sign-in; absent while nobody signs in. */
export type Activity = { readonly atMs: number; readonly by?: string } & (
  | { readonly did: "commented"; readonly id: string; readonly text: string }
  | { readonly did: "assigned"; readonly to: string }
  | { readonly did: "unassigned" }
  | { readonly did: "opened" | "muted" }
  | { readonly did: "resolved"; readonly release?: string; readonly inNext?: true }
  | { readonly did: "ignored"; readonly untilMs?: number; readonly untilCount?: number }
  | { readonly did: "regressed"; readonly release?: string }
  | { readonly did: "merged"; readonly from: Digest }
  | { readonly did: "split"; readonly off: Digest }
);

/** What people added to one issue. */
export interface Notes {
  readonly v: 1;
  readonly assignee?: string;
  /** The issue that this one was merged into: its reports count there. */
  readonly mergedInto?: Digest;
  /**
   * The issues that it was split off from again, and up to where its reports of each shard count there, as the store orders them.
   * The earliest first.
   */
  readonly parted?: readonly Parted[];
  /** Oldest first. */
  readonly activity: readonly Activity[];
}

/** A time that an issue was in another one. */
export interface Parted {
  readonly into: Digest;
  readonly upTo: Readonly<Record<string, number>>;
}

/** What somebody wants changed; `by` is who. */
export type NoteChange = { readonly by?: string } & (
  | { readonly change: "comment"; readonly id: string; readonly text: string }
  | { readonly change: "uncomment"; readonly id: string }
  | { readonly change: "assign"; readonly to?: string }
  | { readonly change: "merge"; readonly from: readonly Digest[] }
  | { readonly change: "split"; readonly off: Digest }
);

/** What is said again so soon was sent twice: by a button that was pressed twice, or a page that was loaded anew. */
const SENT_TWICE_WITHIN_MS = 60_000;

/** Notes with nothing in them. */
export const NO_NOTES: Notes = { v: 1, activity: [] };

/**
 * The notes with one more thing that happened; as they are for the newest comment sent twice. Beyond `limits.maxActivityPerIssue` the
 * oldest is forgotten that is no comment, and a comment where there is nothing else; the oldest of all where they would be longer than
 * `limits.maxActivityChars`.
 */
export function withActivity(notes: Notes, activity: Activity): Notes {
  if (isSentTwice(notes, activity)) return notes;
  const all = [...notes.activity, activity];
  while (all.length > limits.maxActivityPerIssue) {
    const oldestDeed = all.slice(0, -1).findIndex(({ did }) => did !== "commented");
    all.splice(Math.max(0, oldestDeed), 1);
  }
  let chars = 0;
  // As JSON: a character alone may be written as six.
  const from = all.findLastIndex((one) => {
    chars += JSON.stringify(one).length;
    return chars > limits.maxActivityChars;
  });
  return { ...notes, activity: all.slice(from + 1) };
}

function isSentTwice({ activity }: Notes, one: Activity): boolean {
  const newest = activity.findLast(({ did }) => did === "commented");
  return (
    one.did === "commented" &&
    newest?.did === "commented" &&
    newest.text === one.text &&
    newest.by === one.by &&
    one.atMs - newest.atMs < SENT_TWICE_WITHIN_MS
  );
}
