/**
 * The hourly limits of alerts about public reports, which every visitor can send. One
 * message states how many alerts were above them. Pure.
 */

import type { Digest } from "../../report.ts";
import { HOUR_MS } from "../../utc-time.ts";
import { alertLimits } from "../alert-limits.ts";
import type { DueAlert } from "../due-alert.ts";
import { getTrigger } from "../triggers/triggers.ts";
import type { FloodState } from "./flood-alerts.ts";

/**
 * The limits, each `alertLimits.maxPublicAlertsPerHour`: of new issues, of those that got worse or
 * returned, of those from many networks (which strangers do not have), and of feedback.
 */
export type PublicLimit = "new" | "worse" | "widespread" | "feedback";

/** The alerts about public reports. Stored (version 1): fields may be added. */
export interface PublicAlerts extends FloodState {
  /** When the alerts of the last hour were sent, by limit, ms, oldest first. */
  readonly sent: Partial<Readonly<Record<PublicLimit, readonly number[]>>>;
  /** The alerts that the limits held back since the last message about them. */
  readonly more?: MoreAlerts;
  /** When that message was sent. */
  readonly toldMs?: number;
}

interface MoreAlerts {
  readonly newIssues: number;
  /** The first of these issues: the message leaves out those that a flood has folded since. */
  readonly digests?: readonly Digest[];
  /** Issues that got worse or returned, and feedback. */
  readonly others: number;
  readonly dueMs: number;
  /** The rules that asked for them. */
  readonly rules: readonly string[];
}

const MAX_DIGESTS = 300;

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
  { digest, triggers }: DueAlert,
  nowMs: number,
): PublicAlerts {
  const isNew = triggers.some(({ kind }) => getTrigger(kind).says === "new");
  const added = {
    newIssues: isNew ? 1 : 0,
    others: isNew ? 0 : 1,
    digests: isNew && digest !== undefined ? [digest] : [],
    rules: triggers.flatMap((one) => one.rules),
  };
  return addMore(state, added, nowMs);
}

/** Counts the new issues of floods that ended before the message about them. */
export function addUnsentFlood(
  state: PublicAlerts,
  { rules, issues = 0 }: { readonly rules: readonly string[]; readonly issues?: number },
  nowMs: number,
): PublicAlerts {
  return addMore(state, { newIssues: issues, others: 0, digests: [], rules }, nowMs);
}

function addMore(
  state: PublicAlerts,
  added: Required<Omit<MoreAlerts, "dueMs">>,
  nowMs: number,
): PublicAlerts {
  const { more, toldMs: sentMs = 0 } = state;
  const firstDueMs = Math.max(nowMs + alertLimits.gatherPublicMs, sentMs + HOUR_MS);
  return {
    ...state,
    more: {
      newIssues: (more?.newIssues ?? 0) + added.newIssues,
      others: (more?.others ?? 0) + added.others,
      digests: [...(more?.digests ?? []), ...added.digests].slice(0, MAX_DIGESTS),
      dueMs: more?.dueMs ?? firstDueMs,
      rules: [...new Set([...(more?.rules ?? []), ...added.rules])],
    },
  };
}

/** The state after the message about what was held back, with the message if it is due. */
export function takeHeldPublicAlerts(
  state: PublicAlerts,
  folded: ReadonlySet<Digest>,
  nowMs: number,
): { readonly state: PublicAlerts; readonly alerts: readonly DueAlert[] } {
  const { more, ...rest } = state;
  if (more === undefined || more.dueMs > nowMs) return { state, alerts: [] };
  const { newIssues, digests = [], others: usual, rules } = more;
  const value = newIssues - digests.filter((digest) => folded.has(digest)).length;
  if (value + usual === 0) return { state: rest, alerts: [] };
  const limit = alertLimits.maxPublicAlertsPerHour;
  const trigger = { kind: "more-public", value, usual, limit, rules } as const;
  return {
    state: { ...rest, toldMs: nowMs },
    alerts: [{ atMs: nowMs, trust: "public", triggers: [trigger] }],
  };
}
