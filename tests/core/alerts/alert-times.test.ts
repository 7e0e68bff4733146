// When alerts are sent: budgets of messages, retries, working hours and quiet hours; and when
// ingestion is judged to have stopped or changed.

import { describe, expect, it } from "vitest";
import { getRetryDelayMs } from "#src/core/alerts/destinations/delivery-result.ts";
import type { DueAlert } from "#src/core/alerts/due-alert.ts";
import { findQuietHoursEnd, findWorkingTime } from "#src/core/alerts/local-hours.ts";
import {
  type MessageBudget,
  type MessageBudgetName,
  takeMessage,
  toBudgetName,
} from "#src/core/alerts/message-budget.ts";
import { judgeIngestion } from "#src/core/alerts/triggers/ingestion.ts";
import type { Trust } from "#src/core/trust/trust.ts";

const HOUR_MS = 3_600_000;
const at = (text: string) => Date.parse(text);

describe("the budget of messages", () => {
  it("allows ten at once, one more per 20 s, and gathers the others for longer each time", () => {
    let budget: MessageBudget | undefined;
    const take = (nowMs: number) => {
      const taken = takeMessage(budget, nowMs);
      budget = taken.budget;
      return taken.gatherMs;
    };
    expect(Array.from({ length: 10 }, () => take(0))).toEqual(Array(10).fill(0));
    // Each summary is followed by an alert at once.
    const gathered = [1, 30_002, 90_003, 210_004, 510_005, 1_110_006].map(take);
    expect(gathered).toEqual([30_000, 60_000, 120_000, 300_000, 600_000, 600_000]);
    expect(take(1_710_006 + 20_000)).toBe(0);
    expect(take(1_710_006 + 20_001)).toBe(600_000);
    // After a quiet time, the first summary is short again.
    const quietMs = 3_000_000;
    expect(Array.from({ length: 11 }, () => take(quietMs))).toEqual([...Array(10).fill(0), 30_000]);
  });

  it("never delays an alert every 20 s, nor one of ten at once", () => {
    let budget: MessageBudget | undefined;
    for (let n = 0; n < 1_000; n++) {
      const taken = takeMessage(budget, n * 20_000);
      budget = taken.budget;
      expect(taken.gatherMs).toBe(0);
    }
  });

  it.each<[DueAlert["triggers"][number]["kind"][], Trust | undefined, MessageBudgetName]>([
    [["new-issue"], "server", "server"],
    [["new-issue", "new-in-release"], undefined, "server"],
    [["regressed"], "server", "server-worse"],
    [["new-issue", "users"], "page", "page-worse"],
    [["escalating"], "public", "public-worse"],
    [["user-feedback"], "public", "public"],
  ])("of %j of %s is %s", (kinds, trust, expected) => {
    const triggers = kinds.map((kind) => ({ kind, rules: [] }));
    expect(toBudgetName({ atMs: 0, triggers, ...(trust && { trust }) })).toBe(expected);
  });
});

describe("retries", () => {
  it.each([
    [1, 0.5, 0, 5_000],
    [1, 0, 0, 4_000],
    [1, 1, 0, 6_000],
    [2, 0.5, 0, 60_000],
    [7, 0.5, 0, 12 * HOUR_MS],
    [8, 0.5, 0, null],
    [1, 0.5, 90_000, 90_000],
  ])("after attempt %i with chance %d and Retry-After %i ms wait %s", (n, chance, after, delay) => {
    expect(getRetryDelayMs(n, chance, after)).toBe(delay);
  });
});

describe("hours", () => {
  const work = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60, timeZone: "Europe/Berlin" };
  it.each([
    ["2026-11-23T10:00:00Z", "2026-11-23T10:00:00Z"],
    ["2026-11-23T07:59:00Z", "2026-11-23T08:00:00Z"],
    ["2026-11-23T16:00:00Z", "2026-11-24T08:00:00Z"],
    ["2026-11-27T16:00:00Z", "2026-11-30T08:00:00Z"],
    // Summer time ends on 25 October.
    ["2026-10-23T15:30:00Z", "2026-10-26T08:00:00Z"],
  ])("of work that are next after %s begin at %s", (now, next) => {
    expect(findWorkingTime(work, at(now))).toBe(at(next));
  });

  const night = { ...work, days: [1, 5], from: 22 * 60, to: 6 * 60, timeZone: "UTC" };
  it.each([
    ["2026-11-23T21:59:30Z", "2026-11-23T22:00:00Z"],
    ["2026-11-24T05:59:00Z", "2026-11-24T05:59:00Z"],
    ["2026-11-24T06:00:00Z", "2026-11-27T22:00:00Z"],
    ["2026-11-28T03:00:00Z", "2026-11-28T03:00:00Z"],
    ["2026-11-23T03:00:00Z", "2026-11-23T22:00:00Z"],
  ])("of a night shift of Monday and Friday that are next after %s begin at %s", (now, next) => {
    expect(findWorkingTime(night, at(now))).toBe(at(next));
  });

  it.each([
    [1, "2026-11-23T09:07:00Z"],
    [5, "2026-11-23T09:07:00Z"],
    [14, "2026-11-23T09:07:00Z"],
  ])("of %i minutes are not skipped", (minutes, next) => {
    const from = 9 * 60 + 7;
    const short = { ...work, from, to: from + minutes, timeZone: "UTC" };
    expect(findWorkingTime(short, at("2026-11-21T12:00:10Z"))).toBe(at(next));
  });

  it("that a change of the clock skips begin a week later", () => {
    // Clocks in Berlin go from 2:00 to 3:00 on 29 March 2026.
    const sunday = { ...work, days: [0], from: 130, to: 170 };
    expect(findWorkingTime(sunday, at("2026-03-22T02:00:00Z"))).toBe(at("2026-04-05T00:10:00Z"));
  });

  const quiet = { from: 22 * 60, to: 6 * 60 + 30, timeZone: "America/New_York" };
  it.each([
    ["2026-11-23T15:00:00Z", "2026-11-23T15:00:00Z"],
    ["2026-11-23T04:00:00Z", "2026-11-23T11:30:00Z"],
    ["2026-11-23T11:29:00Z", "2026-11-23T11:30:00Z"],
  ])("of quiet after %s end at %s", (now, end) => {
    expect(findQuietHoursEnd(quiet, at(now))).toBe(at(end));
  });
});

describe("ingestion", () => {
  const NOW_MS = at("2026-11-21T12:30:00Z");
  const steady = new Array<number>(72).fill(50);
  const nightly = Array.from({ length: 72 }, (_, i) => ((i + 12) % 24 < 8 ? 0 : 50));
  const silent = (hours: number, of: readonly number[]) => of.map((n, i) => (i < hours ? 0 : n));
  it.each([
    ["is steady", steady, 0, undefined],
    ["stopped for an hour in a busy project", silent(2, steady), 1.6, "stopped"],
    ["is quiet at night, as every night", silent(8, nightly), 8.5, undefined],
    ["stopped for longer than two nights", silent(18, nightly), 18, "stopped"],
    ["is ten times the usual", [600, ...steady.slice(1)], 0, "rose"],
    ["fell to a tenth", [1, 4, 4, 4, ...steady.slice(4)], 0, "fell"],
    ["has less than a day of history", [0, 0, ...new Array<number>(10).fill(9)], 2, undefined],
  ])("that %s is judged as expected", (_, hours, silentHours, kind) => {
    const history = { hours, lastSeenMs: NOW_MS - silentHours * HOUR_MS };
    expect(judgeIngestion(history, NOW_MS).change?.kind).toBe(kind);
  });
});
