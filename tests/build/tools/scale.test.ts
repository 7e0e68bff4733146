// The smallest run of `npm run bench:scale`, and its parts that could make a figure wrong without
// an error.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readNowMs } from "#support/clock/clock.ts";
import type { PaceCosts } from "../../../.tools/bill/constants.ts";
import { formatMonthTables } from "../../../.tools/bill/month-tables.ts";
import { workerFile } from "../../../.tools/build/built.ts";
import {
  countIssuesAfter,
  createEvent,
  selectIssue,
} from "../../../.tools/reports/spread-events.ts";
import { type Sender, startSender } from "../../../.tools/rig/sender.ts";
import { measureConstants } from "../../../.tools/scale/constants.ts";
import { measureCurve, type Point } from "../../../.tools/scale/curves.ts";
import { decodeOptions } from "../../../.tools/scale/options.ts";
import { listPages } from "../../../.tools/scale/page-list.ts";
import { formatTables } from "../../../.tools/scale/tables.ts";

describe("a run with 200 reports", () => {
  let sender: Sender;
  let points: Point[];
  // A chunk takes reports for a second at least.
  const effort = { pageMs: 0, watchMs: 200, quietMs: 1_500 };

  beforeAll(async () => {
    sender = startSender();
    const options = {
      share: 0.5,
      sizes: [200],
      connections: 8,
      parts: ["pages", "start"],
    } as const;
    points = await measureCurve(workerFile, sender, { ...options, ...effort });
  }, 60_000);
  afterAll(() => sender.stop());

  it("every event is acknowledged, and costs CPU time, rows and requests", () => {
    const [{ event, used, issues, sizes }] = points as [Point];
    expect(event.failed).toBe(0);
    expect(issues).toBe(100);
    expect(event.cpuMs).toBeGreaterThan(0.1);
    // Half of the events are of new issues, whose rows no other event shares.
    expect(used.rowsWritten).toBeGreaterThan(1);
    expect(used.rowsRead).toBeGreaterThan(0);
    expect(used.objectRequests).toBeGreaterThan(0);
    expect(used.chunkWrites).toBeGreaterThan(0);
    for (const bytes of Object.values(sizes)) expect(bytes).toBeGreaterThan(1_000);
  });

  it("every page is found and costs CPU time", () => {
    const [{ pages }] = points as [Point];
    const missed = pages.filter(({ status, cpuMs }) => cpuMs <= 0 || ![200, 303].includes(status));
    expect(missed).toEqual([]);
    expect(pages.filter(({ rowsRead }) => rowsRead > 0).length).toBe(pages.length);
  });

  it("a start is watched from its first answer", () => {
    const [{ start }] = points as [Point];
    expect(start?.firstAnswerMs).toBeGreaterThan(0);
    expect(start?.longestTurnMs).toBeGreaterThanOrEqual(0);
  });

  it("the tables have a column for each size", () => {
    const tables = formatTables(points, 80).join("\n");
    expect(tables).toContain("| an event under load | 50 % new, 200 (100 issues) |");
    expect(tables).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("the constants of the bill", () => {
  it("are measured at every pace, of known and of new issues, and make whole tables", async () => {
    const sender = startSender();
    // A small budget would delay uploads, for which each measurement waits.
    const budget = { kvWritesPerDay: 1e9 };
    const plan = {
      ...{ reports: 60, share: 1, fewIssues: 20, quietMs: 200 },
      paces: [{ ...budget, perSecond: 4, speed: 10, seconds: 5, warmUpSeconds: 1 }],
      load: { ...budget, events: 20, warmUps: 8, perSecond: 500, connections: 4 },
      day: {
        ...{ perSecond: 24 / 86_400, speed: 60_000, seconds: 82_800, warmUpSeconds: 0 },
        ...{ kvWritesPerDay: 950, rests: false },
      },
    };
    const printed: string[] = [];
    const constants = await measureConstants(workerFile, sender, plan, (line) => {
      printed.push(line);
    });
    sender.stop();
    expect(constants.paces.map(({ perSecond }) => perSecond)).toEqual([4, 500]);
    expect(constants.freeDay.reports).toBe(24);
    const costs = [
      ...constants.paces.flatMap(({ few, many, first }) => [few, many, first]),
      constants.freeDay.cost,
    ];
    for (const { cpuMs, rowsRead, rowsWritten, activeMs } of costs) {
      for (const figure of [cpuMs, rowsRead, rowsWritten, activeMs]) {
        expect(figure).toBeGreaterThan(0);
      }
    }
    const [{ few, first }] = constants.paces as [PaceCosts];
    expect(first.rowsWritten).toBeGreaterThan(few.rowsWritten);
    expect(formatMonthTables(constants)).not.toMatch(/NaN|undefined|Infinity/);
    expect(printed.join("\n")).toMatch(/ % {2}INSERT/);
  }, 120_000);
});

describe("the events of the scale benchmark", () => {
  it.each([1, 0.5, 0.05])("a share of %d of them begins an issue", (share) => {
    const issues = Array.from({ length: 2_000 }, (_, n) => selectIssue(n, share));
    expect(new Set(issues).size).toBe(countIssuesAfter(2_000, share));
    // The issues so far are numbered without gaps.
    issues.forEach((issue, n) => {
      expect(issue).toBeLessThan(countIssuesAfter(n + 1, share));
    });
  });

  it("an event is about 4 KB, with an id, a time of the last 30 days and no open marks", () => {
    const bodies = [0, 1, 500].map((n) => createEvent({ kind: "spread", share: 1 }, n).body);
    expect(new Set(bodies).size).toBe(3);
    for (const body of bodies) {
      expect(body.length).toBeGreaterThan(3_900);
      expect(body.length).toBeLessThan(4_900);
      expect(body).not.toContain("$");
      const { timestamp } = JSON.parse(body.split("\n")[2] ?? "");
      expect(readNowMs() / 1000 - timestamp).toBeLessThan(30 * 86_400);
    }
  });

  it("each page of the list has its own name", () => {
    const input = { reports: 9, issues: 9, share: 1, digests: ["A"] };
    const names = listPages(input).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the options of the scale benchmark", () => {
  it.each([
    { args: ["--reports", "10"], names: "--reports" },
    { args: ["--distinct", "0"], names: "--distinct" },
    { args: ["--parts", "page"], names: "--parts" },
  ])("$args.0 $args.1 is refused by name", ({ args, names }) => {
    expect(() => decodeOptions(args)).toThrow(names);
  });

  it("sizes are sorted", () => {
    expect(decodeOptions(["--reports", "2000,1000"]).reports).toEqual([1_000, 2_000]);
  });
});
