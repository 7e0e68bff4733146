// What differs between two releases, without what may be chance.

import { describe, expect, it } from "vitest";
import type { IssueSummary } from "#src/core/issue/issue.ts";
import { countSessionsOfDays, createAdoption, formatShare } from "#src/core/overview/adoption.ts";
import { comparisonToMarkdown } from "#src/core/overview/comparison-to-markdown.ts";
import {
  compareCrashFree,
  compareReleaseSummaries,
  writeComparisonSentence,
} from "#src/core/overview/release-comparison.ts";
import type { ReleaseSummary } from "#src/core/release/release-summary.ts";
import { DAY_MS, toUtcDay } from "#src/core/utc-time.ts";

const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);

const release = (
  name: string,
  started = 0,
  crashed = 0,
  facts: Partial<ReleaseSummary> = {},
): ReleaseSummary => ({
  ...{ name, trust: "server", firstSeenMs: NOW_MS - DAY_MS },
  ...{ issueCount: 1, newIssueCount: 1, regressedCount: 0, fixedCount: 0 },
  ...(started > 0 && { sessions: { started, errored: 0, crashed, days: [] } }),
  ...facts,
});
const issue = (name: string, baseCount: number, releaseCount: number) => ({
  issue: { digest: name, kind: "error", type: name, message: "" } as IssueSummary,
  baseCount,
  releaseCount,
});

describe("the difference of crash-free rates", () => {
  it.each([
    [
      "is no chance",
      [32_100, 160],
      [640, 127],
      { points: -19.35, isSignificant: true, sessions: 640 },
    ],
    ["may be chance", [3_000, 30], [100, 2], { points: -1, isSignificant: false, sessions: 100 }],
    ["of few sessions without a crash may be chance", [100, 1], [100, 0], { isSignificant: false }],
    ["of many sessions is none", [5_000, 150], [3_059, 60], { isSignificant: true }],
  ] as const)("%s", (_, [a, x], [b, y], expected) => {
    expect(compareCrashFree(release("1", a, x), release("2", b, y))).toMatchObject(expected);
  });

  it.each([
    ["fewer than 100 sessions", release("1", 99, 1), release("2", 640, 9)],
    ["no sessions", release("1"), release("2", 640, 9)],
    ["an unknown release", undefined, release("2", 640, 9)],
  ])("is unknown with %s", (_, base, other) => {
    expect(compareCrashFree(base, other)).toBeUndefined();
  });
});

describe("the issues of two releases", () => {
  const issues = [
    issue("added", 0, 142),
    issue("gone", 40, 0),
    issue("more", 60, 12),
    issue("less", 900, 3),
    issue("same", 100, 2),
  ];
  const names = (list: readonly { readonly issue: IssueSummary }[]) =>
    list.map(({ issue: { digest } }) => digest);

  it("are only in one, more often, less often, gone, or as often within chance", () => {
    const [base, next] = [release("1", 32_000), release("2", 640)];
    const compared = compareReleaseSummaries(base, next, issues, NOW_MS);
    const { onlyIn, moreOften, lessOften, gone, unchanged } = compared;
    expect([onlyIn, moreOften, lessOften, gone, unchanged].map(names)).toEqual([
      ["added"],
      ["more"],
      ["less"],
      ["gone"],
      ["same"],
    ]);
    expect(onlyIn[0]?.rate).toBeCloseTo(221.9, 1);
    expect(moreOften[0]?.factor).toBeCloseTo(10);
    expect(gone[0]?.rate).toBeCloseTo(1.25);
  });

  it.each([
    ["too few sessions", release("1", 32_000), release("2", 99)],
    [
      "sessions of strangers",
      release("1", 32_000),
      {
        ...release("2"),
        sessions: { started: 900, errored: 0, crashed: 0, days: [], isPublic: true as const },
      },
    ],
    [
      "a release that is older than its sessions",
      release("1", 32_000, 0, { firstSeenMs: NOW_MS - 31 * DAY_MS }),
      release("2", 640),
    ],
  ])("have no rates with %s: none is more or less often", (_, base, next) => {
    const compared = compareReleaseSummaries(base, next, issues, NOW_MS);
    expect(compared.hasRates).toBe(false);
    expect([compared.moreOften, compared.lessOften]).toEqual([[], []]);
    expect(names(compared.unchanged)).toEqual(["more", "less", "same"]);
    expect(compared.onlyIn[0]?.rate).toBeUndefined();
  });
});

