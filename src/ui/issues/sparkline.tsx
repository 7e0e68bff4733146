/** A bar chart of the last fourteen days, the size of a word, with a text for screen readers. */
import type { DayCounts } from "../../core/issue/issue.ts";
import { pluralize } from "../parts/number.tsx";
import { toDayNumber } from "../parts/time.tsx";

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
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${DAYS * STEP - 1} ${HEIGHT}`}
      width={DAYS * STEP - 1}
      height={HEIGHT}
      role="img"
      aria-label={`${pluralize(sum, one)} in the last ${DAYS} days, ${pluralize(counts.at(-1) ?? 0, one)} today`}
    >
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / maxCount) * HEIGHT));
        return (
          <rect
            key={index}
            data-zero={count === 0 ? "" : undefined}
            x={index * STEP}
            y={HEIGHT - height}
            width={BAR_WIDTH}
            height={height}
          />
        );
      })}
    </svg>
  );
}
