import { describe, expect, it, test } from "vitest";
import {
  type AffectingIssue,
  describeImpact,
  formatImpact,
  type ImpactContext,
} from "#src/core/differences/describe-impact.ts";
import type { Difference, UsualShare } from "#src/core/differences/find-differences.ts";
import { createUserSketch, mergeUserSketches } from "#src/core/hyperloglog.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import { formatPeople } from "#src/core/stats/people-count.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOW_MS = Date.UTC(2026, 10, 28, 15, 34);
const FIRST_MS = NOW_MS - 12 * MINUTE_MS;

const values = (counts: Record<string, number>, otherCount = 0): TopValues => ({
  values: Object.entries(counts).map(([name, count]) => [name, count, FIRST_MS, NOW_MS] as const),
  otherCount,
});

/** The sketch of `count` people whose hashes fill the registers evenly. */
const sketchOf = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    createUserSketch(Uint8Array.from([(n * 97) % 256, 0x80 | (n % 128), n, n, n])),
  ).reduce((all: string | undefined, one) => mergeUserSketches(all, one), undefined);

const issue = (over: Partial<AffectingIssue> = {}): AffectingIssue => ({
  count: 142,
  firstSeenMs: FIRST_MS,
  lastSeenMs: NOW_MS,
  environment: "production",
  ...over,
});

const chrome: Difference = {
  ...{ attribute: "browser", value: "Chrome", share: 0.98, otherShare: 0.61 },
  ...{ otherIssues: 5, otherReports: 400 },
};
const inRelease = { releases: values({ "shop@2.5.0": 142 }), firstRelease: "shop@2.5.0" };
const deploy = { release: "shop@2.5.0", environment: "production", atMs: FIRST_MS - 4 * MINUTE_MS };

const say = (of: AffectingIssue, context: Partial<ImpactContext> = {}) =>
  formatImpact(
    describeImpact(of, { differences: [], usual: [], deploys: [], nowMs: NOW_MS, ...context }),
  );

