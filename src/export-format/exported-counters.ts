/**
 * Parses exported lines that count without a body: rollups and counters. Every member is checked.
 * The lines carry ids for deduplication.
 */

import * as v from "valibot";
import { limits } from "../core/limits.ts";
import { reportSummarySchema } from "../core/report/report-summary.ts";
import type { ReportId } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { Rollup } from "../core/sampling/report-sampler.ts";
import {
  checked,
  code,
  list,
  positiveCount,
  storedObject,
  text,
  timeMs,
  tuple,
} from "../core/schema/stored-object.ts";
import type { ScrubSettings } from "../core/scrubbing/scrub.ts";
import { CounterBatch, type DailyCounters } from "../core/stats/counters.ts";
import { isUtcDay } from "../core/utc-time.ts";
import { scrubSummary } from "./exported-report.ts";
import { decodeImported, failMismatch, type SchemaMismatch } from "./import-rules.ts";

/** A counted value and the ids that identify it. */
interface WithIds<T> {
  readonly value: T;
  readonly ids: readonly ReportId[];
}

const ids = list(code("id"), limits.maxIdsPerRollup);
const rollupSchema = storedObject({
  summary: reportSummarySchema,
  occurrences: positiveCount,
  lastAtMs: timeMs,
  ids,
});

/** A rollup has one id per report, or a single id if its reports were erased. */
export function parseRollup(
  value: unknown,
  scrub: ScrubSettings,
): Result<WithIds<Rollup>, SchemaMismatch> {
  const result = decodeImported(rollupSchema, value);
  if (!result.ok) return result;
  const { summary, occurrences, lastAtMs, ids } = result.value;
  if (ids.length === 0) return failMismatch("at least one id", "ids");
  if (ids.length > 1 && ids.length !== occurrences)
    return failMismatch("as many ids as occurrences", "ids");
  if (lastAtMs < summary.atMs) return failMismatch("no earlier than summary.atMs", "lastAtMs");
  return ok({ value: { summary: scrubSummary(summary, scrub), occurrences, lastAtMs }, ids });
}

/** The first parts of counter names that `core/stats/counters.ts` defines. */
const OUTCOMES: ReadonlySet<unknown> = new Set([
  ...["accepted", "duplicate", "counted", "dropped", "invalid"],
  ...["session", "spooled", "discarded"],
]);
const MAX_NAME_PARTS = 5;

const isCounterName = (value: unknown) =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MAX_NAME_PARTS &&
  OUTCOMES.has(value[0]);

const dailySchema = storedObject({
  day: checked<string>(
    (value) => typeof value === "string" && isUtcDay(value),
    "a UTC day: 2026-11-21",
  ),
  atMs: v.optional(timeMs),
  counters: list(
    tuple([list(text(limits.maxCounterPartChars)), positiveCount], "a name and a count"),
    limits.maxCountersPerLine,
  ),
  ids,
});

/** The counters of one day. */
export function parseDailyCounters(value: unknown): Result<WithIds<DailyCounters>, SchemaMismatch> {
  const result = decodeImported(dailySchema, value);
  if (!result.ok) return result;
  const { day, atMs, counters, ids } = result.value;
  if (ids.length === 0) return failMismatch("at least one id", "ids");
  const unknown = counters.findIndex(([name]) => !isCounterName(name));
  if (unknown >= 0) return failMismatch("a known name", `counters[${unknown}]`);
  const batch = new CounterBatch();
  batch.addAll(counters);
  return ok({ value: { day, atMs, counters: batch.drain() }, ids });
}
