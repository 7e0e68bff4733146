/**
 * The alerts of a rule about an issue, separately for each trust level. An alert counts for its own
 * level and for lower ones: reports of a lower level neither begin the cool-down of a higher one
 * nor hide that a limit is reached. Pure.
 */
import { isAtLeast, TRUST_LEVELS, type Trust } from "../../trust/trust.ts";

/** The alerts of one rule about an issue. Stored (version 1): fields may be added. */
export interface AlertHistory {
  readonly levels?: Partial<Readonly<Record<Trust, LevelHistory>>>;
  /** Of rows without `levels`: the last alert, of any trigger and level. */
  readonly atMs?: number;
  readonly escalation?: LastEscalation;
}

/** The alerts of a level and of higher ones. */
export interface LevelHistory {
  /** The last alert of each trigger (`toTriggerKey`), ms. */
  readonly told: Readonly<Record<string, number>>;
  /** The occurrences and users that the last alert stated. */
  readonly count: number;
  readonly users: number;
  readonly escalation?: LastEscalation;
  /** The return that caused an alert: when the issue regressed, or when it was snoozed. */
  readonly returnedMs?: number;
}

/** The last escalation that caused an alert. */
export interface LastEscalation {
  readonly atMs: number;
  readonly limit: number;
  /** The rate per hour that the alert stated. */
  readonly value?: number;
}

/** The facts that an alert adds to the history. */
export type SentFacts = Pick<LevelHistory, "escalation" | "returnedMs">;

const NOTHING: LevelHistory = { told: {}, count: 0, users: 0 };
/** In rows without levels, one time stands for all triggers. */
const ANY_TRIGGER = "*";

/** The alerts of a level and of higher ones. */
export function getLevelHistory(history: AlertHistory | undefined, level: Trust): LevelHistory {
  if (history === undefined) return NOTHING;
  const { levels, atMs, escalation } = history;
  if (levels !== undefined) return levels[level] ?? NOTHING;
  const told: LevelHistory["told"] =
    atMs === undefined || atMs === 0 ? {} : { [ANY_TRIGGER]: atMs };
  return { ...NOTHING, told, escalation };
}

/** When a trigger last caused an alert; 0 for never. */
export function getLastAlertMs({ told }: LevelHistory, key: string): number {
  return Math.max(told[key] ?? 0, told[ANY_TRIGGER] ?? 0);
}

/** When any trigger last caused an alert; 0 for never. */
export function getLastAlertOfAnyMs({ told }: LevelHistory): number {
  return Math.max(0, ...Object.values(told));
}

/** The history after an alert of `level`. `toFigures` returns the numbers that a level sees. */
export function addToHistory(
  history: AlertHistory | undefined,
  level: Trust,
  key: string,
  nowMs: number,
  facts: SentFacts,
  toFigures: (level: Trust) => Pick<LevelHistory, "count" | "users">,
): AlertHistory {
  const levels: Partial<Record<Trust, LevelHistory>> = {};
  for (const one of TRUST_LEVELS) {
    const before = getLevelHistory(history, one);
    if (isAtLeast(level, one))
      levels[one] = {
        ...before,
        ...toFigures(one),
        ...facts,
        told: { ...before.told, [key]: nowMs },
      };
    else if (before !== NOTHING) levels[one] = before;
  }
  return { levels };
}
