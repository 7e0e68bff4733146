/** A bar chart of the last fourteen days, the size of a word, with a text for screen readers. */
import type { DayCounts } from "../../core/issue/issue.ts";
import { toDayNumber } from "../../core/utc-time.ts";
import { pluralize } from "../parts/number.tsx";

const DAYS = 14;
const STEP = 5;
const BAR_WIDTH = 4;
const HEIGHT = 20;

/** One bar for each UTC day, today last; nothing if `days` is undefined. */
export function Sparkline({
  days,
  todayNumber,
  one = "time",
  scale,
}: {
  readonly days: DayCounts | undefined;
  readonly todayNumber: number;
  /** The counted thing, in the singular. */
  readonly one?: string;
  /** The count of a bar of full height; by default the highest of these days. */
  readonly scale?: number;
}) {
  if (days === undefined) return null;
  const counts = new Array<number>(DAYS).fill(0);
  for (const [day, count] of days) {
    const index = DAYS - 1 - (todayNumber - toDayNumber(Date.parse(day)));
    if (index in counts) counts[index] = count;
  }
  const maxCount = scale ?? Math.max(1, ...counts);
  const sum = counts.reduce((total, count) => total + count, 0);
  const heights = counts.map((count) =>
    count === 0 ? 0 : Math.max(2, Math.round((count / maxCount) * HEIGHT)),
  );
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${DAYS * STEP - 1} ${HEIGHT}`}
      width={DAYS * STEP - 1}
      height={HEIGHT}
      role="img"
      aria-label={`${pluralize(sum, one)} in the last ${DAYS} days, ${pluralize(counts.at(-1) ?? 0, one)} today`}
    >
      <path data-zero="" d={drawBars(heights, (height) => height === 0)} />
      <path d={drawBars(heights, (height) => height > 0)} />
    </svg>
  );
}

/**
 * The bars that `isDrawn` selects, as one path: as separate elements, they would be a quarter of a
 * list's elements. A day without reports has a line.
 */
function drawBars(heights: readonly number[], isDrawn: (height: number) => boolean): string {
  return heights
    .map((height, index) =>
      isDrawn(height)
        ? `M${index * STEP} ${HEIGHT}h${BAR_WIDTH}v-${height || 1}h-${BAR_WIDTH}z`
        : "",
    )
    .join("");
}
