/** Reports stopped arriving, or their number changed more than usual in the last days. Pure. */
import { HOUR_MS } from "../../utc-time.ts";
import { sumFirst, toHourlyRate } from "./hourly-counts.ts";
import { defineProjectTrigger, type ProjectFacts } from "./trigger.ts";

export const ingestion = defineProjectTrigger({
  kind: "ingestion",
  label: "Reports stop arriving, or their number changes a lot",
  params: {},
  title: () => "Ingestion changed",
  sentence: ({ detail = "" }) => detail,
  webhookEvent: "project.ingestion",
  everyMs: HOUR_MS,
  isForgotten: true,
  check(facts, _, nowMs) {
    const { change, nextMs } = judgeIngestion(facts.ingestion, nowMs);
    const { kind: key = "", detail = "" } = change ?? {};
    return { findings: change === null ? [] : [{ key, figures: { detail } }], nextMs };
  },
});

/** With fewer hours of history, nothing is judged. */
const MIN_HISTORY_HOURS = 24;
const MIN_RATE = 100;
/** With fewer reports in three hours, a decrease causes no alert. */
const MIN_WINDOW = 60;
const WINDOW_HOURS = 3;
const LOW_SHARE = 0.1;

/** A change of ingestion, as a sentence. */
interface IngestionChange {
  readonly kind: "stopped" | "fell" | "rose";
  readonly detail: string;
}

/** The change, and when to judge again: the time of a stop is known in advance. */
export function judgeIngestion(
  { hours, lastSeenMs }: ProjectFacts["ingestion"],
  nowMs: number,
): { readonly change: IngestionChange | null; readonly nextMs: number } {
  const nextMs = nowMs + HOUR_MS;
  const oldest = hours.findLastIndex((count) => count > 0);
  if (oldest < MIN_HISTORY_HOURS) return { change: null, nextMs };
  const silentHours = Math.max(0, Math.floor(nowMs / HOUR_MS) - Math.floor(lastSeenMs / HOUR_MS));
  const history = hours.slice(silentHours, oldest + 1);
  const stopMs = lastSeenMs + (2 * findLongestGap(history) + 1) * HOUR_MS;
  if (nowMs >= stopMs) return { change: describeStop(lastSeenMs, nowMs), nextMs };
  const change = describeRate(hours.slice(0, oldest + 1), nowMs);
  return { change, nextMs: Math.min(nextMs, stopMs) };
}

/** The most hours in a row without a report. */
function findLongestGap(hours: readonly number[]): number {
  let longest = 0;
  let gap = 0;
  for (const count of hours) {
    gap = count === 0 ? gap + 1 : 0;
    longest = Math.max(longest, gap);
  }
  return longest;
}

function describeStop(lastSeenMs: number, nowMs: number): IngestionChange {
  const hours = Math.floor((nowMs - lastSeenMs) / HOUR_MS);
  const time = new Date(lastSeenMs).toISOString().slice(0, 16).replace("T", " ");
  const span = hours === 1 ? "an hour" : `${hours} hours`;
  const detail = `No report for ${span}: the last one came at ${time} UTC.`;
  return { kind: "stopped", detail };
}

function describeRate(hours: readonly number[], nowMs: number): IngestionChange | null {
  const history = hours.slice(2);
  const mean = sumFirst(history, history.length) / history.length;
  const variance = history.reduce((sum, count) => sum + (count - mean) ** 2, 0) / history.length;
  const limit = Math.max(MIN_RATE, 3 * Math.max(...history), mean + 5 * Math.sqrt(variance));
  const rate = Math.round(toHourlyRate(hours, nowMs));
  const usual = Math.round(mean);
  if (rate > limit)
    return { kind: "rose", detail: `${rate} reports within an hour, usually ${usual}.` };
  const windows = hours
    .slice(1, -WINDOW_HOURS + 1)
    .map((_, i) => sumFirst(hours.slice(1 + i), WINDOW_HOURS));
  const [last = 0, , , ...earlier] = windows;
  const lowest = Math.min(...earlier);
  if (earlier.length === 0 || lowest < MIN_WINDOW || last >= lowest * LOW_SHARE) return null;
  return {
    kind: "fell",
    detail: `${last} reports within three hours, usually at least ${lowest}.`,
  };
}
