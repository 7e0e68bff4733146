// The data of a project that outlives its processes: the Durable Objects on the disk and the values
// of KV. A process is started with it, measured and killed; another build can continue with the
// same data.

import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClockVars } from "../counting/clock.ts";
import { COUNTERS_PATH, STATEMENTS_PATH, type Statement } from "../counting/counters.ts";
import { createClient } from "./client.ts";
import type { KvValue } from "./kv-server.ts";
import { type MemoryKv, measureSize, startMemoryKv } from "./memory-kv.ts";
import { layOutPlain, SERVER_KEY, startPlain, TEST_VARS } from "./plain-workerd.ts";
import { watchProcesses } from "./processes.ts";
import type { Usage } from "./usage.ts";

/** The memory of an isolate at Cloudflare, in MB. Above it V8 ends the process. */
const V8_FLAGS = ["--max-heap-size=128"];
const MAX_SETTLE_MS = 40_000;

interface StoreOptions {
  /** How long a process is without work when it is at rest. */
  quietMs?: number | undefined;
  /** The folder with the wrangler.toml of the Workers; by default the project's. */
  tree?: string;
  /** By default, V8 has the memory of an isolate at Cloudflare. */
  v8Flags?: readonly string[];
}

/** A process of a store. */
export type Running = Awaited<ReturnType<Store["start"]>>;

/** Creates an empty store. */
export async function createStore(options: StoreOptions = {}): Promise<Store> {
  const values = new Map<string, KvValue>();
  return new Store(createFolder(), values, await startMemoryKv(values), options);
}

export class Store {
  readonly #folder: string;
  readonly #values: Map<string, KvValue>;
  readonly #kv: MemoryKv;
  readonly #options: StoreOptions;
  /** By how much the clock of the measuring build is ahead. */
  #aheadMs = 0;

  constructor(folder: string, values: Map<string, KvValue>, kv: MemoryKv, options: StoreOptions) {
    this.#folder = folder;
    this.#values = values;
    this.#kv = kv;
    this.#options = options;
    process.on("exit", this.remove);
  }

  /**
   * Starts a Worker. The clock of the measuring build runs `speed` times as fast. It stays ahead
   * after such processes, because it never goes back.
   */
  async start(workerFile: string, speed = 1, vars: Readonly<Record<string, string>> = {}) {
    const { tree, v8Flags = V8_FLAGS, quietMs } = this.#options;
    const clock = createClockVars({ aheadMs: this.#aheadMs, speed });
    const [folder, kv] = [this.#folder, this.#kv];
    const all = { ...TEST_VARS, ...clock, ...vars };
    await layOutPlain({ folder, workerFile, kvPort: kv.port, vars: all, tree, v8Flags });
    const spawnedMs = performance.now();
    const { pid, port, kill, ended } = await startPlain(folder);
    const client = createClient(() => port, SERVER_KEY);
    const watch = watchProcesses([pid], quietMs);
    return {
      ...watch,
      ...{ port, client },
      /** When the process was spawned, by `performance.now()`. */
      spawnedMs,
      /** Resolves when the work that index and log delay is done, too. A query ends the wait. */
      async settle() {
        await client.readJson("/issues");
        const untilMs = performance.now() + MAX_SETTLE_MS;
        while (performance.now() < untilMs) {
          await watch.rest();
          const status = await client.readJson("/status");
          if (status?.health?.shards.every(({ rows }: { rows: number }) => rows === 0)) return;
        }
      },
      /** The counters of the measuring build, so far. */
      async readUsage(): Promise<Usage> {
        return { ...(await client.readJson(COUNTERS_PATH)), ...kv.figures };
      },
      /** The rows of each statement since the last call. */
      takeStatements: (): Promise<Statement[]> => client.readJson(STATEMENTS_PATH),
      /** Kills the process. All acknowledged data is on the disk. */
      stop: async () => {
        client.close();
        kill();
        await ended;
        this.#aheadMs += (speed - 1) * (performance.now() - spawnedMs);
      },
    };
  }

  /** Delays each put of KV by this time, from now on. */
  delayPuts(ms: number): void {
    this.#kv.settings.putMs = ms;
  }

  /** Sets the clock of the measuring build ahead. */
  skip(ms: number): void {
    this.#aheadMs += ms;
  }

  /** The time of that clock, in ms. */
  readClock(): number {
    return Date.now() + this.#aheadMs;
  }

  /** Copies the store, while no process runs. */
  async fork(): Promise<Store> {
    const folder = createFolder();
    cpSync(join(this.#folder, "objects"), join(folder, "objects"), { recursive: true });
    const values = new Map(this.#values);
    return new Store(folder, values, await startMemoryKv(values), this.#options);
  }

  /** Removes the queue of copies to KV, while no process runs. */
  dropSnapshots(): void {
    const files = join(this.#folder, "objects", "errata-ProjectIndex", "*.sqlite");
    for (const file of globSync(files)) {
      const database = new DatabaseSync(file);
      const query = "SELECT 1 FROM sqlite_schema WHERE name = 'outdated_snapshot'";
      if (database.prepare(query).get()) database.exec("DELETE FROM outdated_snapshot");
      database.close();
    }
  }

  /** Adds up the bytes of the chunks in KV, or of everything else. */
  sumKvBytes(isChunk: boolean): number {
    return [...this.#values]
      .filter(([key]) => key.startsWith("chunk/") === isChunk)
      .reduce((sum, [key, value]) => sum + measureSize(key, value), 0);
  }

  remove = (): void => {
    this.#kv.stop();
    process.off("exit", this.remove);
    rmSync(this.#folder, { recursive: true, force: true });
  };
}

function createFolder() {
  return mkdtempSync(join(tmpdir(), "errata-store-"));
}
