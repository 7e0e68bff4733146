/**
 * A chart of occurrences over time, rendered on the server, with a line where a release was first
 * seen. Screen readers get a description.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { formatAbsoluteTime, formatClockTime } from "../../parts/time.tsx";
import {
  computeFrequency,
  type Frequency,
  listReleaseTicks,
  placeTickLabels,
  type ReleaseTick,
  roundUpAxisMax,
} from "./frequency.ts";

/** Horizontal positions are in percent, so that text keeps its size; vertical ones are in px. */
const HEIGHT = 104;
const TOP = 32;
const BASELINE = 84;
const BAR_SHARE = 0.72;
const MIN_BAR_PX = 2;

const RELEASE_CHARS = 12;
/** Label width as a share of a narrow and of a wide chart. The style sheet shows one of the two. */
const LABEL_WIDTHS = [
  ["narrow", 0.26],
  ["wide", 0.15],
] as const;
const MAX_DESCRIBED_RELEASES = 3;

/** The chart, up to the current hour or day. */
export function FrequencyChart({
  issue,
  nowMs,
}: {
  readonly issue: Issue;
  readonly nowMs: number;
}) {
  const frequency = computeFrequency(issue, nowMs);
  const ticks = listReleaseTicks(issue.releases, frequency);
  const maxCount = roundUpAxisMax(Math.max(...frequency.counts));
  return (
    <figure className="frequency">
      <figcaption>
        {formatCaption(frequency)}
        {ticks.length > 0 && <span className="frequency-key">release first seen</span>}
      </figcaption>
      <svg width="100%" height={HEIGHT} role="img" aria-label={describeChart(frequency, ticks)}>
        <line className="grid" x1="0" x2="100%" y1={TOP} y2={TOP} />
        <text x="100%" y={TOP - 5} textAnchor="end">
          {formatNumber(maxCount)}
        </text>
        <Bars frequency={frequency} maxCount={maxCount} nowMs={nowMs} />
        <line className="base" x1="0" x2="100%" y1={BASELINE} y2={BASELINE} />
        <TimeAxis frequency={frequency} nowMs={nowMs} />
        <ReleaseTicks ticks={ticks} />
      </svg>
    </figure>
  );
}

function Bars({
  frequency,
  maxCount,
  nowMs,
}: {
  frequency: Frequency;
  maxCount: number;
  nowMs: number;
}) {
  const { counts, fromMs, stepMs } = frequency;
  const step = 1 / counts.length;
  return counts.map((count, n) => {
    if (count === 0) return null;
    const height = Math.max(MIN_BAR_PX, Math.round((count / maxCount) * (BASELINE - TOP)));
    const startMs = fromMs + n * stepMs;
    return (
      <rect
        key={startMs}
        x={toPercent((n + (1 - BAR_SHARE) / 2) * step)}
        y={BASELINE - height}
        width={toPercent(BAR_SHARE * step)}
        height={height}
      >
        <title>{`${formatStep(startMs, frequency, nowMs)}: ${pluralize(count, "time")}`}</title>
      </rect>
    );
  });
}

/** Labels below the bars: start, middle and end. */
function TimeAxis({ frequency, nowMs }: { frequency: Frequency; nowMs: number }) {
  const { counts, fromMs, stepMs, unit } = frequency;
  const middle = Math.floor(counts.length / 2);
  const y = HEIGHT - 6;
  return (
    <>
      <text x="0" y={y}>
        {formatStep(fromMs, frequency, nowMs)}
      </text>
      <text x={toPercent((middle + 0.5) / counts.length)} y={y} textAnchor="middle">
        {formatStep(fromMs + middle * stepMs, frequency, nowMs)}
      </text>
      <text x="100%" y={y} textAnchor="end">
        {unit === "hour" ? "now" : "today"}
      </text>
    </>
  );
}

function ReleaseTicks({ ticks }: { ticks: readonly ReleaseTick[] }) {
  return (
    <>
      {ticks.map(({ name, position }) => (
        <line
          key={name}
          className="tick"
          x1={toPercent(position)}
          x2={toPercent(position)}
          y1="2"
          y2={BASELINE}
        >
          <title>{`First seen in ${abbreviate(name, 2 * RELEASE_CHARS)}`}</title>
        </line>
      ))}
      {LABEL_WIDTHS.map(([size, width]) =>
        placeTickLabels(ticks, width).map(({ name, position, isBefore }) => (
          <text
            key={`${size} ${name}`}
            className="tick-name"
            data-label-width={size}
            x={toPercent(position)}
            dx={isBefore ? -5 : 5}
            y="11"
            textAnchor={isBefore ? "end" : "start"}
          >
            {abbreviate(name, RELEASE_CHARS)}
          </text>
        )),
      )}
    </>
  );
}

function formatCaption({ unit, counts }: Frequency): string {
  return `Last ${counts.length} ${unit}s, UTC`;
}

function describeChart(frequency: Frequency, ticks: readonly ReleaseTick[]): string {
  const { unit, counts } = frequency;
  const sum = counts.reduce((total, count) => total + count, 0);
  const maxCount = Math.max(...counts);
  const describedReleases = ticks
    .slice(-MAX_DESCRIBED_RELEASES)
    .map(({ name }) => abbreviate(name, RELEASE_CHARS));
  const releases =
    describedReleases.length > 0 ? `. Releases first seen: ${describedReleases.join(", ")}` : "";
  const total = `${pluralize(sum, "time")} in the last ${counts.length} ${unit}s`;
  return `${total}, at most ${formatNumber(maxCount)} per ${unit}${releases}.`;
}

/** `21 Nov`; for hours `21 Nov, 17:00`, or `17:00` if it is today. */
function formatStep(atMs: number, { unit }: Frequency, nowMs: number): string {
  if (unit === "hour") return formatClockTime(atMs, nowMs).replace(" UTC", "");
  return formatAbsoluteTime(atMs).split(" ").slice(0, 2).join(" ");
}

function toPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
