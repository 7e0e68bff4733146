// Measures the cost of pages: CPU time and rows, one request after another.

import { setTimeout as sleep } from "node:timers/promises";
import type { Running } from "../rig/store.ts";
import { computeUsage } from "../rig/usage.ts";
import type { Page } from "./page-list.ts";

export interface PageCost {
  name: string;
  status: number;
  cpuMs: number;
  rowsRead: number;
  rowsWritten: number;
  /** The statement that reads the most rows, and their number; "" if none reads twenty. */
  largest: string;
}

const MAX_REQUESTS = 25;
/** Requests of each page before the measurement, so that V8 compiles the code. */
const WARM_UPS = 5;
/** The requests of these that count: the first one may fill caches. */
const COUNTED = 4;
const PATIENCE_MS = 20_000;
const IDLE_SAMPLE_MS = 1_000;
const MIN_ROWS_OF_LARGEST = 20;

/**
 * The CPU time of each page on the built Worker, as the mean of the requests within `maxMs` after
 * warm-up, and its rows on the measuring build with the same data. With 0 each page is requested
 * once.
 */
export async function measurePages(
  pages: readonly Page[],
  plain: () => Promise<Running>,
  counting: () => Promise<Running>,
  maxMs: number,
): Promise<PageCost[]> {
  const first = await plain();
  if (maxMs > 0) for (const page of pages) await request(first, page).catch(() => 0);
  const idle = maxMs > 0 ? await measureIdleShare(first) : 0;
  const times = await measureEach(pages, plain, first, (running, page) => {
    return timePage(running, page, idle, maxMs);
  });
  const counted = maxMs > 0 ? COUNTED : 1;
  const rows = await measureEach(pages, counting, await counting(), (running, page) => {
    return countRows(running, page, counted);
  });
  return pages.map(({ name }, n) => ({ ...NOTHING, name, ...times[n], ...rows[n] }));
}

const NOTHING = { status: 0, cpuMs: 0, rowsRead: 0, rowsWritten: 0, largest: "" };

/** Measures one page after another. If a page does not respond, continues in a new process. */
async function measureEach<Cost>(
  pages: readonly Page[],
  start: () => Promise<Running>,
  first: Running,
  measure: (running: Running, page: Page) => Promise<Cost>,
): Promise<(Cost | { cpuMs: number } | null)[]> {
  const costs = [];
  let running = first;
  for (const page of pages) {
    running.takeCpuMs();
    try {
      costs.push(await measure(running, page));
    } catch {
      costs.push({ cpuMs: running.takeCpuMs() });
      await running.stop();
      running = await start();
    }
  }
  await running.stop();
  return costs;
}

/** The CPU time of the process without requests, as a share of a core. */
export async function measureIdleShare(
  running: Running,
  sampleMs = IDLE_SAMPLE_MS,
): Promise<number> {
  await running.client.readJson("/status");
  await running.rest();
  running.takeCpuMs();
  await sleep(sampleMs);
  return running.takeCpuMs() / sampleMs;
}

async function timePage(running: Running, page: Page, idle: number, maxMs: number) {
  for (let n = 0; n < WARM_UPS && maxMs > 0; n++) await request(running, page);
  const beganMs = performance.now();
  let status = 0;
  let requests = 0;
  running.takeCpuMs();
  do {
    status = await request(running, page);
    requests++;
  } while (requests < MAX_REQUESTS && performance.now() - beganMs < maxMs);
  const ms = performance.now() - beganMs;
  const cpuMs = Math.max(0, running.takeCpuMs() - idle * ms) / requests;
  return { status, cpuMs };
}

async function countRows(running: Running, page: Page, count: number) {
  await running.takeStatements();
  for (let n = 0; n < count; n++) await request(running, page);
  const statements = await running.takeStatements();
  const sum = (rows: "rowsRead" | "rowsWritten") =>
    statements.reduce((total, one) => total + one[rows], 0) / count;
  const [most] = statements.sort((a, b) => b.rowsRead - a.rowsRead);
  const isLarge = most !== undefined && most.rowsRead / count >= MIN_ROWS_OF_LARGEST;
  const text = isLarge ? most.sql.replace(/\s+/g, " ").trim() : "";
  const largest = isLarge ? `${Math.round(most.rowsRead / count)}: ${text.slice(0, 100)}` : "";
  return { rowsRead: sum("rowsRead"), rowsWritten: sum("rowsWritten"), largest };
}

/** The status, after the whole response. Rejects if it takes too long. */
async function request({ port }: Running, { path, isHtml }: Page): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { accept: isHtml ? "text/html" : "application/json" },
    redirect: "manual",
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The use of a page by the measuring build: the mean of the list and of an issue's page. */
export async function measurePageUse(running: Running) {
  const { issues } = await running.client.readJson("/issues");
  const pages: Page[] = ["/issues", `/d/${issues[0].digest}`].map((path) => {
    return { name: path, path, isHtml: true };
  });
  for (const page of pages) await request(running, page);
  await running.rest();
  const before = await running.readUsage();
  running.takeCpuMs();
  for (const page of pages) await request(running, page);
  const cpuMs = running.takeCpuMs() / pages.length;
  const used = computeUsage(before, await running.readUsage(), pages.length);
  const { rowsRead, objectRequests, reads } = used;
  return { cpuMs, rowsRead, objectRequests, kvReads: reads };
}
