/**
 * The periods that a destination can ask a summary of: whole UTC days, because the store counts by
 * them. To add one, write a row. Pure.
 */
import { DAY_MS, HOUR_MS } from "../../utc-time.ts";

export type SummaryPeriod = (typeof SUMMARY_PERIOD_NAMES)[number];
export const SUMMARY_PERIOD_NAMES = ["day", "week"] as const;

/** How often a destination gets a summary. */
export type SummaryChoice = SummaryPeriod | "never";

interface PeriodDefinition {
  readonly days: number;
  /** The name in forms: `every day`. */
  readonly label: string;
  /** The name in messages: `Daily summary`. */
  readonly title: string;
  /** The period before: `the day before`. */
  readonly before: string;
  /** The first day of a period that began in 1970, as a number of days since then. */
  readonly firstDay: number;
}

/** The periods, in the order of the form. */
export const SUMMARY_PERIODS: Readonly<Record<SummaryPeriod, PeriodDefinition>> = {
  day: {
    days: 1,
    label: "every day",
    title: "Daily summary",
    before: "the day before",
    firstDay: 0,
  },
  week: {
    days: 7,
    label: "every Monday",
    title: "Weekly summary",
    before: "the week before",
    // 1 January 1970 was a Thursday.
    firstDay: 4,
  },
};

/** The hour (UTC) after the end of a period at which its summary is due. */
export const SUMMARY_HOUR = 6;

/** A period, and the one before it that figures are compared with. Unix ms. */
export interface PeriodRange {
  readonly beforeMs: number;
  readonly fromMs: number;
  /** The end, exclusive. */
  readonly toMs: number;
}

/** True for a choice that a form names. */
export function isSummaryChoice(value: unknown): value is SummaryChoice {
  return value === "never" || (typeof value === "string" && Object.hasOwn(SUMMARY_PERIODS, value));
}

/** When the next summary after `nowMs` is due, ms. */
export function findNextSummaryMs(period: SummaryPeriod, nowMs: number): number {
  return findLastSummaryMs(period, nowMs) + SUMMARY_PERIODS[period].days * DAY_MS;
}

/** The period whose summary was due last at `nowMs`. */
export function findLastPeriod(period: SummaryPeriod, nowMs: number): PeriodRange {
  const lengthMs = SUMMARY_PERIODS[period].days * DAY_MS;
  const toMs = findLastSummaryMs(period, nowMs) - SUMMARY_HOUR * HOUR_MS;
  return { beforeMs: toMs - 2 * lengthMs, fromMs: toMs - lengthMs, toMs };
}

/** When the last summary at `nowMs`, or before, was due, ms. */
function findLastSummaryMs(period: SummaryPeriod, nowMs: number): number {
  const { days, firstDay } = SUMMARY_PERIODS[period];
  const firstMs = firstDay * DAY_MS + SUMMARY_HOUR * HOUR_MS;
  const lengthMs = days * DAY_MS;
  return firstMs + Math.floor((nowMs - firstMs) / lengthMs) * lengthMs;
}
