// Measures the operations on all data: export, import, erasing a person, rebuilding the index.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createStore, type Running, type Store, watchMemory } from "../rig/store.ts";

export interface OperationCost {
  name: string;
  ms: number;
  cpuMs: number;
  /** As of a start: between a request to the index and its response. */
  longestTurnMs: number;
  /** The maximum that `/proc` showed. */
  peakRssMb: number;
  /** The outcome, for the table. */
  result: string;
}

const TAIL_BYTES = 1_000;
const POLL_MS = 100;
const UNKNOWN_ERASURE = `/erase/${"0123456789abcdef".repeat(2)}`;
/** The pause between two requests that watch an operation. */
const WATCH_PAUSE_MS = 20;
const MAX_MS = 1_800_000;

/** Runs each operation on the data of `store`, which then lacks the reports of one person. */
export async function measureOperations(store: Store, worker: string): Promise<OperationCost[]> {
  const folder = mkdtempSync(join(tmpdir(), "errata-scale-"));
  let files: string[] = [];
  const costs: OperationCost[] = [];
  try {
    const running = await store.start(worker);
    const before = await readTotals(running);
    costs.push(
      await measure("export", running, async () => {
        files = await exportAll(running, folder);
        const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
        return `${(bytes / 1e6).toFixed(1)} MB in ${files.length} parts`;
      }),
    );
    costs.push(await measure("erase a person", running, () => erasePerson(running)));
    costs.push(
      await measure("rebuild", running, async () => {
        await startJob(running, "/rebuild", {});
        return describe(before, await readTotals(running));
      }),
    );
    await running.stop();
    const other = await createStore();
    const fresh = await other.start(worker);
    costs.push(
      await measure("import", fresh, async () => {
        for (const file of files) await importAll(fresh, file);
        return describe(before, await readTotals(fresh));
      }),
    );
    await fresh.stop();
    other.remove();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return costs;
}

const PERSON = "person17@example.com";

interface Totals {
  issues: number;
  reports: number;
}

async function readTotals({ client }: Running): Promise<Totals> {
  // Counting and restoring continue after the response.
  const home = await client.json("/");
  const status = await client.json("/status");
  const { received } = status ?? {};
  return { issues: home?.total ?? 0, reports: received?.total ?? 0 };
}

function describe(before: Totals, after: Totals): string {
  return `${after.issues} of ${before.issues} issues, ${after.reports} of ${before.reports} reports`;
}

async function measure(
  name: string,
  running: Running,
  operation: () => Promise<string>,
): Promise<OperationCost> {
  await running.rest();
  const memory = watchMemory(running);
  const turns = watchTurns(running);
  const beganMs = performance.now();
  const result = await operation().catch(
    (error) => `failed: ${error instanceof Error ? error.message : error}`,
  );
  const ms = performance.now() - beganMs;
  return { name, ms, ...(await turns.stop()), peakRssMb: memory.stop(), result };
}

/**
 * Measures how long requests wait for the index. Each may wait for several turns, because the
 * Worker and the objects run in one process here, and the Worker calls the index after it has read
 * the request.
 */
function watchTurns(running: Running) {
  running.cpuMs();
  const turns: number[] = [];
  let isWatching = true;
  const watched = (async () => {
    while (isWatching) {
      await sleep(WATCH_PAUSE_MS);
      running.mainThreadMs();
      // An unknown erasure: the index answers it during a rebuild too, without calls to other
      // objects.
      await running.client.json(UNKNOWN_ERASURE).catch(() => null);
      turns.push(running.mainThreadMs());
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watched;
      const sorted = turns.toSorted((a, b) => a - b);
      const median = sorted[sorted.length >> 1] ?? 0;
      return { cpuMs: running.cpuMs(), longestTurnMs: Math.max(0, (sorted.at(-1) ?? 0) - median) };
    },
  };
}

/** Previews and confirms an erasure. */
async function erasePerson(running: Running): Promise<string> {
  const { preview } = await startJob(running, "/erase/preview", { text: PERSON });
  const { found } = (await running.client.json(`/erase/${preview}`)) as {
    found: { reports: number; examined: number };
  };
  const reports = String(found.reports);
  await startJob(running, "/erase", { preview: String(preview), confirm: PERSON, reports });
  return `${reports} of ${found.examined} reports`;
}

/** Starts a job and waits until no job runs; resolves to the response. */
async function startJob(
  { port, client }: Running,
  path: string,
  fields: Record<string, string>,
): Promise<Record<string, unknown>> {
  const beganMs = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { accept: "application/json" },
    body: new URLSearchParams(fields),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const started = (await response.json()) as Record<string, unknown>;
  while (performance.now() - beganMs < MAX_MS) {
    await sleep(POLL_MS);
    const status = await client.json("/status");
    if (status?.health !== undefined && status.health.work === undefined) return started;
  }
  throw new Error("still running after half an hour");
}

/** Writes the parts of an export into files. The last line of a part has the next cursor. */
async function exportAll({ port }: Running, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const path: string = `/export?${new URLSearchParams({ cursor })}`;
    const response: Response = await fetch(`http://127.0.0.1:${port}${path}`);
    if (!response.ok || response.body === null) throw new Error(`${path}: ${response.status}`);
    const file = join(folder, `part-${files.length}.ndjson`);
    await pipeline(response.body, createWriteStream(file));
    files.push(file);
    const last = readLastLine(file);
    if (!("next" in last || "end" in last)) throw new Error("The export ended early.");
    cursor = last.next;
  }
  return files;
}

function readLastLine(file: string): { next?: string; end?: number } {
  const { size } = statSync(file);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const opened = openSync(file, "r");
  readSync(opened, tail, 0, tail.length, size - tail.length);
  closeSync(opened);
  return JSON.parse(tail.toString().trimEnd().split("\n").at(-1) ?? "");
}

async function importAll({ port }: Running, file: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/import", method: "POST" };
    const sent = request({ ...options, timeout: MAX_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(text))));
    });
    sent.on("error", reject);
    pipeline(createReadStream(file), sent).catch(reject);
  });
}
