import { describe, expect, it } from "vitest";
import {
  aggregateReport,
  countLastSevenDays,
  summarizeIssue,
} from "../../../src/core/issue/aggregate-report.ts";
import type { Issue } from "../../../src/core/issue/issue.ts";
import { limits } from "../../../src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "../../../src/core/report/report-summary.ts";
import { aReport } from "../../support/reports.ts";

const DAY_MS = 86_400_000;
const mark = (n: number, over: Partial<ReportSummary> = {}) => ({
  ...summarizeReport(aReport(n), ""),
  ...over,
});
const folded = (marks: readonly ReportSummary[]) =>
  marks.reduce<Issue | undefined>((issue, one) => aggregateReport(issue, one, 0), undefined);

describe("an issue", () => {
  it("counts occurrences, days and times alike in any order of its marks", () => {
    const marks = [0, 1, 2, 3].map((n) => mark(n * DAY_MS, { isSilent200: n % 2 === 0 }));
    const { count, silent200Count, days, firstSeenMs, lastSeenMs } = folded(marks) ?? {};
    expect(folded(marks.toReversed())).toMatchObject({
      count,
      silent200Count,
      days,
      firstSeenMs,
      lastSeenMs,
    });
    expect([count, silent200Count, days?.length]).toEqual([4, 2, 4]);
  });

  it("keeps nothing of the name that a linked report gave it, once it has its own", () => {
    const notice = mark(1, {
      isLinked: true,
      culprit: "tell · page.js",
      route: "/checkout/7",
      blockedUri: "x",
    });
    const own = mark(2, { type: "DatabaseError", message: "gone" });
    const { type, culprit, route, blockedUri } = folded([notice, own]) ?? {};
    expect([type, culprit, route, blockedUri]).toEqual([
      "DatabaseError",
      own.culprit,
      own.route,
      undefined,
    ]);
    expect(own).not.toHaveProperty("route", "/checkout/7");
  });

  it("keeps the days of the last thirty on which it happened", () => {
    const issue = folded(Array.from({ length: 40 }, (_, n) => mark(n * DAY_MS)));
    expect(issue?.days).toHaveLength(30);
    expect(issue?.days.at(-1)).toEqual(["2026-12-30", 1]);
  });

  it("names its newest reports and linked reports, and neither pushes the other out", () => {
    const own = Array.from({ length: limits.latestReports + 5 }, (_, n) => mark(n));
    const linked = own.map((one, n) => ({ ...one, id: `linked ${n}`, isLinked: true }));
    const { latestReports = [] } = folded([...own, ...linked]) ?? {};
    expect(latestReports.filter((one) => one.isLinked)).toHaveLength(limits.latestReports);
    expect(latestReports.filter((one) => !one.isLinked)).toHaveLength(limits.latestReports);
  });

  it("keeps limits.maxAliasesPerIssue codes, the newest", () => {
    const marks = Array.from({ length: limits.maxAliasesPerIssue + 5 }, (_, n) =>
      mark(n, { aliases: [String(n)] }),
    );
    const { aliases = [] } = folded(marks) ?? {};
    expect(aliases).toHaveLength(limits.maxAliasesPerIssue);
    expect(aliases[0]).toBe(String(limits.maxAliasesPerIssue + 4));
  });

  it("was first seen in the release of its earliest occurrence, in whatever order they come", () => {
    const marks = ["1.4.0", "1.5.0", "1.6.0"].map((release, n) => mark(n, { release }));
    expect(folded(marks)?.firstRelease).toBe("1.4.0");
    expect(folded(marks.toReversed())?.firstRelease).toBe("1.4.0");
  });

  it("counts the tags of reports whose bodies are kept, of so many keys", () => {
    const many = Array.from(
      { length: limits.tagKeysPerIssue + 1 },
      (_, n) => [`key ${n}`, "x"] as const,
    );
    const issue = folded([
      mark(0, { tags: many }),
      mark(1, { tags: [["key 0", "y"]] }),
      mark(2, { tags: many, occurrences: 9 }),
    ]);
    expect(Object.keys(issue?.tags ?? {})).toHaveLength(limits.tagKeysPerIssue);
    expect(issue?.tags?.["key 0"]?.values.map(([name, count]) => [name, count])).toEqual([
      ["y", 1],
      ["x", 1],
    ]);
  });

  it("is called what its first occurrence was, and has the newest one's release", () => {
    const issue = folded([
      mark(1, { message: "", isLinked: true, kind: "notice" }),
      mark(2, { message: "first", release: "1" }),
      mark(3, { message: "second", release: "2" }),
    ]);
    expect(issue).toMatchObject({ kind: "error", message: "first", release: "2", count: 2 });
  });
});

describe("the seven days that end today", () => {
  it("count whole UTC days", () => {
    const atMs = Date.UTC(2026, 10, 21, 12);
    const days = [
      ["2026-11-14", 1],
      ["2026-11-15", 2],
      ["2026-11-21", 4],
      ["2026-11-22", 8],
    ] as const;
    expect(countLastSevenDays({ days }, atMs)).toBe(6);
  });
});

it("a summary has what lists show, and no reports", () => {
  const issue = folded([mark(1)]);
  expect(issue && Object.keys(summarizeIssue(issue))).not.toEqual(
    expect.arrayContaining(["latestReports"]),
  );
});
