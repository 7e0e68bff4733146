import { describe, expect, it, test } from "vitest";
import {
  type Difference,
  findDifferences,
  isComparable,
  toComparedIssue,
} from "#src/core/differences/find-differences.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import { createIssue } from "#support/reports/issues.ts";

const NOON_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;

const values = (counts: Record<string, number>, otherCount = 0): TopValues => ({
  values: Object.entries(counts).map(([name, count]) => [name, count, NOON_MS, NOON_MS] as const),
  otherCount,
});

/** An issue of browsers whose reports have these values. */
const issue = (digest: string, count: number, over: Partial<Issue>) =>
  toComparedIssue({
    ...createIssue({ trust: "page" }),
    ...{ digest, count, firstSeenMs: NOON_MS, lastSeenMs: NOON_MS + HOUR_MS },
    environment: "production",
    ...over,
  });

const CHROME = { "Chrome 156": 88, "Safari 19": 12 };
/** Other issues with the usual browsers. */
const others = (n: number, over: Partial<Issue> = { browsers: values(CHROME) }) =>
  Array.from({ length: n }, (_, i) => issue(`other-${i}`, 100, over));

const inSafari = (count: number, chrome = 0) =>
  issue("own", count + chrome, { browsers: values({ "Safari 19": count, "Chrome 156": chrome }) });

const toWords = ({ attribute, value, share, otherShare, otherIssues }: Difference) =>
  `${attribute} ${value}: ${Math.round(100 * share)} to ${Math.round(100 * otherShare)} of ${otherIssues}`;
const compare = (...[own, all]: Parameters<typeof findDifferences>) =>
  findDifferences(own, all).map(toWords);

describe("what is different", () => {
  it("is a browser that is rare in other issues", () => {
    expect(compare(inSafari(48, 2), others(5))).toEqual(["browser Safari: 96 to 12 of 5"]);
  });

  it("is a version, if the other versions of the browser do not fail", () => {
    const own = issue("own", 60, { browsers: values({ "Chrome 156": 60 }) });
    const all = others(5, { browsers: values({ "Chrome 155": 80, "Chrome 156": 20 }) });
    expect(compare(own, all)).toEqual(["browser version Chrome 156: 100 to 20 of 5"]);
  });

  test.each<[string, Partial<Issue>, Partial<Issue>, string]>([
    [
      "a system",
      { tags: { os: values({ iOS: 60 }) } },
      { tags: { os: values({ iOS: 10, Android: 90 }) } },
      "system iOS: 100 to 10 of 5",
    ],
    [
      "a release",
      { releases: values({ "1.5.0": 55, "1.4.0": 5 }) },
      { releases: values({ "1.5.0": 20, "1.4.0": 80 }) },
      "release 1.5.0: 92 to 20 of 5",
    ],
    [
      "an environment",
      { environments: values({ staging: 60 }) },
      { environments: values({ production: 95, staging: 5 }) },
      "environment staging: 100 to 5 of 5",
    ],
    [
      "a language",
      { tags: { language: values({ "de-DE": 50, en: 10 }) } },
      { tags: { language: values({ "de-DE": 8, en: 92 }) } },
      "language de-DE: 83 to 8 of 5",
    ],
    [
      "the width of phones",
      { tags: { viewport: values({ "390x844": 30, "412x915": 30 }) } },
      { tags: { viewport: values({ "1280x720": 60, "1920x1080": 30, "390x844": 10 }) } },
      "screen phone: 100 to 10 of 5",
    ],
    [
      "a translated page, which reporters name only if it is one",
      { tags: { language: values({ en: 60 }), translated: values({ true: 55 }) } },
      { tags: { language: values({ en: 100 }), translated: values({ true: 2 }) } },
      "translated true: 92 to 2 of 5",
    ],
    [
      "a page, if it is not the only one",
      { pages: values({ "/cart": 50, "/": 10 }) },
      { pages: values({ "/": 90, "/cart": 10 }) },
      "page /cart: 83 to 10 of 5",
    ],
    [
      "a tag of the sender",
      { tags: { plan: values({ free: 60 }) } },
      { tags: { plan: values({ free: 30, team: 70 }) } },
      "tag plan free: 100 to 30 of 5",
    ],
  ])("is %s", (_, own, other, words) => {
    expect(compare(issue("own", 60, own), others(5, other))).toEqual([words]);
  });

  it("is at most two values, the strongest first, and a browser only once", () => {
    const own = issue("own", 200, {
      browsers: values({ "Safari 19": 200 }),
      tags: { os: values({ iOS: 150, macOS: 50 }), plan: values({ free: 140, team: 60 }) },
    });
    const all = others(5, {
      browsers: values(CHROME),
      tags: { os: values({ iOS: 10, Windows: 90 }), plan: values({ free: 30, team: 70 }) },
    });
    expect(compare(own, all)).toEqual([
      "browser Safari: 100 to 12 of 5",
      "system iOS: 75 to 10 of 5",
    ]);
  });
});

