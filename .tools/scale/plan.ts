// The parts of `npm run bench:scale -- --constants`.

import type { Pace } from "./paces.ts";

/** The parts of the measurement. The load sends as fast as responses arrive. */
export interface Plan {
  reports: number;
  share: number;
  fewIssues: number;
  paces: readonly (Pace & Budget & { past?: number })[];
  /** A day of the free plan. */
  day: Pace & Budget;
  /** The option of `createStore`. */
  quietMs?: number;
  /** Events of the load, which counts as this pace. */
  load: Budget & { events: number; warmUps: number; perSecond: number; connections: number };
}

/** `ERRATA_KV_WRITES_PER_DAY`, which determines how long a chunk waits for more reports. */
export interface Budget {
  kvWritesPerDay: number;
}

/** A large part of the two million reports that each of 500 issues has in such a month. */
const PAST = 20_000;
const SLOW: Budget = { kvWritesPerDay: 33_000 };
const FAST: Budget = { kvWritesPerDay: 300_000 };

/**
 * The paces: a million reports a month, ten million, a billion over four shards. The budgets are
 * those of src/docs/limits-and-costs.md: what the paid plan includes, and nine times as much.
 */
export const WHOLE_PLAN: Omit<Plan, "reports"> = {
  share: 1,
  fewIssues: 500,
  paces: [
    { ...SLOW, perSecond: 0.386, speed: 8, seconds: 240, warmUpSeconds: 30 },
    { ...SLOW, perSecond: 3.86, speed: 2, seconds: 40, warmUpSeconds: 20 },
    // Runs as long as the index stages changes at this pace; slowly, as the machine may be busy.
    { ...FAST, perSecond: 96, speed: 1 / 2, seconds: 48, warmUpSeconds: 4, past: PAST },
  ],
  // Ends before midnight, because the next day has a new budget.
  day: {
    ...{ perSecond: 3_000 / 86_400, speed: 288, seconds: 82_800, warmUpSeconds: 0, rests: false },
    kvWritesPerDay: 950,
  },
  load: { ...FAST, events: 10_000, warmUps: 1_000, perSecond: 500, connections: 32 },
};
