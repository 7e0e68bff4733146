// Which issues need a person, and why.

import { describe, expect, it } from "vitest";
import type { Issue, IssueSummary } from "#src/core/issue/issue.ts";
import {
  type AttentionReason,
  countAttention,
  findEndedSnooze,
  findEscalating,
  findMessage,
  findOccurred,
  rankAttention,
  toAssigned,
  toRegressed,
} from "#src/core/overview/attention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toUtcDay, toUtcHour } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);
const hour = (hoursAgo: number, count: number) =>
  [toUtcHour(NOW_MS - hoursAgo * HOUR_MS), count] as const;

const createIssue = (facts: Partial<Issue>): Issue => ({
  v: 2,
  digest: "7F3K-Q2M9",
  kind: "error",
  type: "TypeError",
  message: "x is null",
  trust: "server",
  state: "open",
  count: 1,
  publicCount: 0,
  pageCount: 0,
  linkedCount: 0,
  silent200Count: 0,
  firstSeenMs: NOW_MS - 9 * DAY_MS,
  lastSeenMs: NOW_MS - MINUTE_MS,
  latestReports: [],
  aliases: [],
  days: [],
  asOfMs: NOW_MS,
  ...facts,
});

describe("an issue escalates", () => {
  it.each([
    [
      "with 120 in 4 minutes",
      { firstSeenMs: NOW_MS - 4 * MINUTE_MS, count: 120, hours: [hour(0, 120)] },
      { count: 120, sinceMs: NOW_MS - 4 * MINUTE_MS, usual: 0 },
    ],
    [
      "if it is far above its last three days",
      { count: 300, hours: [hour(30, 2), hour(10, 4), hour(0, 90)] },
      { count: 90, sinceMs: NOW_MS - HOUR_MS, usual: 0 },
    ],
    [
      "on its first day, from three times its rate before on",
      { firstSeenMs: NOW_MS - 6 * HOUR_MS, count: 400, hours: [hour(4, 100), hour(0, 200)] },
      { count: 200, sinceMs: NOW_MS - HOUR_MS, usual: 20 },
    ],
  ])("%s", (_, facts, reason) => {
    expect(findEscalating(createIssue(facts), NOW_MS)).toEqual({ kind: "escalating", ...reason });
  });

  it.each([
    [
      "with 31 on its first day",
      { firstSeenMs: NOW_MS - MINUTE_MS, count: 31, hours: [hour(0, 31)] },
    ],
    ["at its usual rate", { count: 900, hours: [hour(9, 80), hour(5, 90), hour(0, 60)] }],
    ["with 12 after 11", { count: 23, hours: [hour(24, 11), hour(0, 12)] }],
    ["without hours", { count: 900 }],
  ])("not %s", (_, facts) => {
    expect(findEscalating(createIssue(facts), NOW_MS)).toBeUndefined();
  });
});

it("a snoozed issue is open again once its time is over", () => {
  const decision = { v: 2, state: "snoozed", atMs: 5, untilMs: NOW_MS } as const;
  const ended = { kind: "snooze-ended", sinceMs: 5 };
  expect(findEndedSnooze(createIssue({ decision }), NOW_MS)).toEqual(ended);
  expect(findEndedSnooze(createIssue({ decision }), NOW_MS - 1)).toBeUndefined();
  expect(findEndedSnooze(createIssue({}), NOW_MS)).toBeUndefined();
});

it("a regressed issue says who had resolved it, when and in which release", () => {
  const decision = {
    ...({ v: 2, state: "open", atMs: 9, regressedAtMs: 9 } as const),
    ...{ resolvedInRelease: "2.3.0", regressedInRelease: "2.4.0" },
  };
  const activity = [
    { action: "resolved", atMs: 3, by: "Bob" },
    { action: "resolved", atMs: 5, by: "Ada" },
    { action: "regressed", atMs: 9 },
  ] as const;
  expect(toRegressed(createIssue({ decision }), activity)).toEqual({
    kind: "regressed",
    by: "Ada",
    resolvedAtMs: 5,
    resolvedInRelease: "2.3.0",
    release: "2.4.0",
  });
  const assigned = [{ action: "assigned", atMs: 7, by: "Bob", to: "Ada" }] as const;
  expect(toAssigned(assigned)).toEqual({ kind: "assigned", by: "Bob", atMs: 7 });
});

