// The arithmetic of the bill, on cases that were computed by hand, and the tables that the
// documentation shows.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  computeAmounts,
  computeCost,
  computeFreeDay,
  computePace,
  computeRowsPerPage,
} from "../../../.tools/bill/amounts.ts";
import { type Constants, type ReportCost, readConstants } from "../../../.tools/bill/constants.ts";
import { formatFigure } from "../../../.tools/bill/format-figure.ts";
import { computeFreeShares, formatGoals } from "../../../.tools/bill/goals.ts";
import { PAGE, replaceTables } from "../../../.tools/bill/page.ts";
import { type Amounts, computeBill, PRICED } from "../../../.tools/bill/prices.ts";

const NOTHING: Amounts = {
  ...{ workerRequests: 0, cpuMs: 0, objectRequests: 0, alarms: 0, objectGbSeconds: 0 },
  ...{ rowsRead: 0, rowsWritten: 0, kvReads: 0, kvWrites: 0, kvGb: 0, sqlGb: 0 },
};

const FREE_REPORT: ReportCost = {
  ...{ cpuMs: 0, rowsRead: 0, rowsWritten: 0, betweenObjects: 0, alarms: 0, activeMs: 0 },
  ...{ kvReads: 0, kvWrites: 0, chunkBytes: 0 },
};

/** Constants with one pace, or several. */
function createConstants(few: Partial<ReportCost>, more: Partial<Constants> = {}): Constants {
  const cost = { ...FREE_REPORT, ...few };
  return {
    ...{ measured: "", fewIssues: 500, manyIssues: 10_000 },
    paces: [{ perSecond: 0.1, kvWritesPerDay: 1e9, few: cost, many: cost, first: cost }],
    freeDay: { reports: 3_000, cost },
    ...{ indexBytesPerIssue: 0, logBytesPerReport: 0, snapshotBytesPerIssue: 0 },
    page: { cpuMs: 0, rowsRead: 0, objectRequests: 0, kvReads: 0 },
    ...more,
  };
}

describe("the bill of amounts", () => {
  it.each<[Partial<Amounts>, number]>([
    [{}, 5],
    [{ workerRequests: 10e6 }, 5],
    [{ workerRequests: 1e9 }, 5 + 297],
    [{ cpuMs: 80e6 }, 5 + 1],
    [{ objectRequests: 3e6 }, 5 + 0.3],
    [{ objectGbSeconds: 1.4e6 }, 5 + 12.5],
    [{ rowsRead: 1_025e9 }, 5 + 1_000],
    [{ rowsWritten: 75e6 }, 5 + 25],
    [{ kvReads: 12e6 }, 5 + 1],
    [{ kvWrites: 2.14e6 }, 5 + 5.7],
    [{ kvGb: 3 }, 5 + 1],
    [{ sqlGb: 10 }, 5 + 1],
    [{ alarms: 1e12 }, 5],
    [{ rowsWritten: 51e6, kvWrites: 2e6 }, 5 + 1 + 5],
  ])("%o cost $%d", (amounts, usd) => {
    expect(computeBill({ ...NOTHING, ...amounts }).usd).toBeCloseTo(usd, 9);
  });

  it("the parts and the plan add up to the bill", () => {
    const amounts = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, 1e12]));
    const { parts, usd } = computeBill(amounts as unknown as Amounts);
    expect(PRICED.reduce((sum, name) => sum + parts[name], 5)).toBeCloseTo(usd, 3);
    expect(PRICED.filter((name) => parts[name] === 0)).toEqual([]);
  });
});

