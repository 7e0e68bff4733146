import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  createDecision,
  type DecisionInput,
  getCurrentState,
  isRegressed,
  isSameDecision,
} from "#src/core/issue/decision.ts";
import type { Decision } from "#src/core/issue/issue.ts";
import { applyRegression } from "#src/core/issue/regression.ts";
import { compareReleases, type FirstSeenLookup } from "#src/core/release/compare-releases.ts";
import type { ReportSummary } from "#src/core/report/report-summary.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 17);
const HOUR_MS = 3_600_000;

/** First seen in order of version, 1.5.0 after the decisions of these tests. */
const known: FirstSeenLookup = (release) =>
  ({ "1.3.0": NOW_MS - 9, "1.4.0": NOW_MS - 5, "1.5.0": NOW_MS + 5, late: NOW_MS + 5 })[release];

const counted = (count: number) => ({
  count,
  publicCount: count,
  pageCount: 0,
  trust: "public" as const,
  release: "1.4.0",
});
const decided = (input: DecisionInput): Decision => createDecision(input, counted(40), NOW_MS);

type Seen = Pick<ReportSummary, "atMs" | "lastAtMs" | "release" | "isLinked" | "trust">;
const seen = (over: Partial<Seen> = {}): Seen => ({
  ...{ atMs: NOW_MS + 1, isLinked: false, trust: "server" },
  ...over,
});
/** The decision about an issue of a server after a report. */
const regress = (decision: Decision, report: Seen) =>
  applyRegression(decision, report, "server", known);

describe("createDecision", () => {
  test.each<readonly [DecisionInput, Partial<Decision>]>([
    [{ state: "open" }, {}],
    [{ state: "archived" }, {}],
    [{ state: "resolved" }, {}],
    [{ state: "resolved", release: "1.4.0" }, { release: "1.4.0" }],
    [{ state: "resolved", inNextRelease: true }, { inNextRelease: true }],
    [{ state: "snoozed" }, { untilEscalation: true, fromCount: 40 }],
    [
      { state: "snoozed", untilEscalation: true, forMs: HOUR_MS },
      { untilMs: NOW_MS + HOUR_MS, untilEscalation: true, fromCount: 40 },
    ],
    [{ state: "snoozed", untilMs: NOW_MS + 9 }, { untilMs: NOW_MS + 9 }],
    [
      { state: "snoozed", forUsers: 10 },
      { untilUsers: 10, forUsers: 10 },
    ],
    [
      { state: "snoozed", untilNextRelease: true },
      { untilNextRelease: true, afterRelease: "1.4.0" },
    ],
    [{ state: "snoozed", forMs: HOUR_MS }, { untilMs: NOW_MS + HOUR_MS }],
    [
      { state: "snoozed", forCount: 100 },
      { untilCount: 140, forCount: 100 },
    ],
    [
      { state: "snoozed", forMs: HOUR_MS, forCount: 1 },
      { untilMs: NOW_MS + HOUR_MS, untilCount: 41, forCount: 1 },
    ],
  ])("%j", (input, conditions) => {
    expect(decided(input)).toEqual({ v: 2, state: input.state, atMs: NOW_MS, ...conditions });
  });
});

describe("isSameDecision", () => {
  const resolved = decided({ state: "resolved", release: "1.4.0" });

  test.each<readonly [string, Decision, Decision | undefined, boolean]>([
    ["are the same if only their times differ", { ...resolved, atMs: 1 }, resolved, true],
    ["with other states differ", decided({ state: "archived" }), resolved, false],
    ["with other releases differ", decided({ state: "resolved" }), resolved, false],
    [
      "differ if one regressed",
      decided({ state: "open" }),
      { ...decided({ state: "open" }), regressedAtMs: 1 },
      false,
    ],
    ["differ if one is missing", resolved, undefined, false],
  ])("two decisions %s", (_, one, other, isSame) => {
    expect(isSameDecision(one, other)).toBe(isSame);
  });
});

