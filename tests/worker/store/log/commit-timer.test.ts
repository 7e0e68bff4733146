import { expect, it } from "vitest";
import { CommitTimer } from "#src/store/log/commit-timer.ts";

/** The waits of calls that come at equal intervals, each committed after its wait. */
function listWaits(intervalMs: number, calls: number): (number | null)[] {
  const timer = new CommitTimer(() => undefined);
  return Array.from({ length: calls }, (_, n) => {
    const nowMs = 1_000_000 + n * intervalMs;
    timer.onCall(nowMs, 1);
    const waitMs = timer.getWaitMs(nowMs);
    timer.onCommit(nowMs + (waitMs ?? 0));
    return waitMs;
  });
}

it("the first call after a pause is written at once", () => {
  expect(listWaits(1_000, 1)).toEqual([null]);
});

it.each([20, 100, 2_000])("calls that come every %d ms are written at once", (intervalMs) => {
  expect(new Set(listWaits(intervalMs, 200))).toEqual(new Set([null]));
});

it.each([
  { intervalMs: 10, waitMs: 50 },
  { intervalMs: 2, waitMs: 10 },
  { intervalMs: 0.5, waitMs: 2.5 },
])("calls that come every $intervalMs ms wait for others, $waitMs ms", (row) => {
  const waits = listWaits(row.intervalMs, 5_000 / row.intervalMs);
  expect(waits.at(-1)).toBeCloseTo(row.waitMs, 0);
  expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(50);
});

it("a batch of ten requests under load is written at once", () => {
  const timer = new CommitTimer(() => undefined);
  for (let n = 0; n < 1_000; n++) timer.onCall(n, 1);
  timer.onCommit(1_000);
  timer.onCall(1_000, 9);
  expect(timer.getWaitMs(1_000)).toBeGreaterThan(0);
  timer.onCall(1_001, 1);
  expect(timer.getWaitMs(1_001)).toBe(0);
});

it("fifty calls at once after a pause wait only for each other", () => {
  expect(new Set(listWaits(0, 50))).toEqual(new Set([null, 0]));
});

it("a call after a load is written at once", () => {
  const timer = new CommitTimer(() => undefined);
  for (let n = 0; n < 1_000; n++) timer.onCall(n, 1);
  timer.onCommit(1_000);
  expect(timer.getWaitMs(1_000)).toBeGreaterThan(0);
  timer.onCall(5_000, 1);
  expect(timer.getWaitMs(5_000)).toBeNull();
});
