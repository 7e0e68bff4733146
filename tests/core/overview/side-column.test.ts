// The side column of the home page: releases, policies and what the team did.

import { describe, expect, it } from "vitest";
import type { IssueSummary } from "#src/core/issue/issue.ts";
import { listOverviewReleases } from "#src/core/overview/overview-releases.ts";
import { countPolicyNews } from "#src/core/overview/policy-news.ts";
import { listTeamNews } from "#src/core/overview/team-news.ts";
import type { ReleaseSummary } from "#src/core/release/release-summary.ts";
import { HOUR_MS, toUtcDay } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);

const release = (
  name: string,
  firstSeenMs: number,
  [started, crashed]: readonly [number, number] = [0, 0],
  facts: Partial<ReleaseSummary> = {},
): ReleaseSummary => ({
  ...{ name, trust: "server", firstSeenMs },
  ...{ issueCount: 1, newIssueCount: 1, regressedCount: 0, fixedCount: 0 },
  ...(started > 0 && { sessions: { started, errored: 0, crashed, days: [] } }),
  ...facts,
});

const NO_ERRORS = new Map<string, number>();

describe("the releases of the home page", () => {
  it("have those with the most errors among them, however old they are", () => {
    const all = Array.from({ length: 20 }, (_, n) => release(`shop@${n}.0`, n));
    const errors = new Map([
      ["shop@3.0", 15.4],
      ["shop@19.0", 2],
    ]);
    const shown = listOverviewReleases(all, errors).map(({ name, errors: count }) => [name, count]);
    expect(shown).toHaveLength(12);
    expect(shown.slice(0, 3)).toEqual([
      ["shop@3.0", 15],
      ["shop@19.0", 2],
      ["shop@18.0", 0],
    ]);
  });

  it("have a crash-free rate from 100 sessions on, beside that of the release before", () => {
    const all = [
      release("shop@2.5.0", 9, [640, 127]),
      release("api@3.2.1", 8),
      release("shop@2.4.1", 7, [1_000, 5]),
      release("shop@2.4.0", 6, [99, 1]),
    ];
    const shown = listOverviewReleases(all, NO_ERRORS).map(
      ({ name, sessions, crashFree, crashFreeBefore }) => {
        return [name, sessions, crashFree, crashFreeBefore];
      },
    );
    expect(shown).toEqual([
      ["shop@2.5.0", 640, 80.15, 99.5],
      ["api@3.2.1", 0, undefined, undefined],
      ["shop@2.4.1", 1_000, 99.5, undefined],
      ["shop@2.4.0", 99, undefined, undefined],
    ]);
  });

  it("are at most twelve, and four that only browsers named beside those of servers", () => {
    const names = (trust: "server" | "public", count: number) =>
      Array.from({ length: count }, (_, n) => release(`${trust}@${n}.0`, n, [0, 0], { trust }));
    expect(listOverviewReleases(names("server", 20), NO_ERRORS)).toHaveLength(12);
    const mixed = listOverviewReleases([...names("server", 2), ...names("public", 9)], NO_ERRORS);
    expect(mixed.filter(({ trust }) => trust === "public")).toHaveLength(4);
    expect(listOverviewReleases(names("public", 9), NO_ERRORS)).toHaveLength(9);
  });
});

it("policies are counted by directive: their sources, and the violations of two days", () => {
  const violation = (type: string, blockedUri: string, count: number, isReportOnly = true) =>
    ({
      ...{ type, blockedUri, lastSeenMs: NOW_MS - HOUR_MS },
      message: `${isReportOnly ? "would block" : "blocked"} ${blockedUri}`,
      recentDays: [
        ["2026-11-01", 99],
        [toUtcDay(NOW_MS), count],
      ],
    }) as unknown as IssueSummary;
  const old = { ...violation("font-src", "inline", 7), lastSeenMs: 0 };
  const issues = [
    violation("img-src", "https://a.example/1", 3),
    violation("script-src", "https://a.example/1", 8),
    violation("script-src", "https://a.example/2", 9),
    violation("script-src", "inline", 4),
    violation("script-src", "inline", 2, false),
    old,
  ];
  expect(countPolicyNews(issues, NOW_MS)).toEqual([
    { directive: "script-src", isReportOnly: true, sources: 2, count: 21 },
    { directive: "img-src", isReportOnly: true, sources: 1, count: 3 },
    { directive: "script-src", isReportOnly: false, sources: 1, count: 2 },
  ]);
});

describe("the news of the team", () => {
  const issue = (
    n: number,
    ...activity: Parameters<typeof listTeamNews>[0][number]["activity"][number][]
  ) => ({
    digest: `0000-000${n}`,
    title: `fault ${n}`,
    activity,
  });
  const resolved = (atMs: number, by = "Mei") =>
    ({ action: "resolved", atMs, by, release: "2.4.1" }) as const;

  it("join equal actions of one person within an hour, the newest first", () => {
    const news = listTeamNews(
      [
        issue(1, resolved(10), {
          action: "commented",
          id: "1",
          text: "dead code",
          atMs: 40,
          by: "Bob",
        }),
        issue(2, resolved(20)),
        issue(3, resolved(30 - HOUR_MS * 2), { action: "regressed", atMs: 50 }),
      ],
      undefined,
      -Infinity,
      9,
    );
    expect(news.map(({ by, action, issues, text }) => [by, action, issues, text])).toEqual([
      ["Bob", "commented", 1, "dead code"],
      ["Mei", "resolved", 2, undefined],
      ["Mei", "resolved", 1, undefined],
    ]);
  });

  it("leave out the reader, old actions and those of nobody", () => {
    const issues = [issue(1, resolved(5), resolved(50, "Ada"), { action: "archived", atMs: 60 })];
    expect(listTeamNews(issues, "Ada", 10, 9)).toEqual([]);
    expect(listTeamNews(issues, "Bob", 10, 9)).toHaveLength(1);
  });
});