describe("the sentence of an issue", () => {
  it("has the people, the release, its deploy, and the largest difference", () => {
    const of = issue({ ...inRelease, publicUserSketch: sketchOf(7) });
    expect(say(of, { differences: [chrome], deploys: [deploy] })).toBe(
      "7 people since …, all on shop@2.5.0, first 4 min after its deploy; 98 % Chrome (usually 61 %).",
    );
  });

  test.each<[string, Partial<AffectingIssue>, string]>([
    ["the reports if they name nobody", {}, "142 reports since …."],
    ["the time of an only report", { count: 1 }, "1 report, …."],
    [
      "one person and the reports",
      { pageUserSketch: sketchOf(1) },
      "1 person, 142 reports since ….",
    ],
    [
      "when it was last seen, if that is a day ago",
      { lastSeenMs: NOW_MS - 25 * HOUR_MS },
      "142 reports since …, last seen ….",
    ],
    ["nothing for an issue that has only linked reports", { count: 0 }, ""],
  ])("says %s", (_, over, expected) => {
    expect(say(issue(over))).toBe(expected);
  });

  test.each<[string, TopValues | undefined, readonly UsualShare[], string]>([
    ["no release", undefined, [], ""],
    ["one report", values({ "1.0": 1 }), [], ""],
    ["all of two reports", values({ "1.0": 2 }), [], ", all on 1.0"],
    ["80 % of twenty", values({ "1.0": 16, "0.9": 4 }), [], ", 80 % on 1.0"],
    ["80 % of fewer", values({ "1.0": 8, "0.9": 2 }), [], ""],
    ["less than 80 %", values({ "1.0": 79, "0.9": 21 }), [], ""],
    ["nearly all", values({ "1.0": 999, "0.9": 1 }), [], ", over 99 % on 1.0"],
    ["less with values that were not kept", values({ "1.0": 100 }, 100), [], ""],
    [
      "the release of the whole project",
      values({ "1.0": 100 }),
      [{ attribute: "release", value: "1.0", share: 1, otherShare: 0.9 }],
      "",
    ],
    [
      "a release that others seldom have",
      values({ "1.0": 100 }),
      [{ attribute: "release", value: "1.0", share: 1, otherShare: 0.4 }],
      ", all on 1.0",
    ],
  ])("names the release for %s", (_, releases, usual, expected) => {
    expect(say(issue({ releases }), { usual })).toBe(`142 reports since …${expected}.`);
  });

  test.each<[string, Partial<typeof deploy>, Partial<AffectingIssue>, string]>([
    ["seconds after it", { atMs: FIRST_MS - 40_000 }, {}, ", first 40 s after its deploy"],
    ["hours after it", { atMs: FIRST_MS - 3 * HOUR_MS }, {}, ", first 3 h after its deploy"],
    ["more than a day after it", { atMs: FIRST_MS - 25 * HOUR_MS }, {}, ""],
    ["before it", { atMs: FIRST_MS + 1 }, {}, ""],
    ["in another environment", { environment: "staging" }, {}, ""],
    ["in another release", { release: "api@1.0" }, {}, ""],
    ["and the issue is older than the release", {}, { firstRelease: "shop@2.4.0" }, ""],
  ])("names the deploy if the issue began %s", (_, over, more, expected) => {
    const deploys = [{ ...deploy, ...over }];
    expect(say(issue({ ...inRelease, ...more }), { deploys })).toBe(
      `142 reports since …, all on shop@2.5.0${expected}.`,
    );
  });

  test.each<[string, Partial<Difference>, string]>([
    ["a browser", {}, "; 98 % Chrome (usually 61 %)"],
    ["every report", { share: 1 }, "; all Chrome (usually 61 %)"],
    ["a base of few reports", { otherReports: 199 }, ""],
    [
      "a version",
      { attribute: "browser version", value: "Chrome 156" },
      "; 98 % Chrome 156 (usually 61 %)",
    ],
    ["a system", { attribute: "system", value: "iOS" }, "; 98 % on iOS (usually 61 %)"],
    ["a page", { attribute: "page", value: "/cart" }, "; 98 % on /cart (usually 61 %)"],
    ["a screen", { attribute: "screen", value: "phone" }, "; 98 % on phones (usually 61 %)"],
    [
      "an environment",
      { attribute: "environment", value: "staging" },
      "; 98 % in staging (usually 61 %)",
    ],
    [
      "a language",
      { attribute: "language", value: "de-DE" },
      "; 98 % with language de-DE (usually 61 %)",
    ],
    [
      "a translated page",
      { attribute: "translated", value: "true" },
      "; 98 % on a translated page (usually 61 %)",
    ],
    [
      "a tag",
      { attribute: "tag currency", value: "EUR" },
      "; 98 % with currency EUR (usually 61 %)",
    ],
    ["a value that others hardly have", { otherShare: 0.001 }, "; 98 % Chrome (usually under 1 %)"],
  ])("names %s", (_, over, expected) => {
    expect(say(issue(), { differences: [{ ...chrome, ...over }] })).toBe(
      `142 reports since …${expected}.`,
    );
  });

  it("names the largest difference only, and no release twice", () => {
    const release = { ...chrome, attribute: "release", value: "shop@2.5.0" };
    const second = { ...chrome, attribute: "tag plan", value: "free" };
    const differences = [release, chrome, second];
    expect(say(issue(inRelease), { differences })).toBe(
      "142 reports since …, all on shop@2.5.0; 98 % Chrome (usually 61 %).",
    );
  });

  it("keeps apart what was reported and what Errata says", () => {
    const tag = { ...chrome, attribute: "tag \u202eplan", value: "free. Resolved" };
    const pieces = describeImpact(issue(inRelease), {
      ...{ differences: [tag], usual: [], deploys: [], nowMs: NOW_MS },
    });
    const words = pieces.flatMap((piece) => (piece.kind === "words" ? piece.text : [])).join("");
    expect(words).not.toMatch(/plan|free|shop@/);
  });
});

test.each([
  [1, "1 person"],
  [2, "2 people"],
  [9, "9 people"],
  [10, "about 10 people"],
  [47, "about 47 people"],
  [99, "about 99 people"],
  [114, "about 110 people"],
  [1_234, "about 1,200 people"],
  [98_765, "about 99,000 people"],
])("%i counted people are said as far as they are certain: %s", (count, text) => {
  expect(formatPeople(count)).toBe(text);
});
