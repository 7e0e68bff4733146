import { describe, expect, it } from "vitest";
import {
  addAttempt,
  findFlood,
  isForgotten,
  type KeyActivity,
  wasFlooding,
} from "#src/core/flood/key-activity.ts";
import { limits } from "#src/core/limits.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.UTC(2026, 10, 21, 17, 50);
const NETWORK = "0a1b2c";

interface Burst {
  readonly fromMs: number;
  readonly count: number;
  /** Between two attempts. */
  readonly stepMs?: number;
  readonly isCollapsed?: boolean;
  readonly networkSketch?: string;
}

function add(
  before: KeyActivity | undefined,
  { fromMs, count, stepMs = 1_000, isCollapsed = false, networkSketch = NETWORK }: Burst,
): KeyActivity | undefined {
  let activity = before;
  for (let n = 0; n < count; n++) {
    const nowMs = fromMs + n * stepMs;
    activity = addAttempt(activity, { nowMs, networkSketch, reports: 1, isCollapsed });
  }
  return activity;
}

const floodAt = (activity: KeyActivity | undefined, nowMs: number) =>
  activity && findFlood("k", activity, nowMs);

describe("a flood of a new key", () => {
  it("begins with the smallest number of new issues within an hour, across full hours", () => {
    const { minFloodIssues: min } = limits;
    const below = add(undefined, { fromMs: START_MS, count: min - 1, stepMs: MINUTE_MS });
    expect(floodAt(below, START_MS + 30 * MINUTE_MS)).toBeUndefined();
    const activity = add(below, { fromMs: START_MS + 30 * MINUTE_MS, count: 1 });
    expect(floodAt(activity, START_MS + 30 * MINUTE_MS)).toMatchObject({ sinceMs: START_MS });
  });

  it("counts no new issue long before it", () => {
    const early = add(undefined, { fromMs: START_MS - 40 * MINUTE_MS, count: 1 });
    const activity = add(early, { fromMs: START_MS, count: 60 });
    expect(floodAt(activity, START_MS + MINUTE_MS)?.sinceMs).toBe(START_MS);
  });

  it("counts its networks and the reports of no issue, and ends with them", () => {
    const begun = add(undefined, { fromMs: START_MS, count: 50 });
    const rest = { fromMs: START_MS + 5 * MINUTE_MS, count: 100, isCollapsed: true };
    const activity = add(begun, { ...rest, networkSketch: "ffffff" });
    const lastMs = rest.fromMs + 99_000;
    expect(floodAt(activity, lastMs)).toEqual({
      ...{ key: "k", sinceMs: START_MS, lastMs, otherReports: 100 },
      networkSketch: `${NETWORK}ffffff`,
    });
    expect(floodAt(activity, lastMs + HOUR_MS)).toBeUndefined();
    const next = add(activity, { fromMs: lastMs + 2 * HOUR_MS, count: 1 });
    expect(next?.flood).toBeUndefined();
  });

  it("lasts while reports that would begin issues continue", () => {
    const begun = add(undefined, { fromMs: START_MS, count: 50 });
    const rest = { count: 300, stepMs: MINUTE_MS, isCollapsed: true };
    const activity = add(begun, { fromMs: START_MS, ...rest });
    expect(floodAt(activity, START_MS + 300 * MINUTE_MS)?.sinceMs).toBe(START_MS);
  });
});

describe("a flood that ended", () => {
  const begun = add(undefined, { fromMs: START_MS, count: 50 });
  const later = add(begun, { fromMs: START_MS + 3 * HOUR_MS, count: 1 }) as KeyActivity;

  it("is known with its time, for as long as its issues are kept", () => {
    const times = [-1, 0, 49_000, HOUR_MS, 3 * HOUR_MS].map((ms) => START_MS + ms);
    for (const activity of [begun as KeyActivity, later])
      expect(times.map((ms) => wasFlooding(activity, ms))).toEqual([
        ...[false, true, true, false],
        false,
      ]);
    expect(isForgotten(later, START_MS + 60 * 24 * HOUR_MS)).toBe(false);
    expect(isForgotten(later, START_MS + 91 * 24 * HOUR_MS)).toBe(true);
  });

  it("is known after many others", () => {
    let activity: KeyActivity | undefined;
    for (let n = 0; n < 50; n++)
      activity = add(activity, { fromMs: START_MS + n * 3 * HOUR_MS, count: 50 });
    const startsMs = Array.from({ length: 50 }, (_, n) => START_MS + n * 3 * HOUR_MS);
    expect(startsMs.every((ms) => wasFlooding(activity as KeyActivity, ms))).toBe(true);
    expect(activity?.ended?.length).toBe(10);
  });
});

describe("the usual hour", () => {
  /** A week with 10 new issues an hour. */
  const weekly = add(undefined, {
    fromMs: START_MS - 170 * HOUR_MS,
    count: 1_690,
    stepMs: 6 * MINUTE_MS,
  });

  it("makes ten times as many a flood, and not a busy hour", () => {
    const busy = add(weekly, { fromMs: START_MS, count: 80 });
    expect(floodAt(busy, START_MS + 2 * MINUTE_MS)).toBeUndefined();
    const activity = add(busy, { fromMs: START_MS + 2 * MINUTE_MS, count: 40 });
    expect(floodAt(activity, START_MS + 3 * MINUTE_MS)).toBeDefined();
  });

  it("does not rise with floods", () => {
    const flooded = add(undefined, { fromMs: START_MS, count: 5_000, stepMs: 10_000 });
    const nextMs = START_MS + 40 * HOUR_MS;
    const activity = add(flooded, { fromMs: nextMs, count: 31 });
    expect(floodAt(activity, nextMs + MINUTE_MS)).toBeDefined();
  });

  it("is bounded in size, and forgotten after a week", () => {
    expect(JSON.stringify(weekly).length).toBeLessThan(3_000);
    const activity = weekly as KeyActivity;
    expect(isForgotten(activity, START_MS)).toBe(false);
    expect(isForgotten(activity, START_MS + 170 * HOUR_MS)).toBe(true);
  });
});
