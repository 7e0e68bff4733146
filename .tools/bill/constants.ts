// The measured constants of the bill.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The use of each report at one pace, as `npm run bench:scale -- --constants` measures it. */
export interface ReportCost {
  /** CPU time of the whole process. The part of objects is billed by duration instead. */
  cpuMs: number;
  rowsRead: number;
  rowsWritten: number;
  /** Requests from objects to objects. */
  betweenObjects: number;
  alarms: number;
  /** The time in which objects could not sleep, with `LATENCY_MS.kvWrite` for each KV write. */
  activeMs: number;
  kvReads: number;
  kvWrites: number;
  /** The bytes of the report in its chunk in KV. */
  chunkBytes: number;
}

/** The cost of reports of known issues: of a few, or of all that the index has; and of new ones. */
export interface ReportCosts {
  few: ReportCost;
  many: ReportCost;
  first: ReportCost;
}

/** A pace at which one shard received reports. */
export interface PaceCosts extends ReportCosts {
  perSecond: number;
  /** `ERRATA_KV_WRITES_PER_DAY`. */
  kvWritesPerDay: number;
}

export interface Constants {
  /** When and where it was measured, such as `23 November 2026, 2 cores`. */
  measured: string;
  /** The issues of `few`, and those that the index held. */
  fewIssues: number;
  manyIssues: number;
  /** The measured paces, the slowest first. */
  paces: PaceCosts[];
  /** A report of a few issues on a whole day, under the free plan's budget of KV writes. */
  freeDay: { reports: number; cost: ReportCost };
  indexBytesPerIssue: number;
  logBytesPerReport: number;
  snapshotBytesPerIssue: number;
  /** The mean of the list and an issue's page. */
  page: { cpuMs: number; rowsRead: number; objectRequests: number; kvReads: number };
}

/** Assumed latencies, because a local disk and KV on the same machine have none. */
export const LATENCY_MS = { kvWrite: 100, request: 10 };

/** The constants that were measured last. */
export function readConstants(): Constants {
  return JSON.parse(readFileSync(join(import.meta.dirname, "constants.json"), "utf8"));
}
