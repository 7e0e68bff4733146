// Computes the amounts and the bill of a month on Cloudflare from measured constants.

import { type Amounts, type Bill, computeBill } from "./prices.ts";

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

/** A pace at which one shard received reports. */
export interface PaceCosts {
  perSecond: number;
  /** `ERRATA_KV_WRITES_PER_DAY`. */
  kvWritesPerDay: number;
  /** Reports of known issues: of a few, or of all that the index has. */
  few: ReportCost;
  many: ReportCost;
  /** Reports that are each the first of its issue. */
  first: ReportCost;
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
/** Assumed number of page views in a month. */
const PAGES_PER_MONTH = 10_000;

export const DAY_SECONDS = 86_400;
const DAYS = 30;
/** How long reports of rare and new issues are kept. */
const RARE_DAYS = 90;
/**
 * Common issues have at least this many reports (`COMMON_MIN_COUNT`). They are new for a week;
 * their later reports are kept for 30 days.
 */
const COMMON_REPORTS = 100;
const COMMON_DAYS = (7 * RARE_DAYS + 23 * DAYS) / 30;
const OBJECT_GB = 0.128;
const GB = 1e9;
/** The documentation's figure, in src/docs/limits-and-costs.md. */
const REPORTS_PER_SECOND_AND_SHARD = 500;
/** The peaks of a month are several times its average. */
const REPORTS_PER_MONTH_AND_SHARD = 250e6;
/** The registry and the index. */
const OTHER_OBJECTS = 2;
/**
 * From about this pace, the index stages changes, up to these limits of issues and time
 * (src/store/index/row-receiver.ts). A query stores them: the row and one SQL index of each.
 */
const STAGING_PER_SECOND = 1;
const STAGED_ISSUES = 600;
const STAGED_SECONDS = 60;
const ROWS_PER_STORED_ISSUE = 2;

/** How the reports of a month arrive. */
export const PATTERNS = {
  quiet: { title: "quiet", activeDays: DAYS, means: "evenly, day and night" },
  steady: {
    title: "steady",
    activeDays: (22 * 8) / 24,
    means: "evenly in 22 working days of 8 hours",
  },
  storm: { title: "storm", activeDays: 0, means: "at 500 a second for each shard" },
} as const;
export type Pattern = keyof typeof PATTERNS;

export interface Month {
  pattern: Pattern;
  reports: number;
  /** Issues in the month, all of them new, which is the maximum. */
  issues: number;
}

/** The shards that a month needs, and the pace of reports to one of them. */
export function computePace({ pattern, reports }: Pick<Month, "pattern" | "reports">) {
  const { activeDays } = PATTERNS[pattern];
  const least = Math.ceil(reports / REPORTS_PER_MONTH_AND_SHARD);
  if (activeDays === 0) return { shards: least, perSecond: REPORTS_PER_SECOND_AND_SHARD };
  const perSecond = reports / (activeDays * DAY_SECONDS);
  const shards = Math.max(least, Math.ceil(perSecond / REPORTS_PER_SECOND_AND_SHARD));
  return { shards, perSecond: perSecond / shards };
}

/**
 * The cost of a report at a pace: interpolated between two measured paces by the logarithm of the
 * pace; outside of them, that of the nearest.
 */
export function computeCost(
  perSecond: number,
  paces: readonly PaceCosts[],
  kind: "few" | "many" | "first",
): ReportCost {
  const next = paces.find((one) => one.perSecond >= perSecond) ?? paces.at(-1);
  const before = paces.findLast((one) => one.perSecond <= perSecond) ?? paces[0];
  if (next === undefined || before === undefined) throw new Error("No pace was measured.");
  if (next === before) return next[kind];
  const part = Math.log(perSecond / before.perSecond) / Math.log(next.perSecond / before.perSecond);
  const names = Object.keys(next[kind]) as (keyof ReportCost)[];
  const figures = names.map((name) => {
    return [name, before[kind][name] * (1 - part) + next[kind][name] * part];
  });
  return Object.fromEntries(figures) as unknown as ReportCost;
}

/** The maximum of rows that a page writes, because it makes the index store staged changes. */
export function rowsPerPage(month: Month): number {
  const { shards, perSecond } = computePace(month);
  const arriving = shards * perSecond;
  if (arriving < STAGING_PER_SECOND) return 0;
  const staged = Math.min(month.issues, STAGED_ISSUES, arriving * STAGED_SECONDS);
  return staged * ROWS_PER_STORED_ISSUE;
}

export function computeAmounts(month: Month, constants: Constants): Amounts {
  const { reports } = month;
  const issues = Math.min(month.issues, reports);
  const { shards, perSecond } = computePace(month);
  const { paces, fewIssues, page } = constants;
  const known = computeCost(perSecond, paces, issues <= 2 * fewIssues ? "few" : "many");
  const first = computeCost(perSecond, paces, "first");
  const sum = (of: (cost: ReportCost) => number) =>
    (reports - issues) * of(known) + issues * of(first);
  const alarms = sum((cost) => cost.alarms);
  const pageRequests = PAGES_PER_MONTH * page.objectRequests;
  // Each report comes from another sender, so no call to the log is shared.
  const objectRequests = reports + sum((cost) => cost.betweenObjects) + alarms + pageRequests;
  const awakeSeconds = (shards + OTHER_OBJECTS) * DAYS * DAY_SECONDS;
  const waitMs = (objectRequests - alarms) * LATENCY_MS.request;
  const activeSeconds = (sum((cost) => cost.activeMs) + waitMs) / 1000;
  const budget = (paces.find((one) => one.perSecond >= perSecond) ?? paces.at(-1))?.kvWritesPerDay;
  const keptMonths = (reports >= COMMON_REPORTS * issues ? COMMON_DAYS : RARE_DAYS) / DAYS;
  return {
    workerRequests: reports + PAGES_PER_MONTH,
    cpuMs: sum((cost) => cost.cpuMs) + PAGES_PER_MONTH * page.cpuMs,
    objectRequests,
    alarms,
    objectGbSeconds: OBJECT_GB * Math.min(activeSeconds, awakeSeconds),
    rowsRead: sum((cost) => cost.rowsRead) + PAGES_PER_MONTH * page.rowsRead,
    rowsWritten: sum((cost) => cost.rowsWritten) + PAGES_PER_MONTH * rowsPerPage(month),
    kvReads: sum((cost) => cost.kvReads) + PAGES_PER_MONTH * page.kvReads,
    kvWrites: Math.min(
      sum((cost) => cost.kvWrites),
      DAYS * (budget ?? Number.POSITIVE_INFINITY),
    ),
    kvGb:
      (sum((cost) => cost.chunkBytes) * keptMonths + issues * constants.snapshotBytesPerIssue) / GB,
    sqlGb:
      (issues * constants.indexBytesPerIssue + reports * constants.logBytesPerReport * keptMonths) /
      GB,
  };
}

/** The cost of a month in US dollars. */
export function computeMonthBill(month: Month, constants: Constants): Bill {
  return computeBill(computeAmounts(month, constants));
}

/**
 * The amounts of a day on the free plan after a year of such days, with this number of new issues a
 * month. Stored data are those of 90 days, if all issues are rare.
 */
export function computeFreeDay(issuesPerMonth: number, constants: Constants): Amounts {
  const { freeDay, paces, page } = constants;
  const { reports, cost } = freeDay;
  const newIssues = issuesPerMonth / DAYS;
  const pages = PAGES_PER_MONTH / DAYS;
  const [slowest] = paces;
  if (slowest === undefined) throw new Error("No pace was measured.");
  const { few, first } = slowest;
  const sum = (of: (cost: ReportCost) => number) =>
    reports * of(cost) + newIssues * Math.max(0, of(first) - of(few));
  const alarms = sum((one) => one.alarms);
  const objectRequests =
    reports + sum((one) => one.betweenObjects) + alarms + pages * page.objectRequests;
  const waitMs = (objectRequests - alarms) * LATENCY_MS.request;
  const activeSeconds = (sum((one) => one.activeMs) + waitMs) / 1000;
  const issuesKept = (issuesPerMonth * RARE_DAYS) / DAYS;
  return {
    workerRequests: reports + pages,
    cpuMs: sum((one) => one.cpuMs) + pages * page.cpuMs,
    objectRequests,
    alarms,
    objectGbSeconds: OBJECT_GB * Math.min(activeSeconds, (1 + OTHER_OBJECTS) * DAY_SECONDS),
    rowsRead: sum((one) => one.rowsRead) + pages * page.rowsRead,
    rowsWritten: sum((one) => one.rowsWritten),
    kvReads: sum((one) => one.kvReads) + pages * page.kvReads,
    // The product's own budget applies to new issues too.
    kvWrites: reports * cost.kvWrites,
    kvGb:
      (RARE_DAYS * sum((one) => one.chunkBytes) + issuesKept * constants.snapshotBytesPerIssue) /
      GB,
    sqlGb:
      (issuesKept * constants.indexBytesPerIssue +
        RARE_DAYS * reports * constants.logBytesPerReport) /
      GB,
  };
}
