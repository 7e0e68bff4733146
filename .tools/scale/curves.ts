// Measures a project while it grows: at each size the cost of an event, a page and a start, a sweep
// of expired data, and the operations on all data.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { progress } from "../command/progress.ts";
import { root } from "../install.mjs";
import type { Spread } from "../reports/spread-events.ts";
import { writeCounting } from "../rig/counting.ts";
import type { Sender } from "../rig/sender.ts";
import { createStore, type Running, type Store, type Usage, watchMemory } from "../rig/store.ts";
import { readBindings } from "../workerd/bindings.ts";
import { countLoad, type EventCost, load } from "./load.ts";
import { measureOperations, type OperationCost } from "./operations.ts";
import type { Options, Part } from "./options.ts";
import { idleShare, listPages, measurePages, type PageCost } from "./pages.ts";
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

/** The time of each part of the measurement. */
interface Effort {
  /** The time for the requests of one page. */
  pageMs: number;
  /** The time for which a start is watched. */
  watchMs: number;
  /** A pause without work that separates two parts. */
  quietMs: number;
}
const WHOLE_EFFORT: Effort = { pageMs: 500, watchMs: 6_000, quietMs: 1_500 };

/** So far ahead that everything has expired: rare issues are kept for 90 days. */
const SWEEP_AHEAD_MS = 100 * 86_400_000;
/** Further events whose rows are counted. */
const COUNTED = 400;
const EMPTY_WAIT_MS = 2_000;

export async function measureCurve(
  share: number,
  sizes: readonly number[],
  worker: string,
  sender: Sender,
  { connections, parts }: Pick<Options, "connections" | "parts">,
  { pageMs, watchMs, quietMs }: Effort = WHOLE_EFFORT,
): Promise<Point[]> {
  const ask: Spread = { kind: "spread", share };
  const has = (part: Part) => parts.includes(part);
  const folder = mkdtempSync(join(tmpdir(), "errata-scale-"));
  const counting = join(folder, "counting.js");
  const classes = (await readBindings(root)).objects.map(({ className }) => className);
  await writeCounting(worker, classes, counting);
  const store = await createStore(quietMs);
  const points: Point[] = [];
  const counts = new Map<string, number>();
  let from = 0;
  try {
    for (const to of sizes) {
      const say = (what: string) => progress(`${share * 100} % new, ${to} reports: ${what}`);
      say("load");
      const running = await store.start(worker);
      const range = { from, to, connections };
      const watch = watchMemory(running);
      const loaded = await load(running, sender, ask, range, counts);
      const rssMb = watch.stop();
      const idle = await idleShare(running, quietMs);
      const bytes = await measureSizes(store, running);
      await running.stop();
      say("rows");
      // Acts as if every issue was copied to KV, because these parts do not measure the copies of
      // earlier issues.
      const copied = await store.fork();
      copied.dropSnapshots();
      const used = await countEvents(copied, counting, sender, ask, { to, connections });
      from = to;

      let pages: PageCost[] = [];
      if (has("pages")) {
        say("pages");
        const bigDigest = loaded.digests[0] ?? "";
        const input = { ...loaded, reports: from, share, bigDigest };
        const starts = [worker, counting].map((file) => () => copied.start(file)) as [Start, Start];
        pages = await measurePages(listPages(input), ...starts, pageMs);
      }
      copied.remove();
      let start: StartCost | null = null;
      if (has("start")) {
        say("start");
        const again = await store.start(worker);
        start = await watchStart(again, watchMs);
        await again.stop();
      }
      let sweep: StartCost | null = null;
      if (has("sweep")) {
        say("sweep");
        const copy = await store.fork();
        copy.skip(SWEEP_AHEAD_MS);
        const late = await copy.start(counting);
        sweep = await watchSweep(late, watchMs);
        await late.stop();
        copy.remove();
      }
      let operations: OperationCost[] = [];
      if (has("operations")) {
        say("operations");
        const copy = await store.fork();
        operations = await measureOperations(copy, worker);
        copy.remove();
      }
      const { reports, issues, cost: event } = loaded;
      points.push({
        ...{ share, reports, issues, event, used, idle, sizes: bytes, rssMb },
        ...{ pages, start, sweep, operations },
      });
    }
    return points;
  } finally {
    store.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The use of each further event. */
async function countEvents(
  store: Store,
  worker: string,
  sender: Sender,
  ask: Spread,
  { to, connections }: { to: number; connections: number },
): Promise<Usage> {
  const running = await store.start(worker);
  await running.client.json("/issues");
  await running.rest();
  const range = { from: to, amount: Math.min(COUNTED, to), connections };
  const used = await countLoad(running, sender, ask, range);
  await running.stop();
  return used;
}

async function measureSizes(store: Store, { client }: Running): Promise<Sizes> {
  const { health } = await client.json("/status");
  const logs: { storedBytes: number }[] = health.shards;
  return {
    index: health.snapshots.storedBytes,
    log: logs.reduce((sum, { storedBytes }) => sum + storedBytes, 0),
    kvChunks: store.kvBytes(true),
    kvOthers: store.kvBytes(false),
  };
}

type Start = Parameters<typeof measurePages>[1];

/** The memory of a process without data, in MB. */
export async function measureEmpty(worker: string): Promise<number> {
  const store = await createStore();
  try {
    const running = await store.start(worker);
    await running.client.json("/issues");
    await sleep(EMPTY_WAIT_MS);
    const rssMb = running.rssBytes() / 1e6;
    await running.stop();
    return rssMb;
  } finally {
    store.remove();
  }
}
