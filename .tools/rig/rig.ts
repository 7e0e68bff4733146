// A Worker to measure, with an empty store: on plain workerd, or as `npm start` serves it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { workerFile } from "../build/built.ts";
import { createTemporaryFolder } from "../command/temporary-folder.ts";
import { root } from "../install.mjs";
import { createClient } from "./client.ts";
import { SERVER_KEY, TEST_VARS } from "./plain-workerd.ts";
import { type ProcessWatch, watchProcesses } from "./processes.ts";
import { createStore, type Running } from "./store.ts";

export type Rig = Pick<Running, keyof ProcessWatch | "port" | "client" | "spawnedMs" | "stop">;

/**
 * Starts a Worker's file on plain workerd, by default the built one, with the bindings in the
 * wrangler.toml of `tree`.
 */
export async function startRig(file = workerFile, tree = root): Promise<Rig> {
  const store = await createStore({ tree, v8Flags: [] });
  const running = await store.start(file);
  return {
    ...running,
    async stop() {
      await running.stop();
      store.remove();
    },
  };
}

/** Starts the built Worker as `npm start` does. The figures are those of Node and workerd. */
export async function startServed(): Promise<Rig> {
  const spawnedMs = performance.now();
  const file = join(import.meta.dirname, "served.ts");
  const child = fork(file, [createTemporaryFolder(), JSON.stringify(TEST_VARS)]);
  const kill = () => void child.kill();
  process.on("exit", kill);
  const ended = once(child, "exit");
  const failed = ended.then(() => Promise.reject(new Error("The server did not start.")));
  failed.catch(() => undefined);
  const [{ url, pid }] = (await Promise.race([once(child, "message"), failed])) as [
    { url: string; pid: number },
  ];
  const port = Number(new URL(url).port);
  const client = createClient(() => port, SERVER_KEY);
  return {
    ...watchProcesses([Number(child.pid), pid]),
    ...{ port, client, spawnedMs },
    async stop() {
      client.close();
      kill();
      await ended;
      process.off("exit", kill);
    },
  };
}
