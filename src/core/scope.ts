/**
 * The scope of a project's pages: the environment and the period that they show. Each browser has
 * one for all pages of a project.
 */
import { DAY_MS, HOUR_MS } from "./utc-time.ts";

/** The periods, shortest first. Charts have a bar for each `step`. */
const PERIODS = {
  "24h": { label: "24 hours", short: "24 h", steps: 24, stepMs: HOUR_MS },
  "7d": { label: "7 days", short: "7 d", steps: 7, stepMs: DAY_MS },
  "14d": { label: "14 days", short: "14 d", steps: 14, stepMs: DAY_MS },
  "30d": { label: "30 days", short: "30 d", steps: 30, stepMs: DAY_MS },
} as const;

export type Period = keyof typeof PERIODS;

export const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[];

/** What pages show. */
export interface Scope {
  /** Undefined for all environments. */
  readonly environment?: string | undefined;
  readonly period: Period;
}

/** The scope until a person chooses another. */
export const DEFAULT_SCOPE: Scope = { period: "24h" };

/** The period of an issue's page until then: it shows how the issue began. */
export const ISSUE_PERIOD: Period = "30d";

/** The words of a period, and the steps of its charts: hours of a day, otherwise UTC days. */
export interface PeriodTraits {
  /** `24 hours` */
  readonly label: string;
  /** `24 h` */
  readonly short: string;
  readonly steps: number;
  readonly stepMs: number;
}

export function describePeriod(period: Period): PeriodTraits {
  return PERIODS[period];
}

/** The length of a period, ms. */
export function toPeriodMs(period: Period): number {
  const { steps, stepMs } = PERIODS[period];
  return steps * stepMs;
}

/** The period with this name; undefined for any other text. */
export function parsePeriod(text: unknown): Period | undefined {
  return PERIOD_NAMES.find((name) => name === text);
}

/** Names of environments are shorter in the summaries of reports. */
const MAX_ENVIRONMENT_CHARS = 200;

/** An environment as reports name it; undefined for what is none. */
export function parseEnvironment(text: unknown): string | undefined {
  const isName = typeof text === "string" && text !== "" && text.length <= MAX_ENVIRONMENT_CHARS;
  return isName ? text : undefined;
}
