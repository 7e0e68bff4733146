/**
 * An issue escalates: its rate exceeds the limit computed from its last three days. An issue that
 * is less than a day old has no history: it escalates at 10 occurrences, and again at ten times the
 * count of the last alert. Pure.
 */
import { formatNumber } from "../../numbers.ts";
import type { Trust } from "../../trust/trust.ts";
import { HOUR_MS } from "../../utc-time.ts";
import type { LastEscalation } from "./alert-history.ts";
import { detectGrowth, isFarWorse, WORSE_FACTOR } from "./detection.ts";
import { listHours, MAX_HOURS, sumFirst, toHourlyRate } from "./hourly-counts.ts";
import { countAt, type JudgedCounts } from "./judged-counts.ts";
import { defineIssueTrigger, type Figures } from "./trigger.ts";
import { formatCount, formatFigure } from "./trigger-texts.ts";

export const escalating = defineIssueTrigger({
  kind: "escalating",
  label: "An issue escalates: it occurs far more often than usual",
  params: {},
  title: () => "Escalating",
  sentence: (figures) =>
    formatGrowth(figures) === undefined
      ? `${formatCount(figures.value ?? 0, "occurrence")} of an issue that is less than a day old.`
      : `${formatGrowth(figures)}: ${formatRate(figures)}.`,
  isSentenceOptional: true,
  figures: formatRate,
  growth: formatGrowth,
  webhookEvent: "issue.escalating",
  says: "growing",
  badge: "Escalating",
  isUrgent: true,
  isRepeating: true,
  needsMatchedCounts: (_, hasReportFilters) => hasReportFilters,
  detect(change) {
    const { counts, nowMs } = change;
    const { before, after } = counts;
    return detectGrowth(change, (level, history) => {
      if (!mayEscalate(after, level, nowMs)) return null;
      const found = findEscalation(after, {
        nowMs,
        level,
        last: history.escalation,
        alertedCount: history.count,
        countBefore: countAt(before, level),
      });
      if (found === null) return null;
      const { last: escalation, ...figures } = found;
      const isWorse = isFarWorse(countAt(after, level), history.count);
      return { figures, facts: { escalation }, isWorse };
    });
  },
});

/** `13 × its usual rate`; undefined for an issue that has none. */
function formatGrowth({ value = 0, usual = 0 }: Figures): string | undefined {
  return usual > 0
    ? `${formatNumber(Math.max(1, Math.round(value / usual)))} × its usual rate`
    : undefined;
}

function formatRate({ value = 0, usual = 0 }: Figures): string | undefined {
  return usual > 0
    ? `${formatFigure(value)} in the last hour, usually ${formatFigure(usual)}`
    : undefined;
}

const MIN_AGE_MS = 86_400_000;
/** An issue with fewer occurrences in an hour does not escalate. */
const MIN_LIMIT = 20;
/** Hours that count as the present, not as history. */
const PRESENT_HOURS = 2;
const FIRST_STEP = 10;

/** The facts of an issue besides its counts. */
interface EscalationContext {
  readonly nowMs: number;
  /** The reports of this level and of higher ones are counted. */
  readonly level: Trust;
  readonly last: LastEscalation | undefined;
  /** The occurrences that the last alert stated; 0 without one. */
  readonly alertedCount: number;
  /** The occurrences before the batch: a merge or an import is no growth. */
  readonly countBefore: number;
}

/** An escalation: the rate per hour or the count, and the limit that it exceeded. */
export interface Escalation {
  readonly value: number;
  readonly limit: number;
  /** The mean of the history; 0 for an issue that is less than a day old. */
  readonly usual: number;
  readonly last: LastEscalation;
}

/**
 * False if the issue cannot escalate. Cheap, so that most reports need no comparison with a
 * history.
 */
export function mayEscalate(counts: JudgedCounts, level: Trust, nowMs: number): boolean {
  if (isYoung(counts, nowMs)) return countAt(counts, level) >= FIRST_STEP;
  const { hours = [] } = counts;
  return (hours.at(-1)?.[1] ?? 0) + (hours.at(-2)?.[1] ?? 0) > MIN_LIMIT;
}

