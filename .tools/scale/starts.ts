// Measures a start: its first response, and how long the index is busy after it. A sweep of expired
// data is a start with a clock that is months ahead.

import { computeMedian } from "../command/statistics.ts";
import { createEvent } from "../reports/spread-events.ts";
import type { Running } from "../rig/store.ts";

export interface StartCost {
  firstAnswerMs: number;
  firstAnswerCpuMs: number;
  /** The largest CPU time of the main thread for a response after it, minus the median. */
  longestTurnMs: number;
  /** The CPU time of the watched process. */
  cpuMs: number;
  watchedMs: number;
  /** The issues at the end. */
  issues: number;
}

/**
 * The largest CPU time of a turn without that of the request that watches it, for which the median
 * counts.
 */
export function computeLongestTurn(turnsMs: readonly number[]): number {
  return turnsMs.length === 0 ? 0 : Math.max(...turnsMs) - computeMedian(turnsMs);
}

/** A sweep that has removed nothing for this long has ended, or continues an hour later. */
const SWEPT_AFTER_MS = 3_000;

/**
 * Sends one request after another to a new process for `watchMs`, after an event that starts its
 * alarms. The CPU time of the main thread between a request and its response is that of the turns
 * before it; other programs do not count.
 */
export async function watchStart(running: Running, watchMs: number): Promise<StartCost> {
  return watch(running, (ms) => ms < watchMs);
}

/** Watches until no more issues are removed, for at least `watchMs`. */
export async function watchSweep(running: Running, watchMs: number) {
  let least = Number.POSITIVE_INFINITY;
  let sinceMs = 0;
  return watch(running, (ms, issues) => {
    if (issues < least) sinceMs = ms;
    least = Math.min(least, issues);
    return ms < Math.max(watchMs, sinceMs + SWEPT_AFTER_MS);
  });
}

async function watch(running: Running, goesOn: (ms: number, issues: number) => boolean) {
  const { client } = running;
  running.takeCpuMs();
  const beganMs = performance.now();
  await client.readJson("/issues");
  const firstAnswerMs = performance.now() - beganMs;
  const firstAnswerCpuMs = running.takeCpuMs();
  await client.post(
    createEvent({ kind: "known", share: 1, issues: 1, label: `${Date.now()}` }, 0).body,
  );
  running.takeMainThreadMs();
  const turns: number[] = [];
  let issues = Number.POSITIVE_INFINITY;
  while (goesOn(performance.now() - beganMs, issues)) {
    await client.readJson("/issues");
    turns.push(running.takeMainThreadMs());
    // The list counts up to a limit.
    const home = await client.readJson("/");
    issues = home?.total ?? issues;
    running.takeMainThreadMs();
  }
  return {
    firstAnswerMs,
    firstAnswerCpuMs,
    longestTurnMs: computeLongestTurn(turns),
    cpuMs: firstAnswerCpuMs + running.takeCpuMs(),
    watchedMs: performance.now() - beganMs,
    issues,
  };
}
