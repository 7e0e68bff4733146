/** A bar for each of the last hours, the size of a word, with a text for screen readers. */
import { pluralize } from "../parts/number.tsx";

const STEP = 3.5;
const BAR_WIDTH = 2.5;
const HEIGHT = 20;

/** The current hour is last. */
export function HourSparkline({ hours }: { hours: readonly number[] }) {
  const max = Math.max(1, ...hours);
  const sum = hours.reduce((total, count) => total + count, 0);
  const bars = hours.map((count, n) => {
    const height = count === 0 ? 1 : Math.max(2, Math.round((count / max) * HEIGHT));
    return {
      isZero: count === 0,
      path: `M${n * STEP} ${HEIGHT}h${BAR_WIDTH}v-${height}h-${BAR_WIDTH}z`,
    };
  });
  const draw = (isZero: boolean) =>
    bars.flatMap((bar) => (bar.isZero === isZero ? bar.path : [])).join("");
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${hours.length * STEP - 1} ${HEIGHT}`}
      width={hours.length * STEP - 1}
      height={HEIGHT}
      role="img"
      aria-label={`${pluralize(sum, "time")} in the last ${hours.length} hours`}
    >
      <path data-zero="" d={draw(true)} />
      <path d={draw(false)} />
    </svg>
  );
}