describe("the sentence of a comparison", () => {
  const write = (base: ReleaseSummary, next: ReleaseSummary) => {
    const compared = compareReleaseSummaries(base, next, [issue("added", 0, 9)], NOW_MS);
    return writeComparisonSentence(next.name, compared)
      .map(({ text, isStrong }) => (isStrong ? `**${text}**` : text))
      .join("");
  };
  it.each([
    [
      "**2.5.0 crashes more often:** 80.15 % crash-free, 99.5 % before: −19.35 ± 3.09 points, 640 sessions. 1 issue only in it, 0 more often, 0 less often, 0 gone.",
      release("shop@2.4.1", 32_100, 160),
      release("shop@2.5.0", 640, 127),
    ],
    [
      "**2.5.0: 1 issue only in it, 0 more often, 0 less often, 0 gone.** Too few sessions to compare crashes.",
      release("shop@2.4.1", 99, 1),
      release("shop@2.5.0", 640, 127),
    ],
  ])("%s", (sentence, base, next) => {
    expect(write(base, next)).toBe(sentence);
  });

  it("says that a small difference may be chance, and that a release crashes less", () => {
    expect(write(release("1.0", 3_000, 30), release("1.1", 150, 3))).toContain(
      "**1.1 crashes as often as before** as far as sessions tell:",
    );
    expect(write(release("1.0", 5_000, 500), release("1.1", 5_000, 5))).toContain(
      "**1.1 crashes less often:**",
    );
  });
});

it("a comparison as Markdown keeps reported text in code", () => {
  const evil = "2.0`](http://x) **<img>**";
  const evilIssue = { ...issue("added", 0, 9).issue, message: "a `b` <img>" };
  const compared = compareReleaseSummaries(
    release("1.0", 9_000),
    release(evil, 9_000),
    [{ ...issue("added", 0, 9), issue: evilIssue }, issue("gone", 9, 0)],
    NOW_MS,
  );
  const markdown = comparisonToMarkdown("1.0", evil, compared);
  expect(markdown).toContain("## Gone (1)\n\n- gone `gone`: 1\n");
  expect(markdown.replaceAll(/(`+)(?:(?!\1).|\n)*?\1(?!`)/g, "")).not.toContain("<img>");
});

describe("adoption", () => {
  const days = (...counts: readonly number[]) =>
    counts.map((count, n) => [toUtcDay(NOW_MS - (counts.length - 1 - n) * DAY_MS), count] as const);
  const used = (name: string, ...counts: readonly number[]) =>
    release(name, 1, 0, {
      sessions: { started: 1, errored: 0, crashed: 0, days: days(...counts) },
    });

  it("has the three newest releases, and the older ones together", () => {
    const all = ["2.5.0", "2.4.1", "2.4.0", "2.3.2", "2.3.1"].map((version, n) =>
      used(`shop@${version}`, 10, 100 * n),
    );
    const { layers, total, shares } = createAdoption(all, NOW_MS, 14);
    expect(layers.map(({ name, counts }) => [name, ...counts.slice(-2)])).toEqual([
      ["2.5.0", 10, 0],
      ["2.4.1", 10, 100],
      ["2.4.0", 10, 200],
      ["Older", 20, 700],
    ]);
    expect(total).toBe(1_050);
    expect(shares.get("shop@2.4.0")).toBe(0.2);
  });

  it("is of a period, as are the sessions of a release", () => {
    const one = used("1.0", 900, 99);
    expect(createAdoption([one], NOW_MS, 7).days).toHaveLength(7);
    const counted = [1, 2].map((days) =>
      countSessionsOfDays(one.sessions ?? { days: [] }, days, NOW_MS),
    );
    expect(counted).toEqual([99, 999]);
  });

  it("is no percentage below 100 sessions of today", () => {
    expect(createAdoption([used("1.0", 900, 99)], NOW_MS, 14).shares.size).toBe(0);
  });

  it.each([
    [0.271, "27\u00a0%"],
    [0.001, "<1\u00a0%"],
    [0, "0\u00a0%"],
    [1, "100\u00a0%"],
  ])("of %f is %s", (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});
