/**
 * The columns of the chart of errors: of a day, a week or a month, or of the life of a younger
 * project. Pure.
 */

import { PERIOD_NAMES, type Period, toPeriodMs } from "../scope.ts";
import { ORIGINS, type Origin, TRUST_LEVELS, TRUST_POLICY } from "../trust/trust.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, parseUtcHour } from "../utc-time.ts";
import { MINUTES_KEPT_MS, QUARTER_MS, type RecentErrors, spreadSteps } from "./recent-errors.ts";

/** How far a page looks back: the periods of all pages. */
export const OVERVIEW_PERIODS = PERIOD_NAMES;
export type OverviewPeriod = Period;

export const PERIOD_MS = Object.fromEntries(
  PERIOD_NAMES.map((period) => [period, toPeriodMs(period)]),
) as Readonly<Record<OverviewPeriod, number>>;

/** The errors, without noise, of an hour (`2026112117`) and a trust level. */
export interface ErrorHour {
  readonly hour: string;
  readonly trust: string;
  readonly count: number;
}

type Series = Readonly<Record<Origin, readonly number[]>>;

/** Counts in steps of equal length, the current one last. */
export interface ErrorColumns {
  readonly fromMs: number;
  /** The end of the last step, at most a step after now. */
  readonly toMs: number;
  readonly stepMs: number;
  readonly series: Series;
  /** The errors of the time before in the same steps, estimated; absent if the project is younger. */
  readonly before?: readonly number[];
  /** The life of the project, ms, if it is shorter than the period. */
  readonly lifeMs?: number;
}

interface ColumnFacts {
  readonly period: OverviewPeriod;
  readonly nowMs: number;
  /** When the project received its first report; undefined without reports. */
  readonly firstSeenMs: number | undefined;
  /** Absent if the index does not know them yet. */
  readonly recent: RecentErrors | undefined;
  /** The hours of the period and of the one before it. */
  readonly hours: readonly ErrorHour[];
}

/** More columns are too thin to point at. */
const MAX_COLUMNS = 96;
const MAX_COLUMNS_OF_LIFE = 60;
/** A project has at least as many columns. */
const MIN_LIFE_MS = 10 * MINUTE_MS;
const MINUTE_STEPS = [1, 2, 5].map((minutes) => minutes * MINUTE_MS);
const HOUR_STEPS = [1, 2, 4, 24].map((hours) => hours * HOUR_MS);

/** The columns, and those of the time before. */
export function createErrorColumns(facts: ColumnFacts): ErrorColumns {
  const { period, nowMs, firstSeenMs = nowMs, recent, hours } = facts;
  const periodMs = PERIOD_MS[period];
  const ageMs = Math.max(0, nowMs - firstSeenMs);
  const isYoung = ageMs < periodMs;
  const spanMs = isYoung ? Math.max(MIN_LIFE_MS, ageMs) : periodMs;
  const stepMs = chooseStep(spanMs, nowMs, recent);
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const first = isYoung ? Math.floor((nowMs - spanMs) / stepMs) * stepMs : toMs - spanMs;
  const range = { fromMs: first, stepMs, length: Math.round((toMs - first) / stepMs) };
  const series =
    stepMs < QUARTER_MS
      ? spreadSteps(recent?.minutes ?? [], MINUTE_MS, range)
      : stepMs < HOUR_MS
        ? spreadSteps(recent?.quarters ?? [], QUARTER_MS, range)
        : spreadHours(hours, range);
  const columns = { fromMs: first, toMs, stepMs, series };
  if (isYoung) return { ...columns, lifeMs: ageMs };
  if (ageMs < 2 * periodMs) return columns;
  return { ...columns, before: countBefore(hours, range, periodMs) };
}

/** Minutes and quarters of an hour only where they are known from the beginning on. */
function chooseStep(spanMs: number, nowMs: number, recent: RecentErrors | undefined): number {
  const isKnown = recent !== undefined && recent.sinceMs <= nowMs - spanMs;
  if (isKnown && spanMs <= MINUTES_KEPT_MS)
    return MINUTE_STEPS.find((stepMs) => spanMs / stepMs <= MAX_COLUMNS_OF_LIFE) ?? QUARTER_MS;
  if (isKnown && spanMs <= DAY_MS) return QUARTER_MS;
  return HOUR_STEPS.find((stepMs) => spanMs / stepMs <= MAX_COLUMNS) ?? DAY_MS;
}

interface Range {
  readonly fromMs: number;
  readonly stepMs: number;
  readonly length: number;
}

function spreadHours(hours: readonly ErrorHour[], { fromMs, stepMs, length }: Range): Series {
  const empty = () => Array.from({ length }, () => 0);
  const series = { server: empty(), browser: empty() };
  for (const { hour, trust, count } of hours) {
    const n = Math.floor((parseUtcHour(hour) - fromMs) / stepMs);
    const level = TRUST_LEVELS.find((one) => one === trust);
    if (level === undefined || n < 0 || n >= length) continue;
    const counts = series[TRUST_POLICY[level].origin];
    counts[n] = (counts[n] ?? 0) + count;
  }
  return series;
}

/** An hour counts in equal parts for the steps within it. */
function countBefore(
  hours: readonly ErrorHour[],
  range: Range,
  periodMs: number,
): readonly number[] {
  const perHour = Math.max(1, HOUR_MS / range.stepMs);
  const { series } = { series: spreadHours(hours, toHours(range, periodMs)) };
  return Array.from({ length: range.length }, (_, n) => {
    const at = toHourIndex(range, n);
    return ORIGINS.reduce((sum, origin) => sum + (series[origin][at] ?? 0), 0) / perHour;
  });
}

/** The steps of the time before, of at least an hour. */
function toHours({ fromMs, stepMs, length }: Range, periodMs: number): Range {
  if (stepMs >= HOUR_MS) return { fromMs: fromMs - periodMs, stepMs, length };
  const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  const count = Math.ceil((fromMs + length * stepMs - first) / HOUR_MS);
  return { fromMs: first - periodMs, stepMs: HOUR_MS, length: count };
}

function toHourIndex({ fromMs, stepMs }: Range, n: number): number {
  if (stepMs >= HOUR_MS) return n;
  const first = Math.floor(fromMs / HOUR_MS);
  return Math.floor((fromMs + n * stepMs) / HOUR_MS) - first;
}

/** The errors of both origins in each column. */
export function sumColumns({ series }: Pick<ErrorColumns, "series">): readonly number[] {
  return series.server.map((count, n) => count + (series.browser[n] ?? 0));
}
