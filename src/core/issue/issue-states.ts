/**
 * The states of an issue: the only table of their words. Enums, labels, queries, operations, texts
 * and stored forms derive from it.
 *
 * Version 1 of stored data called them `ignored` and `muted`, and a member could ignore an issue
 * without end. This release still writes those words, so that one rollback is possible; texts that
 * people and programs send may have them for ever.
 */

interface StateWords {
  /** As tabs and badges say it. */
  readonly label: string;
  /** The button that sets the state. */
  readonly verb: string;
  /** `snoozed` of "7F3K-Q2M9 snoozed.", and of "snoozed 3 issues". */
  readonly done: string;
  /** The word in stored data of version 1. */
  readonly stored: "open" | "ignored" | "resolved" | "muted";
  /** The key that sets it in lists and on the page of an issue. */
  readonly key: string;
}

/**
 * `snoozed` until a time, a count, a release, or until it escalates; `resolved` until it occurs
 * again; `archived` without end. In the order of tabs.
 */
export const ISSUE_STATES = {
  open: { label: "Open", verb: "Reopen", done: "reopened", stored: "open", key: "o" },
  snoozed: { label: "Snoozed", verb: "Snooze", done: "snoozed", stored: "ignored", key: "s" },
  resolved: { label: "Resolved", verb: "Resolve", done: "resolved", stored: "resolved", key: "r" },
  archived: { label: "Archived", verb: "Archive", done: "archived", stored: "muted", key: "e" },
} as const satisfies Readonly<Record<string, StateWords>>;

/** The state at a time; `getCurrentState` computes it. */
export type IssueState = keyof typeof ISSUE_STATES;

/** All states, in the order of tabs. */
export const STATE_NAMES = Object.keys(ISSUE_STATES) as readonly IssueState[];

/**
 * Former names, which queries, saved views and programs may still have. In a query each stands for
 * all states that it can have become: an issue that was ignored without end is archived.
 */
export const FORMER_STATES: ReadonlyMap<string, readonly IssueState[]> = new Map([
  ["ignored", ["snoozed", "archived"]],
  ["muted", ["archived"]],
]);

/** Names that requests may have for a state: those of today, then the former ones. */
export type StateName = IssueState | "ignored" | "muted";
export const ALL_STATE_NAMES = [...STATE_NAMES, ...FORMER_STATES.keys()] as readonly StateName[];
