// Loads a store up to a number of reports, and measures the last of them.

import { countIssuesAfter, type Known, type Spread } from "../reports/spread-events.ts";
import type { Sender, Sent } from "../rig/sender.ts";
import type { Running } from "../rig/store.ts";
import { computeUsage, type Usage } from "../rig/usage.ts";

export interface EventCost {
  cpuMs: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

interface Loaded {
  issues: number;
  cost: EventCost;
  /** The digests so far, the most frequent one first. */
  digests: string[];
}

const MAX_SECONDS = 3_600;
/** Maximum of measured events at the end of a step; at most half of the step is measured. */
const MAX_MEASURED = 20_000;

/** Sends the events `from` to `to` of a spread, in parts. The last part is measured. */
export async function measureLoad(
  running: Running,
  sender: Sender,
  ask: Spread,
  { from, to, connections }: { from: number; to: number; connections: number },
  counts: Map<string, number>,
): Promise<Loaded> {
  const measured = Math.min(MAX_MEASURED, Math.ceil((to - from) / 2));
  const before = await play(running, sender, ask, from, to - from - measured, connections);
  addCounts(counts, before);
  await running.rest();
  running.takeCpuMs();
  const runs = await play(running, sender, ask, to - measured, measured, connections);
  addCounts(counts, runs);
  await running.rest();
  const answered = addUp(runs, "answered");
  const cpuMs = running.takeCpuMs() / answered;
  const { p50Ms, p99Ms } = runs.at(-1) ?? { p50Ms: 0, p99Ms: 0 };
  const digests = [...counts].sort((a, b) => b[1] - a[1]).map(([digest]) => digest);
  const failed = addUp([...before, ...runs], "failed");
  return {
    issues: countIssuesAfter(to, ask.share),
    cost: { cpuMs, perSecond: (answered * 1000) / addUp(runs, "tookMs"), p50Ms, p99Ms, failed },
    digests,
  };
}

/** The use of each event of a load, by the counters of the measuring build. */
export async function countLoad(
  running: Running,
  sender: Sender,
  ask: Spread | Known,
  { from, amount, connections }: { from: number; amount: number; connections: number },
): Promise<Usage> {
  const before = await running.readUsage();
  const runs = await play(running, sender, ask, from, amount, connections);
  await running.settle();
  return computeUsage(before, await running.readUsage(), addUp(runs, "answered"));
}

/**
 * Sends `amount` events. Each connection sends the same number, so a few events overtake others.
 */
async function play(
  { port }: Running,
  sender: Sender,
  ask: Spread | Known,
  firstN: number,
  amount: number,
  connections: number,
): Promise<Sent[]> {
  const few = amount % connections;
  const orders = [
    { firstN, amount: few, connections: few },
    { firstN: firstN + few, amount: amount - few, connections },
  ].filter((order) => order.amount > 0);
  const runs: Sent[] = [];
  for (const order of orders) {
    const sent = await sender.send({ port, ask, maxSeconds: MAX_SECONDS, ...order });
    if (sent.answered === 0) throw new Error(`No event was accepted: ${sent.failures.join(", ")}.`);
    runs.push(sent);
  }
  return runs;
}

function addUp(runs: readonly Sent[], figure: "answered" | "failed" | "tookMs"): number {
  return runs.reduce((sum, sent) => sum + sent[figure], 0);
}

function addCounts(counts: Map<string, number>, runs: readonly Sent[]) {
  for (const [digest, count] of runs.flatMap(({ digests }) => digests))
    counts.set(digest, (counts.get(digest) ?? 0) + count);
}
