// Measures a project while it grows: at each size the cost of an event, of pages and of a start, and
// the stored data.

import { showProgress } from "../command/command-line.ts";
import { computeMedian, formatShort, formatWhole } from "../command/figures.ts";
import { buildCounting } from "../counting/build-counting.ts";
import { countIssuesAfter, createMixEvent } from "../reports/events.ts";
import { sendLoad, sendSpread } from "../rig/load.ts";
import { createStore, type Running, type Store } from "../rig/store.ts";
import { listPages } from "./pages.ts";

/** The parts that are measured at each size, besides the load. */
export const PARTS = ["pages", "start"] as const;
export type Part = (typeof PARTS)[number];

const CONNECTIONS = 32;
/** Maximum of measured events at the end of a step; at most half of the step is measured. */
const MAX_MEASURED = 20_000;
/** Further events whose rows are counted. */
const MAX_COUNTED = 400;
const MAX_PAGES = 25;
/** Requests of each page before the measurement, so that V8 compiles the code. */
const WARM_UPS = 6;
/** The requests whose rows count: the first one may fill caches. */
const COUNTED_PAGES = 4;

/** The figures of a table by the names of its rows. */
type Cells = Readonly<Record<string, string>>;

/** A project of one size. */
export interface Size {
  title: string;
  failed: number;
  /** By the title of the table. */
  tables: Readonly<Record<string, Cells>>;
}

interface Options {
  /** The share of reports with a new issue. */
  share: number;
  /** Numbers of reports, the smallest first. */
  sizes: readonly number[];
  parts: readonly Part[];
  /** The time for the requests of one page. */
  pageMs?: number;
  /** The time for which a start is watched. */
  watchMs?: number;
}

export async function measureSizes(
  built: string,
  { share, sizes, parts, pageMs = 500, watchMs = 6_000 }: Options,
): Promise<Size[]> {
  const counting = await buildCounting(built);
  const store = await createStore();
  const measured: Size[] = [];
  let from = 0;
  for (const reports of sizes) {
    const issues = countIssuesAfter(reports, share);
    const name = `${share * 100} % new, ${formatWhole(reports)}`;
    showProgress(`${name} reports`);
    const running = await store.start(built);
    const { failed, ...load } = await measureLoad(running, share, from, reports);
    const stored = await measureBytes(store, running, reports, issues);
    const listed = await running.client.readJson("/issues?sort=count");
    const digests = listed.issues.map(({ digest }: { digest: string }) => digest);
    await running.stop();
    // Acts as if every issue was copied to KV, because these parts do not measure the copies of
    // earlier issues.
    const copy = await store.fork();
    copy.dropSnapshots();
    const used = await measureUse(copy, counting, share, reports);
    const tables: Record<string, Cells> = { "an event under load": { ...load, ...used }, stored };
    if (parts.includes("pages")) {
      showProgress(`${name} reports: pages`);
      const pages = listPages({ reports, issues, share, digests });
      tables["CPU ms of a page (rows read)"] = await measurePages(
        pages,
        copy,
        built,
        counting,
        pageMs,
      );
    }
    if (parts.includes("start")) {
      showProgress(`${name} reports: start`);
      tables["a start"] = await measureStart(store, built, watchMs);
    }
    copy.remove();
    measured.push({ title: `${name} (${formatWhole(issues)} issues)`, failed, tables });
    from = reports;
  }
  store.remove();
  return measured;
}

/** Sends the events `from` to `to` of a spread. The last ones are measured. */
async function measureLoad(running: Running, share: number, from: number, to: number) {
  const measured = Math.min(MAX_MEASURED, Math.ceil((to - from) / 2));
  const play = async (firstN: number, amount: number) => {
    const run = { connections: CONNECTIONS, firstN, amount };
    const sent = await sendLoad(running.client, sendSpread(share), run);
    await running.rest();
    return sent;
  };
  const before = await play(from, to - from - measured);
  running.takeCpuMs();
  const { answered, tookMs, p50Ms, p99Ms } = await play(to - measured, measured);
  return {
    failed: to - from - before.answered - answered,
    "CPU ms": formatShort(running.takeCpuMs() / answered),
    "events/s": formatWhole((answered * 1000) / tookMs),
    "acknowledged p50 ms": formatShort(p50Ms),
    "acknowledged p99 ms": formatShort(p99Ms),
    "peak memory of workerd, MB": formatWhole(running.readPeakMegabytes()),
  };
}

