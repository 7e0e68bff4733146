import { describe, expect, it, test } from "vitest";
import {
  countSkew,
  describeSkew,
  judgeSkew,
  type KnownReleases,
  mergeSkew,
  type SkewVerdict,
} from "#src/core/deploy-skew/deploy-skew.ts";
import type { Trust } from "#src/core/trust/trust.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON_MS = Date.UTC(2026, 10, 21, 12);

const at = (minutes: number) => NOON_MS + minutes * MINUTE_MS;

/** A page of a release that misses a chunk, minutes after noon. */
const missesChunk = (release: string | undefined, minutes: number, over = {}) => ({
  kind: "error" as const,
  side: "browser" as "browser" | "server",
  message: "Loading chunk 5 failed.",
  trust: "page" as Trust,
  isLinked: false,
  release,
  environment: "production",
  atMs: at(minutes),
  ...over,
});

/** Releases with the minutes after noon when each was first seen. */
const seen = (releases: Record<string, number>, trust: Trust = "server"): KnownReleases => ({
  deploys: [],
  listSeen: () =>
    Object.entries(releases)
      .map(([name, minutes]) => ({ name, firstSeenMs: at(minutes), trust }))
      .sort((a, b) => b.firstSeenMs - a.firstSeenMs),
  getFirstSeenMs: (name) => {
    const minutes = releases[name];
    return minutes === undefined ? undefined : at(minutes);
  },
});

const deploy = (release: string, minutes: number, environment?: string) => ({
  release,
  atMs: at(minutes),
  ...(environment !== undefined && { environment }),
});
const deployed = (
  deploys: readonly ReturnType<typeof deploy>[],
  releases: Record<string, number> = {},
): KnownReleases => ({
  ...seen(releases),
  deploys: deploys.toSorted((a, b) => b.atMs - a.atMs),
});

const TWO = seen({ "1.4.0": -900, "1.5.0": 0 });
const HASHES = seen({ "9f1c2aa": -900, "03bd77e": 0 });

describe("a report is deploy skew", () => {
  type Case = readonly [
    name: string,
    report: ReturnType<typeof missesChunk>,
    known: KnownReleases,
    verdict: SkewVerdict,
  ];
  const verdict = (page: string | undefined, newer: string, isQuiet: boolean): SkewVerdict => ({
    page,
    deployed: newer,
    isQuiet,
  });

  test.each<Case>([
    [
      "after a later version was seen",
      missesChunk("1.4.0", 5),
      TWO,
      verdict("1.4.0", "1.5.0", true),
    ],
    [
      "and not quiet after ten minutes",
      missesChunk("1.4.0", 10),
      TWO,
      verdict("1.4.0", "1.5.0", false),
    ],
    [
      "if commits name the releases",
      missesChunk("9f1c2aa", 1),
      HASHES,
      verdict("9f1c2aa", "03bd77e", true),
    ],
    [
      "after a deploy that no report has named yet",
      missesChunk("9f1c2aa", 1),
      deployed([deploy("03bd77e", 0)], { "9f1c2aa": -900 }),
      verdict("9f1c2aa", "03bd77e", true),
    ],
    [
      "if its first report comes after the next deploy",
      missesChunk("9f1c2aa", 3),
      deployed([deploy("9f1c2aa", -900), deploy("03bd77e", 0)], { "9f1c2aa": 3 }),
      verdict("9f1c2aa", "03bd77e", true),
    ],
    [
      "after a rollback",
      missesChunk("1.5.0", 3),
      deployed([deploy("1.5.0", -60), deploy("1.4.0", 0)], { "1.4.0": -900, "1.5.0": -60 }),
      verdict("1.5.0", "1.4.0", true),
    ],
    [
      "by the deploys of its environment",
      missesChunk("1.4.0", 5),
      deployed([deploy("1.5.0", -30, "production"), deploy("1.6.0", 0, "staging")]),
      verdict("1.4.0", "1.5.0", false),
    ],
    [
      "by the releases of its own app",
      missesChunk("web@1.4.0", 5),
      seen({ "web@1.4.0": -900, "web@1.5.0": 1, "api@9.0.0": 4 }),
      verdict("web@1.4.0", "web@1.5.0", true),
    ],
    [
      "and not quiet if only public reports name the later release",
      missesChunk("1.4.0", 5, { trust: "public" }),
      seen({ "1.4.0": -900, "1.5.0": 0 }, "public"),
      verdict("1.4.0", "1.5.0", false),
    ],
    [
      "if a server does not know the function of a page",
      missesChunk("1.5.0", 5, { side: "server", message: "Server action not found." }),
      TWO,
      verdict(undefined, "1.5.0", true),
    ],
    [
      "if a browser calls a function that the server does not know",
      missesChunk("1.4.0", 5, { message: 'Server Action "4" was not found on the server.' }),
      TWO,
      verdict("1.4.0", "1.5.0", true),
    ],
  ])("%s", (_, report, known, expected) => {
    expect(judgeSkew(report, known)).toEqual(expected);
  });
});

