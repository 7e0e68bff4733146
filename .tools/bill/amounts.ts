// Computes the amounts of a month on Cloudflare from measured constants.

import { type Constants, LATENCY_MS, type ReportCost, type ReportCosts } from "./constants.ts";
import type { Amounts } from "./prices.ts";

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
 * At about this pace or faster, the index stages changes, up to these limits of issues and time
 * (src/store/index/row-receiver.ts). A query makes it store them: the row and one SQL index of
 * each.
 */
const STAGING_PER_SECOND = 1;
const STAGED_ISSUES = 600;
const STAGED_SECONDS = 60;
const ROWS_PER_STORED_ISSUE = 2;

/** How the reports of a month arrive. */
export const PATTERNS = {
  quiet: { activeDays: DAYS, means: "reports arrive evenly, day and night" },
  steady: {
    activeDays: (22 * 8) / 24,
    means: "reports arrive evenly during 22 working days of 8 hours",
  },
  storm: { activeDays: 0, means: "500 reports a second arrive at each shard" },
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
  paces: Constants["paces"],
  kind: keyof ReportCosts,
): ReportCost {
  const next = findPace(perSecond, paces);
  const before = paces.findLast((one) => one.perSecond <= perSecond) ?? paces[0] ?? next;
  if (next === before) return next[kind];
  const part = Math.log(perSecond / before.perSecond) / Math.log(next.perSecond / before.perSecond);
  return combine(before[kind], next[kind], (low, high) => low * (1 - part) + high * part);
}

/** The slowest measured pace that is not slower, or the fastest. */
function findPace(perSecond: number, paces: Constants["paces"]) {
  const found = paces.find((one) => one.perSecond >= perSecond) ?? paces.at(-1);
  if (found === undefined) throw new Error("No pace was measured.");
  return found;
}

function combine(a: ReportCost, b: ReportCost, compute: (a: number, b: number) => number) {
  const names = Object.keys(a) as (keyof ReportCost)[];
  const figures = names.map((name) => [name, compute(a[name], b[name])]);
  return Object.fromEntries(figures) as unknown as ReportCost;
}

/** The maximum of rows that a page writes, because it makes the index store staged changes. */
export function computeRowsPerPage(month: Month): number {
  const { shards, perSecond } = computePace(month);
  const arriving = shards * perSecond;
  if (arriving < STAGING_PER_SECOND) return 0;
  const staged = Math.min(month.issues, STAGED_ISSUES, arriving * STAGED_SECONDS);
  return staged * ROWS_PER_STORED_ISSUE;
}

/** The amounts of a month, with the data that is stored if all earlier months were like it. */
export function computeAmounts(month: Month, constants: Constants): Amounts {
  const { reports } = month;
  const { paces, fewIssues } = constants;
  const issues = Math.min(month.issues, reports);
  const { shards, perSecond } = computePace(month);
  const kind = issues <= 2 * fewIssues ? "few" : "many";
  const amounts = addUp(constants, {
    costs: [
      { count: reports - issues, cost: computeCost(perSecond, paces, kind) },
      { count: issues, cost: computeCost(perSecond, paces, "first") },
    ],
    ...{ reports, pages: PAGES_PER_MONTH, shards, days: DAYS, issuesKept: issues },
    daysKept: reports >= COMMON_REPORTS * issues ? COMMON_DAYS : RARE_DAYS,
  });
  return {
    ...amounts,
    rowsWritten: amounts.rowsWritten + PAGES_PER_MONTH * computeRowsPerPage(month),
    kvWrites: Math.min(amounts.kvWrites, DAYS * findPace(perSecond, paces).kvWritesPerDay),
  };
}

/**
 * The amounts of a day on the free plan after a year of such days, with this number of new issues a
 * month. Stored data are those of 90 days, if all issues are rare.
 */
export function computeFreeDay(issuesPerMonth: number, constants: Constants): Amounts {
  const { reports, cost } = constants.freeDay;
  const { few, first } = findPace(0, constants.paces);
  const more = combine(first, few, (one, other) => Math.max(0, one - other));
  const amounts = addUp(constants, {
    costs: [
      { count: reports, cost },
      { count: issuesPerMonth / DAYS, cost: more },
    ],
    ...{ reports, pages: PAGES_PER_MONTH / DAYS, shards: 1, days: 1, daysKept: RARE_DAYS },
    issuesKept: (issuesPerMonth * RARE_DAYS) / DAYS,
  });
  // The product's own budget applies to new issues too.
  return { ...amounts, kvWrites: reports * cost.kvWrites };
}

interface Period {
  /** Costs and their numbers. */
  costs: readonly { count: number; cost: ReportCost }[];
  reports: number;
  pages: number;
  shards: number;
  days: number;
  /** How long reports are kept. */
  daysKept: number;
  issuesKept: number;
}

function addUp(constants: Constants, period: Period): Amounts {
  const { page, indexBytesPerIssue, logBytesPerReport, snapshotBytesPerIssue } = constants;
  const { costs, reports, pages, shards, days, daysKept, issuesKept } = period;
  const sum = (name: keyof ReportCost) =>
    costs.reduce((total, { count, cost }) => total + count * cost[name], 0);
  const alarms = sum("alarms");
  // Each report comes from another sender, so no call to the log is shared.
  const objectRequests = reports + sum("betweenObjects") + alarms + pages * page.objectRequests;
  const waitMs = (objectRequests - alarms) * LATENCY_MS.request;
  const activeSeconds = (sum("activeMs") + waitMs) / 1000;
  const awakeSeconds = (shards + OTHER_OBJECTS) * days * DAY_SECONDS;
  const periodsKept = daysKept / days;
  return {
    workerRequests: reports + pages,
    cpuMs: sum("cpuMs") + pages * page.cpuMs,
    objectRequests,
    alarms,
    objectGbSeconds: OBJECT_GB * Math.min(activeSeconds, awakeSeconds),
    rowsRead: sum("rowsRead") + pages * page.rowsRead,
    rowsWritten: sum("rowsWritten"),
    kvReads: sum("kvReads") + pages * page.kvReads,
    kvWrites: sum("kvWrites"),
    kvGb: (sum("chunkBytes") * periodsKept + issuesKept * snapshotBytesPerIssue) / GB,
    sqlGb: (issuesKept * indexBytesPerIssue + reports * logBytesPerReport * periodsKept) / GB,
  };
}
