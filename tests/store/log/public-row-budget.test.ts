import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { PublicRowBudget } from "#src/store/log/public-row-budget.ts";

const DAY_MS = 86_400_000;

/** How many of the batches of a day, evenly spread, write the usage. */
function countWritten(budget: PublicRowBudget, batches: number, dayMs: number): number {
  const written = Array.from({ length: batches }, (_, n) => {
    const nowMs = dayMs + Math.floor((n * DAY_MS) / batches);
    const isDue = budget.isUsageDue(nowMs);
    budget.add(1, isDue, nowMs);
    return isDue;
  });
  return written.filter((isWritten) => isWritten).length;
}

describe("the rows of public reports in one shard", () => {
  const share = limits.maxPublicRowsPerDay / 2;

  it("have their usage with each batch up to the share, then once a minute", () => {
    const budget = new PublicRowBudget(1);
    expect(countWritten(budget, 5_000, 0)).toBe(5_000);
    const many = countWritten(budget, 100_000, DAY_MS);
    expect(many).toBeGreaterThan(share / 3);
    expect(many).toBeLessThan(share / 3 + 24 * 60);
    expect(countWritten(budget, 1_000, 2 * DAY_MS)).toBe(1_000);
  });

  it("are shared by the shards", () => {
    const written = countWritten(new PublicRowBudget(10), 100_000, 0);
    expect(written).toBeLessThan(share / 30 + 24 * 60 + 1);
  });

  it("include every row of a batch", () => {
    const budget = new PublicRowBudget(1);
    budget.add(share / 2 - 1, false, 0);
    expect(budget.isUsageDue(0)).toBe(true);
    budget.add(1, true, 0);
    expect(budget.isUsageDue(59_999)).toBe(false);
    expect(budget.isUsageDue(60_000)).toBe(true);
  });
});
