import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  applyRegression,
  createDecision,
  type DecisionInput,
  getCurrentState,
  isRegressed,
  isSameDecision,
} from "../../../src/core/issue/decision.ts";
import type { Decision } from "../../../src/core/issue/issue.ts";
import {
  compareReleases,
  type FirstSeenLookup,
} from "../../../src/core/release/compare-releases.ts";
import type { ReportSummary } from "../../../src/core/report/report-summary.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 17);
const HOUR_MS = 3_600_000;

/** First seen in the order of their numbers, 1.5.0 after the decisions of these tests. */
const known: FirstSeenLookup = (release) =>
  ({ "1.3.0": NOW_MS - 9, "1.4.0": NOW_MS - 5, "1.5.0": NOW_MS + 5, late: NOW_MS + 5 })[release];

const chosen = (choice: DecisionInput): Decision => createDecision(choice, { count: 40 }, NOW_MS);

type Seen = Pick<ReportSummary, "atMs" | "lastAtMs" | "release" | "isLinked">;
const seen = (over: Partial<Seen> = {}): Seen => ({ atMs: NOW_MS + 1, isLinked: false, ...over });

describe("a choice becomes a decision", () => {
  test.each<readonly [DecisionInput, Partial<Decision>]>([
    [{ state: "open" }, {}],
    [{ state: "muted" }, {}],
    [{ state: "resolved" }, {}],
    [{ state: "resolved", release: "1.4.0" }, { release: "1.4.0" }],
    [{ state: "resolved", inNextRelease: true }, { inNextRelease: true }],
    [{ state: "ignored" }, {}],
    [{ state: "ignored", forMs: HOUR_MS }, { untilMs: NOW_MS + HOUR_MS }],
    [{ state: "ignored", forCount: 100 }, { untilCount: 140 }],
    [
      { state: "ignored", forMs: HOUR_MS, forCount: 1 },
      { untilMs: NOW_MS + HOUR_MS, untilCount: 41 },
    ],
  ])("%j", (choice, conditions) => {
    expect(chosen(choice)).toEqual({ v: 1, state: choice.state, atMs: NOW_MS, ...conditions });
  });
});

describe("two decisions", () => {
  const resolved = chosen({ state: "resolved", release: "1.4.0" });

  test.each<readonly [string, Decision, Decision | undefined, boolean]>([
    ["say the same, whenever they were made", { ...resolved, atMs: 1 }, resolved, true],
    ["differ in the state", chosen({ state: "muted" }), resolved, false],
    ["differ in the release", chosen({ state: "resolved" }), resolved, false],
    [
      "differ by a return",
      chosen({ state: "open" }),
      { ...chosen({ state: "open" }), regressedAtMs: 1 },
      false,
    ],
    ["are not two", resolved, undefined, false],
  ])("%s", (_, one, other, isSame) => {
    expect(isSameDecision(one, other)).toBe(isSame);
  });
});

describe("an issue stands", () => {
  const hour = chosen({ state: "ignored", forMs: HOUR_MS });
  const hundred = chosen({ state: "ignored", forCount: 100 });
  const either = chosen({ state: "ignored", forMs: HOUR_MS, forCount: 100 });
  test.each<readonly [string, Decision | undefined, number, number, string]>([
    ["open while nobody has decided", undefined, 40, 0, "open"],
    ["open when it was opened", chosen({ state: "open" }), 40, 0, "open"],
    ["muted for ever", chosen({ state: "muted" }), 10 ** 9, 10 ** 12, "muted"],
    ["resolved until it returns", chosen({ state: "resolved" }), 10 ** 9, 10 ** 12, "resolved"],
    ["ignored for good", chosen({ state: "ignored" }), 10 ** 9, 10 ** 12, "ignored"],
    ["ignored to the last millisecond", hour, 10 ** 9, HOUR_MS - 1, "ignored"],
    ["open when its time is over", hour, 40, HOUR_MS, "open"],
    ["ignored to the last time", hundred, 139, 10 ** 12, "ignored"],
    ["open when its number is reached", hundred, 140, 0, "open"],
    ["ignored while neither is reached", either, 139, HOUR_MS - 1, "ignored"],
    ["open by the time alone", either, 40, HOUR_MS, "open"],
    ["open by the number alone", either, 140, 0, "open"],
  ])("%s", (_, decision, count, laterMs, state) => {
    const issue = decision === undefined ? { count } : { decision, count };
    expect(getCurrentState(issue, NOW_MS + laterMs)).toBe(state);
  });

  it("by its time alone where it has no number, however often it was seen", () => {
    expect(getCurrentState({ decision: hour, count: Number.MAX_SAFE_INTEGER }, NOW_MS)).toBe(
      "ignored",
    );
  });
});

