// The use of the resources that Cloudflare bills, by a report or a page.

import type { ReportCost } from "../bill/constants.ts";
import type { Counters } from "../counting/counters.ts";
import type { KvFigures } from "./memory-kv.ts";

/** The amounts so far. */
export type Usage = Counters & KvFigures;

/** The use between two moments, each part divided by `count`. */
export function computeUsage(before: Usage, after: Usage, count: number): Usage {
  const names = Object.keys(after) as (keyof Usage)[];
  const used = names.map((name) => [name, (after[name] - before[name]) / count]);
  return Object.fromEntries(used) as unknown as Usage;
}

/**
 * The use of a report, with its CPU time, in the terms of the bill. Figures are rounded to four
 * digits, the precision of the measurement.
 */
export function toReportCost(usage: Usage, cpuMs: number): ReportCost {
  const { rowsRead, rowsWritten, betweenObjects, alarms, activeMs, chunkBytes } = usage;
  const cost = {
    ...{ cpuMs, rowsRead, rowsWritten, betweenObjects, alarms, activeMs },
    ...{ kvReads: usage.reads, kvWrites: usage.writes, chunkBytes },
  };
  const rounded = Object.entries(cost).map(([name, of]) => [name, Number(of.toPrecision(4))]);
  return Object.fromEntries(rounded) as unknown as ReportCost;
}
