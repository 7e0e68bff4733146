// The data of a project that outlives its processes: the Durable Objects on the disk and the values
// of KV. A process is started with it, measured and killed; another build can continue with the
// same data.

import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClockVars } from "../counting/clock.ts";
import { COUNTERS_PATH, STATEMENTS_PATH, type Statement } from "../counting/counters.ts";
import { type Client, createClient } from "./client.ts";
import { type MemoryKv, measureSize, startMemoryKv } from "./memory-kv.ts";
import { layOutPlain, SERVER_KEY, startPlain, TEST_VARS } from "./plain-workerd.ts";
import { type ProcessWatch, watchProcesses } from "./processes.ts";
import type { Usage } from "./usage.ts";

/** The memory of an isolate at Cloudflare, in MB. Above it V8 ends the process. */
const V8_FLAGS = ["--max-heap-size=128"];
const MAX_SETTLE_MS = 40_000;

export interface Running extends ProcessWatch {
  port: number;
  client: Client;
  /** When the process was spawned, by `performance.now()`. */
  spawnedMs: number;
  /** Resolves when the work that index and log delay is done, too. A query ends the wait. */
  settle(): Promise<void>;
  /** The counters of the measuring build, so far. */
  readUsage(): Promise<Usage>;
  /** The rows of each statement since the last call. */
  takeStatements(): Promise<Statement[]>;
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
  readClock(): number;
  /** Copies the store, while no process runs. */
  fork(): Promise<Store>;
  /** Removes the queue of copies to KV, while no process runs. */
  dropSnapshots(): void;
  /** Adds up the bytes of the chunks in KV, or of everything else. */
  sumKvBytes(isChunk: boolean): number;
  remove(): void;
}

interface StoreOptions {
  /** How long a process is without work when it is at rest. */
  quietMs?: number | undefined;
  /** The folder with the wrangler.toml of the Workers; by default the project's. */
  tree?: string;
  /** By default, V8 has the memory of an isolate at Cloudflare. */
  v8Flags?: readonly string[];
}

/** An empty store. */
export function createStore(options: StoreOptions = {}): Promise<Store> {
  return openStore(createFolder(), new Map(), options);
}

async function openStore(
  folder: string,
  values: MemoryKv["values"],
  options: StoreOptions,
): Promise<Store> {
  const { quietMs, tree, v8Flags = V8_FLAGS } = options;
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
    readClock: () => Date.now() + aheadMs,
    async start(workerFile, speed = 1, vars = {}) {
      const all = { ...TEST_VARS, ...createClockVars({ aheadMs, speed }), ...vars };
      await layOutPlain({ folder, workerFile, kvPort: kv.port, vars: all, tree, v8Flags });
      const spawnedMs = performance.now();
      const { pid, port, kill, ended } = await startPlain(folder);
      const client = createClient(() => port, SERVER_KEY);
      const watch = watchProcesses([pid], quietMs);
      return {
        ...watch,
        ...{ port, client, spawnedMs },
        async settle() {
          await client.json("/issues");
          const untilMs = performance.now() + MAX_SETTLE_MS;
          while (performance.now() < untilMs) {
            await watch.rest();
            const status = await client.json("/status");
            if (status?.health?.shards.every(({ rows }: { rows: number }) => rows === 0)) return;
          }
        },
        readUsage: async () => ({ ...(await client.json(COUNTERS_PATH)), ...kv.figures }),
        takeStatements: () => client.json(STATEMENTS_PATH),
        async stop() {
          client.close();
          kill();
          await ended;
          aheadMs += (speed - 1) * (performance.now() - spawnedMs);
        },
      };
    },
    async fork() {
      const copy = createFolder();
      cpSync(objects, join(copy, "objects"), { recursive: true });
      return openStore(copy, new Map(values), options);
    },
    dropSnapshots() {
      for (const file of globSync(join(objects, "errata-ProjectIndex", "*.sqlite"))) {
        const database = new DatabaseSync(file);
        const query = "SELECT 1 FROM sqlite_schema WHERE name = 'outdated_snapshot'";
        if (database.prepare(query).get()) database.exec("DELETE FROM outdated_snapshot");
        database.close();
      }
    },
    sumKvBytes(isChunk) {
      return [...values]
        .filter(([key]) => key.startsWith("chunk/") === isChunk)
        .reduce((sum, [key, value]) => sum + measureSize(key, value), 0);
    },
  };
}

function createFolder() {
  return mkdtempSync(join(tmpdir(), "errata-store-"));
}
