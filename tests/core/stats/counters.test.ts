import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/core/limits.ts";
import { CounterBatch, type CounterDelta } from "../../../src/core/stats/counters.ts";

describe("a sheet of tallies", () => {
  it("has each name once, with the sum of its numbers, in the order in which names came first", () => {
    const sheet = new CounterBatch();
    sheet.add(["counted", "session"]);
    sheet.add(["dropped", "invention", "not-stored"]);
    sheet.addAll([[["counted", "session"], 4]]);
    expect(sheet.drain()).toEqual([
      [["counted", "session"], 5],
      [["dropped", "invention", "not-stored"], 1],
    ]);
  });

  it("is empty once it was taken", () => {
    const sheet = new CounterBatch();
    sheet.add(["counted", "session"]);
    expect(sheet.isEmpty).toBe(false);
    sheet.drain();
    expect([sheet.isEmpty, sheet.drain()]).toEqual([true, []]);
  });

  it("cuts the words that senders chose", () => {
    const sheet = new CounterBatch();
    sheet.add(["session", "x".repeat(10_000), "production", "started"]);
    expect(sheet.drain()[0]?.[0][1]).toHaveLength(limits.maxCounterPartChars);
  });

  it("tells names apart whatever is in their words, and loses nothing", () => {
    const word = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('"', ",", '","', "a"));
    const name = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.integer({ min: 1, max: 9 }))), (added) => {
        const sheet = new CounterBatch();
        sheet.addAll(added as readonly CounterDelta[]);
        const taken = sheet.drain();
        const sum = (tallies: readonly (readonly [unknown, number, ...unknown[]])[]) =>
          tallies.reduce((total, [, count]) => total + count, 0);
        expect(sum(taken)).toBe(sum(added));
        expect(new Set(taken.map(([its]) => its.join("\u0000"))).size).toBe(taken.length);
      }),
    );
  });
});
