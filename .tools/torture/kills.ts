// The kills of a trial.

import { setTimeout as sleep } from "node:timers/promises";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Host } from "./host.ts";
import type { Kill } from "./plan.ts";
import type { MapUploads } from "./uploads.ts";

/** After this time without a put or a conversion, workerd is killed anyway. */
const MAX_WAIT_MS = 2_500;

/** Kills workerd by the plan. Resolves to the number of kills during a put. */
export async function killAll(
  kills: readonly Kill[],
  { host, kv, maps }: { host: Host; kv: FaultyKv; maps: MapUploads },
  onKill: (n: number) => void,
) {
  let inPut = 0;
  for (const [i, { atMs, during, downMs }] of kills.entries()) {
    await sleepUntil(host.beganMs + atMs);
    if (during !== "load") {
      const killed: Promise<void> = new Promise((resolve) => {
        const kill = () => {
          if (during !== "converting") inPut++;
          host.kill();
          resolve();
        };
        if (during === "converting") maps.onNextConversion(kill);
        else kv.onNextPut(during, kill);
      });
      await Promise.race([killed, sleep(MAX_WAIT_MS)]);
      kv.cancelOnNextPut();
      maps.cancelOnNextConversion();
    }
    await host.restart(downMs);
    onKill(i + 1);
  }
  return inPut;
}

/** Resolves at a time of `performance.now()`. */
export async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}
