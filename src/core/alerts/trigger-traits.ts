/**
 * The traits of each trigger. Budgets, limits, marks, priorities and summaries derive from them, so
 * a new trigger needs a row here and no further list. Pure.
 */
import type { AlertMessage } from "./alert-message.ts";
import type { DueAlert } from "./due-alert.ts";
import type { AlertTriggerKind } from "./rule.ts";

interface TriggerTraits {
  /** The change of the issue: it is new, came back, or gets more frequent. */
  readonly says?: "new" | "returned" | "growing";
  /** Anybody can cause many of them. All others tell that something gets worse. */
  readonly isCommon?: true;
  /** It wakes people up. */
  readonly isUrgent?: true;
  /** It can fire for an issue again without anything that members do. */
  readonly isRepeating?: true;
}

const TRAITS: Readonly<Record<AlertTriggerKind, TriggerTraits>> = {
  "new-issue": { says: "new", isCommon: true },
  "csp-violation": { says: "new", isCommon: true },
  regressed: { says: "returned", isUrgent: true },
  returned: { says: "returned", isUrgent: true },
  escalating: { says: "growing", isUrgent: true, isRepeating: true },
  occurrences: { says: "growing", isRepeating: true },
  users: { says: "growing" },
  "new-in-release": { isCommon: true, isRepeating: true },
  "user-feedback": { isCommon: true, isRepeating: true },
  "crash-free": {},
  ingestion: {},
  "source-maps": {},
  budget: {},
  delivery: {},
  flood: {},
  "more-public": {},
  resolved: {},
};

/** The traits of a trigger. */
export function getTraits(kind: AlertTriggerKind): TriggerTraits {
  return TRAITS[kind];
}

/** The words of a summary about an issue with these triggers, the most urgent one first. */
export const SUMMARY_WORDS = [
  { kind: "regressed", badge: "Regressed", word: "returned" },
  { kind: "returned", badge: "Returned", word: "returned" },
  { kind: "escalating", badge: "Escalating", word: "growing" },
  { kind: "new-issue", badge: "New", word: "new" },
] as const satisfies readonly {
  readonly kind: AlertTriggerKind;
  readonly badge: string;
  readonly word: string;
}[];

/** True for an alert that closes the incident of a pager. No rule asks for it. */
export function isResolution({ triggers }: Pick<DueAlert, "triggers">): boolean {
  return triggers.some(({ kind }) => kind === "resolved");
}

/** The triggers of a message: its own, and in a summary those of its issues. */
export function listTriggers({
  reasons,
  issues,
}: Pick<AlertMessage, "reasons" | "issues">): readonly AlertTriggerKind[] {
  return [
    ...reasons.map(({ trigger }) => trigger),
    ...issues.flatMap(({ triggers = [] }) => triggers),
  ];
}
