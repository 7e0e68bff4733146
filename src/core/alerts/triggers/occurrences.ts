/** An issue reached a number of occurrences within a period. Pure. */
import { limits } from "../../limits.ts";
import { formatNumber } from "../../numbers.ts";
import type { Trust } from "../../trust/trust.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../utc-time.ts";
import { getLastAlertMs, type LevelHistory } from "./alert-history.ts";
import { detectGrowth, isFarWorse } from "./detection.ts";
import { listDays, listHours, MAX_HOURS, sumFirst, sumWindow } from "./hourly-counts.ts";
import { countAt, type JudgedCounts } from "./judged-counts.ts";
import { countParam, periodParam, splitPeriod } from "./param-fields.ts";
import { type DetectedAlert, defineIssueTrigger, type JudgedChange } from "./trigger.ts";
import { formatCount, formatFigure, formatSpan } from "./trigger-texts.ts";

export const occurrences = defineIssueTrigger({
  kind: "occurrences",
  label: "An issue reaches a number of occurrences",
  params: {
    count: countParam({
      label: "Occurrences",
      initial: 100,
      min: 1,
      max: limits.maxCount,
      problem: "The number of occurrences must be at least 1.",
    }),
    withinMs: periodParam({
      label: "Within",
      initial: DAY_MS,
      min: 5 * MINUTE_MS,
      max: 30 * DAY_MS,
      problem: "The period of the occurrences must be between 5 minutes and 30 days.",
    }),
  },
  summarize({ count, withinMs }) {
    const [within, unit] = splitPeriod(withinMs);
    const label = unit === "minutes" ? "min" : "h";
    return `${formatNumber(count)} occurrences within ${formatNumber(within)} ${label}`;
  },
  title: ({ value = 0 }) => formatCount(value, "occurrence"),
  summaryTitle: "Limit of occurrences reached",
  sentence: ({ value = 0, limit = 0, withinMs = 0 }) =>
    `${formatCount(value, "occurrence")} within ${formatSpan(withinMs)}; the limit is ${formatFigure(limit)}.`,
  isSentenceOptional: true,
  figures: ({ value = 0, limit = 0, withinMs = 0 }) =>
    `${formatFigure(value)} within ${formatSpan(withinMs)}, the limit is ${formatFigure(limit)}`,
  webhookEvent: "issue.occurrences",
  says: "growing",
  isRepeating: true,
  needsMatchedCounts: ({ withinMs }, hasReportFilters) => hasReportFilters || withinMs < HOUR_MS,
  detect: (change, params, key) =>
    detectGrowth(change, (level, history) => detectAt(level, history, change, params, key)),
});

interface Limit {
  readonly count: number;
  readonly withinMs: number;
}

function detectAt(
  level: Trust,
  history: LevelHistory,
  { counts: { after }, nowMs }: JudgedChange,
  limit: Limit,
  key: string,
): Omit<DetectedAlert, "level"> | null {
  const { count, withinMs } = limit;
  // Hours and days are those of the highest level.
  if (level !== after.trust || countAt(after, level) < count) return null;
  const value = sumWindow(after, withinMs, nowMs);
  if (value < count) return null;
  const lastMs = getLastAlertMs(history, key);
  const isWorse = lastMs > 0 && isFarWorse(countAt(after, level), history.count);
  if (lastMs > 0 && !isWorse && !hasFallen(after, limit, lastMs, nowMs)) return null;
  return { figures: { value, limit: count, withinMs }, isWorse };
}

/** True if a window that ended after `sinceMs` had fewer than `count` occurrences. */
function hasFallen(
  counts: JudgedCounts,
  { count, withinMs }: Limit,
  sinceMs: number,
  nowMs: number,
): boolean {
  if (withinMs < HOUR_MS) {
    // The window before this one; an issue without reports in it had fallen.
    const earlierMs = nowMs - withinMs;
    return earlierMs > sinceMs && sumWindow(counts, withinMs, earlierMs) < count;
  }
  const isHourly = withinMs <= MAX_HOURS * HOUR_MS;
  const binMs = isHourly ? HOUR_MS : DAY_MS;
  const bins = isHourly ? listHours(counts, nowMs) : listDays(counts, nowMs);
  const size = Math.max(1, Math.round(withinMs / binMs));
  const since = Math.floor(nowMs / binMs) - Math.floor(sinceMs / binMs);
  for (let end = 1; end < since; end++) if (sumFirst(bins.slice(end), size) < count) return true;
  return since > bins.length;
}