/** The use of each further event of the same mix, under the same load. */
async function measureUse(store: Store, counting: string, share: number, firstN: number) {
  const running = await store.start(counting);
  await running.client.readJson("/issues");
  await running.rest();
  await running.takeUsage();
  const amount = Math.min(MAX_COUNTED, firstN);
  await sendLoad(running.client, sendSpread(share), { connections: CONNECTIONS, firstN, amount });
  await running.settle();
  const used = await running.takeUsage(amount);
  await running.stop();
  return {
    "rows read": formatShort(used.rowsRead),
    "rows written": formatShort(used.rowsWritten),
    "requests to objects": formatShort(used.objectRequests),
    "KV writes": used.kvWrites.toFixed(3),
  };
}

/** The databases of the objects and the values of KV. */
async function measureBytes(
  store: Store,
  { client }: Running,
  reports: number,
  issues: number,
): Promise<Cells> {
  const { health } = await client.readJson("/status");
  const logs: { storedBytes: number }[] = health.shards;
  const logBytes = logs.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  return {
    "index, kB an issue": formatShort(health.snapshots.storedBytes / issues / 1e3),
    "log, bytes a report": formatWhole(logBytes / reports),
    "KV chunks, bytes a report": formatWhole(store.sumKvBytes(true) / reports),
    "KV snapshots and others, MB": formatShort(store.sumKvBytes(false) / 1e6),
  };
}

/**
 * The CPU time of each page on the built Worker, as the mean of the requests within `ms` after
 * warm-up, and its rows on the measuring build with the same data.
 */
async function measurePages(
  pages: ReadonlyMap<string, string>,
  store: Store,
  built: string,
  counting: string,
  ms: number,
): Promise<Cells> {
  const open = async (running: Running, name: string, path: string) => {
    const accept = name.endsWith("html") ? "text/html" : "application/json";
    return (await running.client.send({ path, headers: { accept } })).status;
  };
  const times = new Map<string, string>();
  const running = await store.start(built);
  for (const [name, path] of pages) {
    for (let n = 0; n < WARM_UPS; n++) await open(running, name, path);
    const untilMs = performance.now() + ms;
    let status = 0;
    let requests = 0;
    running.takeCpuMs();
    do {
      status = await open(running, name, path);
      requests++;
    } while (requests < MAX_PAGES && performance.now() < untilMs);
    const wrong = [200, 303].includes(status) ? "" : ` status ${status}`;
    times.set(name, `${formatShort(running.takeCpuMs() / requests)}${wrong}`);
  }
  await running.stop();
  const cells: Record<string, string> = {};
  const counted = await store.start(counting);
  for (const [name, path] of pages) {
    await open(counted, name, path);
    await counted.takeUsage();
    for (let n = 0; n < COUNTED_PAGES; n++) await open(counted, name, path);
    const { rowsRead } = await counted.takeUsage(COUNTED_PAGES);
    cells[name] = `${times.get(name)} (${formatWhole(rowsRead)})`;
  }
  await counted.stop();
  return cells;
}

/**
 * A new process: its first response, and how long the index is busy after an event that starts its
 * alarms. The longest turn is the largest CPU time of the main thread until a response, without that
 * of the request, for which the median counts. Other programs do not count.
 */
async function measureStart(store: Store, built: string, watchMs: number): Promise<Cells> {
  const running = await store.start(built);
  const { client } = running;
  running.takeCpuMs();
  const beganMs = performance.now();
  await client.readJson("/issues");
  const firstAnswerMs = performance.now() - beganMs;
  const firstAnswerCpuMs = running.takeCpuMs();
  await client.post(createMixEvent("storm", 0));
  const turns: number[] = [];
  for (const untilMs = performance.now() + watchMs; performance.now() < untilMs; ) {
    running.takeMainThreadMs();
    await client.readJson("/issues");
    turns.push(running.takeMainThreadMs());
  }
  await running.stop();
  return {
    "first answer, ms": formatWhole(firstAnswerMs),
    "… its CPU, ms": formatWhole(firstAnswerCpuMs),
    "longest turn after it, CPU ms": formatWhole(Math.max(...turns) - computeMedian(turns)),
  };
}
