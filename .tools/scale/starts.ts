// Measures a start: its first answer, and how long the index does not answer after it. A sweep of
// expired data is a start with a clock that is months ahead.

import { eventOf } from "./events.ts";
import type { Running } from "./store.ts";

export interface StartCost {
  firstAnswerMs: number;
  firstAnswerCpuMs: number;
  /** The CPU time of the longest of the answers after it, less their median. */
  longestTurnMs: number;
  /** Of everything that was watched. */
  cpuMs: number;
  watchedMs: number;
  /** The issues at the end. */
  issues: number;
}

/** A sweep that has removed nothing for so long is over, or continues an hour later. */
const SWEPT_AFTER_MS = 3_000;

/**
 * Watches a fresh process with one request after another for `watchMs`, after an event that starts
 * its alarms. The CPU time between a request and its answer is that of the turns before it: other
 * programs of the machine do not count.
 */
export async function watchStart(running: Running, watchMs: number): Promise<StartCost> {
  return watch(running, (ms) => ms < watchMs);
}

/** Watches until no more issues go, for at least `watchMs`. */
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
  running.cpuMs();
  const beganMs = performance.now();
  await client.json("/issues");
  const firstAnswerMs = performance.now() - beganMs;
  const firstAnswerCpuMs = running.cpuMs();
  await client.post(
    eventOf({ kind: "known", share: 1, issues: 1, label: `${Date.now()}` }, 0).body,
  );
  running.cpuMs();
  const turns: number[] = [];
  let others = 0;
  let issues = Number.POSITIVE_INFINITY;
  while (goesOn(performance.now() - beganMs, issues)) {
    await client.json("/issues");
    turns.push(running.cpuMs());
    // The list counts up to a limit.
    const home = await client.json("/");
    issues = home?.total ?? issues;
    others += running.cpuMs();
  }
  const sorted = [...turns].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  return {
    firstAnswerMs,
    firstAnswerCpuMs,
    longestTurnMs: Math.max(0, (sorted.at(-1) ?? 0) - median),
    cpuMs: firstAnswerCpuMs + others + turns.reduce((sum, one) => sum + one, 0),
    watchedMs: performance.now() - beganMs,
    issues,
  };
}
