/** Moments in a chart: a line for each, and flags with the names that have room. */
import { abbreviate } from "../long-text.tsx";
import { CHART_SIZES, type ChartSize, toPercent } from "./chart-scale.ts";
import { type ChartMark, type PlacedMark, placeMarkLabels } from "./mark-labels.ts";

const LABEL_CHARS = 16;
const FLAG_HEIGHT = 18;
/** Flags are above the plot. */
const FLAG_Y = -20;
const PADDING = 6;
/** The width of a character of the monospaced face at 11 px. */
const CHAR_PX = 6.7;

/** Flags of a chart that is narrower than a phone. */
const MAX_NARROW_LABELS = 1;

/** The lines; pointing at one shows what is known of the moment. */
export function MarkLines({ marks }: { marks: readonly ChartMark[] }) {
  return marks.map(({ kind, name, title, position }) => (
    <line
      key={`${kind} ${name} ${position}`}
      className="mark"
      data-kind={kind}
      x1={toPercent(position)}
      x2={toPercent(position)}
      y1={FLAG_Y}
      y2="100%"
    >
      <title>
        {title ?? `${kind === "release" ? "Release " : ""}${abbreviate(name, 2 * LABEL_CHARS)}`}
      </title>
    </line>
  ));
}

/** The flags. The newest is prominent. */
export function Flags({ marks }: { marks: readonly ChartMark[] }) {
  const newest = Math.max(...marks.map(({ position }) => position));
  return CHART_SIZES.map(({ size, px }) =>
    placeMarkLabels(
      marks,
      (mark) => toWidth(mark) / px,
      size === "narrow" ? MAX_NARROW_LABELS : undefined,
    ).map((mark) => (
      <Flag
        key={`${size} ${mark.kind} ${mark.position}`}
        mark={mark}
        size={size}
        isNewest={mark.position === newest}
      />
    )),
  );
}

function toWidth({ name }: Pick<ChartMark, "name">): number {
  return Math.ceil(abbreviate(name, LABEL_CHARS).length * CHAR_PX) + 2 * PADDING;
}

function Flag({ mark, size, isNewest }: { mark: PlacedMark; size: ChartSize; isNewest: boolean }) {
  const width = toWidth(mark);
  const start = mark.isBefore ? -width : 0;
  return (
    <svg
      className="flag"
      aria-hidden="true"
      x={toPercent(mark.position)}
      y={FLAG_Y}
      data-kind={mark.kind}
      data-newest={isNewest ? "" : undefined}
      data-label-width={size}
    >
      <rect x={start} width={width} height={FLAG_HEIGHT} />
      <text className="mark-name" x={start + width / 2} y="13" textAnchor="middle">
        {abbreviate(mark.name, LABEL_CHARS)}
      </text>
    </svg>
  );
}
