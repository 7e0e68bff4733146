/**
 * A bar chart of counts over time, rendered on the server. Pointing at a bar shows its figure. The
 * bars are one stop of the Tab key, and the arrow keys move between bars, without scripts. Screen
 * readers get a description and each figure. With `selection` the bars are a form that shows a
 * span of time: one bar without scripts, several by drag or Shift and arrow keys
 * (`client/chart-spans.ts`).
 */
import { ORIGINS, type Origin } from "../../../core/trust/trust.ts";
import { CachedParts } from "../cached-parts/cached-parts.tsx";
import { formatNumber, pluralize } from "../number.tsx";
import { type AxisLabel, fitAxisLabels } from "./axis-labels.ts";
import { Flags, MarkLines } from "./chart-marks.tsx";
import { formatAxisCount, listScaleCounts, toPercent } from "./chart-scale.ts";
import type { ChartMark } from "./mark-labels.ts";

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

/** The bars as a form that shows what happened in a span. */
export interface ChartSelection {
  /** Where the form leads, with the prefix of the project. */
  readonly action: string;
  /** The name of the field; its value is `<from>-<to>`, Unix ms, without the end. */
  readonly field: string;
  /** The other fields of the form. */
  readonly hidden: readonly (readonly [name: string, value: string])[];
  readonly fromMs: number;
  readonly stepMs: number;
  /** The first and the last bar of the shown span. */
  readonly selected?: readonly [first: number, last: number];
}

interface BarChartProps {
  /** Unique on the page. */
  readonly id: string;
  readonly caption: string;
  /** The caption is for screen readers only. */
  readonly isCaptionHidden?: boolean;
  /** One sentence with the most important figures. */
  readonly description: string;
  /** Consecutive steps of equal length, the oldest first. */
  readonly bars: readonly ChartBar[];
  /** The name of one counted item: `time`. */
  readonly unit: string;
  /** The length of a step, for the top of the scale: `15 min`. */
  readonly step?: string;
  /** Moments between the first and the last bar. */
  readonly marks?: readonly ChartMark[];
  /** The text below the last bar: `today`. */
  readonly lastName: string;
  /** Labels below the bars; by default the names of the first and the middle bar. */
  readonly axis?: readonly AxisLabel[];
  /** The plot is 80 px high, that of an issue 120, that of the home page 240. */
  readonly size?: "issue" | "home";
  /** The counts of the time before, as a line: one for each bar. */
  readonly before?: { readonly name: string; readonly counts: readonly number[] } | undefined;
  /** Further figures of the legend. */
  readonly figures?: readonly (readonly [name: string, value: string])[];
  readonly selection?: ChartSelection;
}

/** The part of the plot that bars use: the label of the top line is above. */
const BARS_SHARE = 0.9;
/** The most lines of the scale. */
const MAX_LINES = { small: 2, home: 3 };
/** The least height of a bar, as a share of the plot. */
const MIN_BAR_SHARE = 0.015;

const ORIGIN_NAMES: Readonly<Record<Origin, string>> = { server: "Server", browser: "Browser" };

const MARK_NAMES: Readonly<Record<ChartMark["kind"], string>> = {
  release: "Release",
  deploy: "Deploy",
  resolved: "Resolved",
  regressed: "Regressed",
};

/** The chart as a `figure`. */
export function BarChart(props: BarChartProps) {
  const attributes = { className: "chart", "data-size": props.size };
  return <CachedParts tag="figure" attributes={attributes} part={ChartContent} items={[props]} />;
}

