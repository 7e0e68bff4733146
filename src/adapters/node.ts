/**
 * `errata/node`: reports the errors that end a Node.js process, and the rejections that nothing
 * handles. Whether the process ends is decided as without it.
 */

import { getErrata, type UnsentRequest } from "./server.ts";

type Listener = (...values: never[]) => void;

/** What the adapter uses of `process` and of `node:worker_threads`. */
interface NodeProcess {
  readonly release?: { readonly name?: string };
  getBuiltinModule?(name: "node:worker_threads"): {
    Worker: new (source: string, options: object) => { unref(): void };
  };
  on(event: string, listener: Listener): void;
  off(event: string, listener: Listener): void;
  listenerCount(event: string): number;
  listeners(event: string): readonly unknown[];
}

const MAX_WAIT_MS = 2_000;
const REJECTION = "unhandledRejection";
let isWatching = false;

/**
 * Starts reporting. The end of the process is delayed until the last reports have arrived, by at
 * most 2 seconds. Does nothing in other runtimes, and when it is called again.
 */
export function watchProcess(): void {
  const { process } = globalThis as unknown as { readonly process?: NodeProcess };
  if (isWatching || process?.release?.name !== "node") return;
  isWatching = true;
  process.on("uncaughtExceptionMonitor", (error: unknown, origin: string) => {
    const how = origin === REJECTION ? "rejection" : "uncaught";
    getErrata().name(error, { how });
  });
  process.on("exit", () => {
    const request = getErrata().takeRequest();
    if (request !== undefined) sendAndWait(process, request);
  });
  watchRejections(process);
}

/**
 * An application that listens to rejections survives them, and the monitor is not told. A listener
 * of our own would let it survive too, so there is one only while there is another.
 */
function watchRejections(process: NodeProcess): void {
  const report = (reason: unknown) => {
    getErrata().name(reason, { how: "rejection" });
  };
  const follow = (event: unknown) => {
    if (event !== REJECTION) return;
    const isListening = process.listeners(REJECTION).includes(report);
    const others = process.listenerCount(REJECTION) - (isListening ? 1 : 0);
    if (others > 0 && !isListening) process.on(REJECTION, report);
    if (others === 0 && isListening) process.off(REJECTION, report);
  };
  // "newListener" comes before the listener is added.
  process.on("newListener", (event: string) => queueMicrotask(() => follow(event)));
  process.on("removeListener", follow);
  follow(REJECTION);
}

/** Sends in another thread, because this one does not get to another event. */
function sendAndWait(process: NodeProcess, { url, body }: UnsentRequest): void {
  try {
    const threads = process.getBuiltinModule?.("node:worker_threads");
    if (threads === undefined) return;
    const done = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { url, body, done, timeoutMs: MAX_WAIT_MS };
    new threads.Worker(SENDER, { eval: true, execArgv: [], workerData }).unref();
    Atomics.wait(done, 0, 0, MAX_WAIT_MS);
  } catch {
    // The process ends as it would have.
  }
}

const SENDER = `
const { workerData } = require("node:worker_threads");
const { url, body, done, timeoutMs } = workerData;
fetch(url, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) })
  .catch(() => undefined)
  .finally(() => {
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);
  });
`;
