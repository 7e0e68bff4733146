// CPU time and memory of processes, as Linux accounts for them in /proc, and the end of their work.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A chunk is closed a second after its first report. */
const QUIET_MS = 1_500;
const MAX_REST_MS = 15_000;
const CHECK_MS = 100;
/** With at most this CPU time within `CHECK_MS`, only queued snapshots are written. */
const IDLE_MS = 25;

/** The figures of one or several processes, as sums. */
export interface ProcessWatch {
  /**
   * CPU time since the last call, or since the spawn, in ms: that of all threads, exact to the µs.
   * Other programs change it only through shared caches.
   */
  takeCpuMs(): number;
  /**
   * That of the main threads, since the last call. In workerd, the main thread runs the Worker and
   * the objects; garbage is partly collected in other threads.
   */
  takeMainThreadMs(): number;
  /** The resident memory, in bytes. */
  readMemory(): number;
  /** The highest resident memory since the spawn or `resetPeakMemory`, in bytes. */
  readPeakMemory(): number;
  resetPeakMemory(): void;
  /** Resolves when the work after the responses is done: counting, and copies to KV. */
  rest(): Promise<void>;
}

/** Processes are at rest after almost no work for `quietMs`. */
export function watchProcesses(pids: readonly number[], quietMs = QUIET_MS): ProcessWatch {
  const sum = (read: (pid: number) => number) => pids.reduce((total, pid) => total + read(pid), 0);
  return {
    takeCpuMs: createCounter(() => sum(readCpuMs)),
    takeMainThreadMs: createCounter(() => sum((pid) => readThreadMs(pid, `${pid}`))),
    readMemory: () => sum((pid) => readStatusBytes(pid, "VmRSS")),
    readPeakMemory: () => sum((pid) => readStatusBytes(pid, "VmHWM")),
    resetPeakMemory() {
      // proc_pid_clear_refs(5)
      for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
    },
    async rest() {
      const untilMs = performance.now() + MAX_REST_MS;
      const takeMs = createCounter(() => sum(readCpuMs));
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

function readCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => sum + readThreadMs(pid, thread), 0);
}

function readThreadMs(pid: number, thread: string): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

function readStatusBytes(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}
