import { describe, expect, it } from "vitest";
import { onBeat } from "../../src/http/on-beat.ts";
import { aClock, deferred } from "../support/beats.ts";

describe("an answer on the beat", () => {
  it("waits for the first beat, however early it is there", async () => {
    const clock = aClock();
    const answer = clock.settledAt(onBeat(clock.beat, async () => "early"));
    expect(await answer.after(0)).toBeUndefined();
    expect(await answer.after(1)).toEqual({ beats: 1, value: "early" });
  });

  it("waits for the next beat when it has missed one, and is late by no other measure", async () => {
    const clock = aClock();
    const work = deferred<string>();
    const answer = clock.settledAt(onBeat(clock.beat, () => work.promise));
    expect(await answer.after(2)).toBeUndefined();
    work.resolve("late");
    expect(await answer.after(0)).toBeUndefined();
    expect(await answer.after(1)).toEqual({ beats: 3, value: "late" });
  });

  it("so does a failure, which nobody has to catch before", async () => {
    const clock = aClock();
    const answer = clock.settledAt(onBeat(clock.beat, () => Promise.reject(new Error("away"))));
    expect(await answer.after(0)).toBeUndefined();
    expect(await answer.after(1)).toEqual({ beats: 1, value: new Error("away") });
  });

  it("begins to count before the work does", async () => {
    const begun: string[] = [];
    const beat = async () => {
      begun.push("beat");
    };
    await onBeat(beat, async () => {
      begun.push("work");
    });
    expect(begun[0]).toBe("beat");
    expect(begun[1]).toBe("work");
  });
});
