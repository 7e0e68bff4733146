/**
 * A bar chart of counts over time, rendered on the server. Pointing at a bar shows its figure. The
 * bars are one stop of the Tab key, and the arrow keys move between bars, without scripts. Screen
 * readers get a description and each figure.
 */
import { ORIGINS, type Origin } from "../../../core/trust/trust.ts";
import { CachedParts } from "../cached-parts/cached-parts.tsx";
import { abbreviate } from "../long-text.tsx";
import { formatNumber, pluralize } from "../number.tsx";
import { type ChartMark, type PlacedMark, placeMarkLabels } from "./mark-labels.ts";

/** One bar: its name, such as `21 Nov`, its count, and the parts of which it is stacked. */
interface ChartBar {
  /** "" if the chart does not show it. */
  readonly name: string;
  readonly count: number;
  readonly parts: Readonly<Record<Origin, number>>;
}

/**
 * The bars of the counts of each origin. `formatName` is called for the names that the chart shows.
 */
export function createBars(
  series: Readonly<Record<Origin, readonly number[]>>,
  formatName: (index: number) => string,
): readonly ChartBar[] {
  const middle = Math.floor(series.server.length / 2);
  return series.server.map((server, n) => {
    const browser = series.browser[n] ?? 0;
    const count = server + browser;
    const isShown = count > 0 || n === 0 || n === middle;
    return { name: isShown ? formatName(n) : "", count, parts: { server, browser } };
  });
}

interface BarChartProps {
  /** Unique on the page. */
  readonly id: string;
  readonly caption: string;
  /** One sentence with the most important figures. */
  readonly description: string;
  /** Consecutive steps of equal length, the oldest first. */
  readonly bars: readonly ChartBar[];
  /** The name of one counted item: `time`. */
  readonly unit: string;
  /** Moments between the first and the last bar. */
  readonly marks?: readonly ChartMark[];
  /** The text below the last bar: `today`. */
  readonly lastName: string;
  /** The height of the bars; 80 by default. */
  readonly plotPx?: number;
}

/** Vertical positions are in px; horizontal ones are in percent, so that text keeps its size. */
const PLOT_PX = 80;
const MARK_PX = 20;
const MIN_BAR_PX = 2;

const LABEL_CHARS = 12;
/** The width of a label as a share of a narrow and of a wide chart; the style sheet shows one. */
const LABEL_WIDTHS = [
  ["narrow", 0.32],
  ["wide", 0.14],
] as const;

const ORIGIN_NAMES: Readonly<Record<Origin, string>> = { server: "Server", browser: "Browser" };

const MARK_NAMES: Readonly<Record<ChartMark["kind"], string>> = {
  release: "Release",
  deploy: "Deploy",
  resolved: "Resolved",
  regressed: "Regressed",
};

/** The chart as a `figure`. */
export function BarChart(props: BarChartProps) {
  const attributes = { className: "chart" };
  return <CachedParts tag="figure" attributes={attributes} part={ChartContent} items={[props]} />;
}

function ChartContent(props: BarChartProps) {
  const { id, caption, description, bars, marks = [], plotPx = PLOT_PX } = props;
  const maxCount = roundUpAxisMax(Math.max(0, ...bars.map(({ count }) => count)));
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  return (
    <>
      <figcaption>
        {caption}
        <SeriesKeys bars={bars} />
        {kinds.map((kind) => (
          <span key={kind} className="chart-key" data-kind={kind}>
            {MARK_NAMES[kind]}
          </span>
        ))}
      </figcaption>
      <fieldset className="chart-plot" aria-label={description}>
        <svg width="100%" height={MARK_PX + plotPx} aria-hidden="true">
          <Scale maxCount={maxCount} plotPx={plotPx} />
          <Marks marks={marks} plotPx={plotPx} />
        </svg>
        <div className="chart-bars">
          {bars.map((bar, n) => (
            <Bar key={n} bar={bar} id={id} unit={props.unit} scale={{ maxCount, plotPx }} />
          ))}
        </div>
      </fieldset>
      <TimeAxis {...props} />
    </>
  );
}

/** The origins that the chart has, with their sums. */
function SeriesKeys({ bars }: { bars: readonly ChartBar[] }) {
  return ORIGINS.map((origin) => {
    const sum = bars.reduce((total, { parts }) => total + parts[origin], 0);
    if (sum === 0) return null;
    return (
      <span key={origin} className="chart-key" data-series={origin}>
        {ORIGIN_NAMES[origin]} <b>{formatNumber(sum)}</b>
      </span>
    );
  });
}