describe("the amounts of a month", () => {
  it("reports of known and of new issues have costs of their own", () => {
    const { paces } = createConstants({});
    const [pace] = paces.map((one) => ({
      ...one,
      few: { ...FREE_REPORT, rowsWritten: 2 },
      many: { ...FREE_REPORT, rowsWritten: 3 },
      first: { ...FREE_REPORT, rowsWritten: 10 },
    }));
    const constants = createConstants({}, { paces: pace ? [pace] : [] });
    const rows = (issues: number) =>
      computeAmounts({ pattern: "quiet", reports: 1e6, issues }, constants).rowsWritten;
    expect(rows(1_000)).toBe(999_000 * 2 + 1_000 * 10);
    expect(rows(50_000)).toBe(950_000 * 3 + 50_000 * 10);
    expect(rows(1e6)).toBe(1e6 * 10);
  });

  it("between two measured paces, a cost is interpolated by the logarithm of the pace", () => {
    const at = (perSecond: number, rowsRead: number) => {
      const cost = { ...FREE_REPORT, rowsRead };
      return { perSecond, kvWritesPerDay: 1, few: cost, many: cost, first: cost };
    };
    const paces = [at(0.4, 100), at(4, 20), at(400, 2)];
    const rowsAt = (perSecond: number) => computeCost(perSecond, paces, "few").rowsRead;
    expect([0.1, 0.4, 4, 400, 1_000].map(rowsAt)).toEqual([100, 100, 20, 2, 2]);
    expect(rowsAt(0.4 * Math.sqrt(10))).toBeCloseTo(60, 9);
    expect(rowsAt(40)).toBeCloseTo(11, 9);
  });

  it("KV is written no more often than the budget of the pace allows", () => {
    const cost = { ...FREE_REPORT, kvWrites: 2 };
    const paces = [{ perSecond: 0.1, kvWritesPerDay: 33_000, few: cost, many: cost, first: cost }];
    const writes = (reports: number) =>
      computeAmounts({ pattern: "quiet", reports, issues: 1 }, createConstants({}, { paces }))
        .kvWrites;
    expect(writes(100_000)).toBe(200_000);
    expect(writes(1e6)).toBe(990_000);
  });

  it.each([
    { pattern: "quiet", reports: 1e6, shards: 1, perSecond: 0.386 },
    // 22 days of 8 hours are 633,600 seconds.
    { pattern: "steady", reports: 1e6, shards: 1, perSecond: 1.578 },
    { pattern: "storm", reports: 1e6, shards: 1, perSecond: 500 },
    { pattern: "quiet", reports: 1e9, shards: 4, perSecond: 96.5 },
    { pattern: "steady", reports: 1e9, shards: 4, perSecond: 394.6 },
  ] as const)("$reports reports in a $pattern month need $shards shards", (row) => {
    const { shards, perSecond } = computePace(row);
    expect(shards).toBe(row.shards);
    expect(perSecond / row.perSecond).toBeCloseTo(1, 2);
  });

  it.each([
    // 0.386 a second: nothing is staged.
    { pattern: "quiet", reports: 1e6, issues: 1_000, rows: 0 },
    // 3.858 a second for a minute, each of an issue of its own.
    { pattern: "quiet", reports: 1e7, issues: 1_000, rows: 2 * 60 * (1e7 / (30 * 86_400)) },
    { pattern: "storm", reports: 1e9, issues: 500, rows: 2 * 500 },
    { pattern: "storm", reports: 1e9, issues: 1e6, rows: 2 * 600 },
  ] as const)("a page of a $pattern month of $reports reports writes $rows rows", (row) => {
    const { rows, ...month } = row;
    expect(computeRowsPerPage(month)).toBeCloseTo(rows, 6);
  });

  it("requests to objects are one for each report, those between objects, and alarms", () => {
    const constants = createConstants({ betweenObjects: 2, alarms: 3 });
    const amounts = computeAmounts({ pattern: "quiet", reports: 1e6, issues: 1 }, constants);
    expect(amounts.objectRequests).toBe(6e6);
    expect(amounts.alarms).toBe(3e6);
  });

  it("duration is the active time and the waits, but no object is awake for longer than a month", () => {
    const seconds = (activeMs: number) =>
      computeAmounts({ pattern: "quiet", reports: 1e6, issues: 1 }, createConstants({ activeMs }))
        .objectGbSeconds / 0.128;
    // 10 ms are assumed for each request.
    expect(seconds(90)).toBeCloseTo(100_000, 3);
    expect(seconds(1e6)).toBeCloseTo(3 * 30 * 86_400, 3);
  });

  it.each([
    { issues: 1_000_000, months: 3, name: "rare issues: three months" },
    // A week's reports are kept for 90 days, the others for 30.
    { issues: 1_000, months: 1.4667, name: "common issues: one, and three at the beginning" },
  ])("storage is the amount kept of $name", ({ issues, months }) => {
    const constants = createConstants(
      { chunkBytes: 100 },
      { indexBytesPerIssue: 3_000, logBytesPerReport: 50, snapshotBytesPerIssue: 2_000 },
    );
    const { kvGb, sqlGb } = computeAmounts({ pattern: "quiet", reports: 1e7, issues }, constants);
    expect(kvGb).toBeCloseTo(months + (issues * 2_000) / 1e9, 3);
    expect(sqlGb).toBeCloseTo(months / 2 + (issues * 3_000) / 1e9, 3);
  });

  it("a month of a million reports, by hand", () => {
    const constants = createConstants({
      rowsWritten: 60,
      kvWrites: 2,
      betweenObjects: 1,
      alarms: 1,
    });
    const month = { pattern: "quiet", reports: 1e6, issues: 1_000 } as const;
    // Rows $10, KV writes $5, requests $0.30; 3 objects' requests of 10 ms are 2,560 GB-s.
    expect(computeBill(computeAmounts(month, constants)).usd).toBeCloseTo(5 + 10 + 5 + 0.3, 9);
  });
});

