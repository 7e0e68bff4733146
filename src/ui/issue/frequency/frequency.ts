/**
 * How often an issue happened over time, as a chart needs it: hours of a young issue, days of an older one. Pure; the scale is plain
 * arithmetic.
 */
import { toUtcDay, toUtcHour } from "../../../core/issue/aggregate-report.ts";
import type { Issue } from "../../../core/issue/issue.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
const HOURS = 48;

/** Counts of neighbouring hours or days, UTC, oldest first; the last is the one of now. */
export interface Frequency {
  readonly unit: "hour" | "day";
  readonly stepMs: number;
  /** When the first of them begins, and the last one ends. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: readonly number[];
}

/** A release that was first seen in the issue within the time that is shown; `at` is 0 to 1. */
export interface ReleaseTick {
  readonly name: string;
  readonly firstMs: number;
  readonly position: number;
}

type CountedIssue = Pick<Issue, "days" | "hours" | "firstSeenMs">;

/** The last 48 hours of an issue that is no older, else the last thirty days. */
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

/** The releases of an issue that began within the time of its chart, oldest first. */
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

/** A label beside its tick: it ends there (`isBefore`) or begins there. */
export interface TickLabel extends ReleaseTick {
  readonly isBefore: boolean;
}

/** Those of the ticks that have room for a label of `width` (0 to 1), the newest first: what came last matters most. */
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

/** The next round number that is not below `count`: what the top of a chart stands for. At least 1. */
export function roundUpAxisMax(count: number): number {
  const size = 10 ** Math.max(0, Math.ceil(Math.log10(Math.max(1, count))) - 1);
  return (ROUND_STEPS.find((step) => step * size >= count) ?? 10) * size;
}
