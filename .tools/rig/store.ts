// The data of a project that outlives its processes: the Durable Objects on the disk and the values
// of KV. A process is started with it, measured and killed; another build can continue with the
// same data.

import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER_KEY } from "../reports/spread-events.ts";
import { type Client, createClient } from "./client.ts";
import {
  COUNTERS_PATH,
  type Counters,
  createClockVars,
  STATEMENTS_PATH,
  type Statement,
} from "./counting.ts";
import { cpuMs, mainThreadMs, residentBytes } from "./cpu.ts";
import { type KvFigures, type MemoryKv, measureSize, startMemoryKv } from "./memory-kv.ts";
import { createTestVars, layOutPlain, startPlain } from "./plain-workerd.ts";

const VARS = createTestVars(SERVER_KEY);
/** The memory of an isolate at Cloudflare, in MB. Above it V8 ends the process. */
const V8_FLAGS = ["--max-heap-size=128"];
const QUIET_MS = 1_500;
const MAX_REST_MS = 15_000;
const MAX_SETTLE_MS = 40_000;
const CHECK_MS = 100;
/** With at most this CPU time within `CHECK_MS`, only queued snapshots are written. */
const IDLE_MS = 25;

/** The amounts that Cloudflare bills, so far. */
export type Usage = Counters & KvFigures;

export interface Running {
  port: number;
  client: Client;
  /** CPU time since the last call, or since the spawn, in ms. */
  cpuMs(): number;
  /** That of the thread that runs the Worker and the objects, since the last call. */
  mainThreadMs(): number;
  rssBytes(): number;
  /** Resolves when the work after the responses is done. */
  rest(): Promise<void>;
  /** Resolves when the work that index and log delay is done, too. A query ends the wait. */
  settle(): Promise<void>;
  /** The counters of the measuring build, so far. */
  usage(): Promise<Usage>;
  /** The rows of each statement since the last call. */
  statements(): Promise<Statement[]>;
  /** Kills the process. All acknowledged data is on the disk. */
  stop(): Promise<void>;
}

export interface Store {
  kv: MemoryKv;
  /**
   * Starts a Worker. The clock of the measuring build runs `speed` times as fast. It stays ahead
   * after such processes, because it never goes back.
   */
  start(
    workerFile: string,
    speed?: number,
    vars?: Readonly<Record<string, string>>,
  ): Promise<Running>;
  /** Sets the clock of the measuring build ahead. */
  skip(ms: number): void;
  /** The time of that clock, in ms. */
  now(): number;
  /** A copy, while no process runs. */
  fork(): Promise<Store>;
  /** Removes the queue of copies to KV, while no process runs. */
  dropSnapshots(): void;
  /** The bytes of the chunks in KV, or of everything else. */
  kvBytes(isChunk: boolean): number;
  remove(): void;
}

/**
 * An empty store. Its processes are at rest after almost no work for `quietMs`: a chunk is closed a
 * second after its first report.
 */
export function createStore(quietMs = QUIET_MS): Promise<Store> {
  return openStore(mkdtempSync(join(tmpdir(), "errata-scale-")), new Map(), quietMs);
}

async function openStore(
  folder: string,
  values: MemoryKv["values"],
  quietMs: number,
): Promise<Store> {
  const kv = await startMemoryKv(values);
  const objects = join(folder, "objects");
  let aheadMs = 0;
  const remove = () => {
    kv.stop();
    process.off("exit", remove);
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", remove);
  return {
    kv,
    remove,
    skip(ms) {
      aheadMs += ms;
    },
    now: () => Date.now() + aheadMs,
    async start(workerFile, speed = 1, vars = {}) {
      const all = { ...VARS, ...createClockVars({ aheadMs, speed }), ...vars };
      const options = { folder, workerFile, kvPort: kv.port, vars: all, v8Flags: V8_FLAGS };
      await layOutPlain(options);
      const beganMs = performance.now();
      const { pid, port, kill, ended } = await startPlain(folder);
      const client = createClient(() => port, SERVER_KEY);
      const rest = () => untilIdle(() => cpuMs(pid), quietMs);
      return {
        port,
        client,
        rest,
        async settle() {
          await client.json("/issues");
          const untilMs = performance.now() + MAX_SETTLE_MS;
          while (performance.now() < untilMs) {
            await rest();
            const status = await client.json("/status");
            if (status?.health?.shards.every(({ rows }: { rows: number }) => rows === 0)) return;
          }
        },
        cpuMs: sinceLastCall(() => cpuMs(pid)),
        mainThreadMs: sinceLastCall(() => mainThreadMs(pid)),
        rssBytes: () => residentBytes(pid),
        usage: async () => ({ ...(await client.json(COUNTERS_PATH)), ...kv.figures }),
        statements: () => client.json(STATEMENTS_PATH),
        async stop() {
          client.close();
          kill();
          await ended;
          aheadMs += (speed - 1) * (performance.now() - beganMs);
        },
      };
    },
    async fork() {
      const copy = mkdtempSync(join(tmpdir(), "errata-scale-"));
      cpSync(objects, join(copy, "objects"), { recursive: true });
      return openStore(copy, new Map(values), quietMs);
    },
    dropSnapshots() {
      for (const file of globSync(join(objects, "errata-ProjectIndex", "*.sqlite"))) {
        const database = new DatabaseSync(file);
        const query = "SELECT 1 FROM sqlite_schema WHERE name = 'outdated_snapshot'";
        if (database.prepare(query).get()) database.exec("DELETE FROM outdated_snapshot");
        database.close();
      }
    },
    kvBytes(isChunk) {
      return [...values]
        .filter(([key]) => key.startsWith("chunk/") === isChunk)
        .reduce((sum, [key, value]) => sum + measureSize(key, value), 0);
    },
  };
}

/** How much a total has grown since the last call. */
function sinceLastCall(total: () => number): () => number {
  let before = 0;
  return () => {
    const now = total();
    const grown = now - before;
    before = now;
    return grown;
  };
}

async function untilIdle(figure: () => number, wantedMs: number): Promise<void> {
  const untilMs = performance.now() + MAX_REST_MS;
  let before = figure();
  for (let quietMs = 0; quietMs < wantedMs && performance.now() < untilMs; quietMs += CHECK_MS) {
    await sleep(CHECK_MS);
    const now = figure();
    if (now - before > IDLE_MS) quietMs = 0;
    before = now;
  }
}

/** The use between two moments, each part divided by `count`. */
export function usedBetween(before: Usage, after: Usage, count: number): Usage {
  const names = Object.keys(after) as (keyof Usage)[];
  const used = names.map((name) => [name, (after[name] - before[name]) / count]);
  return Object.fromEntries(used) as unknown as Usage;
}

const WATCH_MS = 100;

/** Watches the memory of a process. `stop` returns the maximum that `/proc` showed, in MB. */
export function watchMemory(running: Pick<Running, "rssBytes">): { stop(): number } {
  let peak = running.rssBytes();
  const look = () => {
    peak = Math.max(peak, running.rssBytes());
  };
  const timer = setInterval(look, WATCH_MS);
  return {
    stop() {
      look();
      clearInterval(timer);
      return peak / 1e6;
    },
  };
}