describe("a report is not deploy skew", () => {
  test.each<[string, ReturnType<typeof missesChunk>, KnownReleases]>([
    ["if its release is the newest", missesChunk("1.5.0", 5), TWO],
    ["if it occurred before the later release", missesChunk("1.4.0", -1), TWO],
    ["without a release", missesChunk(undefined, 5), TWO],
    ["if it is linked", missesChunk("1.4.0", 5, { isLinked: true }), TWO],
    ["for another text", missesChunk("1.4.0", 5, { message: "no cart" }), TWO],
    ["if it is of a later version", missesChunk("1.6.0", 5), TWO],
    ["if nothing tells when its commit was deployed", missesChunk("77aa001", 5), HASHES],
    ["in a project with several environments and no deploys", missesChunk("1.4.0", 5), seen({})],
    [
      "if its own release was deployed last",
      missesChunk("1.4.0", 5),
      deployed([deploy("1.5.0", -60), deploy("1.4.0", 0)]),
    ],
    [
      "if only another environment has the later release",
      missesChunk("1.4.0", 5),
      deployed([deploy("1.4.0", -60, "production"), deploy("1.5.0", 0, "staging")]),
    ],
    [
      "if the later release is of another app",
      missesChunk("web@1.4.0", 5),
      seen({ "api@9.0.0": 0 }),
    ],
    [
      "if its release is newer than the last deploy that tools named",
      missesChunk("1.6.0", 5),
      deployed([deploy("1.5.0", -60)], { "1.5.0": -60, "1.6.0": 0 }),
    ],
  ])("%s", (_, report, known) => {
    expect(judgeSkew(report, known)).toBeUndefined();
  });
});

describe("the count of an issue", () => {
  const quiet: SkewVerdict = { page: "1.4.0", deployed: "1.5.0", isQuiet: true };
  const late: SkewVerdict = { page: "1.5.0", deployed: "1.6.0", isQuiet: false };

  it("has all skew, that of ten minutes after deploys, and the releases of the last one", () => {
    const one = countSkew(undefined, quiet, 1);
    const rolledUp = countSkew(one, late, 40);
    expect(one).toEqual({ count: 1, quietCount: 1, page: "1.4.0", deployed: "1.5.0" });
    expect(rolledUp).toEqual({ count: 41, quietCount: 1, page: "1.5.0", deployed: "1.6.0" });
    expect(countSkew(rolledUp, undefined, 1)).toBe(rolledUp);
  });

  it("of a merged issue is the sum", () => {
    const [earlier, later] = [countSkew(undefined, quiet, 2), countSkew(undefined, late, 3)];
    expect(mergeSkew(earlier, later)).toEqual({ ...later, count: 5, quietCount: 2 });
    expect([mergeSkew(undefined, later), mergeSkew(earlier, undefined)]).toEqual([later, earlier]);
  });

  it.each([
    [
      { count: 41, quietCount: 0, page: "1.4.0", deployed: "1.5.0" },
      52,
      "41 of 52 reports come from pages that were open while another release was deployed. The last page is of [1.4.0]; [1.5.0] was deployed before.",
    ],
    [
      { count: 1, quietCount: 0, page: "1.4.0", deployed: "1.5.0" },
      2,
      "1 of 2 reports comes from a page that was open while another release was deployed. The last page is of [1.4.0]; [1.5.0] was deployed before.",
    ],
    [
      { count: 1_200, quietCount: 0, deployed: "1.5.0" },
      1_200,
      "All 1,200 reports come from pages that were open while another release was deployed. The last one reached [1.5.0].",
    ],
    [
      { count: 1, quietCount: 1, deployed: "1.5.0" },
      1,
      "The report comes from a page that was open while another release was deployed. The last one reached [1.5.0].",
    ],
  ])("is said in words: %#", (skew, total, sentence) => {
    const pieces = describeSkew(skew, total);
    expect(pieces.map(({ text, isValue }) => (isValue ? `[${text}]` : text)).join("")).toBe(
      sentence,
    );
  });
});

test("an hour after a deploy nothing is quiet", () => {
  expect(judgeSkew({ ...missesChunk("1.4.0", 0), atMs: NOON_MS + HOUR_MS }, TWO)?.isQuiet).toBe(
    false,
  );
});
