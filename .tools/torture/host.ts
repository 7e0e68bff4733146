// Keeps workerd running: starts it again when it was killed, and notes when it ended by itself.

import { setTimeout as sleep } from "node:timers/promises";
import type { Workerd } from "./workerd.ts";
import { startWorkerd } from "./workerd.ts";

export type Host = Awaited<ReturnType<typeof startHost>>;

/** Starts workerd on a folder that was laid out for it. */
export async function startHost(folder: string) {
  const beganMs = performance.now();
  const unexpected: string[] = [];
  let isOurs = false;
  let kills = 0;
  let workerd = await startWorkerd(folder);
  guard(workerd);

  function guard(started: Workerd) {
    void started.ended.then(async () => {
      if (isOurs || started !== workerd) return;
      unexpected.push(
        `workerd ended by itself ${Math.round(performance.now() - beganMs)} ms after its start`,
      );
      workerd = await startWorkerd(folder);
      guard(workerd);
    });
  }

  /** SIGKILL, at once and without a word. */
  function kill() {
    isOurs = true;
    workerd.kill();
  }

  return {
    beganMs,
    unexpected,
    /** Where it listens; another port after each start. */
    get port() {
      return workerd.port;
    },
    get kills() {
      return kills;
    },
    kill,
    /** Kills it if it was not yet, and starts it again after a while. */
    async strike(downMs: number, meanwhile: () => void = () => {}) {
      kill();
      await workerd.ended;
      kills++;
      meanwhile();
      await sleep(downMs);
      workerd = await startWorkerd(folder);
      isOurs = false;
      guard(workerd);
    },
    async stop() {
      kill();
      await workerd.ended;
    },
  };
}