describe("the current state of an issue", () => {
  const hour = decided({ state: "snoozed", forMs: HOUR_MS });
  const hundred = decided({ state: "snoozed", forCount: 100 });
  const either = decided({ state: "snoozed", forMs: HOUR_MS, forCount: 100 });
  test.each<readonly [string, Decision | undefined, number, number, string]>([
    ["open without a decision", undefined, 40, 0, "open"],
    ["open after a decision to open", decided({ state: "open" }), 40, 0, "open"],
    ["archived without end", decided({ state: "archived" }), 10 ** 9, 10 ** 12, "archived"],
    [
      "resolved until it occurs again",
      decided({ state: "resolved" }),
      10 ** 9,
      10 ** 12,
      "resolved",
    ],
    ["snoozed until it escalates", decided({ state: "snoozed" }), 10 ** 9, 10 ** 12, "snoozed"],
    ["open after a report ended it", { ...hour, endedAtMs: NOW_MS }, 40, 0, "open"],
    ["snoozed to the last millisecond", hour, 10 ** 9, HOUR_MS - 1, "snoozed"],
    ["open after its time", hour, 40, HOUR_MS, "open"],
    ["snoozed up to its count", hundred, 139, 10 ** 12, "snoozed"],
    ["open at its count", hundred, 140, 0, "open"],
    ["snoozed before both its time and count", either, 139, HOUR_MS - 1, "snoozed"],
    ["open after its time, whatever the count", either, 40, HOUR_MS, "open"],
    ["open at its count, whatever the time", either, 140, 0, "open"],
  ])("is %s", (_, decision, count, laterMs, state) => {
    const issue = decision === undefined ? counted(count) : { decision, ...counted(count) };
    expect(getCurrentState(issue, NOW_MS + laterMs)).toBe(state);
  });

  it("is snoozed until its time, however often it occurs", () => {
    expect(getCurrentState({ decision: hour, ...counted(Number.MAX_SAFE_INTEGER) }, NOW_MS)).toBe(
      "snoozed",
    );
  });
});

describe("a resolved issue", () => {
  const now = decided({ state: "resolved" });
  const inRelease = decided({ state: "resolved", release: "1.4.0" });
  const inNext = decided({ state: "resolved", inNextRelease: true });

  test.each<readonly [string, Decision, Partial<Seen>]>([
    ["now, and seen again", now, {}],
    ["now, and seen again in an old release", now, { release: "1.3.0" }],
    ["in a release, and seen in it", inRelease, { release: "1.4.0" }],
    ["in a release, and seen in a later one", inRelease, { release: "1.5.0" }],
    ["in a release, and seen in an unknown one", inRelease, { release: "web" }],
    ["in the next, and seen in one that came after", inNext, { release: "late" }],
    ["in the next, and seen in an unknown one", inNext, { release: "web" }],
    ["now, and rolled up across the decision", now, { atMs: NOW_MS - 9, lastAtMs: NOW_MS + 9 }],
  ])("%s, is open and regressed", (_, decision, over) => {
    const after = regress(decision, seen(over));
    expect(getCurrentState({ decision: after, ...counted(41) }, NOW_MS + 1)).toBe("open");
    expect(isRegressed({ decision: after })).toBe(true);
    expect(isRegressed({ decision })).toBe(false);
  });

  test.each<readonly [string, Decision, Partial<Seen>]>([
    ["now, and seen before", now, { atMs: NOW_MS }],
    ["now, and rolled up before the decision", now, { atMs: NOW_MS - 9, lastAtMs: NOW_MS }],
    ["now, and linked by a browser", now, { isLinked: true }],
    ["in a release, and seen in an older one", inRelease, { release: "1.3.0" }],
    ["in a release, and seen without one", inRelease, {}],
    ["in a release, and seen in it before", inRelease, { release: "1.4.0", atMs: NOW_MS - 1 }],
    ["in the next, and seen in the current one", inNext, { release: "1.4.0" }],
    ["in the next, and seen without one", inNext, {}],
  ])("%s, stays unchanged", (_, decision, over) => {
    expect(regress(decision, seen(over))).toBe(decision);
  });

  it("keeps when and between which releases it regressed", () => {
    const report = seen({ release: "1.5.0", lastAtMs: NOW_MS + 7 });
    expect(regress(inRelease, report)).toEqual({
      v: 2,
      state: "open",
      atMs: NOW_MS,
      regressedAtMs: NOW_MS + 7,
      regressedInRelease: "1.5.0",
      resolvedInRelease: "1.4.0",
    });
    expect(regress(now, seen())).toEqual({
      v: 2,
      state: "open",
      atMs: NOW_MS,
      regressedAtMs: NOW_MS + 1,
    });
  });

  it("loses its regression with the next decision", () => {
    expect(isRegressed({ decision: regress(now, seen()) })).toBe(true);
    for (const state of ["open", "resolved", "snoozed", "archived"] as const)
      expect(isRegressed({ decision: decided({ state }) })).toBe(false);
  });
});

