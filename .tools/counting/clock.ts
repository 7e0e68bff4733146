// Replaces the clock of a Worker, and its timers.

import { type Activity, getActivity } from "./activity.ts";

interface Clock {
  /** By how much it is ahead of the machine's, in ms. */
  aheadMs: number;
  /** The factor of its speed. Alarms and timers come earlier by the same factor. */
  speed: number;
}

const clock: Clock = { aheadMs: 0, speed: 1 };
/** The runtime's clock shows 0 before the first request. */
let beganMs = 0;

/** The variables of a Worker with this clock. Without them it uses the machine's. */
export function createClockVars({ aheadMs, speed }: Clock) {
  return { BENCH_AHEAD_MS: String(aheadMs), BENCH_SPEED: String(speed) };
}

/** Replaces `Date.now` and the timers of this isolate. An object with a timer cannot sleep. */
export function setClock(vars: Partial<ReturnType<typeof createClockVars>>): void {
  clock.aheadMs = Number(vars.BENCH_AHEAD_MS ?? 0);
  clock.speed = Number(vars.BENCH_SPEED ?? 1);
  const readMs = Date.now.bind(Date);
  Date.now = () => {
    const nowMs = readMs();
    if (nowMs === 0) return 0;
    beganMs ||= nowMs;
    return beganMs + clock.aheadMs + Math.round((nowMs - beganMs) * clock.speed);
  };
  const { setTimeout, clearTimeout } = globalThis;
  const activities = new Map<unknown, Activity>();
  const endTimer = (id: unknown) => {
    activities.get(id)?.end();
    activities.delete(id);
  };
  const startTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const activity = getActivity();
    const callback = (...given: unknown[]) => {
      try {
        run(...given);
      } finally {
        endTimer(id);
      }
    };
    const id = setTimeout(callback, ms / clock.speed, ...args);
    if (activity !== undefined) {
      activity.begin();
      activities.set(id, activity);
    }
    return id;
  };
  globalThis.setTimeout = startTimer as typeof setTimeout;
  globalThis.clearTimeout = (id) => {
    endTimer(id);
    clearTimeout(id);
  };
}

/** The time of an alarm by the machine's clock. */
export function toMachineMs(ms: number): number {
  return beganMs + (ms - beganMs - clock.aheadMs) / clock.speed;
}
