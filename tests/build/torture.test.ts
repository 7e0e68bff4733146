// The short form of `npm run torture`: kills workerd under load, on a KV that fails.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Trial, trial } from "../../.tools/torture/trial.ts";

let done: Trial;
beforeAll(async () => {
  done = await trial({ seed: 4, seconds: 8, kills: 4, perSecond: 150, sample: 60 });
}, 120_000);
afterAll(() => done?.close());

describe("acknowledged reports survive kills, refused puts, lost answers and a used-up quota", () => {
  it("the trial includes kills, retries and failed puts", () => {
    const { refused, quota, answersLost } = done.kv.figures;
    expect(done.host.kills).toBeGreaterThanOrEqual(4);
    expect(done.journal.acknowledged.length).toBeGreaterThan(200);
    expect(done.journal.figures.retries).toBeGreaterThan(0);
    // The failing puts depend on the keys of the chunks, which are random.
    expect(refused + quota + answersLost).toBeGreaterThan(0);
  });

  it("every acknowledged id leads to its body, in KV and in Errata", () => {
    expect(done.copiedMs).not.toBeNull();
    expect(done.verdict.lost).toEqual([]);
  });

  it("every report counts once, in its issue and in the totals", () => {
    expect(done.verdict.twice).toEqual([]);
  });

  it("every copy of a chunk has the same bytes", () => {
    expect(done.verdict.wrong).toEqual([]);
  });

  it("the trial finds a deleted chunk and a report that was never sent", async () => {
    const { twice } = await done.sabotage("forget");
    expect(twice).not.toEqual([]);
    const { lost } = await done.sabotage("lose");
    expect(lost).not.toEqual([]);
  });
});