describe("a resolved issue with trusted reports", () => {
  const trusted = { count: 40, publicCount: 10, pageCount: 30, trust: "page" } as const;
  const resolved = createDecision({ state: "resolved" }, trusted, NOW_MS);
  const publicReport = seen({ trust: "public" });

  it.each(["server", "page"] as const)("of level %s is not reopened by a public one", (trust) => {
    const decision = decided({ state: "resolved" });
    expect(applyRegression(decision, publicReport, trust, known)).toBe(decision);
  });

  it("is not reopened by a public one after it expired", () => {
    expect(applyRegression(resolved, publicReport, "public", known)).toBe(resolved);
  });

  it.each([
    ["server", "server", "open"],
    ["server", "page", "open"],
    ["page", "page", "open"],
    ["page", "server", "resolved"],
  ] as const)("after a report of level %s, with level %s, is %s", (trust, issueTrust, state) => {
    expect(applyRegression(resolved, seen({ trust }), issueTrust, known).state).toBe(state);
  });

  it("is snoozed until trusted reports reach the count", () => {
    const input = { state: "snoozed", forCount: 5 } as const;
    const decision = createDecision(input, trusted, NOW_MS);
    const issue = { decision, ...trusted, count: 1_034, publicCount: 1_000 };
    expect(getCurrentState(issue, NOW_MS)).toBe("snoozed");
    expect(getCurrentState({ ...issue, count: 1_035 }, NOW_MS)).toBe("open");
  });
});

it("a resolved issue with public reports alone is reopened by public ones", () => {
  const decision = decided({ state: "resolved" });
  expect(applyRegression(decision, seen({ trust: "public" }), "public", known).state).toBe("open");
});

const release = fc.constantFrom("1.3.0", "1.4.0", "1.5.0", "web", "late");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const around = fc.integer({ min: NOW_MS - 20, max: NOW_MS + 20 });
const inputs: fc.Arbitrary<DecisionInput> = fc.oneof(
  fc.constantFrom<DecisionInput>({ state: "open" }, { state: "archived" }, { state: "resolved" }),
  release.map((name): DecisionInput => ({ state: "resolved", release: name })),
  fc.constant<DecisionInput>({ state: "resolved", inNextRelease: true }),
  fc.integer({ min: 0, max: 50 }).map((forMs): DecisionInput => ({ state: "snoozed", forMs })),
);
const occurrence = fc
  .record({ atMs: around, lastsMs: fc.nat(20), release: maybe(release), linked: fc.boolean() })
  .map(
    ({ atMs, lastsMs, release: name, linked }): Seen => ({
      ...{ atMs, lastAtMs: atMs + lastsMs, isLinked: linked, trust: "server" },
      ...(name !== undefined && { release: name }),
    }),
  );

describe("a decision", () => {
  it("is not undone by linked, earlier or older-release reports", () => {
    fc.assert(
      fc.property(inputs, occurrence, (input, report) => {
        const decision = decided(input);
        const { lastAtMs = report.atMs } = report;
        const isOlder =
          decision.release !== undefined &&
          (report.release === undefined ||
            compareReleases(report.release, decision.release, known) < 0);
        fc.pre(report.isLinked || lastAtMs <= NOW_MS || isOlder || input.state !== "resolved");
        expect(regress(decision, report)).toBe(decision);
      }),
      { numRuns: 1_000 },
    );
  });

  it("regresses once: later occurrences change nothing", () => {
    fc.assert(
      fc.property(inputs, occurrence, occurrence, (input, first, second) => {
        const once = regress(decided(input), first);
        fc.pre(isRegressed({ decision: once }));
        expect(regress(once, second)).toBe(once);
      }),
    );
  });

  it("results in the same state in any order of occurrences", () => {
    fc.assert(
      fc.property(inputs, fc.array(occurrence, { maxLength: 6 }), (input, reports) => {
        const findEnd = (list: readonly Seen[]) =>
          list.reduce((decision, report) => regress(decision, report), decided(input));
        expect(findEnd(reports.toReversed()).state).toBe(findEnd(reports).state);
      }),
    );
  });
});
