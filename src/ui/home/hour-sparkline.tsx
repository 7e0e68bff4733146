/** A bar for each of the last hours, the size of a word, with a text for screen readers. */
import { pluralize } from "../parts/number.tsx";

const STEP = 3.5;
const BAR_WIDTH = 2.5;
const HEIGHT = 20;

/** The current hour is last. */
export function HourSparkline({ hours }: { hours: readonly number[] }) {
  const max = Math.max(1, ...hours);
  const sum = hours.reduce((total, count) => total + count, 0);
  const bars = hours
    .map((count, n) => {
      if (count === 0) return "";
      const height = Math.max(2, Math.round((count / max) * HEIGHT));
      return `M${n * STEP} ${HEIGHT}h${BAR_WIDTH}v-${height}h-${BAR_WIDTH}z`;
    })
    .join("");
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${hours.length * STEP - 1} ${HEIGHT}`}
      width={hours.length * STEP - 1}
      height={HEIGHT}
      role="img"
      aria-label={`${pluralize(sum, "time")} in the last ${hours.length} hours`}
    >
      <path data-zero="" d={`M0 ${HEIGHT - 1}h${hours.length * STEP - 1}v1H0z`} />
      <path d={bars} />
    </svg>
  );
}
