import { describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { ReportGrouping } from "#src/core/report.ts";
import { packIssue, unpackIssue } from "#src/store/index/tables/issue-body.ts";
import { toIssueColumns, toIssueSummary } from "#src/store/index/tables/issue-columns.ts";
import { createIssue } from "#support/reports/issues.ts";
import { createReport } from "#support/reports/reports.ts";

/** The issue as a row gives it back. */
function storeAndRead(issue: Issue): Issue | undefined {
  const { body } = packIssue(issue);
  return unpackIssue(issue.digest, toIssueColumns(issue), Uint8Array.from(body).buffer)?.stored;
}

const GROUPING: ReportGrouping = {
  version: 1,
  parts: [
    { role: "type", value: "AttributeError" },
    { role: "message", value: "attribute price of NoneType" },
    { role: "function", value: "shop.bill#total" },
  ],
};

const decided: Issue = {
  ...createIssue({
    message: 'a "quoted" 💥 \ud800 name\u0000',
    release: "1.4.0",
    environment: "production",
    request: { route: "/cart/:id", url: "https://shop.example/cart/7" },
    tags: [["tenant", "acme"]],
    aliases: ["2338823894"],
    userSketch: "0a1",
    blockedUri: "inline",
    noise: "extension",
  }),
  state: "ignored",
  decision: { v: 1, state: "ignored", atMs: 1, untilMs: 2 },
  assignee: "ada",
  mergedDigests: ["0000-0000"],
  otherErrors: 2,
  grouping: GROUPING,
  mergedGroupings: { "0000-0000": GROUPING },
};

describe("an issue is the same after it is stored", () => {
  const busy = Array.from({ length: 60 }, (_, n) =>
    createReport(n, { release: `1.${n}.0` }),
  ).reduce(
    (issue: Issue | undefined, report) =>
      aggregateReport(issue, summarizeReport(report, "2026112117/0.00000009:0"), 1),
    undefined,
  ) as Issue;

  it.each([
    ["with one report", createIssue()],
    ["with every member", decided],
    ["with many reports", busy],
  ])("%s", (_, issue) => {
    expect(storeAndRead(issue)).toEqual(issue);
  });
});

it("lists show the same from the columns of a row as from the issue", () => {
  const { message, recentDays, userCount, assignee } = toIssueSummary(
    decided.digest,
    toIssueColumns(decided),
  );
  expect({ message, assignee }).toEqual({ message: decided.message, assignee: "ada" });
  expect({ recentDays, userCount }).toEqual({ recentDays: [["2026-11-21", 1]], userCount: 1 });
});

it("the body of an issue with one report takes less than 400 bytes", () => {
  expect(packIssue(decided).body.byteLength).toBeLessThan(400);
});

it("the key of an issue adds less than 80 bytes to its body", () => {
  const { grouping: _, mergedGroupings: __, ...bare } = decided;
  const sizeOf = (issue: Issue) => packIssue(issue).body.byteLength;
  expect(sizeOf({ ...bare, grouping: GROUPING }) - sizeOf(bare)).toBeLessThan(80);
});

it("an issue that is too large for a row loses the keys of merged issues", () => {
  const long = { ...GROUPING, parts: [{ role: "type", value: "x".repeat(600_000) } as const] };
  const { stored } = packIssue({ ...decided, mergedGroupings: { "0000-0000": long } });
  expect(stored).toMatchObject({ mergedDigests: ["0000-0000"], grouping: GROUPING });
  expect(stored).not.toHaveProperty("mergedGroupings");
});
