// The short form of `npm run torture`: kills workerd under load, on a KV that fails.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runTrial, type Trial } from "../../../.tools/torture/trial.ts";

let result: Trial;
beforeAll(async () => {
  result = await runTrial({ seed: 4, seconds: 8, kills: 4, perSecond: 150, sample: 60 });
}, 120_000);
afterAll(() => result?.close());

describe("acknowledged reports survive killed processes, failed and lost writes, and a used-up quota", () => {
  it("the trial includes kills, retries and failed puts", () => {
    const { refused, withoutQuota, answersLost } = result.kv.figures;
    expect(result.host.kills).toBeGreaterThanOrEqual(4);
    expect(result.journal.acknowledged.length).toBeGreaterThan(200);
    expect(result.journal.figures.retries).toBeGreaterThan(0);
    // The failing puts depend on the keys of the chunks, which are random.
    expect(refused + withoutQuota + answersLost).toBeGreaterThan(0);
  });

  it("every acknowledged id leads to its body, in KV and in Errata", () => {
    expect(result.findings.lost).toEqual([]);
  });

  it("every report counts once, in its issue and in the totals", () => {
    expect(result.findings.duplicated).toEqual([]);
  });

  it("every copy of a chunk has the same bytes", () => {
    expect(result.findings.wrong).toEqual([]);
  });

  it("every frame of an upload that was answered ok is resolved, also after the rebuild", () => {
    expect(result.maps.sent.filter(({ isOk }) => isOk).length).toBeGreaterThan(1);
    expect(result.maps.wrong).toEqual([]);
  });

  it("the trial finds a deleted pack, a deleted chunk, and a report that was never sent", async () => {
    expect((await result.sabotage("unmap")).lost).not.toEqual([]);
    const { duplicated } = await result.sabotage("forget");
    expect(duplicated).not.toEqual([]);
    const { lost } = await result.sabotage("lose");
    expect(lost).not.toEqual([]);
  });
});
