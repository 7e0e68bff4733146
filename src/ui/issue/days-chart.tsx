/** How often it happened on each of the last thirty days: small, drawn on the server, told in words to those who listen. */
import { dayOf } from "../../core/fold.ts";
import { counted } from "../figure.tsx";

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
const BAR_WIDTH = 6;
const STEP = 8;
const HEIGHT = 28;

/** Bars up to the day of `asOfMs`. `days` as an issue has them: UTC days with their counts. */
export function DaysChart({
  days,
  asOfMs,
}: {
  readonly days: readonly (readonly [day: string, count: number])[];
  readonly asOfMs: number;
}) {
  const counts = lastDays(days, asOfMs);
  const most = Math.max(0, ...counts);
  const sum = counts.reduce((total, count) => total + count, 0);
  const words = `${counted(sum, "time")} in the last ${DAYS} days, at most ${counted(most, "time")} on one day`;
  return (
    <figure className="days">
      <figcaption>Last {DAYS} days</figcaption>
      <svg
        viewBox={`0 0 ${DAYS * STEP - 2} ${HEIGHT}`}
        role="img"
        aria-label={words}
        preserveAspectRatio="none"
      >
        {counts.map((count, index) => {
          const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
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
    </figure>
  );
}

/** The count of each of the last thirty UTC days, oldest first. */
function lastDays(days: readonly (readonly [string, number])[], asOfMs: number): readonly number[] {
  const byDay = new Map(days);
  return Array.from({ length: DAYS }, (_, index) => {
    return byDay.get(dayOf(asOfMs - (DAYS - 1 - index) * DAY_MS)) ?? 0;
  });
}
