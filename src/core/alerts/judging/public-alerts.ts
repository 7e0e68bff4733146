/**
 * The hourly limits of alerts about public reports, which every visitor can send. One
 * message states how many alerts were above them. Pure.
 */
import { HOUR_MS } from "../../utc-time.ts";
import { alertLimits } from "../alert-limits.ts";
import type { DueAlert } from "../due-alert.ts";
import { getTraits } from "../trigger-traits.ts";

/**
 * The limits, each `alertLimits.maxPublicAlertsPerHour`: of new issues, of those that got worse or
 * returned, of those from many networks (which strangers do not have), and of feedback.
 */
export type PublicLimit = "new" | "worse" | "widespread" | "feedback";

/** The alerts about public reports. Stored (version 1): fields may be added. */
export interface PublicAlerts {
  /** When the alerts of the last hour were sent, by limit, ms, oldest first. */
  readonly sent: Partial<Readonly<Record<PublicLimit, readonly number[]>>>;
  /** The alerts that the limits held back since the last message about them. */
  readonly more?: MoreAlerts;
  /** When that message was sent. */
  readonly toldMs?: number;
}

interface MoreAlerts {
  readonly newIssues: number;
  /** Issues that got worse or returned, and feedback. */
  readonly others: number;
  readonly dueMs: number;
  /** The rules that asked for them. */
  readonly rules: readonly string[];
}

export const NO_PUBLIC_ALERTS: PublicAlerts = { sent: {} };

/** Takes an alert of a limit: the new state; null if none is left. */
export function takePublicAlert(
  state: PublicAlerts,
  limit: PublicLimit,
  nowMs: number,
): PublicAlerts | null {
  // The clock can be set back.
  const recent = (state.sent[limit] ?? []).filter((ms) => ms > nowMs - HOUR_MS && ms <= nowMs);
  if (recent.length >= alertLimits.maxPublicAlertsPerHour) return null;
  return { ...state, sent: { ...state.sent, [limit]: [...recent, nowMs] } };
}

/** Counts an alert that a limit held back. */
export function addHeldPublicAlert(
  state: PublicAlerts,
  { triggers }: DueAlert,
  nowMs: number,
): PublicAlerts {
  const { more, toldMs = 0 } = state;
  const isNew = triggers.some(({ kind }) => getTraits(kind).says === "new");
  const rules = new Set([...(more?.rules ?? []), ...triggers.flatMap((one) => one.rules)]);
  const firstDueMs = Math.max(nowMs + alertLimits.gatherPublicMs, toldMs + HOUR_MS);
  return {
    ...state,
    more: {
      newIssues: (more?.newIssues ?? 0) + (isNew ? 1 : 0),
      others: (more?.others ?? 0) + (isNew ? 0 : 1),
      dueMs: more?.dueMs ?? firstDueMs,
      rules: [...rules],
    },
  };
}

/** The message about what was held back, if it is due, and the state after it. */
export function tellHeldPublicAlerts(
  state: PublicAlerts,
  nowMs: number,
): { readonly state: PublicAlerts; readonly alert: DueAlert } | null {
  const { more, ...rest } = state;
  if (more === undefined || more.dueMs > nowMs) return null;
  const { newIssues: value, others: usual, rules } = more;
  const limit = alertLimits.maxPublicAlertsPerHour;
  const trigger = { kind: "more-public", value, usual, limit, rules } as const;
  return {
    state: { ...rest, toldMs: nowMs },
    alert: { atMs: nowMs, trust: "public", triggers: [trigger] },
  };
}
