/** Occurrences over time for the chart: by hour for a new issue, by day for an older one. Pure. */
import { toUtcDay, toUtcHour } from "../../../core/issue/aggregate-report.ts";
import type { Issue } from "../../../core/issue/issue.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
const HOURS = 48;

/** Counts of consecutive hours or days (UTC), oldest first. The last one is the current. */
export interface Frequency {
  readonly unit: "hour" | "day";
  readonly stepMs: number;
  /** Start of the first step and end of the last, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: readonly number[];
}

/** A release first seen in the issue within the charted time; `position` is 0 to 1. */
export interface ReleaseTick {
  readonly name: string;
  readonly firstMs: number;
  readonly position: number;
}

type CountedIssue = Pick<Issue, "days" | "hours" | "firstSeenMs">;

/** The last 48 hours if the issue is not older, otherwise the last 30 days. */
export function computeFrequency(
  { days, hours = [], firstSeenMs }: CountedIssue,
  nowMs: number,
): Frequency {
  const isNew = hours.length > 0 && firstSeenMs > nowMs - (HOURS - 1) * HOUR_MS;
  const stepMs = isNew ? HOUR_MS : DAY_MS;
  const length = isNew ? HOURS : DAYS;
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const fromMs = toMs - length * stepMs;
  const countByStep = new Map<string, number>(isNew ? hours : days);
  const toKey = isNew ? toUtcHour : toUtcDay;
  const counts = Array.from({ length }, (_, n) => countByStep.get(toKey(fromMs + n * stepMs)) ?? 0);
  return { unit: isNew ? "hour" : "day", stepMs, fromMs, toMs, counts };
}

/** The issue's releases first seen within the charted time, oldest first. */
export function listReleaseTicks(
  releases: Issue["releases"],
  { fromMs, toMs }: Pick<Frequency, "fromMs" | "toMs">,
): readonly ReleaseTick[] {
  const ticks = (releases?.values ?? []).map(([name, , firstMs]) => ({
    ...{ name, firstMs },
    position: (firstMs - fromMs) / (toMs - fromMs),
  }));
  return ticks
    .filter(({ position }) => position >= 0 && position <= 1)
    .sort((a, b) => a.firstMs - b.firstMs);
}

/** A label next to its tick: it ends there (`isBefore`) or begins there. */
interface TickLabel extends ReleaseTick {
  readonly isBefore: boolean;
}

/** Labels of `width` (0 to 1) for the ticks that have room. Newer ticks take precedence. */
export function placeTickLabels(
  ticks: readonly ReleaseTick[],
  width: number,
): readonly TickLabel[] {
  const labels: TickLabel[] = [];
  const getStart = ({ position, isBefore }: TickLabel) => (isBefore ? position - width : position);
  const isFree = (label: TickLabel) =>
    getStart(label) >= 0 &&
    getStart(label) + width <= 1 &&
    labels.every((other) => Math.abs(getStart(other) - getStart(label)) >= width);
  for (const tick of ticks.toReversed()) {
    const sides = [false, true].map((isBefore) => ({ ...tick, isBefore }));
    const label = sides.find(isFree);
    if (label !== undefined) labels.push(label);
  }
  return labels;
}

const ROUND_STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/** The next round number not below `count`, at least 1: the top of the axis. */
export function roundUpAxisMax(count: number): number {
  const size = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, count))) - 1);
  return (ROUND_STEPS.find((step) => step * size >= count) ?? 10) * size;
}
