/**
 * The errors of the last day in quarters of an hour, and of the last three hours in minutes. Older
 * errors are counted by hour (`error-hours.ts`). The index adds them to a row that each batch of
 * reports writes anyway. Pure, and bounded in size.
 */
import { defineStored } from "../schema/stored.ts";
import {
  list,
  number,
  type StoredValue,
  storedObject,
  timeMs,
  tuple,
  version1,
} from "../schema/stored-object.ts";
import { ORIGINS, type Origin } from "../trust/trust.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../utc-time.ts";

export const QUARTER_MS = 15 * MINUTE_MS;
/** How long errors are known by minute. */
export const MINUTES_KEPT_MS = 3 * HOUR_MS;
/** How long errors are known by quarter of an hour. */
export const QUARTERS_KEPT_MS = DAY_MS + QUARTER_MS;

/** `[step, server, browser]`: a step without errors is omitted. */
const counts = /* @__PURE__ */ list(tuple([number, number, number]));

/** Stored (version 1): fields may be added, never renamed. */
export type RecentErrors = StoredValue<typeof recentErrorsSchema>;
const recentErrorsSchema = /* @__PURE__ */ storedObject({
  v: version1,
  /** Errors since then are counted; 0 if no earlier ones exist. */
  sinceMs: timeMs,
  /** By minute and by quarter of an hour since 1970, the oldest first. */
  minutes: counts,
  quarters: counts,
});

export const RECENT_ERRORS = /* @__PURE__ */ defineStored<RecentErrors>({
  name: "the recent errors",
  version: 1,
  schema: recentErrorsSchema,
});

/** An error, or `count` sampled ones of the same time. */
export interface CountedError {
  readonly atMs: number;
  readonly origin: Origin;
  readonly count: number;
}

type StepCounts = RecentErrors["minutes"];

/** Nothing counted since `sinceMs`. */
export function startRecentErrors(sinceMs: number): RecentErrors {
  return { v: 1, sinceMs, minutes: [], quarters: [] };
}

/** Adds errors at `nowMs`, and forgets what is too old. Errors of the future are of now. */
export function addRecentErrors(
  recent: RecentErrors,
  errors: readonly CountedError[],
  nowMs: number,
): RecentErrors {
  return {
    ...recent,
    minutes: addTo(recent.minutes, errors, MINUTE_MS, MINUTES_KEPT_MS, nowMs),
    quarters: addTo(recent.quarters, errors, QUARTER_MS, QUARTERS_KEPT_MS, nowMs),
  };
}

function addTo(
  before: StepCounts,
  errors: readonly CountedError[],
  stepMs: number,
  keptMs: number,
  nowMs: number,
): StepCounts {
  const first = Math.floor((nowMs - keptMs) / stepMs) + 1;
  const all = new Map<number, [server: number, browser: number]>();
  const add = (step: number, server: number, browser: number) => {
    if (step < first) return;
    const known = all.get(step) ?? [0, 0];
    all.set(step, [known[0] + server, known[1] + browser]);
  };
  for (const [step, server, browser] of before) add(step, server, browser);
  for (const { atMs, origin, count } of errors) {
    const step = Math.floor(Math.min(atMs, nowMs) / stepMs);
    add(step, origin === "server" ? count : 0, origin === "browser" ? count : 0);
  }
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([step, [server, browser]]) => [step, server, browser] as const);
}

/** The sum of what several rows counted; undefined for no row. */
export function joinRecentErrors(rows: readonly RecentErrors[]): RecentErrors | undefined {
  const [first, ...others] = rows;
  if (first === undefined) return undefined;
  return others.reduce(
    (sum, row) => ({
      v: 1,
      sinceMs: Math.max(sum.sinceMs, row.sinceMs),
      minutes: joinSteps(sum.minutes, row.minutes),
      quarters: joinSteps(sum.quarters, row.quarters),
    }),
    first,
  );
}

function joinSteps(a: StepCounts, b: StepCounts): StepCounts {
  const all = new Map<number, readonly [number, number, number]>();
  for (const [step, server, browser] of [...a, ...b]) {
    const [, knownServer = 0, knownBrowser = 0] = all.get(step) ?? [];
    all.set(step, [step, knownServer + server, knownBrowser + browser]);
  }
  return [...all.values()].sort(([x], [y]) => x - y);
}

/** The errors in each of `length` steps of `stepMs` from `fromMs`. */
export function spreadSteps(
  steps: StepCounts,
  ofStepMs: number,
  range: { readonly fromMs: number; readonly stepMs: number; readonly length: number },
): Readonly<Record<Origin, readonly number[]>> {
  const empty = () => Array.from({ length: range.length }, () => 0);
  const series = { server: empty(), browser: empty() };
  for (const [step, server, browser] of steps) {
    const n = Math.floor((step * ofStepMs - range.fromMs) / range.stepMs);
    if (n < 0 || n >= range.length) continue;
    for (const origin of ORIGINS) {
      const count = origin === "server" ? server : browser;
      series[origin][n] = (series[origin][n] ?? 0) + count;
    }
  }
  return series;
}
