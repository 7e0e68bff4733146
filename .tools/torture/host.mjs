// Keeps workerd running: starts it again when it was killed, and notes when it ended by itself.

import { setTimeout as sleep } from "node:timers/promises";
import { startWorkerd } from "./workerd.mjs";

/** @typedef {Awaited<ReturnType<typeof startHost>>} Host */

/**
 * Starts workerd on a folder that was laid out for it.
 *
 * @param {string} folder
 */
export async function startHost(folder) {
  const beganMs = performance.now();
  /** @type {string[]} */
  const unexpected = [];
  let isOurs = false;
  let kills = 0;
  let workerd = await startWorkerd(folder);
  guard(workerd);

  /** @param {import("./workerd.mjs").Workerd} started */
  function guard(started) {
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
    /** Kills it if it was not yet, and starts it again after a while. @param {number} downMs @param {() => void} [meanwhile] */
    async strike(downMs, meanwhile = () => {}) {
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