it("a message of a visitor counts for a day", () => {
  const report = {
    ...{ id: "1", digest: "7F3K-Q2M9", trust: "public", isLinked: true, side: "browser" },
    ...{ kind: "feedback", type: "", message: "The pay button does nothing.", position: "" },
  } as unknown as Issue["latestReports"][number];
  const find = (ageMs: number) =>
    findMessage(createIssue({ latestReports: [{ ...report, atMs: NOW_MS - ageMs }] }), NOW_MS);
  expect(find(HOUR_MS)).toEqual({ kind: "message", text: "The pay button does nothing." });
  expect(find(DAY_MS)).toBeUndefined();
});

describe("the issues of a span", () => {
  const issue = createIssue({
    hours: [hour(3, 7), hour(0, 2)],
    days: [
      [toUtcDay(NOW_MS - 9 * DAY_MS), 40],
      [toUtcDay(NOW_MS), 9],
    ],
  });
  const hours = (from: number, to: number) =>
    [
      Math.floor(NOW_MS / HOUR_MS) * HOUR_MS - from * HOUR_MS,
      Math.floor(NOW_MS / HOUR_MS) * HOUR_MS - to * HOUR_MS,
    ] as const;
  const days = (from: number, to: number) =>
    [
      Math.floor(NOW_MS / DAY_MS) * DAY_MS - from * DAY_MS,
      Math.floor(NOW_MS / DAY_MS) * DAY_MS - to * DAY_MS,
    ] as const;
  it.each([
    ["whole hours are exact", hours(4, 2), { count: 7, isAtLeast: false }],
    ["hours without it", hours(2, 1), undefined],
    ["whole days are exact", days(10, 8), { count: 40, isAtLeast: false }],
    [
      "within an hour its known reports count",
      [NOW_MS - 5 * MINUTE_MS, NOW_MS] as const,
      { count: 1, isAtLeast: true },
    ],
    ["minutes without it", [NOW_MS - 9 * MINUTE_MS, NOW_MS - 5 * MINUTE_MS] as const, undefined],
  ])("%s", (_, [fromMs, toMs], expected) => {
    const found = findOccurred(issue, fromMs, toMs, NOW_MS);
    expect(found).toEqual(expected && { kind: "occurred", ...expected });
  });
});

describe("the order of the list", () => {
  const row = (
    digest: string,
    kind: AttentionReason["kind"],
    facts: Partial<IssueSummary> = {},
  ) => ({
    issue: { digest, count: 1, lastSeenMs: 0, ...facts } as IssueSummary,
    reason: { kind } as AttentionReason,
  });
  const rank = (rows: Parameters<typeof rankAttention>[0]) =>
    rankAttention(rows).map(({ issue, reason }) => `${issue.digest} ${reason.kind}`);

  it("gives each issue its most urgent reason; those of the reader are before new ones", () => {
    const ranked = rank([
      row("A", "new", { userCount: 9 }),
      row("B", "new", { userCount: 3 }),
      row("D", "assigned"),
      row("D", "new"),
      row("B", "escalating", { userCount: 3 }),
      row("C", "regressed"),
      row("C", "message"),
    ]);
    expect(ranked).toEqual(["B escalating", "C regressed", "D assigned", "A new"]);
  });

  it("has the issues of more people first, and counts reports that name nobody", () => {
    const ranked = rank([
      row("ONE", "new", { userCount: 1, lastSeenMs: 9 }),
      row("LOUD", "new", { userCount: 1, count: 500 }),
      row("ANONYMOUS", "new", { count: 21 }),
      row("MANY", "new", { userCount: 100, count: 100 }),
    ]);
    expect(ranked).toEqual(["MANY new", "LOUD new", "ANONYMOUS new", "ONE new"]);
  });

  it("leaves room for new issues, however many the reader has", () => {
    const mine = Array.from({ length: 9 }, (_, n) => row(`MINE-${n}`, "assigned"));
    const ranked = rankAttention([...mine, row("FRESH", "new")]);
    expect(ranked.map(({ issue }) => issue.digest).indexOf("FRESH")).toBe(4);
    expect(ranked).toHaveLength(10);
    expect(countAttention(ranked)).toEqual([
      ["assigned", 9],
      ["new", 1],
    ]);
  });
});
