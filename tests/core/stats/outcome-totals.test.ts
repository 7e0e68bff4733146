import { describe, expect, it } from "vitest";
import type { DailyCounter } from "#src/core/stats/counters.ts";
import { toCountedCategory, toIngestStats } from "#src/core/stats/outcome-totals.ts";

const TODAY = "2026-11-21";
const YESTERDAY = "2026-11-20";

const counter = (day: string, count: number, ...name: string[]): DailyCounter => ({
  day,
  name,
  count,
});

describe("toIngestStats", () => {
  const stats = toIngestStats(
    [
      counter(TODAY, 2, "accepted", "error", ""),
      counter(YESTERDAY, 5, "accepted", "error", ""),
      counter(TODAY, 1, "accepted", "csp", "extension"),
      counter(TODAY, 3, "counted", "session"),
      counter(TODAY, 1, "dropped", "invention", "not-stored"),
      counter(YESTERDAY, 1, "invalid", "event", "not-json"),
      counter(TODAY, 1, "duplicate", "error"),
      counter(TODAY, 40, "discarded", "span", "sample_rate"),
      counter(TODAY, 9, "session", "server", "1.4.0", "production", "started"),
    ],
    TODAY,
    7,
  );

  it("lists every outcome with its reason and adds them up to `received`", () => {
    expect(stats.outcomes).toEqual([
      { outcome: "accepted", item: "error", today: 2, total: 7 },
      { outcome: "accepted", item: "csp", reason: "extension", today: 1, total: 1 },
      { outcome: "duplicate", item: "error", today: 1, total: 1 },
      { outcome: "counted", item: "session", today: 3, total: 3 },
      { outcome: "dropped", item: "invention", reason: "not-stored", today: 1, total: 1 },
      { outcome: "invalid", item: "event", reason: "not-json", today: 0, total: 1 },
    ]);
    expect(stats.received).toEqual({ today: 8, total: 14 });
  });

  it("does not count reports that SDKs discarded as received", () => {
    expect(stats.discarded).toEqual([
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
])("a counted %s has the category %s", (item, category) => {
  expect(toCountedCategory(item)).toBe(category);
});

describe("sessions by release", () => {
  const sessions = (...counters: DailyCounter[]) => toIngestStats(counters, TODAY, 7).sessions;

  it.each([
    { name: "nothing crashed", crashed: 0, crashFreePercent: 100 },
    { name: "one of ten crashed", crashed: 1, crashFreePercent: 90 },
    { name: "nine of ten crashed", crashed: 9, crashFreePercent: 10 },
    { name: "more crashed than started", crashed: 11, crashFreePercent: 0 },
  ])("are $crashFreePercent % crash-free if $name", ({ crashed, crashFreePercent }) => {
    const [release] = sessions(
      counter(TODAY, 4, "session", "server", "1.4.0", "production", "started"),
      counter(YESTERDAY, 6, "session", "server", "1.4.0", "production", "started"),
      counter(TODAY, crashed, "session", "server", "1.4.0", "production", "crashed"),
    );
    expect(release).toMatchObject({ release: "1.4.0", started: 10, crashed, crashFreePercent });
  });

  it("of senders without a server key are listed separately", () => {
    const counters = [
      counter(TODAY, 9, "session", "public", "1.4.0", "production", "started"),
      counter(TODAY, 9, "session", "public", "1.4.0", "production", "crashed"),
      counter(TODAY, 4, "session", "page", "1.4.0", "production", "started"),
      counter(TODAY, 3, "session", "server", "1.4.0", "production", "started"),
    ];
    expect(toIngestStats(counters, TODAY, 7)).toMatchObject({
      sessions: [{ release: "1.4.0", started: 3, crashFreePercent: 100 }],
      publicSessions: [{ release: "1.4.0", started: 13, crashed: 9 }],
    });
  });

  it("are grouped by release and environment, most sessions first", () => {
    const rows = sessions(
      counter(TODAY, 1, "session", "server", "1.4.0", "staging", "started"),
      counter(TODAY, 2, "session", "server", "1.4.0", "production", "started"),
      counter(TODAY, 3, "session", "server", "1.3.9", "production", "errored"),
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
