import { describe, expect, it } from "vitest";
import { endSnooze } from "#src/core/alerts/triggers/end-snooze.ts";
import { findCurrentEscalation, isYoung } from "#src/core/alerts/triggers/escalating.ts";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import {
  createDecision,
  type DecisionInput,
  getCurrentState,
  isEscalating,
} from "#src/core/issue/decision.ts";
import type { Decision, Issue } from "#src/core/issue/issue.ts";
import { type ReportSummary, summarizeReport } from "#src/core/report/report-summary.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { createReport } from "#support/reports/reports.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** On the hour, so that rates are those of whole hours. */
const START_MS = Date.UTC(2026, 10, 20);

/** An issue that is counted and decided as the index does it. */
class SnoozedIssue {
  nowMs = START_MS;
  issue: Issue | undefined;
  decision: Decision | undefined;
  readonly #releases = new Map<string, number>();
  #n = 0;

  /** The decision after this many reports of the present time. */
  report(count: number, over: Partial<ReportSummary> = {}): Decision | undefined {
    for (let n = 0; n < count; n++) {
      const { trust = "server" } = over;
      const report = createReport(++this.#n, { trust });
      const position = `2026112000/0.0:${this.#n}`;
      const summary = { ...summarizeReport(report, position), atMs: this.nowMs, ...over };
      const { release } = summary;
      if (release !== undefined && !this.#releases.has(release))
        this.#releases.set(release, this.nowMs);
      const before = this.issue;
      const after = aggregateReport(before, summary, this.nowMs, summary.digest);
      this.issue = after;
      const getFirstSeenMs = (name: string) => this.#releases.get(name);
      const counted = { before, after, report: summary, nowMs: this.nowMs, getFirstSeenMs };
      if (this.decision !== undefined) this.decision = endSnooze(this.decision, counted);
    }
    return this.decision;
  }

  /** Reports of each of the following hours. */
  hours(...counts: readonly number[]): this {
    for (const count of counts) {
      this.report(count);
      this.nowMs += HOUR_MS;
    }
    return this;
  }

  snooze(input: Omit<Extract<DecisionInput, { state: "snoozed" }>, "state"> = {}): void {
    const issue = this.issue as Issue;
    const young = isYoung(issue, this.nowMs);
    const escalation = young ? undefined : findCurrentEscalation(issue, this.nowMs);
    const snoozed = { state: "snoozed", ...input } as const;
    this.decision = createDecision(snoozed, issue, this.nowMs, escalation);
  }

  get state(): string {
    const issue = this.issue as Issue;
    return getCurrentState({ ...issue, decision: this.decision }, this.nowMs);
  }
}

const QUIET = Array<number>(48).fill(2);

describe("an issue that is snoozed until it escalates", () => {
  it("stays snoozed at its usual rate, and returns far above it", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.snooze();
    one.report(18);
    expect(one.state).toBe("snoozed");
    one.report(1);
    expect(one.state).toBe("open");
    expect(one.decision).toMatchObject({ endedBy: "escalation", endedAtMs: one.nowMs });
    expect(one.decision?.endedValue).toBeGreaterThan(20);
    expect(one.decision?.endedUsual).toBeCloseTo(2);
  });

  it("stays snoozed while the outage goes on that it was in", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.report(50);
    one.snooze();
    one.report(200);
    expect(one.state).toBe("snoozed");
  });

  it("returns from an outage that becomes ten times worse", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.report(50);
    one.snooze();
    one.report(600);
    expect(one.state).toBe("open");
  });

  it("returns with the next outage after calm hours", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.report(50);
    one.snooze();
    one.nowMs += HOUR_MS;
    one.hours(...Array<number>(71).fill(0));
    one.report(80);
    expect(one.state).toBe("open");
  });

  it("returns at ten times its count while it is less than a day old", () => {
    const one = new SnoozedIssue();
    one.report(12);
    one.snooze();
    one.report(107);
    expect(one.state).toBe("snoozed");
    one.report(1);
    expect(one.state).toBe("open");
  });

  it("is ended once, and by reports of its own level only", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.snooze();
    one.report(500, { trust: "public" as Trust });
    one.report(500, { isLinked: true });
    expect(one.state).toBe("snoozed");
    const ended = one.report(40);
    expect(ended?.endedAtMs).toBeDefined();
    expect(one.report(40)).toBe(ended);
  });
});

describe("an issue that is snoozed", () => {
  it("until more users have it counts only new ones", () => {
    const one = new SnoozedIssue();
    const user = (n: number) => ({ userSketch: `${n.toString(16).padStart(2, "0")}1` });
    one.report(1, user(1));
    one.snooze({ forUsers: 2 });
    one.report(3, user(1));
    one.report(1, user(2));
    expect(one.state).toBe("snoozed");
    one.report(1, user(3));
    expect([one.state, one.decision?.endedBy, one.decision?.endedValue]).toEqual([
      "open",
      "users",
      3,
    ]);
  });

  it.each([
    ["the present release", "1.4.0", "snoozed"],
    ["no release", undefined, "snoozed"],
    ["an older one that was not seen before", "1.3.0", "snoozed"],
    ["a later one", "1.5.0", "open"],
  ])("until a later release, and occurs in %s", (_, release, state) => {
    const one = new SnoozedIssue();
    one.report(1, { release: "1.4.0" });
    one.snooze({ untilNextRelease: true });
    expect(one.decision?.afterRelease).toBe("1.4.0");
    one.nowMs += HOUR_MS;
    one.report(1, release === undefined ? {} : { release });
    expect(one.state).toBe(state);
  });

  it("for a time is ended by nothing else", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.snooze({ forMs: DAY_MS });
    one.report(500, { release: "9.0.0" });
    expect(one.state).toBe("snoozed");
  });
});

describe("an issue is shown as escalating", () => {
  it("for an hour after a report far above its usual rate", () => {
    const one = new SnoozedIssue().hours(...QUIET);
    one.report(100);
    const found = findCurrentEscalation(one.issue as Issue, one.nowMs);
    expect(found).toMatchObject({ usual: 2 });
    const { value = 0, usual = 0, atMs = 0 } = found ?? {};
    const issue = { escalation: { value, usual, atMs } };
    expect(isEscalating(issue, one.nowMs + HOUR_MS - 1)).toBe(true);
    expect(isEscalating(issue, one.nowMs + HOUR_MS)).toBe(false);
    expect(isEscalating({}, one.nowMs)).toBe(false);
  });

  it.each([
    ["49 times", 49, false],
    ["50 times", 50, true],
  ])("in its first hour after %s: ordinary new issues are not", (_, count, isFound) => {
    const one = new SnoozedIssue();
    one.report(count);
    expect(findCurrentEscalation(one.issue as Issue, one.nowMs) !== undefined).toBe(isFound);
  });
});
