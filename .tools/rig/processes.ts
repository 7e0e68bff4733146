// CPU time and memory of a process, as Linux accounts for them in /proc, and the end of its work.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { buildOrQuit } from "../build/build.ts";
import { endOnSignals, quit } from "../command/command-line.ts";

/** A chunk is closed a second after its first report. */
const QUIET_MS = 1_500;
const MAX_REST_MS = 15_000;
const CHECK_MS = 100;
/** With at most this CPU time within `CHECK_MS`, only queued snapshots are written. */
const IDLE_MS = 25;

/**
 * Builds the product. Resolves to the conditions of the measurement that begins:
 * `22 November 2026, 2 cores, load average 0.3 at the beginning`.
 */
export async function prepareMeasurement(): Promise<string> {
  if (!existsSync("/proc/self/schedstat")) {
    quit("This measurement needs Linux: it reads the CPU time of processes from /proc.");
  }
  const day = new Date().toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
  const [load = 0] = loadavg();
  // Each workerd adds a listener that ends it with this process.
  process.setMaxListeners(0);
  endOnSignals();
  await buildOrQuit();
  return `${day}, ${availableParallelism()} cores, load average ${load.toFixed(1)} at the beginning`;
}

/** The figures of a process. It is at rest after almost no work for `quietMs`. */
export function watchProcess(pid: number, quietMs = QUIET_MS) {
  const readCpuMs = () =>
    readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readThreadMs(pid, thread), 0);
  return {
    /**
     * CPU time since the last call, or since the spawn, in ms: that of all threads, exact to the
     * µs. Other programs change it only through shared caches.
     */
    takeCpuMs: createCounter(readCpuMs),
    /**
     * That of the main thread, since the last call. In workerd, it runs the Worker and the objects;
     * garbage is partly collected in other threads.
     */
    takeMainThreadMs: createCounter(() => readThreadMs(pid, `${pid}`)),
    /** The highest resident memory in MB, since the spawn. */
    readPeakMegabytes() {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
    },
    /** Resolves when the work after the responses is done: counting, and copies to KV. */
    async rest() {
      const untilMs = performance.now() + MAX_REST_MS;
      const takeMs = createCounter(readCpuMs);
      takeMs();
      for (let idleMs = 0; idleMs < quietMs && performance.now() < untilMs; idleMs += CHECK_MS) {
        await sleep(CHECK_MS);
        if (takeMs() > IDLE_MS) idleMs = 0;
      }
    },
  };
}

/** Counts how much a total has grown since the last call. */
function createCounter(readTotal: () => number): () => number {
  let before = 0;
  return () => {
    const now = readTotal();
    const grown = now - before;
    before = now;
    return grown;
  };
}

/** The CPU time of a thread so far, in ms. That with the number of the process is the main one. */
export function readThreadMs(pid: number, thread: string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}
