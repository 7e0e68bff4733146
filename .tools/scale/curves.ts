// Measures a project while it grows: at each size the cost of an event, a page and a start, a sweep
// of expired data, and the operations on all data.

import { setTimeout as sleep } from "node:timers/promises";
import { showProgress } from "../command/progress.ts";
import { buildCounting } from "../counting/build-counting.ts";
import type { Spread } from "../reports/spread-events.ts";
import type { Sender } from "../rig/sender.ts";
import { createStore, type Running, type Store } from "../rig/store.ts";
import type { Usage } from "../rig/usage.ts";
import { countLoad, type EventCost, measureLoad } from "./load.ts";
import { measureOperations, type OperationCost } from "./operations.ts";
import type { Part } from "./options.ts";
import { listPages } from "./page-list.ts";
import { measureIdleShare, measurePages, type PageCost } from "./pages.ts";
import { type StartCost, watchStart, watchSweep } from "./starts.ts";

/** Bytes of the objects' databases and of the values of KV. */
interface Sizes {
  index: number;
  log: number;
  kvChunks: number;
  kvOthers: number;
}

/** A project of one size. */
export interface Point {
  share: number;
  reports: number;
  issues: number;
  event: EventCost;
  /** The use of each further event of the same mix, under the same load. */
  used: Usage;
  /** CPU time of a process without requests, as a share of a core. */
  idle: number;
  sizes: Sizes;
  /** The maximum of memory during the load. */
  rssMb: number;
  pages: PageCost[];
  start: StartCost | null;
  sweep: StartCost | null;
  operations: OperationCost[];
}

interface Options {
  /** The share of reports with a new issue. */
  share: number;
  sizes: readonly number[];
  connections: number;
  parts: readonly Part[];
  /** The time for the requests of one page; 0 for one request. */
  pageMs?: number;
  /** The time for which a start is watched. */
  watchMs?: number;
  /** A pause without work that separates two parts. */
  quietMs?: number;
}

/** So far ahead that everything has expired: rare issues are kept for 90 days. */
const SWEEP_AHEAD_MS = 100 * 86_400_000;
/** Further events whose rows are counted. */
const COUNTED = 400;
const EMPTY_WAIT_MS = 2_000;

export async function measureCurve(
  worker: string,
  sender: Sender,
  { share, sizes, connections, parts, pageMs = 500, watchMs = 6_000, quietMs = 1_500 }: Options,
): Promise<Point[]> {
  const ask: Spread = { kind: "spread", share };
  const counting = await buildCounting(worker);
  const store = await createStore({ quietMs });
  const points: Point[] = [];
  const counts = new Map<string, number>();
  let from = 0;
  try {
    for (const to of sizes) {
      const measurePart = async <T>(part: Part, absent: T, measure: () => Promise<T>) => {
        if (!parts.includes(part)) return absent;
        showProgress(`${share * 100} % new, ${to} reports: ${part}`);
        return measure();
      };
      showProgress(`${share * 100} % new, ${to} reports: load`);
      const running = await store.start(worker);
      const { cost, digests, issues } = await measureLoad(
        running,
        sender,
        ask,
        { from, to, connections },
        counts,
      );
      const rssMb = running.readPeakMemory() / 1e6;
      const idle = await measureIdleShare(running, quietMs);
      const bytes = await measureSizes(store, running);
      await running.stop();
      // Acts as if every issue was copied to KV, because these parts do not measure the copies of
      // earlier issues.
      const copied = await store.fork();
      copied.dropSnapshots();
      const used = await measureInProcess(copied, counting, async (counted) => {
        await counted.client.readJson("/issues");
        await counted.rest();
        return countLoad(counted, sender, ask, {
          ...{ from: to, amount: Math.min(COUNTED, to), connections },
        });
      });
      const pages = await measurePart<PageCost[]>("pages", [], () => {
        const list = listPages({ reports: to, issues, share, digests });
        return measurePages(
          list,
          () => copied.start(worker),
          () => copied.start(counting),
          pageMs,
        );
      });
      copied.remove();
      const start = await measurePart<StartCost | null>("start", null, () =>
        measureInProcess(store, worker, (again) => watchStart(again, watchMs)),
      );
      const sweep = await measurePart<StartCost | null>("sweep", null, () =>
        measureInCopy(store, (copy) => {
          copy.skip(SWEEP_AHEAD_MS);
          return measureInProcess(copy, counting, (late) => watchSweep(late, watchMs));
        }),
      );
      const operations = await measurePart<OperationCost[]>("operations", [], () =>
        measureInCopy(store, (copy) => measureOperations(copy, worker)),
      );
      points.push({
        ...{ share, reports: to, issues, event: cost, used, idle, sizes: bytes, rssMb },
        ...{ pages, start, sweep, operations },
      });
      from = to;
    }
    return points;
  } finally {
    store.remove();
  }
}

async function measureInProcess<T>(
  store: Store,
  file: string,
  measure: (running: Running) => Promise<T>,
) {
  const running = await store.start(file);
  const result = await measure(running);
  await running.stop();
  return result;
}

async function measureInCopy<T>(store: Store, measure: (copy: Store) => Promise<T>) {
  const copy = await store.fork();
  const result = await measure(copy);
  copy.remove();
  return result;
}

async function measureSizes(store: Store, { client }: Running): Promise<Sizes> {
  const { health } = await client.readJson("/status");
  const logs: { storedBytes: number }[] = health.shards;
  return {
    index: health.snapshots.storedBytes,
    log: logs.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    kvChunks: store.sumKvBytes(true),
    kvOthers: store.sumKvBytes(false),
  };
}

/** The memory of a process without data, in MB. */
export async function measureEmpty(worker: string): Promise<number> {
  const store = await createStore();
  const megabytes = await measureInProcess(store, worker, async (running) => {
    await running.client.readJson("/issues");
    await sleep(EMPTY_WAIT_MS);
    return running.readMemory() / 1e6;
  });
  store.remove();
  return megabytes;
}
