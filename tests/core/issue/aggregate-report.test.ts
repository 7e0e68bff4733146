import { describe, expect, it } from "vitest";
import {
  aggregateReport,
  countLastSevenDays,
  summarizeIssue,
} from "#src/core/issue/aggregate-report.ts";
import { countLevels } from "#src/core/issue/describe-issue.ts";
import { type Issue, issueSummarySchema } from "#src/core/issue/issue.ts";
import { limits } from "#src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import { createReport } from "#support/reports/reports.ts";

const DAY_MS = 86_400_000;
const summary = (n: number, over: Partial<ReportSummary> = {}) => ({
  ...summarizeReport(createReport(n), ""),
  ...over,
});
const aggregated = (summaries: readonly ReportSummary[]) =>
  summaries.reduce<Issue | undefined>((issue, one) => aggregateReport(issue, one, 0), undefined);

describe("aggregateReport", () => {
  it("counts occurrences, days and times the same in any order", () => {
    const summaries = [0, 1, 2, 3].map((n) => summary(n * DAY_MS, { isSilent200: n % 2 === 0 }));
    const { count, silent200Count, days, firstSeenMs, lastSeenMs } = aggregated(summaries) ?? {};
    expect(aggregated(summaries.toReversed())).toMatchObject({
      count,
      silent200Count,
      days,
      firstSeenMs,
      lastSeenMs,
    });
    expect([count, silent200Count, days?.length]).toEqual([4, 2, 4]);
  });

  it("removes the names of a linked report at the first occurrence", () => {
    const notice = summary(1, {
      isLinked: true,
      culprit: "tell · page.js",
      route: "/checkout/7",
      blockedUri: "x",
    });
    const own = summary(2, { type: "DatabaseError", message: "gone" });
    const { type, culprit, route, blockedUri } = aggregated([notice, own]) ?? {};
    expect([type, culprit, route, blockedUri]).toEqual([
      "DatabaseError",
      own.culprit,
      own.route,
      undefined,
    ]);
    expect(own).not.toHaveProperty("route", "/checkout/7");
  });

  it.each([
    [
      "Importing a module script failed.",
      "Failed to fetch dynamically imported module: https://shop.example/cart-1.js",
    ],
    ["Load failed", "Failed to fetch (api.shop.example)"],
    ["The object can not be found here.", "The node to be removed is not a child of this node"],
  ])("replaces %j by the message of an engine that names what failed", (vague, named) => {
    const [first, second] = [summary(1, { message: vague }), summary(2, { message: named })];
    expect(aggregated([first, second])?.message).toBe(named);
    expect(aggregated([second, first])?.message).toBe(named);
    const stranger = summary(2, { message: named, trust: "public" });
    expect(aggregated([first, stranger])?.message).toBe(vague);
  });

  it("counts the levels of its own reports, of rollups too", () => {
    const issue = aggregated([
      summary(1),
      summary(2, { level: "fatal", occurrences: 3 }),
      summary(3, { level: "debug", trust: "public" }),
      summary(4, { level: "info", isLinked: true }),
    ]);
    const { values } = countLevels(issue as Issue);
    expect(values.map(([name, count]) => [name, count])).toEqual([
      ["fatal", 3],
      ["error", 1],
    ]);
  });

  it("keeps the last thirty days with occurrences", () => {
    const issue = aggregated(Array.from({ length: 40 }, (_, n) => summary(n * DAY_MS)));
    expect(issue?.days).toHaveLength(30);
    expect(issue?.days.at(-1)).toEqual(["2026-12-30", 1]);
  });

  it("keeps the newest occurrences and the newest linked reports separately", () => {
    const own = Array.from({ length: limits.latestReports + 5 }, (_, n) => summary(n));
    const linked = own.map((one, n) => ({ ...one, id: `linked ${n}`, isLinked: true }));
    const { latestReports = [] } = aggregated([...own, ...linked]) ?? {};
    expect(latestReports.filter((one) => one.isLinked)).toHaveLength(limits.latestReports);
    expect(latestReports.filter((one) => !one.isLinked)).toHaveLength(limits.latestReports);
  });

  it("keeps the newest limits.maxAliasesPerIssue aliases", () => {
    const summaries = Array.from({ length: limits.maxAliasesPerIssue + 5 }, (_, n) =>
      summary(n, { aliases: [String(n)] }),
    );
    const { aliases = [] } = aggregated(summaries) ?? {};
    expect(aliases).toHaveLength(limits.maxAliasesPerIssue);
    expect(aliases[0]).toBe(String(limits.maxAliasesPerIssue + 4));
  });

  it("sets the first release from the earliest occurrence, in any order", () => {
    const summaries = ["1.4.0", "1.5.0", "1.6.0"].map((release, n) => summary(n, { release }));
    expect(aggregated(summaries)?.firstRelease).toBe("1.4.0");
    expect(aggregated(summaries.toReversed())?.firstRelease).toBe("1.4.0");
  });

  it("counts the tags of reports with bodies, up to limits.tagKeysPerIssue keys", () => {
    const many = Array.from(
      { length: limits.tagKeysPerIssue + 1 },
      (_, n) => [`key ${n}`, "x"] as const,
    );
    const issue = aggregated([
      summary(0, { tags: many }),
      summary(1, { tags: [["key 0", "y"]] }),
      summary(2, { tags: many, occurrences: 9 }),
    ]);
    expect(Object.keys(issue?.tags ?? {})).toHaveLength(limits.tagKeysPerIssue);
    expect(issue?.tags?.["key 0"]?.values.map(([name, count]) => [name, count])).toEqual([
      ["y", 1],
      ["x", 1],
    ]);
  });

  it("names the issue by its first occurrence, and takes the release of the newest", () => {
    const issue = aggregated([
      summary(1, { message: "", isLinked: true, kind: "notice" }),
      summary(2, { message: "first", release: "1" }),
      summary(3, { message: "second", release: "2" }),
    ]);
    expect(issue).toMatchObject({ kind: "error", message: "first", release: "2", count: 2 });
  });
});

describe("countLastSevenDays", () => {
  it("counts whole UTC days", () => {
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

it("a summary has the fields of lists, and no reports", () => {
  const issue = aggregated([summary(1)]);
  expect(issue && Object.keys(summarizeIssue(issue))).not.toEqual(
    expect.arrayContaining(["latestReports"]),
  );
});

it("a summary has every member of its schema: a stored issue keeps them nowhere else", () => {
  const escalation = { atMs: 1, value: 60, usual: 0 };
  const marked = {
    ...(aggregated([summary(1)]) as Issue),
    escalation,
    fixMark: "proposed",
  } as const;
  const found = summarizeIssue(marked);
  expect(Object.keys(found).sort()).toEqual(Object.keys(issueSummarySchema.entries).sort());
  expect(found).toMatchObject({ escalation, fixMark: "proposed" });
});
