/** A bar chart of a period, the size of a word, with a text for screen readers. */
import type { DayCounts, IssueSummary } from "../../core/issue/issue.ts";
import { describePeriod, type Period } from "../../core/scope.ts";
import { HOUR_MS, toDayNumber } from "../../core/utc-time.ts";
import { pluralize } from "../parts/number.tsx";

const HEIGHT = 20;
const MAX_WIDTH = 72;

interface SparklineProps {
  /** The counts of each day or hour, oldest first; nothing is shown if it is undefined. */
  readonly counts: readonly number[] | undefined;
  /** The counted thing, in the singular. */
  readonly one?: string;
  /** The period in words: `24 hours`. */
  readonly period: string;
  /** The last bar in words: `today`. */
  readonly last?: string;
  /** The count of a bar of full height; by default the highest of these. */
  readonly scale?: number;
}

/** One bar for each count, the present one last. */
export function Sparkline({ counts, one = "time", period, last = "today", scale }: SparklineProps) {
  if (counts === undefined) return null;
  const maxCount = scale ?? Math.max(1, ...counts);
  const sum = counts.reduce((total, count) => total + count, 0);
  const heights = counts.map((count) =>
    count === 0 ? 0 : Math.max(2, Math.round((count / maxCount) * HEIGHT)),
  );
  const step = Math.floor((MAX_WIDTH + 1) / counts.length);
  const width = counts.length * step - 1;
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={`${pluralize(sum, one)} in the last ${period}, ${pluralize(counts.at(-1) ?? 0, one)} ${last}`}
    >
      <path data-zero="" d={drawBars(heights, step, (height) => height === 0)} />
      <path d={drawBars(heights, step, (height) => height > 0)} />
    </svg>
  );
}

/** The occurrences of an issue in a period; of days, UTC days. */
export function IssueSparkline({
  issue,
  period,
  hourNumber,
}: {
  readonly issue: IssueSummary;
  readonly period: Period;
  /** That of `toHourNumber`. */
  readonly hourNumber: number;
}) {
  const { label, steps, stepMs } = describePeriod(period);
  if (stepMs === HOUR_MS) {
    const counts = listHourCounts(issue, hourNumber, steps);
    return <Sparkline counts={counts} period={label} last="in this hour" />;
  }
  const todayNumber = Math.floor(hourNumber / 24);
  return <Sparkline counts={listDayCounts(issue.recentDays, todayNumber, steps)} period={label} />;
}

/** The hour in which the bars of an issue change: that of midnight if they are days. */
export function toHourNumber(nowMs: number, period: Period): number {
  const { stepMs } = describePeriod(period);
  return (Math.floor(nowMs / stepMs) * stepMs) / HOUR_MS;
}

/** The counts of the last days, today last; undefined without `days`. */
export function listDayCounts(
  days: DayCounts | undefined,
  todayNumber: number,
  length: number,
): readonly number[] | undefined {
  if (days === undefined) return undefined;
  const counts = new Array<number>(length).fill(0);
  for (const [day, count] of days) {
    const index = length - 1 - (todayNumber - toDayNumber(Date.parse(day)));
    if (index in counts) counts[index] = count;
  }
  return counts;
}

function listHourCounts(
  { recentHours, recentDays }: IssueSummary,
  hourNumber: number,
  length: number,
): readonly number[] | undefined {
  if (recentDays === undefined) return undefined;
  const [newest = 0, ...backwards] = recentHours ?? [];
  return Array.from({ length }, (_, n) => backwards[newest - hourNumber + length - 1 - n] ?? 0);
}

/**
 * The bars that `isDrawn` selects, as one path: as separate elements, they would be a quarter of a
 * list's elements. A step without reports has a line.
 */
function drawBars(
  heights: readonly number[],
  step: number,
  isDrawn: (height: number) => boolean,
): string {
  const width = step - 1;
  return heights
    .map((height, index) =>
      isDrawn(height) ? `M${index * step} ${HEIGHT}h${width}v-${height || 1}h-${width}z` : "",
    )
    .join("");
}