describe("a day of the free plan", () => {
  it("is the measured one, with the extra cost of new issues at the slowest pace", () => {
    const few = { ...FREE_REPORT, rowsWritten: 2, rowsRead: 20 };
    const first = { ...FREE_REPORT, rowsWritten: 12, rowsRead: 15 };
    const cost = { ...FREE_REPORT, rowsWritten: 3, rowsRead: 30, kvWrites: 0.3, alarms: 1 };
    const day = computeFreeDay(
      3_000,
      createConstants(
        {},
        {
          paces: [{ perSecond: 0.386, kvWritesPerDay: 1e9, few, many: few, first }],
          freeDay: { reports: 3_000, cost },
          page: { cpuMs: 0, rowsRead: 300, objectRequests: 3, kvReads: 1 },
        },
      ),
    );
    // 100 new issues a day and 333 pages.
    expect(day.rowsWritten).toBe(3_000 * 3 + 100 * 10);
    expect(day.rowsRead).toBeCloseTo(3_000 * 30 + 100_000, 6);
    expect(day.kvWrites).toBeCloseTo(900, 9);
    expect(day.objectRequests).toBeCloseTo(6_000 + 1_000, 6);
    expect(day.workerRequests).toBeCloseTo(3_333.3, 1);
  });

  it("keeps reports and issues for 90 days", () => {
    const constants = createConstants(
      { chunkBytes: 200 },
      { indexBytesPerIssue: 4_000, logBytesPerReport: 50, snapshotBytesPerIssue: 2_000 },
    );
    const { kvGb, sqlGb } = computeFreeDay(1_000, constants);
    expect(kvGb).toBeCloseTo((3_000 * 90 * 200 + 3_000 * 2_000) / 1e9, 9);
    expect(sqlGb).toBeCloseTo((3_000 * 90 * 50 + 3_000 * 4_000) / 1e9, 9);
  });
});

describe("the documentation of costs", () => {
  it("shows the tables of the constants: run `npm run bench:bill`", () => {
    const page = readFileSync(PAGE, "utf8");
    expect(page).toBe(replaceTables(page, readConstants()));
  });

  it("the free plan's table has every limit of the plan", () => {
    const shares = computeFreeShares(readConstants());
    expect(shares.map(({ name }) => name)).toEqual(PRICED.filter((name) => name !== "cpuMs"));
  });

  it("every goal is reached", () => {
    expect(formatGoals(readConstants()).filter((line) => line.includes("not reached"))).toEqual([]);
  });

  it("a goal is reached when the month costs no more, and its parts add up", () => {
    // 25 million rows more than the plan includes, and 1 M reports of 10 ms are 1,280 GB-s.
    const [quiet, billion] = formatGoals(createConstants({ rowsWritten: 59.5 }));
    expect(quiet).toBe(
      "1 M quiet reports, 1000 issues: $14.5 of $15, reached: plan $5 + Rows written $9.5",
    );
    expect(billion).toContain("not reached: plan $5 + Rows written $59.5 k + Worker requests $297");
  });

  it.each([
    [0, "0"],
    [0.0123, "0.012"],
    [14.26, "14.3"],
    [3_999, "3,999"],
    [12_345, "12.3 k"],
    [1_234_567, "1.2 M"],
    [999_999, "1 M"],
    [25e9, "25 G"],
  ])("%d is written as %s", (amount, text) => {
    expect(formatFigure(amount)).toBe(text);
  });
});
