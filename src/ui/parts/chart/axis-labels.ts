/** Which labels below the bars fit. Pure. */
import { CHART_SIZES, type ChartSize } from "./chart-scale.ts";

/** A text below the bars; `position` is from 0, where it begins, to 1. Others are in its middle. */
export interface AxisLabel {
  readonly position: number;
  readonly name: string;
}

/** A label, and the least size of a chart in which it has room. */
export interface FittingLabel extends AxisLabel {
  readonly from: ChartSize;
}

/** The width of a character of the sans-serif face at 11 px. */
const CHAR_PX = 6.4;
const GAP_PX = 8;

/** The labels that touch neither an earlier one nor `lastName`, which ends with the chart. */
export function fitAxisLabels(
  labels: readonly AxisLabel[],
  lastName: string,
): readonly FittingLabel[] {
  const last = { position: 1, name: lastName.padEnd(2 * lastName.length) };
  return labels.flatMap((label, n) => {
    const earlier = labels.slice(0, n);
    const fits = (px: number) =>
      getEnd(label, px) <= getStart(last, px) &&
      earlier.every((one) => getEnd(one, px) <= getStart(label, px));
    const found = CHART_SIZES.find(({ px }) => fits(px));
    return found === undefined ? [] : { ...label, from: found.size };
  });
}

function getStart({ position, name }: AxisLabel, px: number): number {
  return position === 0 ? 0 : position * px - (name.length * CHAR_PX) / 2;
}

function getEnd(label: AxisLabel, px: number): number {
  return getStart(label, px) + label.name.length * CHAR_PX + GAP_PX;
}
