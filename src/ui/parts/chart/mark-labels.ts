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

/**
 * Labels of `width` (0 to 1) for the marks with enough room: no label leaves the chart, touches
 * another one or crosses the line of another mark. Newer marks take precedence.
 */
export function placeMarkLabels(marks: readonly ChartMark[], width: number): readonly PlacedMark[] {
  const placed: PlacedMark[] = [];
  for (const mark of marks.toSorted((a, b) => b.position - a.position)) {
    const label = [false, true]
      .map((isBefore) => ({ ...mark, isBefore }))
      .find((one) => hasRoom(one, width, marks, placed));
    if (label !== undefined) placed.push(label);
  }
  return placed;
}

function hasRoom(
  label: PlacedMark,
  width: number,
  marks: readonly ChartMark[],
  placed: readonly PlacedMark[],
): boolean {
  const start = getStart(label, width);
  const end = start + width;
  return (
    start >= 0 &&
    end <= 1 &&
    placed.every((other) => Math.abs(getStart(other, width) - start) >= width) &&
    marks.every(
      ({ position }) => position === label.position || position <= start || position >= end,
    )
  );
}

function getStart({ position, isBefore }: PlacedMark, width: number): number {
  return isBefore ? position - width : position;
}
