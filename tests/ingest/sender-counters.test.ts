import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { CounterDelta } from "#src/core/stats/counters.ts";
import { TRUST_LEVELS, type Trust } from "#src/core/trust/trust.ts";
import { toSenderCounters } from "#src/ingest/process-items.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest();
const ID = "7c1f0e3a52d94b6e8f0a1b2c3d4e5f60";
const OUTCOME: CounterDelta = [["counted", "sessions"], 1];
const createCounters = (trust: Trust, ...own: CounterDelta[]) =>
  toSenderCounters(OUTCOME, own, { trust, sha256 });

describe("counters of sessions", () => {
  it.each(TRUST_LEVELS)("of a %s sender have that level in their name", (trust) => {
    expect(createCounters(trust, [["session", "shop@1", "", "started"], 1])).toEqual([
      OUTCOME,
      [["session", trust, "shop@1", "", "started"], 1],
    ]);
  });

  it("have ids that differ by trust level and are not the session's", () => {
    const ids = TRUST_LEVELS.map(
      (trust) => createCounters(trust, [["session", "", "", "crashed"], 1, ID])[1]?.[2] ?? "",
    );
    expect(new Set([...ids, ID]).size).toBe(TRUST_LEVELS.length + 1);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("of an item without a server key are scaled to a limit, and its outcome counts once", () => {
    const of = (trust: Trust) =>
      createCounters(
        trust,
        [["session", "shop@1", "", "started"], 9_000_000],
        [["session", "shop@1", "", "crashed"], 4_500_000],
        [["session", "shop@1", "", "abnormal"], 1],
      ).map(([, count]) => count);
    expect(of("public")).toEqual([
      1,
      limits.maxBrowserCountPerItem,
      limits.maxBrowserCountPerItem / 2,
    ]);
    expect(of("page")).toEqual(of("public"));
    expect(of("server")).toEqual([1, 9_000_000, 4_500_000, 1]);
  });
});

describe("names that a sender without a server key invents", () => {
  it.each([
    ["discarded", ["made-up", "also-made-up"], ["discarded", "other", "other"]],
    ["discarded", ["error", "sample_rate"], ["discarded", "error", "sample_rate"]],
    ["dropped", ["made-up", "not-stored"], ["dropped", "other", "not-stored"]],
    ["dropped", ["attachment", "over-count"], ["dropped", "attachment", "over-count"]],
    ["invalid", ["made-up", "missing-field"], ["invalid", "other", "missing-field"]],
    ["invalid", ["event", "not-json"], ["invalid", "event", "not-json"]],
  ])("%s %j count as %j", (first, rest, expected) => {
    const name = [first, ...rest];
    expect(toSenderCounters([name, 1], undefined, { trust: "public", sha256 })).toEqual([
      [expected, 1],
    ]);
    expect(toSenderCounters([name, 1], undefined, { trust: "server", sha256 })).toEqual([
      [name, 1],
    ]);
  });
});
