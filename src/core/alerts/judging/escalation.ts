/**
 * Decides whether an issue escalates: whether its rate exceeds the limit computed from its last
 * three days. An issue that is less than a day old has no history: it escalates at 10, 100, 1,000
 * and 10,000 occurrences. Pure.
 */

import type { Issue } from "../../issue/issue.ts";
import { countOwnLevel } from "../../stats/trust-counts.ts";
import { HOUR_MS } from "../../utc-time.ts";
import { listHours, MAX_HOURS, toHourlyRate } from "./hourly-counts.ts";

const MIN_AGE_MS = 86_400_000;
/** An issue with fewer occurrences in an hour does not escalate. */
const MIN_LIMIT = 20;
/** Hours that count as the present, not as history. */
const PRESENT_HOURS = 2;
const STEPS = [10, 100, 1_000, 10_000] as const;

/** The last escalation that caused an alert. */
export interface LastEscalation {
  readonly atMs: number;
  readonly limit: number;
  /** The step of an issue that was less than a day old. */
  readonly step?: number;
}

/** An escalation: the rate per hour or the count, and the limit that it exceeded. */
interface Escalation {
  readonly value: number;
  readonly limit: number;
  /** The mean of the history; 0 for an issue that is less than a day old. */
  readonly usual: number;
  readonly last: LastEscalation;
}

type JudgedIssue = Pick<
  Issue,
  "hours" | "firstSeenMs" | "count" | "publicCount" | "pageCount" | "trust"
>;

/**
 * False if the issue cannot escalate. Cheap, so that most reports need no comparison with a
 * history.
 */
export function mayEscalate(issue: JudgedIssue, nowMs: number): boolean {
  if (nowMs - issue.firstSeenMs < MIN_AGE_MS) return countOwnLevel(issue) >= STEPS[0];
  const { hours = [] } = issue;
  return (hours.at(-1)?.[1] ?? 0) + (hours.at(-2)?.[1] ?? 0) > MIN_LIMIT;
}

/** The escalation that is due; null if there is none, or if it caused an alert before. */
export function findEscalation(
  issue: JudgedIssue,
  nowMs: number,
  last: LastEscalation | undefined,
): Escalation | null {
  if (nowMs - issue.firstSeenMs < MIN_AGE_MS) return findStep(issue, nowMs, last);
  const hours = listHours(issue, nowMs);
  const value = toHourlyRate(hours, nowMs);
  const { limit, mean: usual } = toEscalationLimit(hours, nowMs, issue.firstSeenMs);
  if (value <= limit || !isArmed(hours, nowMs, last)) return null;
  return { value, limit, usual, last: { atMs: nowMs, limit } };
}

/**
 * The limit of the rate per hour: `max(20, 3 · M, m + 5 · s)` of the hours before the last two,
 * with the greatest value M, the mean m and the deviation s. Hours without occurrences count.
 */
function toEscalationLimit(
  hours: readonly number[],
  nowMs: number,
  firstSeenMs: number,
): { readonly limit: number; readonly mean: number } {
  const age = Math.floor(nowMs / HOUR_MS) - Math.floor(firstSeenMs / HOUR_MS) + 1;
  const history = hours.slice(PRESENT_HOURS, Math.min(MAX_HOURS, Math.max(age, PRESENT_HOURS + 1)));
  const mean = history.reduce((sum, count) => sum + count, 0) / history.length;
  const variance = history.reduce((sum, count) => sum + (count - mean) ** 2, 0) / history.length;
  const greatest = Math.max(...history);
  return { limit: Math.max(MIN_LIMIT, 3 * greatest, mean + 5 * Math.sqrt(variance)), mean };
}

/** True after two full hours below half of the alert's limit. */
function isArmed(
  hours: readonly number[],
  nowMs: number,
  last: LastEscalation | undefined,
): boolean {
  if (last === undefined) return true;
  const since = Math.floor(nowMs / HOUR_MS) - Math.floor(last.atMs / HOUR_MS);
  if (since >= MAX_HOURS) return true;
  for (let i = 1; i + 1 < since; i++) {
    const isCalm = (at: number) => (hours[at] ?? 0) < last.limit / 2;
    if (isCalm(i) && isCalm(i + 1)) return true;
  }
  return false;
}

function findStep(
  issue: JudgedIssue,
  nowMs: number,
  last: LastEscalation | undefined,
): Escalation | null {
  const value = countOwnLevel(issue);
  const step = STEPS.findLast((one) => value >= one);
  if (step === undefined || step <= (last?.step ?? 0)) return null;
  return { value, limit: step, usual: 0, last: { atMs: nowMs, limit: step, step } };
}
