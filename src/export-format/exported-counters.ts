/**
 * Parses exported lines that count without a body: rollups and counters. Every member is checked.
 * The lines carry ids for deduplication.
 */

import { limits } from "../core/limits.ts";
import type { ReportId } from "../core/report.ts";
import { ok, type Result } from "../core/result.ts";
import type { Rollup } from "../core/sampling/report-sampler.ts";
import type { ScrubSettings } from "../core/scrubbing/scrub.ts";
import {
  CounterBatch,
  type CounterDelta,
  type CounterName,
  type DailyCounters,
} from "../core/stats/counters.ts";
import { isUtcDay } from "../core/utc-time.ts";
import { hexIdSchema, parseRollupSummary } from "./exported-report.ts";
import {
  enumSchema,
  failMismatch,
  listSchema,
  objectSchema,
  positiveInteger,
  refine,
  type Schema,
  type SchemaMismatch,
  textSchema,
  timestampMs,
} from "./schema.ts";

/** A counted value and the ids that identify it. */
interface WithIds<T> {
  readonly value: T;
  readonly ids: readonly ReportId[];
}

const nonEmptyIds: Schema<readonly ReportId[]> = (value) => {
  const ids = listSchema(hexIdSchema, limits.maxIdsPerRollup)(value);
  if (!ids.ok || ids.value.length > 0) return ids;
  return failMismatch("at least one id");
};

/** A rollup has one id per report, or a single id if its reports were erased. */
export function parseRollup(
  value: unknown,
  scrub: ScrubSettings,
): Result<WithIds<Rollup>, SchemaMismatch> {
  const result = objectSchema<Rollup & { readonly ids: readonly ReportId[] }>({
    summary: (inner) => parseRollupSummary(inner, scrub),
    occurrences: positiveInteger,
    lastAtMs: timestampMs,
    ids: nonEmptyIds,
  })(value);
  if (!result.ok) return result;
  const { summary, occurrences, lastAtMs, ids } = result.value;
  if (ids.length > 1 && ids.length !== occurrences)
    return failMismatch("as many ids as occurrences", "ids");
  if (lastAtMs < summary.atMs) return failMismatch("no earlier than summary.atMs", "lastAtMs");
  return ok({ value: { summary, occurrences, lastAtMs }, ids });
}

/** The first parts of counter names that `core/stats/counters.ts` defines. */
const outcomeName = enumSchema([
  ...(["accepted", "duplicate", "counted", "dropped", "invalid"] as const),
  ...(["session", "spooled", "discarded"] as const),
]);
const MAX_NAME_PARTS = 5;

const counterName: Schema<CounterName> = (value) => {
  const parts = listSchema(textSchema(limits.maxCounterPartChars), MAX_NAME_PARTS + 1)(value);
  if (!parts.ok) return parts;
  if (parts.value.length < 2 || parts.value.length > MAX_NAME_PARTS) return failMismatch("a name");
  const first = outcomeName(parts.value[0]);
  return first.ok ? parts : first;
};

const counterDelta: Schema<CounterDelta> = (value) => {
  const [first, second, ...rest] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (rest.length > 0) return failMismatch("a name and a count");
  const parsedName = counterName(first);
  if (!parsedName.ok) return parsedName;
  const count = positiveInteger(second);
  return count.ok ? ok([parsedName.value, count.value]) : count;
};

const utcDay = refine(
  (value): value is string => typeof value === "string" && isUtcDay(value),
  "a UTC day: 2026-11-21",
);

/** The counters of one day. */
export function parseDailyCounters(value: unknown): Result<WithIds<DailyCounters>, SchemaMismatch> {
  const result = objectSchema<DailyCounters & { readonly ids: readonly ReportId[] }>({
    day: utcDay,
    atMs: { optional: timestampMs },
    counters: listSchema(counterDelta, limits.maxCountersPerLine),
    ids: nonEmptyIds,
  })(value);
  if (!result.ok) return result;
  const batch = new CounterBatch();
  batch.addAll(result.value.counters);
  const { day, atMs, ids } = result.value;
  return ok({ value: { day, atMs, counters: batch.drain() }, ids });
}
