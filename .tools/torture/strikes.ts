// The kills of a trial.

import { setTimeout as sleep } from "node:timers/promises";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Host } from "./host.ts";
import type { Kill } from "./plan.ts";
import type { MapUploads } from "./uploads.ts";

/** Without a put or a conversion in this time, the kill happens without one. */
const AMBUSH_MS = 2_500;

/** Kills workerd by the plan. Resolves to the number of kills during a put. */
export async function strikeAll(
  kills: readonly Kill[],
  { host, kv, maps }: { host: Host; kv: FaultyKv; maps: MapUploads },
  onKill: (n: number) => void,
) {
  let inPut = 0;
  for (const [i, { atMs, during, downMs }] of kills.entries()) {
    await sleepUntil(host.beganMs + atMs);
    if (during !== "load") {
      const struck: Promise<void> = new Promise((resolve) => {
        const kill = () => {
          if (during !== "converting") inPut++;
          host.kill();
          resolve();
        };
        if (during === "converting") maps.lieInWait(kill);
        else kv.lieInWait(during, kill);
      });
      await Promise.race([struck, sleep(AMBUSH_MS)]);
      kv.relent();
      maps.relent();
    }
    await host.strike(downMs);
    onKill(i + 1);
  }
  return inPut;
}

/** Resolves at a time of `performance.now()`. */
export async function sleepUntil(atMs: number) {
  await sleep(Math.max(0, atMs - performance.now()));
}
