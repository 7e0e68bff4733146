// Keeps workerd running: starts it again after a kill, and records when it ended without one.

import { setTimeout as sleep } from "node:timers/promises";
import { startPlain } from "../rig/plain-workerd.ts";

export type Host = Awaited<ReturnType<typeof startHost>>;

/** Starts workerd in a folder that `layOutPlain` has filled. */
export async function startHost(folder: string) {
  const beganMs = performance.now();
  const unexpected: string[] = [];
  let isOurs = false;
  let kills = 0;
  let workerd = await start();

  async function start() {
    const started = await startPlain(folder);
    void started.ended.then(async () => {
      if (isOurs || started !== workerd) return;
      const ms = Math.round(performance.now() - beganMs);
      unexpected.push(`workerd ended by itself ${ms} ms after its start`);
      workerd = await start();
    });
    return started;
  }

  /** Sends SIGKILL. */
  function kill() {
    isOurs = true;
    workerd.kill();
  }

  return {
    beganMs,
    unexpected,
    /** The current port: another one after each start. */
    get port() {
      return workerd.port;
    },
    get kills() {
      return kills;
    },
    kill,
    /** Kills workerd unless it was killed already, and starts it again after `downMs`. */
    async restart(downMs: number, meanwhile: () => void = () => {}) {
      kill();
      await workerd.ended;
      kills++;
      meanwhile();
      await sleep(downMs);
      workerd = await start();
      isOurs = false;
    },
    async stop() {
      kill();
      await workerd.ended;
    },
  };
}
