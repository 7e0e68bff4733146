// Measures from the post of an event to its report on the issue's page, at ten events a second:
// requests the issue until the event is in it.

import { setTimeout as sleep } from "node:timers/promises";
import { showProgress } from "../command/progress.ts";
import { computeQuantile } from "../command/statistics.ts";
import { createMixEvent } from "../reports/mix-events.ts";
import { createId } from "../reports/names.ts";
import { startRig } from "../rig/rig.ts";

const PAUSE_MS = 100;
const TIMEOUT_MS = 5_000;
const WARM_UP = 20;
const SHARED_CHARS = 8;

export interface Latency {
  events: number;
  lost: number;
  found: Quantiles;
  acknowledged: Quantiles;
}

interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

export async function measureLatency(events: number): Promise<Latency> {
  showProgress("latency from a throw to its report");
  const rig = await startRig();
  const found: number[] = [];
  const acknowledged: number[] = [];
  let lost = 0;
  for (let n = -WARM_UP; n < events; n++) {
    await sleep(PAUSE_MS);
    const id = createId(2, `latency ${n}`);
    const body = createMixEvent("mixed", n + WARM_UP, id);
    const beganMs = performance.now();
    const { outcomes } = await rig.client.post(body);
    const acknowledgedMs = performance.now() - beganMs;
    let isFound = false;
    while (!isFound && performance.now() < beganMs + TIMEOUT_MS) {
      const issue = await rig.client.readJson(`/d/${outcomes[0]?.digest}.json`);
      const latest: { id: string }[] = issue?.latestReports ?? [];
      // The stored id of an untrusted report shares only its first digits with the sender's id.
      isFound = latest.some((report) => report.id.startsWith(id.slice(0, SHARED_CHARS)));
    }
    if (n < 0) continue;
    if (!isFound) lost++;
    found.push(performance.now() - beganMs);
    acknowledged.push(acknowledgedMs);
  }
  await rig.stop();
  return { events, lost, found: toQuantiles(found), acknowledged: toQuantiles(acknowledged) };
}

function toQuantiles(times: readonly number[]): Quantiles {
  return { p50Ms: computeQuantile(times, 0.5), p99Ms: computeQuantile(times, 0.99) };
}
