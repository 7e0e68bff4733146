import { describe, expect, it } from "vitest";
import type { DailyCounter } from "../../../src/core/stats/counters.ts";
import { toCountedCategory, toIngestStats } from "../../../src/core/stats/outcome-totals.ts";

const TODAY = "2026-11-21";
const YESTERDAY = "2026-11-20";

const tally = (day: string, count: number, ...name: string[]): DailyCounter => ({
  day,
  name,
  count,
});

describe("the operator's account", () => {
  const account = toIngestStats(
    [
      tally(TODAY, 2, "accepted", "error", ""),
      tally(YESTERDAY, 5, "accepted", "error", ""),
      tally(TODAY, 1, "accepted", "csp", "extension"),
      tally(TODAY, 3, "counted", "session"),
      tally(TODAY, 1, "dropped", "invention", "not-stored"),
      tally(YESTERDAY, 1, "invalid", "event", "not-json"),
      tally(TODAY, 1, "duplicate", "error"),
      tally(TODAY, 40, "discarded", "span", "sample_rate"),
      tally(TODAY, 9, "session", "1.4.0", "production", "started"),
    ],
    TODAY,
    7,
  );

  it("has every outcome with its reason, the most frequent first, and what was received is their sum", () => {
    expect(account.outcomes).toEqual([
      { outcome: "accepted", item: "error", today: 2, total: 7 },
      { outcome: "accepted", item: "csp", reason: "extension", today: 1, total: 1 },
      { outcome: "duplicate", item: "error", today: 1, total: 1 },
      { outcome: "counted", item: "session", today: 3, total: 3 },
      { outcome: "dropped", item: "invention", reason: "not-stored", today: 1, total: 1 },
      { outcome: "invalid", item: "event", reason: "not-json", today: 0, total: 1 },
    ]);
    expect(account.received).toEqual({ today: 8, total: 14 });
  });

  it("does not take for received what SDKs never sent", () => {
    expect(account.discarded).toEqual([
      { category: "span", reason: "sample_rate", today: 40, total: 40 },
    ]);
  });
});

it.each([
  ["error", "sampled"],
  ["csp", "sampled"],
  ["sessions", "counters"],
  ["client_report", "counters"],
  ["network-error", "counters"],
  ["transaction", "unsupported"],
  ["constructor", "unsupported"],
])("what is counted as %s is of the sort: %s", (item, sort) => {
  expect(toCountedCategory(item)).toBe(sort);
});

describe("sessions by release", () => {
  const sessions = (...tallies: DailyCounter[]) => toIngestStats(tallies, TODAY, 7).sessions;

  it.each([
    { name: "nothing crashed", crashed: 0, crashFreePercent: 100 },
    { name: "one of ten crashed", crashed: 1, crashFreePercent: 90 },
    { name: "nine of ten crashed", crashed: 9, crashFreePercent: 10 },
    { name: "more crashed than began these days", crashed: 11, crashFreePercent: 0 },
  ])("$name", ({ crashed, crashFreePercent }) => {
    const [release] = sessions(
      tally(TODAY, 4, "session", "1.4.0", "production", "started"),
      tally(YESTERDAY, 6, "session", "1.4.0", "production", "started"),
      tally(TODAY, crashed, "session", "1.4.0", "production", "crashed"),
    );
    expect(release).toMatchObject({ release: "1.4.0", started: 10, crashed, crashFreePercent });
  });

  it("of two releases and environments are told apart, the one with most sessions first", () => {
    const rows = sessions(
      tally(TODAY, 1, "session", "1.4.0", "staging", "started"),
      tally(TODAY, 2, "session", "1.4.0", "production", "started"),
      tally(TODAY, 3, "session", "1.3.9", "production", "errored"),
    );
    expect(rows.map(({ release, environment }) => [release, environment])).toEqual([
      ["1.4.0", "production"],
      ["1.4.0", "staging"],
      ["1.3.9", "production"],
    ]);
    expect(rows[2]).toMatchObject({ started: 0, errored: 3 });
    expect(rows[2]?.crashFreePercent).toBeUndefined();
  });
});
