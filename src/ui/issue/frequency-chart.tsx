/** How often it happened, drawn on the server, with a line where a release was first seen; told in words to those who listen. */
import type { Issue } from "../../core/issue.ts";
import { counted, figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { absoluteTime, clockTime } from "../time.tsx";
import {
  type Frequency,
  frequencyOf,
  labelled,
  type ReleaseTick,
  releaseTicks,
  roundTop,
} from "./frequency.ts";

/** Places across are in percent, so that the text keeps its size at every width; places down are px. */
const HEIGHT = 104;
const TOP = 32;
const BASE = 84;
const BAR_SHARE = 0.72;
const LEAST_PX = 2;

const RELEASE_CHARS = 12;
/** As much as a label of so many characters takes of a phone's width, and of a wide one; the style sheet shows those for its own. */
const LABEL_WIDTHS = [
  ["narrow", 0.26],
  ["wide", 0.15],
] as const;
const MAX_TOLD = 3;

/** The chart up to the hour or the day of `nowMs`. */
export function FrequencyChart({
  issue,
  nowMs,
}: {
  readonly issue: Issue;
  readonly nowMs: number;
}) {
  const frequency = frequencyOf(issue, nowMs);
  const ticks = releaseTicks(issue.releases, frequency);
  const top = roundTop(Math.max(...frequency.counts));
  return (
    <figure className="frequency">
      <figcaption>
        {captionOf(frequency)}
        {ticks.length > 0 && <span className="frequency-key">first seen in a release</span>}
      </figcaption>
      <svg width="100%" height={HEIGHT} role="img" aria-label={wordsOf(frequency, ticks)}>
        <line className="grid" x1="0" x2="100%" y1={TOP} y2={TOP} />
        <text x="100%" y={TOP - 5} textAnchor="end">
          {figure(top)}
        </text>
        <Bars frequency={frequency} top={top} nowMs={nowMs} />
        <line className="base" x1="0" x2="100%" y1={BASE} y2={BASE} />
        <Times frequency={frequency} nowMs={nowMs} />
        <Ticks ticks={ticks} />
      </svg>
    </figure>
  );
}

function Bars({ frequency, top, nowMs }: { frequency: Frequency; top: number; nowMs: number }) {
  const { counts, fromMs, stepMs } = frequency;
  const step = 1 / counts.length;
  return counts.map((count, n) => {
    if (count === 0) return null;
    const height = Math.max(LEAST_PX, Math.round((count / top) * (BASE - TOP)));
    const startMs = fromMs + n * stepMs;
    return (
      <rect
        key={startMs}
        x={percent((n + (1 - BAR_SHARE) / 2) * step)}
        y={BASE - height}
        width={percent(BAR_SHARE * step)}
        height={height}
      >
        <title>{`${whenOf(startMs, frequency, nowMs)}: ${counted(count, "time")}`}</title>
      </rect>
    );
  });
}

/** When it begins, its middle and its end, below the bars of these hours or days. */
function Times({ frequency, nowMs }: { frequency: Frequency; nowMs: number }) {
  const { counts, fromMs, stepMs, unit } = frequency;
  const middle = Math.floor(counts.length / 2);
  const y = HEIGHT - 6;
  return (
    <>
      <text x="0" y={y}>
        {whenOf(fromMs, frequency, nowMs)}
      </text>
      <text x={percent((middle + 0.5) / counts.length)} y={y} textAnchor="middle">
        {whenOf(fromMs + middle * stepMs, frequency, nowMs)}
      </text>
      <text x="100%" y={y} textAnchor="end">
        {unit === "hour" ? "now" : "today"}
      </text>
    </>
  );
}

function Ticks({ ticks }: { ticks: readonly ReleaseTick[] }) {
  return (
    <>
      {ticks.map(({ name, at }) => (
        <line key={name} className="tick" x1={percent(at)} x2={percent(at)} y1="2" y2={BASE}>
          <title>{`First seen in ${headOf(name, 2 * RELEASE_CHARS)}`}</title>
        </line>
      ))}
      {LABEL_WIDTHS.map(([room, width]) =>
        labelled(ticks, width).map(({ name, at, isBefore }) => (
          <text
            key={`${room} ${name}`}
            className="tick-name"
            data-room={room}
            x={percent(at)}
            dx={isBefore ? -5 : 5}
            y="11"
            textAnchor={isBefore ? "end" : "start"}
          >
            {headOf(name, RELEASE_CHARS)}
          </text>
        )),
      )}
    </>
  );
}

function captionOf({ unit, counts }: Frequency): string {
  return `Last ${counts.length} ${unit}s, UTC`;
}

function wordsOf(frequency: Frequency, ticks: readonly ReleaseTick[]): string {
  const { unit, counts } = frequency;
  const sum = counts.reduce((total, count) => total + count, 0);
  const most = Math.max(...counts);
  const told = ticks.slice(-MAX_TOLD).map(({ name }) => headOf(name, RELEASE_CHARS));
  const since = told.length > 0 ? `. First seen within this time in ${told.join(", ")}` : "";
  return `${counted(sum, "time")} in the last ${counts.length} ${unit}s, at most ${counted(most, "time")} in one ${unit}${since}.`;
}

/** `21 Nov`; of an hour `21 Nov, 17:00`, today's without its day. */
function whenOf(atMs: number, { unit }: Frequency, nowMs: number): string {
  if (unit === "hour") return clockTime(atMs, nowMs).replace(" UTC", "");
  return absoluteTime(atMs).split(" ").slice(0, 2).join(" ");
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`;
}
