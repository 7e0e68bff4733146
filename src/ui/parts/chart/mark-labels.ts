/** Moments that are marked in a chart, and their labels that fit. Pure. */

/** A moment; `position` is from 0, the start of the first bar, to 1, the end of the last. */
export interface ChartMark {
  readonly kind: "release" | "deploy" | "resolved" | "regressed";
  readonly name: string;
  /** All its known facts; by default its kind and name. */
  readonly title?: string;
  readonly position: number;
}

/** A label next to its mark: it ends there (`isBefore`) or begins there. */
export interface PlacedMark extends ChartMark {
  readonly isBefore: boolean;
}

/** The width of each label as a share of the chart, or one for all. */
export type LabelWidth = number | ((mark: ChartMark) => number);

/**
 * At most `maxLabels` labels of `width` (0 to 1) for the marks with enough room: no label leaves the
 * chart, touches another one or crosses the line of a newer mark. Newer marks take precedence:
 * older ones keep their line and lose their name.
 */
export function placeMarkLabels(
  marks: readonly ChartMark[],
  width: LabelWidth,
  maxLabels = Number.POSITIVE_INFINITY,
): readonly PlacedMark[] {
  const toSpan = (mark: PlacedMark) => getSpan(mark, width);
  const placed: PlacedMark[] = [];
  for (const mark of marks.toSorted((a, b) => b.position - a.position)) {
    if (placed.length >= maxLabels) break;
    const label = [false, true]
      .map((isBefore) => ({ ...mark, isBefore }))
      .find((one) => hasRoom(toSpan(one), mark, marks, placed.map(toSpan)));
    if (label !== undefined) placed.push(label);
  }
  return placed;
}

type Span = readonly [start: number, end: number];

function hasRoom(
  [start, end]: Span,
  mark: ChartMark,
  marks: readonly ChartMark[],
  placed: readonly Span[],
): boolean {
  return (
    start >= 0 &&
    end <= 1 &&
    placed.every(([from, to]) => to <= start || from >= end) &&
    marks.every(
      // A label may cover the lines of older marks.
      ({ position }) => position <= mark.position || position <= start || position >= end,
    )
  );
}

function getSpan(mark: PlacedMark, width: LabelWidth): Span {
  const { position, isBefore } = mark;
  const share = typeof width === "number" ? width : width(mark);
  return isBefore ? [position - share, position] : [position, position + share];
}