interface ScaleProps {
  readonly maxCount: number;
  readonly plotPx: number;
}

/** Three lines with their counts, to the left of the bars. */
function Scale({ maxCount, plotPx }: ScaleProps) {
  const steps = maxCount % 2 === 0 ? [maxCount, maxCount / 2, 0] : [maxCount, 0];
  return steps.map((count) => {
    const y = MARK_PX + plotPx * (1 - count / maxCount) - (count === 0 ? 0.5 : 0);
    return (
      <g key={count}>
        <line className={count === 0 ? "base" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
        <text x="-8" y={y + 4} textAnchor="end">
          {formatAxisCount(count)}
        </text>
      </g>
    );
  });
}

/** `950`, `1.2k`, `3M`: at most four characters. */
function formatAxisCount(count: number): string {
  if (count < 1_000) return String(count);
  const [size, sign] = count < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${Math.round((count / size) * 10) / 10}${sign}`;
}

/** A bar with its figure, which the style sheet shows; an empty step has none. */
function Bar({
  bar: { name, count, parts },
  id,
  unit,
  scale: { maxCount, plotPx },
}: {
  bar: ChartBar;
  id: string;
  unit: string;
  scale: ScaleProps;
}) {
  if (count === 0) return <i />;
  const height = Math.max(MIN_BAR_PX, Math.round((count / maxCount) * plotPx));
  const browserHeight = Math.round((parts.browser / count) * height);
  const isMixed = parts.server > 0 && parts.browser > 0;
  return (
    <label>
      <input type="radio" name={id} autoComplete="off" />
      <span className="chart-figure">
        {name}: <b>{pluralize(count, unit)}</b>
        {isMixed && `, ${formatNumber(parts.browser)} in browsers`}
      </span>
      <svg height={height} aria-hidden="true">
        {parts.server > 0 && <rect data-series="server" width="100%" height="100%" />}
        {parts.browser > 0 && (
          <rect data-series="browser" width="100%" height={Math.max(1, browserHeight)} />
        )}
      </svg>
    </label>
  );
}

function Marks({ marks, plotPx }: { marks: readonly ChartMark[]; plotPx: number }) {
  return (
    <>
      {marks.map(({ kind, name, title, position }) => (
        <line
          key={`${kind} ${name} ${position}`}
          className="mark"
          data-kind={kind}
          x1={toPercent(position)}
          x2={toPercent(position)}
          y1="3"
          y2={MARK_PX + plotPx}
        >
          <title>
            {title ?? `${kind === "release" ? "Release " : ""}${abbreviate(name, 2 * LABEL_CHARS)}`}
          </title>
        </line>
      ))}
      {LABEL_WIDTHS.map(([size, width]) =>
        placeMarkLabels(marks, width).map((mark) => (
          <MarkLabel key={`${size} ${mark.kind} ${mark.position}`} mark={mark} size={size} />
        )),
      )}
    </>
  );
}

function MarkLabel({ mark, size }: { mark: PlacedMark; size: "narrow" | "wide" }) {
  return (
    <text
      className="mark-name"
      data-kind={mark.kind}
      data-label-width={size}
      x={toPercent(mark.position)}
      dx={mark.isBefore ? -5 : 5}
      y="12"
      textAnchor={mark.isBefore ? "end" : "start"}
    >
      {abbreviate(mark.name, LABEL_CHARS)}
    </text>
  );
}

/** Names below the bars: start, middle and end. */
function TimeAxis({ bars, lastName }: BarChartProps) {
  return (
    <p className="chart-axis" aria-hidden="true">
      <span>{bars[0]?.name}</span>
      <span>{bars[Math.floor(bars.length / 2)]?.name}</span>
      <span>{lastName}</span>
    </p>
  );
}

/** "at most 6 per day": for the description of a chart. */
export function describePeak(bars: readonly ChartBar[], step: string): string {
  return `at most ${formatNumber(Math.max(0, ...bars.map(({ count }) => count)))} per ${step}`;
}

function toPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}

/** The scale of a chart. Pure. */

const ROUND_STEPS = [1, 2, 4, 6, 8, 10];

/** The next round number from `count` up, at least 1: the top of the axis. */
export function roundUpAxisMax(count: number): number {
  const size = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, count))) - 1);
  return (ROUND_STEPS.find((step) => step * size >= count) ?? 10) * size;
}
