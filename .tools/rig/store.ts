// The data of a project that outlives its processes: the Durable Objects on the disk and the values
// of KV. A process is started with it, measured and killed; another build can continue with the
// same data.

import { cpSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { workerFile } from "../build/built.ts";
import { COUNTERS_PATH, type Counters } from "../counting/counting.ts";
import { root } from "../install.mjs";
import { createClient } from "./client.ts";
import { type CountingKv, serveCountingKv } from "./kv.ts";
import { layOutPlain, SERVER_KEY, startPlain, TEST_VARS } from "./plain-workerd.ts";
import { watchProcess } from "./processes.ts";

/** The memory of an isolate at Cloudflare, in MB. Above it V8 ends the process. */
const V8_FLAGS = ["--max-heap-size=128"];
const MAX_SETTLE_MS = 40_000;

interface StoreOptions {
  /** How long a process is without work when it is at rest. */
  quietMs?: number;
  /** The folder with the wrangler.toml of the Workers; by default the project's. */
  tree?: string;
  /** By default, V8 has the memory of an isolate at Cloudflare. */
  v8Flags?: readonly string[];
  /** Names of further isolates of the Worker, with sockets of their own. */
  copies?: readonly string[];
}

/** The use of the resources that Cloudflare bills. */
export type Usage = Counters & CountingKv["figures"];

/** A process of a store. */
export type Running = Awaited<ReturnType<Store["start"]>>;

/** Creates an empty store. */
export async function createStore(options: StoreOptions = {}): Promise<Store> {
  return new Store(createFolder(), await serveCountingKv(new Map()), options);
}

/** Starts a Worker with an empty store, by default the built one. The store ends with it. */
export async function startRig(file = workerFile, tree = root): Promise<Running> {
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

export class Store {
  readonly #folder: string;
  readonly #kv: CountingKv;
  readonly #options: StoreOptions;

  constructor(folder: string, kv: CountingKv, options: StoreOptions) {
    this.#folder = folder;
    this.#kv = kv;
    this.#options = options;
    process.on("exit", this.remove);
  }

  /** Starts a Worker with `vars` besides those of every test. */
  async start(file: string, vars: Readonly<Record<string, string>> = {}) {
    const { tree, v8Flags = V8_FLAGS, quietMs, copies = [] } = this.#options;
    const [folder, kv] = [this.#folder, this.#kv];
    const all = { ...TEST_VARS, ...vars };
    const options = { folder, kvPort: kv.port, vars: all, tree, v8Flags, copies };
    await layOutPlain({ ...options, workerFile: file });
    const spawnedMs = performance.now();
    const { pid, port, ports, kill, ended } = await startPlain(folder, 1 + copies.length);
    const client = createClient(() => port, SERVER_KEY);
    const ofCopies = copies.map((name) => createClient(() => ports.get(name) ?? 0, SERVER_KEY));
    const watch = watchProcess(pid, quietMs);
    return {
      ...watch,
      ...{ port, client },
      /** Clients of the further isolates. */
      copies: ofCopies,
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
      /** The use of the measuring build since the last call, for each of `count` requests. */
      async takeUsage(count = 1): Promise<Usage> {
        const used: Usage = { ...(await client.readJson(COUNTERS_PATH)), ...kv.figures };
        Object.assign(kv.figures, { kvReads: 0, kvWrites: 0 });
        const each = Object.entries(used).map(([name, amount]) => [name, amount / count]);
        return Object.fromEntries(each);
      },
      /** Kills the process. All acknowledged data is on the disk. */
      stop: async () => {
        for (const one of [client, ...ofCopies]) one.close();
        kill();
        await ended;
      },
    };
  }

  /** Copies the store, while no process runs. */
  async fork(): Promise<Store> {
    const folder = createFolder();
    cpSync(join(this.#folder, "objects"), join(folder, "objects"), { recursive: true });
    const kv = await serveCountingKv(new Map(this.#kv.values));
    return new Store(folder, kv, this.#options);
  }

  /** Removes the queue of copies to KV, while no process runs. */
  dropSnapshots(): void {
    const files = join(this.#folder, "objects", "errata-ProjectIndex", "*.sqlite");
    for (const file of globSync(files)) {
      const database = new DatabaseSync(file);
      for (const table of ["outdated_snapshot", "new_issue_copies"]) {
        const query = `SELECT 1 FROM sqlite_schema WHERE name = '${table}'`;
        if (database.prepare(query).get()) database.exec(`DELETE FROM ${table}`);
      }
      database.close();
    }
  }

  /** The bytes in KV that Cloudflare bills, of the chunks or of everything else. */
  sumKvBytes(isChunk: boolean): number {
    return [...this.#kv.values]
      .filter(([key]) => key.startsWith("chunk/") === isChunk)
      .reduce((sum, [key, { bytes, metadata = "" }]) => {
        return sum + key.length + bytes.length + metadata.length;
      }, 0);
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
