// Measures the operations on all data: export, import, erasing a person, rebuilding the index.

import { rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createTemporaryFolder } from "../command/temporary-folder.ts";
import { createStore, type Running, type Store } from "../rig/store.ts";
import { erasePerson, exportAll, importAll, startJob } from "./jobs.ts";
import { computeLongestTurn } from "./starts.ts";

export interface OperationCost {
  name: string;
  ms: number;
  cpuMs: number;
  /** As of a start: between a request to the index and its response. */
  longestTurnMs: number;
  /** The highest resident memory meanwhile. */
  peakRssMb: number;
  /** The outcome, for the table. */
  result: string;
}

const UNKNOWN_ERASURE = `/erase/${"0123456789abcdef".repeat(2)}`;
/** The pause between two requests that watch an operation. */
const WATCH_PAUSE_MS = 20;

/** Runs each operation on the data of `store`, which then lacks the reports of one person. */
export async function measureOperations(store: Store, worker: string): Promise<OperationCost[]> {
  const folder = createTemporaryFolder();
  const running = await store.start(worker);
  const before = await readTotals(running);
  let files: string[] = [];
  const costs = [
    await measure("export", running, async () => {
      files = await exportAll(running, folder);
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      return `${(bytes / 1e6).toFixed(1)} MB in ${files.length} parts`;
    }),
    await measure("erase a person", running, () => erasePerson(running)),
    await measure("rebuild", running, async () => {
      await startJob(running, "/rebuild", {});
      return describe(before, await readTotals(running));
    }),
  ];
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
  rmSync(folder, { recursive: true });
  return costs;
}

interface Totals {
  issues: number;
  reports: number;
}

async function readTotals({ client }: Running): Promise<Totals> {
  // Counting and restoring continue after the response.
  const home = await client.readJson("/");
  const status = await client.readJson("/status");
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
  running.resetPeakMemory();
  const turns = watchTurns(running);
  const beganMs = performance.now();
  const result = await operation().catch(
    (error) => `failed: ${error instanceof Error ? error.message : error}`,
  );
  const ms = performance.now() - beganMs;
  return { name, ms, ...(await turns.stop()), peakRssMb: running.readPeakMemory() / 1e6, result };
}

/**
 * Measures how long requests wait for the index. Each may wait for several turns, because the
 * Worker and the objects run in one process here, and the Worker calls the index after it has read
 * the request.
 */
function watchTurns(running: Running) {
  running.takeCpuMs();
  const turns: number[] = [];
  let isWatching = true;
  const watched = (async () => {
    while (isWatching) {
      await sleep(WATCH_PAUSE_MS);
      running.takeMainThreadMs();
      // An unknown erasure: the index answers it during a rebuild too, without calls to other
      // objects.
      await running.client.readJson(UNKNOWN_ERASURE).catch(() => null);
      turns.push(running.takeMainThreadMs());
    }
  })();
  return {
    async stop() {
      isWatching = false;
      await watched;
      return { cpuMs: running.takeCpuMs(), longestTurnMs: computeLongestTurn(turns) };
    },
  };
}