describe("nothing is different", () => {
  const ofUsers = (users: number) => ({ ...inSafari(50), users });

  test.each<[string, ...Parameters<typeof findDifferences>]>([
    ["with few reports", inSafari(19), others(5)],
    ["with few reports of the attribute", { ...inSafari(10), count: 60 }, others(5)],
    ["of few people", ofUsers(4), others(5)],
    ["with the confidence of few people", ofUsers(5), others(5)],
    ["without three other issues", inSafari(50), others(2)],
    [
      "if the other issues have few reports",
      inSafari(50),
      others(4, { browsers: values({ "Chrome 156": 10 }) }),
    ],
    ["by chance", inSafari(6, 24), others(5)],
    ["if the share is hardly higher", inSafari(300, 700), others(5)],
    [
      "if the odds are hardly higher",
      inSafari(850, 150),
      others(9, { browsers: values({ "Safari 19": 80, "Chrome 156": 20 }) }),
    ],
    [
      "if it is less frequent",
      issue("own", 100, {
        browsers: values({ "Safari 19": 1, "Firefox 145": 33, "Chrome 156": 33, "Edge 156": 33 }),
      }),
      others(5, {
        browsers: values({ "Safari 19": 40, "Firefox 145": 20, "Chrome 156": 20, "Edge 156": 20 }),
      }),
    ],
    [
      "if the only page is different",
      issue("own", 60, { pages: values({ "/cart": 60 }) }),
      others(5, { pages: values({ "/": 100 }) }),
    ],
    [
      "in facts about the error",
      issue("own", 60, { tags: { how: values({ rejection: 60 }) } }),
      others(5, { tags: { how: values({ uncaught: 100 }) } }),
    ],
    ["if the values of the others were not counted", inSafari(50), others(5, {})],
    [
      "a day before the others",
      inSafari(50),
      others(5, {
        browsers: values(CHROME),
        firstSeenMs: NOON_MS + 26 * HOUR_MS,
        lastSeenMs: NOON_MS + 27 * HOUR_MS,
      }),
    ],
    [
      "by what strangers report",
      inSafari(50),
      others(5, { browsers: values(CHROME), trust: "public" }),
    ],
    [
      "by the sample data",
      inSafari(50),
      others(5, { browsers: values(CHROME), environment: "sample" }),
    ],
  ])("%s", (_, own, all) => {
    expect(findDifferences(own, all)).toEqual([]);
  });

  it("of the same values in one issue that has most of the reports", () => {
    const frequent = issue("frequent", 100_000, { browsers: values({ "Chrome 156": 100_000 }) });
    const safari = others(5, { browsers: values({ "Safari 19": 90, "Chrome 156": 10 }) });
    expect(compare(inSafari(80, 20), [frequent, ...safari])).toEqual([]);
  });

  it("of the issue itself", () => {
    const own = inSafari(1_000);
    expect(compare(own, [own, ...others(2)])).toEqual([]);
  });
});

describe("random values", () => {
  /** Numbers from 0 to 1 that look random, the same in every run. */
  const createRandom = (seed: number) => () => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };

  it("of a thousand issues that do not differ are never called different", () => {
    const random = createRandom(7);
    const draw = (n: number) => {
      const counts: Record<string, number> = {};
      for (let i = 0; i < n; i++) {
        const name = `v${Math.floor(random() ** 2 * 8)}`;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      return values(counts);
    };
    const create = (digest: string, n: number) =>
      issue(digest, n, { browsers: draw(n), tags: { plan: draw(n), os: draw(n) } });
    const all = Array.from({ length: 20 }, (_, i) => create(`other-${i}`, 60));
    const found = Array.from({ length: 1_000 }, (_, i) =>
      compare(create("own", 20 + (i % 200)), all),
    );
    expect(found.flat()).toEqual([]);
  });
});

test("an issue is compared only with enough reports and people", () => {
  expect([19, 20].map((count) => isComparable({ count, users: 0 }))).toEqual([false, true]);
  expect([4, 5].map((users) => isComparable({ count: 100, users }))).toEqual([false, true]);
});
