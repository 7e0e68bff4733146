import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { CounterBatch, type CounterDelta } from "#src/core/stats/counters.ts";

describe("CounterBatch", () => {
  it("adds up equal names and keeps the order in which names first occur", () => {
    const batch = new CounterBatch();
    batch.add(["counted", "session"]);
    batch.add(["dropped", "invention", "not-stored"]);
    batch.addAll([[["counted", "session"], 4]]);
    expect(batch.drain()).toEqual([
      [["counted", "session"], 5],
      [["dropped", "invention", "not-stored"], 1],
    ]);
  });

  it("is empty after drain", () => {
    const batch = new CounterBatch();
    batch.add(["counted", "session"]);
    expect(batch.isEmpty).toBe(false);
    batch.drain();
    expect([batch.isEmpty, batch.drain()]).toEqual([true, []]);
  });

  it("truncates the parts of a name", () => {
    const batch = new CounterBatch();
    batch.add(["session", "x".repeat(10_000), "production", "started"]);
    expect(batch.drain()[0]?.[0][1]).toHaveLength(limits.maxCounterPartChars);
  });

  it("keeps different names apart and loses no counts", () => {
    const part = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('"', ",", '","', "a"));
    const name = fc.array(part, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.integer({ min: 1, max: 9 }))), (added) => {
        const batch = new CounterBatch();
        batch.addAll(added as readonly CounterDelta[]);
        const drained = batch.drain();
        const sum = (counters: readonly (readonly [unknown, number, ...unknown[]])[]) =>
          counters.reduce((total, [, count]) => total + count, 0);
        expect(sum(drained)).toBe(sum(added));
        expect(new Set(drained.map(([name]) => name.join("\u0000"))).size).toBe(drained.length);
      }),
    );
  });
});