/** The escalation that is due; null if there is none, or if it caused an alert before. */
export function findEscalation(
  counts: JudgedCounts,
  context: EscalationContext,
): Escalation | null {
  const { nowMs, level, last } = context;
  if (isYoung(counts, nowMs)) return findStep(countAt(counts, level), context);
  // The hours are those of the highest level.
  if (level !== counts.trust) return null;
  const hours = listHours(counts, nowMs);
  const value = toHourlyRate(hours, nowMs);
  const { limit, mean: usual } = toEscalationLimit(hours, nowMs, counts.firstSeenMs);
  if (value <= limit) return null;
  const isWorse = last?.value !== undefined && value >= WORSE_FACTOR * last.value;
  if (!isWorse && !isArmed(hours, nowMs, last)) return null;
  return { value, limit, usual, last: { atMs: nowMs, limit, value } };
}

/** Since when an issue is watched for an escalation, and what it was then. */
interface WatchedSince {
  /** The occurrences of its level then. */
  readonly count: number;
  /** The escalation that it was in. */
  readonly escalation: LastEscalation | undefined;
}

/** The rate per hour of an issue that occurs far more often than usual. */
interface CurrentEscalation extends Required<LastEscalation> {
  readonly usual: number;
}

/**
 * The escalation that the issue is in at `nowMs`, by its rate; undefined if it is in none. An issue
 * without a history of a day must be far more frequent in the last hour than before.
 */
export function findCurrentEscalation(
  counts: JudgedCounts,
  nowMs: number,
): CurrentEscalation | undefined {
  if (!mayEscalate(counts, counts.trust, nowMs)) return undefined;
  const hours = listHours(counts, nowMs);
  const value = toHourlyRate(hours, nowMs);
  const { limit, mean: usual } = isYoung(counts, nowMs)
    ? toYoungLimit(hours, nowMs - counts.firstSeenMs)
    : toEscalationLimit(hours, nowMs, counts.firstSeenMs);
  return value > limit ? { atMs: nowMs, limit, value, usual } : undefined;
}

/** An issue without a history of a day escalates from this rate per hour on. */
const MIN_YOUNG_RATE = 50;
const YOUNG_FACTOR = 3;

function toYoungLimit(hours: readonly number[], ageMs: number) {
  const olderHours = ageMs / HOUR_MS - 1;
  const older = sumFirst(hours, hours.length) - (hours[0] ?? 0) - (hours[1] ?? 0);
  const mean = olderHours < 1 ? 0 : older / olderHours;
  return { limit: Math.max(MIN_YOUNG_RATE - 1, YOUNG_FACTOR * mean), mean };
}

/**
 * The escalation of an issue since a time, as a rule without filters would judge it: null if there
 * is none, or if it is the one that the issue was in then. `countBefore` is the count of its level
 * before the reports of `nowMs`.
 */
export function findEscalationSince(
  counts: JudgedCounts,
  { count, escalation }: WatchedSince,
  countBefore: number,
  nowMs: number,
): Escalation | null {
  const { trust: level } = counts;
  if (!mayEscalate(counts, level, nowMs)) return null;
  const watched = { nowMs, level, last: escalation, alertedCount: count, countBefore };
  return findEscalation(counts, watched);
}

/** True if the issue has no history of a day. */
export function isYoung({ firstSeenMs }: Pick<JudgedCounts, "firstSeenMs">, nowMs: number) {
  return nowMs - firstSeenMs < MIN_AGE_MS;
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

/** The first step, or ten times the count of the last alert, or a hundred times, and so on. */
function findStep(
  value: number,
  { nowMs, alertedCount, countBefore }: EscalationContext,
): Escalation | null {
  let limit = Math.max(FIRST_STEP, WORSE_FACTOR * alertedCount);
  if (value < limit) return null;
  while (limit * WORSE_FACTOR <= value) limit *= WORSE_FACTOR;
  if (countBefore >= limit) return null;
  return { value, limit, usual: 0, last: { atMs: nowMs, limit } };
}
