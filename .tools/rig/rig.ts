// A Worker to measure: on plain workerd, one process, with Durable Objects on the disk and KV on a
// loopback server, as in the torture run; or as `npm start` serves it.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultyKv, startKv } from "../torture/faulty-kv.ts";
import { makePlan } from "../torture/plan.ts";
import { cpuUs, listProcesses, peakResidentBytes, residentBytes } from "./cpu.ts";
import { createTestVars, layOutPlain, startPlain } from "./plain-workerd.ts";
import { KEY } from "./requests.ts";

const VARS = createTestVars(KEY);
/** A chunk is closed a second after its first report. */
const QUIET_MS = 1_300;
const MAX_REST_MS = 8_000;
const CHECK_MS = 100;
/** With at most this CPU time within `CHECK_MS`, the process is idle. */
const IDLE_US = 10_000;

export interface Rig {
  port: number;
  /** The namespace; null if it is inside the process. */
  kv: FaultyKv | null;
  /** When the process was spawned, by `performance.now()`. */
  spawnedMs: number;
  residentBytes(): number;
  /** The highest resident memory since the spawn, in bytes. */
  peakResidentBytes(): number;
  /** CPU time since the last call, or since the spawn, in µs. */
  cpuUs(): number;
  /** Resolves when the work after the responses is done: counting, and copies to KV. */
  rest(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Worker's file on plain workerd, with the bindings in the wrangler.toml of `tree`. */
export async function startRig(workerFile: string, tree: string): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-"));
  // The faults of a plan begin with `kv.begin`, which this rig never calls.
  const kv = await startKv(makePlan({ seed: 1, seconds: 1, kills: 1 }));
  kv.refresh();
  await layOutPlain({ folder, workerFile, kvPort: kv.port, vars: VARS, tree });
  const spawnedMs = performance.now();
  const { pid, port, kill, ended } = await startPlain(folder);
  const chunks = () => [...kv.values.keys()].filter((key) => key.startsWith("chunk/")).length;
  return {
    port,
    kv,
    spawnedMs,
    residentBytes: () => residentBytes(pid),
    peakResidentBytes: () => peakResidentBytes(pid),
    cpuUs: sinceLast(() => cpuUs(pid)),
    // Does not wait for snapshots, whose rate depends on the write budget, not on the reports.
    rest: () => untilSteady(chunks, 0),
    async stop() {
      kill();
      await ended;
      kv.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the built Worker as `npm start` does. The figures are those of all its processes. */
export async function startServed(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "errata-bench-"));
  const spawnedMs = performance.now();
  const file = join(import.meta.dirname, "served.ts");
  const child = fork(file, [folder, JSON.stringify(VARS)]);
  const kill = () => void child.kill();
  process.on("exit", kill);
  const ended = once(child, "exit");
  const failed = ended.then(() => Promise.reject(new Error("The server did not start.")));
  failed.catch(() => undefined);
  const [{ url }] = (await Promise.race([once(child, "message"), failed])) as [{ url: string }];
  const pids = listProcesses(Number(child.pid));
  const sum = (figure: (pid: number) => number) =>
    pids.reduce((total, pid) => total + figure(pid), 0);
  return {
    port: Number(new URL(url).port),
    kv: null,
    spawnedMs,
    residentBytes: () => sum(residentBytes),
    peakResidentBytes: () => sum(peakResidentBytes),
    cpuUs: sinceLast(() => sum(cpuUs)),
    rest: () => untilSteady(() => sum(cpuUs), IDLE_US),
    async stop() {
      kill();
      await ended;
      process.off("exit", kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sinceLast(figure: () => number): () => number {
  let before = 0;
  return () => {
    const now = figure();
    const difference = now - before;
    before = now;
    return difference;
  };
}

/**
 * Resolves when `figure` has grown by at most `step` per check for a while, or after the longest
 * wait.
 */
async function untilSteady(figure: () => number, step: number): Promise<void> {
  const untilMs = performance.now() + MAX_REST_MS;
  let before = figure();
  for (let quietMs = 0; quietMs < QUIET_MS && performance.now() < untilMs; quietMs += CHECK_MS) {
    await sleep(CHECK_MS);
    const now = figure();
    if (now - before > step) quietMs = 0;
    before = now;
  }
}