describe("a resolved issue", () => {
  const now = chosen({ state: "resolved" });
  const inRelease = chosen({ state: "resolved", release: "1.4.0" });
  const inNext = chosen({ state: "resolved", inNextRelease: true });

  test.each<readonly [string, Decision, Partial<Seen>]>([
    ["now, and seen again", now, {}],
    ["now, and seen again in an old release", now, { release: "1.3.0" }],
    ["in a release, and seen in it", inRelease, { release: "1.4.0" }],
    ["in a release, and seen in a later one", inRelease, { release: "1.5.0" }],
    ["in a release, and seen in one that nobody knows", inRelease, { release: "web" }],
    ["in the next, and seen in one that came after", inNext, { release: "late" }],
    ["in the next, and seen in one that nobody knows", inNext, { release: "web" }],
    ["now, and summed from before to after", now, { atMs: NOW_MS - 9, lastAtMs: NOW_MS + 9 }],
  ])("%s, is open and regressed", (_, decision, over) => {
    const after = applyRegression(decision, seen(over), known);
    expect(getCurrentState({ decision: after, count: 41 }, NOW_MS + 1)).toBe("open");
    expect(isRegressed({ decision: after })).toBe(true);
    expect(isRegressed({ decision })).toBe(false);
  });

  test.each<readonly [string, Decision, Partial<Seen>]>([
    ["now, and seen before", now, { atMs: NOW_MS }],
    ["now, and summed until before", now, { atMs: NOW_MS - 9, lastAtMs: NOW_MS }],
    ["now, and linked by a browser", now, { isLinked: true }],
    ["in a release, and seen in an older one", inRelease, { release: "1.3.0" }],
    ["in a release, and seen in none", inRelease, {}],
    ["in a release, and seen in it before", inRelease, { release: "1.4.0", atMs: NOW_MS - 1 }],
    ["in the next, and seen in the one of then", inNext, { release: "1.4.0" }],
    ["in the next, and seen in none", inNext, {}],
  ])("%s, stays as it is", (_, decision, over) => {
    expect(applyRegression(decision, seen(over), known)).toBe(decision);
  });

  it("that returned says when, and between which releases", () => {
    const mark = seen({ release: "1.5.0", lastAtMs: NOW_MS + 7 });
    expect(applyRegression(inRelease, mark, known)).toEqual({
      v: 1,
      state: "open",
      atMs: NOW_MS,
      regressedAtMs: NOW_MS + 7,
      regressedInRelease: "1.5.0",
      resolvedInRelease: "1.4.0",
    });
    expect(applyRegression(now, seen(), known)).toEqual({
      v: 1,
      state: "open",
      atMs: NOW_MS,
      regressedAtMs: NOW_MS + 1,
    });
  });

  it("is decided anew after its return, without a trace of it", () => {
    expect(isRegressed({ decision: applyRegression(now, seen(), known) })).toBe(true);
    for (const state of ["open", "resolved", "ignored", "muted"] as const)
      expect(isRegressed({ decision: chosen({ state }) })).toBe(false);
  });
});

const release = fc.constantFrom("1.3.0", "1.4.0", "1.5.0", "web", "late");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const around = fc.integer({ min: NOW_MS - 20, max: NOW_MS + 20 });
const choice: fc.Arbitrary<DecisionInput> = fc.oneof(
  fc.constantFrom<DecisionInput>({ state: "open" }, { state: "muted" }, { state: "resolved" }),
  release.map((name): DecisionInput => ({ state: "resolved", release: name })),
  fc.constant<DecisionInput>({ state: "resolved", inNextRelease: true }),
  fc.integer({ min: 0, max: 50 }).map((forMs): DecisionInput => ({ state: "ignored", forMs })),
);
const occurrence = fc
  .record({ atMs: around, lastsMs: fc.nat(20), release: maybe(release), linked: fc.boolean() })
  .map(
    ({ atMs, lastsMs, release: name, linked }): Seen => ({
      ...{ atMs, lastAtMs: atMs + lastsMs, isLinked: linked },
      ...(name !== undefined && { release: name }),
    }),
  );

describe("a decision", () => {
  it("is never undone by what is linked, was earlier, or came from an older release", () => {
    fc.assert(
      fc.property(choice, occurrence, (made, mark) => {
        const decision = chosen(made);
        const { lastAtMs = mark.atMs } = mark;
        const isOlder =
          decision.release !== undefined &&
          (mark.release === undefined ||
            compareReleases(mark.release, decision.release, known) < 0);
        fc.pre(mark.isLinked || lastAtMs <= NOW_MS || isOlder || made.state !== "resolved");
        expect(applyRegression(decision, mark, known)).toBe(decision);
      }),
      { numRuns: 1_000 },
    );
  });

  it("regresses once: what comes after changes nothing more", () => {
    fc.assert(
      fc.property(choice, occurrence, occurrence, (made, first, second) => {
        const once = applyRegression(chosen(made), first, known);
        fc.pre(isRegressed({ decision: once }));
        expect(applyRegression(once, second, known)).toBe(once);
      }),
    );
  });

  it("comes to the same state in any order of what happened", () => {
    fc.assert(
      fc.property(choice, fc.array(occurrence, { maxLength: 6 }), (made, marks) => {
        const endOf = (list: readonly Seen[]) =>
          list.reduce((decision, mark) => applyRegression(decision, mark, known), chosen(made));
        expect(endOf(marks.toReversed()).state).toBe(endOf(marks).state);
      }),
    );
  });
});