function ChartContent(props: BarChartProps) {
  const { selection } = props;
  return (
    <>
      <Legend {...props} />
      {selection === undefined ? (
        <>
          <Plot {...props} />
          <TimeAxis {...props} />
        </>
      ) : (
        <form action={selection.action} data-chart-form="">
          {selection.hidden.map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Plot {...props} />
          <TimeAxis {...props} />
          <button type="submit" className="chart-submit">
            Show this span
          </button>
        </form>
      )}
    </>
  );
}

/** What the colors mean, with the sums. */
function Legend({ caption, isCaptionHidden, bars, before, figures, marks = [] }: BarChartProps) {
  const kinds = [...new Set(marks.map(({ kind }) => kind))];
  const hasFlags = isCaptionHidden === true;
  return (
    <figcaption>
      <span className={isCaptionHidden ? "visually-hidden" : undefined}>{caption}</span>
      <SeriesKeys bars={bars} />
      {before !== undefined && (
        <span className="chart-key" data-series="before">
          {before.name} <b>{formatNumber(Math.round(sumOf(before.counts)))}</b>
        </span>
      )}
      {figures?.map(([name, value]) => (
        <span key={name} className="chart-key" data-series="none">
          {name} <b>{value}</b>
        </span>
      ))}
      {!hasFlags &&
        kinds.map((kind) => (
          <span key={kind} className="chart-key" data-kind={kind}>
            {MARK_NAMES[kind]}
          </span>
        ))}
    </figcaption>
  );
}

/** The origins that the chart has, with their sums. */
function SeriesKeys({ bars }: { bars: readonly ChartBar[] }) {
  return ORIGINS.map((origin) => {
    const sum = sumOf(bars.map(({ parts }) => parts[origin]));
    if (sum === 0) return null;
    return (
      <span key={origin} className="chart-key" data-series={origin}>
        {ORIGIN_NAMES[origin]} <b>{formatNumber(sum)}</b>
      </span>
    );
  });
}

function Plot(props: BarChartProps) {
  const { id, description, bars, marks = [], before, selection } = props;
  const counts = [...bars.map(({ count }) => count), ...(before?.counts ?? [])];
  const maxCount = Math.max(1, ...counts);
  const lines = listScaleCounts(maxCount, props.size === "home" ? MAX_LINES.home : MAX_LINES.small);
  const [first, last] = selection?.selected ?? [-1, -1];
  return (
    <fieldset className="chart-plot" aria-label={description}>
      <svg aria-hidden="true">
        <ScaleLines lines={lines} maxCount={maxCount} />
        <MarkLines marks={marks} />
      </svg>
      <div className="chart-bars">
        {bars.map((bar, n) => (
          <Bar
            key={n}
            bar={bar}
            id={id}
            unit={props.unit}
            maxCount={maxCount}
            isSelected={n >= first && n <= last}
            span={selection && toSpanValue(selection, n)}
            spanName={selection?.field}
          />
        ))}
      </div>
      {before !== undefined && <BeforeLine counts={before.counts} maxCount={maxCount} />}
      <svg aria-hidden="true" className="chart-labels">
        <ScaleLabels lines={lines} maxCount={maxCount} unit={props.unit} step={props.step} />
        <Flags marks={marks} />
      </svg>
    </fieldset>
  );
}

function toSpanValue({ fromMs, stepMs }: ChartSelection, n: number): string {
  return `${fromMs + n * stepMs}-${fromMs + (n + 1) * stepMs}`;
}

function toY(count: number, maxCount: number): number {
  return 1 - BARS_SHARE * (count / maxCount);
}

interface ScaleProps {
  /** The counts of the lines, from the lowest. */
  readonly lines: readonly number[];
  readonly maxCount: number;
}

function ScaleLines({ lines, maxCount }: ScaleProps) {
  return [0, ...lines].map((count) => {
    const y = toPercent(toY(count, maxCount));
    return (
      <line key={count} className={count === 0 ? "base" : "grid"} x1="0" x2="100%" y1={y} y2={y} />
    );
  });
}

/** Each count stands on its line. The top one has the unit. */
function ScaleLabels({
  lines,
  maxCount,
  unit,
  step,
}: ScaleProps & Pick<BarChartProps, "unit" | "step">) {
  return lines.map((count) => (
    <text key={count} className="scale" x="0" y={toPercent(toY(count, maxCount))} dy="-5">
      {formatAxisCount(count)}
      {count === lines.at(-1) && step && ` ${unit}${count === 1 ? "" : "s"} in ${step}`}
    </text>
  ));
}

/** A bar with its figure, which the style sheet shows; an empty step has none. */
function Bar({
  bar: { name, count, parts },
  id,
  unit,
  maxCount,
  isSelected,
  span,
  spanName,
}: {
  bar: ChartBar;
  id: string;
  unit: string;
  maxCount: number;
  isSelected: boolean;
  /** The value of the field `spanName`. */
  span: string | undefined;
  spanName: string | undefined;
}) {
  const selected = isSelected ? "" : undefined;
  if (count === 0) return <i data-selected={selected} data-span={span} />;
  const height = Math.max(MIN_BAR_SHARE, BARS_SHARE * (count / maxCount)) * 100;
  const browserHeight = (parts.browser / count) * height;
  const isMixed = parts.server > 0 && parts.browser > 0;
  return (
    <label data-selected={selected}>
      <input type="radio" name={spanName ?? id} value={span} autoComplete="off" />
      <span className="chart-figure">
        {name}: <b>{pluralize(count, unit)}</b>
        {isMixed && `, ${formatNumber(parts.browser)} in browsers`}
      </span>
      <svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true">
        {parts.server > 0 && (
          <rect
            data-series="server"
            width="1"
            y={round(100 - height + browserHeight)}
            height={round(height - browserHeight)}
          />
        )}
        {parts.browser > 0 && (
          <rect
            data-series="browser"
            width="1"
            y={round(100 - height)}
            height={round(browserHeight)}
          />
        )}
      </svg>
    </label>
  );
}

/** The time before as a thin line through the middle of the bars. */
function BeforeLine({ counts, maxCount }: { counts: readonly number[]; maxCount: number }) {
  const points = counts.map((count, n) => `${n + 0.5},${round(100 * toY(count, maxCount))}`);
  return (
    <svg
      className="chart-before"
      viewBox={`0 0 ${Math.max(1, counts.length)} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(" ")} />
    </svg>
  );
}

/** Names below the bars: start, middle and end, or those of `axis`, as far as there is room. */
function TimeAxis({ bars, lastName, axis }: BarChartProps) {
  const middle = Math.floor(bars.length / 2);
  const labels = axis ?? [
    { position: 0, name: bars[0]?.name ?? "" },
    { position: 0.5, name: bars[middle]?.name ?? "" },
  ];
  return (
    <svg className="chart-axis" aria-hidden="true">
      {fitAxisLabels(labels, lastName).map(({ position, name, from }) => (
        <text
          key={position}
          x={toPercent(position)}
          y="14"
          textAnchor={position === 0 ? "start" : "middle"}
          data-from={from}
        >
          {name}
        </text>
      ))}
      <text x="100%" y="14" textAnchor="end">
        {lastName}
      </text>
    </svg>
  );
}

/** "at most 6 per day": for the description of a chart. */
export function describePeak(bars: readonly ChartBar[], step: string): string {
  return `at most ${formatNumber(Math.max(0, ...bars.map(({ count }) => count)))} per ${step}`;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
