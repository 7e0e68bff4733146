/** The memory of the index for issues that are counted under load. */
import { expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { IssueCache, type IssueRow } from "#src/store/index/tables/issue-table.ts";
import { isFull, NOTHING_STAGED, stageBatch } from "#src/store/index/tables/staged-changes.ts";

/** The JSON of an issue with many different reports. */
const BODY_CHARS = 16_000;

const issues = Array.from({ length: 500 }, (_, n) => ({ digest: `issue ${n}` }) as Issue);

it("500 issues with many reports fit into the cache", () => {
  const cache = new IssueCache();
  for (const stored of issues) cache.add({ stored, row: {} as IssueRow, bodyChars: BODY_CHARS });
  expect(issues.filter(({ digest }) => cache.get(digest) === undefined)).toEqual([]);
});

it("500 issues with many reports are not stored until 5,000 reports arrived", () => {
  const batch = {
    issues: new Map(issues.map((issue) => [issue.digest, issue])),
    before: new Map(),
    counters: [],
    summaries: [],
    publicIssues: new Set<string>(),
    ...{ isPublic: false, nowMs: 0 },
    issueChars: issues.length * BODY_CHARS,
  };
  expect(isFull(stageBatch(NOTHING_STAGED, batch))).toBe(false);
  const summary = { message: "m".repeat(80), url: "u".repeat(120), tags: [] } as never;
  const add = (count: number) =>
    stageBatch(NOTHING_STAGED, {
      ...batch,
      summaries: Array.from({ length: count }, () => summary),
    });
  expect([isFull(add(4_999)), isFull(add(5_000))]).toEqual([false, true]);
});
