import { describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import { addGrouping, combineGroupings, removeGrouping } from "#src/core/issue/describe-issue.ts";
import { combineIssues } from "#src/core/issue/merge-issues.ts";
import { limits } from "#src/core/limits.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import type { KeyPart, Report, ReportGrouping } from "#src/core/report.ts";
import { createReport } from "#support/reports/reports.ts";

const A = "7F3K-Q2M9";
const B = "0000-0000";
const toGrouping = (...values: readonly string[]): ReportGrouping => ({
  version: 1,
  parts: values.map((value) => ({ role: "function", value })),
});
const summary = (n: number, over: Partial<Report> = {}): ReportSummary =>
  summarizeReport(createReport(n, over), "");

describe("the key of a summary", () => {
  const summarizeKey = (...values: readonly string[]) =>
    summary(1, { grouping: toGrouping(...values) }).grouping?.parts ?? [];
  const getLengths = (...lengths: readonly number[]) =>
    summarizeKey(...lengths.map((length) => "x".repeat(length))).map(({ value }) => value.length);

  it.each([
    [
      [14, 29],
      [14, 29],
    ],
    [
      [10, 4_000],
      [10, 290],
    ],
    [
      [4_000, 20, 4_000],
      [140, 20, 140],
    ],
    [
      [400, 400, 400],
      [100, 100, 100],
    ],
  ])("has at most 300 characters: %j as %j", (lengths, limited) => {
    expect(getLengths(...lengths)).toEqual(limited);
  });

  it("has at most twelve parts, on one line each", () => {
    const values = Array.from({ length: 40 }, () => "first\nsecond\u0000");
    const parts = summarizeKey(...values);
    expect(parts).toHaveLength(limits.maxKeyParts);
    expect(new Set(parts.map(({ value }) => value))).toEqual(new Set(["first second "]));
  });
});

describe("the key of an issue", () => {
  it("comes from the first occurrence that has one, and no listed report repeats it", () => {
    const grouping = toGrouping("a#b");
    const linked = aggregateReport(undefined, summary(1, { isLinked: true, grouping }), 0);
    expect(linked.grouping).toBeUndefined();
    const issue = [summary(2), summary(3, { grouping }), summary(4, { grouping })].reduce(
      (before, report) => aggregateReport(before, report, 0),
      linked,
    );
    expect(issue.grouping).toEqual(grouping);
    expect(issue.latestReports).toHaveLength(4);
    expect(JSON.stringify(issue.latestReports)).not.toContain("grouping");
  });

  it("does not change when a report of a merged issue counts in it", () => {
    const own = { digest: A, grouping: toGrouping("a#b") };
    const other = { isLinked: false, grouping: toGrouping("c#d") };
    expect(addGrouping(own, other, B)).toEqual({
      grouping: own.grouping,
      mergedGroupings: { [B]: other.grouping },
    });
    expect(addGrouping(own, { ...other, isLinked: true }, B)).toEqual({ grouping: own.grouping });
  });

  it("stays with those of merged issues, up to a limit, until they are split off", () => {
    const ofA = aggregateReport(undefined, summary(1, { grouping: toGrouping("a#b") }), 0);
    const ofB = aggregateReport(
      undefined,
      summary(2, { digest: B, grouping: toGrouping("c#d"), trust: "server" }),
      0,
    );
    const merged = combineIssues(ofA, ofB, 0);
    expect(merged).toMatchObject({
      grouping: toGrouping("a#b"),
      mergedGroupings: { [B]: toGrouping("c#d") },
    });
    expect(removeGrouping(merged.mergedGroupings, B)).toBeUndefined();
    const many = Array.from({ length: 30 }, (_, n) => `0000-${String(n).padStart(4, "0")}`).reduce(
      (into, digest) => combineGroupings(into, { digest, grouping: toGrouping(digest) }),
      merged as Parameters<typeof combineGroupings>[0],
    );
    expect(Object.keys(many.mergedGroupings ?? {})).toHaveLength(limits.mergedGroupingsPerIssue);
    expect(many.mergedGroupings).toHaveProperty([B]);
  });
});

describe("the error that stands for a report", () => {
  const inApp = true;
  const group: Partial<Report> = {
    ...{ type: "ExceptionGroup", message: "errors (2 sub-exceptions)", isGroup: true },
    frames: [{ function: "fetch_all", file: "/srv/prices.py", inApp }],
    platform: "python",
  };
  const member = (type: string, over: object = {}) => ({
    ...{ type, message: "no price", parent: 0 },
    frames: [{ function: "fetch", file: "/srv/price.py", inApp }],
    ...over,
  });

  it("gives a summary its title and culprit, with the number of other members", () => {
    expect(summary(1, { ...group, causes: [member("ValueError")] })).toMatchObject({
      ...{ type: "ValueError", message: "no price", culprit: "fetch · price.py" },
    });
    const two = summary(1, { ...group, causes: [member("ValueError"), member("OSError")] });
    expect(two).toMatchObject({ type: "ValueError", otherErrors: 1 });
    const alone = summary(1, { ...group, causes: [member("ValueError"), member("ValueError")] });
    expect(alone.otherErrors).toBeUndefined();
  });

  it("has the culprit of the group if it has no stack", () => {
    const causes = [member("ValueError", { frames: [] })];
    expect(summary(1, { ...group, causes }).culprit).toBe("fetch_all · prices.py");
  });

  it("has the stack that source maps resolve", () => {
    const toFrame = (file: string) => ({ file: `https://shop.example/${file}`, line: 1, inApp });
    const { sentStack } = summary(1, {
      ...{ type: "AggregateError", isGroup: true, frames: [toFrame("group.js")] },
      causes: [member("TypeError", { frames: [toFrame("member.js")] })],
    });
    expect(sentStack).toContain("member.js");
    expect(sentStack).not.toContain("group.js");
  });

  it("takes the place of an error with an unspecific message, with its other members", () => {
    const vague = { ...summary(1), type: "TypeError", message: "Load failed", otherErrors: 2 };
    const specific = { ...summary(2), type: "TypeError", message: "Failed: /prices" };
    const issue = aggregateReport(aggregateReport(undefined, vague, 0), specific, 0);
    expect(issue).toMatchObject({ message: "Failed: /prices" });
    expect(issue.otherErrors).toBeUndefined();
  });
});

it("a summary with every member at its limit stays below 6,000 characters", () => {
  const long = "x".repeat(3_000);
  const parts = Array.from(
    { length: 40 },
    (): KeyPart => ({ role: "function", value: long, of: "member" }),
  );
  const full = summary(1, {
    ...{ type: long, message: long, release: long, environment: long, blockedUri: long },
    grouping: { version: 1, parts },
    frames: [{ function: long, file: `https://a.example/${long}.js`, line: 1, inApp: true }],
    request: { url: long, route: long },
    tags: Array.from({ length: 50 }, (_, n) => [`${n}${long}`, long] as const),
    aliases: Array.from({ length: 8 }, (_, n) => `${n}${"a".repeat(90)}`),
  });
  expect(JSON.stringify(full).length).toBeLessThan(6_000);
});
