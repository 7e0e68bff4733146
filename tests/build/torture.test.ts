// The short form of `npm run torture`: real kills of workerd under load, on a KV that misbehaves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Trial, trial } from "../../.tools/torture/trial.ts";

let done: Trial;
beforeAll(async () => {
  done = await trial({ seed: 4, seconds: 8, kills: 4, perSecond: 150, sample: 60 });
}, 120_000);
afterAll(() => done?.close());

describe("what was acknowledged, through kills, refused puts, lost answers and a used-up quota", () => {
  it("was under fire", () => {
    expect(done.host.kills).toBeGreaterThanOrEqual(4);
    expect(done.journal.acknowledged.length).toBeGreaterThan(200);
    expect(done.journal.figures.retries).toBeGreaterThan(0);
    expect(done.kv.figures.refused).toBeGreaterThan(0);
    expect(done.kv.figures.quota).toBeGreaterThan(0);
    expect(done.kv.figures.answersLost).toBeGreaterThan(0);
  });

  it("is not lost: every id leads to its body, in the record and on the desk", () => {
    expect(done.settledMs).not.toBeNull();
    expect(done.verdict.lost).toEqual([]);
  });

  it("counts once, in its issue and in the totals", () => {
    expect(done.verdict.twice).toEqual([]);
  });

  it("is copied with the same bytes, however often", () => {
    expect(done.verdict.wrong).toEqual([]);
  });

  it("would be missed: a chunk that is gone and a report that nobody sent are seen", async () => {
    const { twice } = await done.sabotage("forget");
    expect(twice).not.toEqual([]);
    const { lost } = await done.sabotage("lose");
    expect(lost).not.toEqual([]);
  });
});
