/** Sessions by release as a stacked area, with the share of each today. */
import { type Adoption, formatShare } from "../../core/overview/adoption.ts";
import { MIN_RATED_SESSIONS } from "../../core/stats/crash-free.ts";
import { formatAxisCount, listScaleCounts, toPercent } from "../parts/chart/chart-scale.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { formatDayName } from "../parts/time.tsx";

const NAME_CHARS = 14;
/** The part of the plot below the highest day. */
const AREA_SHARE = 0.9;
const MAX_LINES = 2;

/** The chart; nothing before the second day with sessions. */
export function AdoptionChart({ adoption }: { adoption: Adoption }) {
  const { days, layers, total } = adoption;
  const totals = days.map((_, n) => layers.reduce((sum, { counts }) => sum + (counts[n] ?? 0), 0));
  if (totals.filter((count) => count > 0).length < 2) return null;
  const max = Math.max(1, ...totals);
  const lines = listScaleCounts(max, MAX_LINES);
  const toY = (count: number) => 1 - AREA_SHARE * (count / max);
  const today = totals.at(-1) ?? 0;
  const shown = (count: number) =>
    today < MIN_RATED_SESSIONS ? formatNumber(count) : formatShare(count / today);
  return (
    <figure className="chart adoption">
      <figcaption className="visually-hidden">
        {`Sessions by release, ${days.length} days: ${pluralize(total, "session")}`}
      </figcaption>
      <div className="adoption-plot">
        <svg
          className="adoption-areas"
          viewBox={`0 0 ${days.length - 1} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {layers.map(({ name }, n) => (
            <path key={name} data-layer={n} d={drawArea(layers.slice(n), toY)} />
          ))}
        </svg>
        <svg aria-hidden="true" className="chart-labels">
          {lines.map((count) => {
            const y = toPercent(toY(count));
            return (
              <g key={count}>
                <line className="grid" x1="0" x2="100%" y1={y} y2={y} />
                <text className="scale" x="0" y={y} dy="-5">
                  {formatAxisCount(count)}
                  {count === lines.at(-1) && " sessions a day"}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
      <ul className="adoption-key">
        {layers.map(({ name, counts }, n) => (
          <li key={name} data-layer={n}>
            <b>
              <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
            </b>{" "}
            {shown(counts.at(-1) ?? 0)}
            <span className="visually-hidden"> of the sessions of today</span>
          </li>
        ))}
      </ul>
      <svg className="chart-axis" aria-hidden="true">
        <text x="0" y="14">
          {formatDayName(Date.parse(days[0] ?? ""), "date")}
        </text>
        <text x="50%" y="14" textAnchor="middle">
          {formatDayName(Date.parse(days[Math.floor(days.length / 2)] ?? ""), "date")}
        </text>
        <text x="100%" y="14" textAnchor="end">
          today
        </text>
      </svg>
    </figure>
  );
}

/** The area of the sum of layers: the layers below are painted over it. */
function drawArea(
  layers: readonly { readonly counts: readonly number[] }[],
  toY: (count: number) => number,
): string {
  const [first] = layers;
  const points = (first?.counts ?? []).map((_, n) => {
    const count = layers.reduce((sum, { counts }) => sum + (counts[n] ?? 0), 0);
    return `${n} ${Math.round(toY(count) * 10_000) / 100}`;
  });
  return `M0 100L${points.join("L")}L${Math.max(0, points.length - 1)} 100Z`;
}
