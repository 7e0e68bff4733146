// Measures the writes of a million reports: KV keys, rows of the objects, bytes.

import { workerFile } from "../build/built.ts";
import { showProgress } from "../command/progress.ts";
import { buildCounting } from "../counting/build-counting.ts";
import type { Mix } from "../reports/mix-events.ts";
import type { Sender } from "../rig/sender.ts";
import { createStore } from "../rig/store.ts";
import { computeUsage, type Usage } from "../rig/usage.ts";
import { MANY } from "./cases.ts";
import { createPlayer } from "./player.ts";

const MEASURED: readonly Mix[] = ["storm", "mixed", "distinct"];
const ROUNDS_PER_MIX = 6;

/** The use of each report of a mix. */
export interface Written extends Usage {
  mix: Mix;
  /** The bytes in KV at the end. */
  kvBytes: number;
}

/** Sends each mix for six times the seconds of a round. */
export async function measureWrites(sender: Sender, seconds: number): Promise<Written[]> {
  const ms = ROUNDS_PER_MIX * seconds * 1000;
  const counting = await buildCounting(workerFile);
  const written: Written[] = [];
  for (const mix of MEASURED) {
    showProgress(`writes: ${mix}`);
    const store = await createStore();
    const running = await store.start(counting);
    // The first snapshots of new issues are written at once. Only the steady rate after them
    // counts.
    const player = createPlayer(sender, running.port, { kind: "event", mix });
    await player.warmUp(MANY, ms / 2);
    await running.rest();
    const before = await running.readUsage();
    const { answered } = await player.play(MANY, ms, player.computeAmount(MANY, ms));
    await running.rest();
    const used = computeUsage(before, await running.readUsage(), answered);
    await running.stop();
    const all = player.runs.reduce((sum, sent) => sum + sent.answered, 0);
    const kvBytes = (store.sumKvBytes(true) + store.sumKvBytes(false)) / all;
    store.remove();
    written.push({ ...used, mix, kvBytes });
  }
  return written;
}
