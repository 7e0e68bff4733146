import { expect, it } from "vitest";
import { findFixProof } from "#src/core/issue/fix-proof.ts";
import type { Decision } from "#src/core/issue/issue.ts";
import type { ReleaseSummary } from "#src/core/release/release-summary.ts";
import { DAY_MS } from "#src/core/utc-time.ts";

const NOW_MS = 40 * DAY_MS;

const release = (name: string, started: number | undefined, over: object = {}): ReleaseSummary => ({
  ...{ name, trust: "server", issueCount: 1, newIssueCount: 0, regressedCount: 0, fixedCount: 0 },
  ...(started !== undefined && { sessions: { started, errored: 0, crashed: 0, days: [] } }),
  ...over,
});
const RELEASES = [
  release("shop@1.4.0", 700),
  release("shop@1.4.1", 300),
  release("shop@1.4.2", 4_000),
  release("shop@1.5.0", 102),
];
const RESOLVED: Decision = { v: 2, state: "resolved", atMs: 0, release: "shop@1.4.2" };

const prove = (
  over: { decision?: Decision; firstSeenMs?: number; counts?: Record<string, number> } = {},
  releases = RELEASES,
) => {
  const { decision = RESOLVED, firstSeenMs = NOW_MS - DAY_MS, counts = { "shop@1.4.1": 9 } } = over;
  const values = Object.entries(counts).map(([name, count]) => [name, count, 0, 0] as const);
  return findFixProof(
    { decision, firstSeenMs, releases: { values, otherCount: 0 } },
    releases,
    NOW_MS,
  );
};

it("counts the sessions of the release and later ones, and those before with the issue", () => {
  expect(prove()).toEqual({
    release: "shop@1.4.2",
    since: { reports: 0, sessions: 4_102 },
    before: { reports: 9, sessions: 300 },
  });
});

it("counts what occurred again, such as public reports", () => {
  expect(prove({ counts: { "shop@1.5.0": 2 } })?.since).toEqual({ reports: 2, sessions: 4_102 });
});

it.each([
  ["an open issue", { decision: { v: 2, state: "open", atMs: 0 } as const }],
  ["an issue resolved now", { decision: { v: 2, state: "resolved", atMs: 0 } as const }],
])("there is none for %s", (_, over) => {
  expect(prove(over)).toBeUndefined();
});

it.each([
  ["without sessions of the release", [release("shop@1.4.1", 9), release("shop@1.4.2", undefined)]],
  ["with sessions of another package", [release("admin@1.5.0", 9)]],
  [
    "with sessions that strangers can send",
    [
      release("shop@1.4.2", undefined, {
        sessions: { started: 9, errored: 0, crashed: 0, days: [], isPublic: true },
      }),
    ],
  ],
])("there is none %s", (_, releases) => {
  expect(prove({}, releases)).toBeUndefined();
});

it("says nothing of the time before if the issue is older than the sessions", () => {
  expect(prove({ firstSeenMs: 0 })).not.toHaveProperty("before");
});
