import { expect, it } from "vitest";
import type { Trust } from "#src/core/trust/trust.ts";
import { toProjectFacts } from "#src/store/index/alerts/project-facts.ts";
import { createIssue } from "#support/reports/issues.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 17, 30);
const HEALTH = {
  shards: [],
  snapshots: { waiting: 0, waitMs: 0, storedBytes: 0, perDay: 100, usedToday: 0 },
};
const issue = (trust: Trust, hour: string, count: number) => ({
  ...createIssue({ trust }),
  hours: [[hour, count]] as const,
  lastSeenMs: NOW_MS - count,
});
const release = (name: string, isTrustedOne: boolean) => ({
  ...{ name, issueCount: 1, newIssueCount: 0, regressedCount: 0, fixedCount: 0 },
  trust: isTrustedOne ? ("server" as const) : ("public" as const),
  sessions: {
    ...{ started: 1_000, errored: 0, crashed: 900, days: [] },
    ...(!isTrustedOne && { isPublic: true as const }),
  },
});
const toFacts = (
  issues: readonly ReturnType<typeof issue>[],
  releases: readonly ReturnType<typeof release>[],
) => toProjectFacts(issues, releases, HEALTH, NOW_MS);

it("public issues and releases are not facts of a project with trusted ones", () => {
  const { ingestion, releases } = toFacts(
    [issue("server", "2026112116", 7), issue("public", "2026112117", 2)],
    [release("shop@1", true), release("evil@1", false)],
  );
  expect(ingestion.hours.slice(0, 2)).toEqual([0, 7]);
  expect(ingestion.lastSeenMs).toBe(NOW_MS - 7);
  expect(releases.map(({ name }) => name)).toEqual(["shop@1"]);
});

it("public issues and releases are the facts of a project without others", () => {
  const { ingestion, releases } = toFacts(
    [issue("public", "2026112117", 2)],
    [release("web@1", false)],
  );
  expect(ingestion.hours[0]).toBe(2);
  expect(releases).toEqual([{ name: "web@1", sessions: 1_000, percent: 10 }]);
});
