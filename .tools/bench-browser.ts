// `npm run bench:browser`: the cost of a page in the browser, with the built product and a seeded
// project: loaded bytes, the time of scripts, and tasks that block the browser, in Chromium with a
// processor that is slowed down four times. tests/bench/browser.md has the method.
//
//     npm run bench:browser -- --loads 21                more loads of each page, by default 9

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launchChromium } from "../tests/support/browser/chromium.ts";
import { buildOrQuit } from "./build/build.ts";
import { formatTable, formatWhole } from "./command/format-table.ts";
import { parseOptions, quit } from "./command/quit.ts";
import { computeMedians } from "./command/statistics.ts";
import { root } from "./install.mjs";
import { serve } from "./local/serve.ts";
import { SERVER_KEY } from "./rig/plain-workerd.ts";
import { describeSetting } from "./rig/setting.ts";

const TIMES_SLOWER = 4;
const ISSUES = 150;
/** An empty page, for the work that the browser does for any page. */
const EMPTY = "/empty";

const values = parseOptions({ loads: { type: "string", default: "9" } });
const loads = Number(values.loads);
if (!(loads >= 1)) quit("--loads must be a number from 1.");

const setting = describeSetting();
await buildOrQuit();
const served = await serve({ serverKey: SERVER_KEY, isLocalOpen: true });
const browser = await launchChromium();
try {
  const pages = await seedPages();
  const measured: Map<string, Load[]> = new Map(pages.map(({ name }) => [name, []]));
  for (let round = 0; round < loads; round++) {
    for (const { name, path } of pages) measured.get(name)?.push(await loadPage(path));
  }
  const results = [...measured].map(([name, its]) => ({ name, ...computeMedians(its) }));
  console.log(`${setting}, ${loads} loads:\n`);
  for (const line of formatResults(results)) console.log(line);
} finally {
  await browser.close();
  await served.stop();
}

/**
 * One load with empty caches. Bytes are the size of a body after gzip: Cloudflare compresses, the
 * local server does not.
 */
interface Load {
  /** Rows of the list. */
  rows: number;
  htmlBytes: number;
  htmlGzipBytes: number;
  cssGzipBytes: number;
  jsGzipBytes: number;
  /** Time in JavaScript. */
  scriptMs: number;
  /** Time in style and layout. */
  layoutMs: number;
  /** The time of all work of the page's thread. */
  taskMs: number;
  /** The number of tasks that take more than 50 ms. */
  longTasks: number;
  /** The time in these tasks. */
  longTasksMs: number;
  /** The time until the first contentful paint. */
  firstPaintMs: number;
}

/** Seeds the project and returns the pages to measure. */
async function seedPages() {
  const seed = join(root, ".tools", "seed.ts");
  execFileSync(process.execPath, [seed, "--issues", `${ISSUES}`, "--reports", `${ISSUES * 20}`], {
    env: { ...process.env, ERRATA_URL: served.url, ERRATA_SERVER_KEY: SERVER_KEY },
    stdio: "ignore",
  });
  const answer = await fetch(`${served.url}/issues.json?q=&sort=count`);
  const { issues } = (await answer.json()) as { issues: { digest: string }[] };
  const digest = issues[0]?.digest;
  if (digest === undefined) throw new Error("The project was not seeded.");
  return [
    { name: "an empty page", path: EMPTY },
    { name: "`/`", path: "/" },
    { name: "`/issues`", path: "/issues" },
    { name: "`/d/<digest>`", path: `/d/${digest}` },
    { name: "`/e/<digest>`", path: `/e/${digest}` },
  ];
}

async function loadPage(path: string): Promise<Load> {
  const context = await browser.newContext({ baseURL: served.url });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const longMs: number[] = [];
    Object.assign(globalThis, { longMs });
    const note = (list: PerformanceObserverEntryList) =>
      longMs.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(note).observe({ type: "longtask" });
  });
  const empty = "<!DOCTYPE html><title>Empty</title><p>Empty";
  await page.route(`**${EMPTY}`, (route) =>
    route.fulfill({ contentType: "text/html", body: empty }),
  );
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: TIMES_SLOWER });
  const bodies: Promise<{ type: string; bytes: Buffer }>[] = [];
  page.on("response", (response) => {
    const type = response.request().resourceType();
    // An open list may reload itself at any time.
    if (!["document", "stylesheet", "script"].includes(type)) return;
    bodies.push(response.body().then((bytes) => ({ type, bytes })));
  });
  await page.goto(path, { waitUntil: "load" });
  await page.waitForLoadState("networkidle");
  // The network may be idle while scripts still run.
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(idle)));
  const { metrics } = await devtools.send("Performance.getMetrics");
  const getMs = (name: string) =>
    1_000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  const seen = await page.evaluate(() => ({
    rows: document.querySelectorAll("[data-row-link]").length,
    firstPaintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    longMs: (globalThis as unknown as { longMs: number[] }).longMs,
  }));
  const received = await Promise.all(bodies);
  await context.close();
  const sumGzipBytes = (type: string) =>
    sum(received.filter((one) => one.type === type).map(({ bytes }) => gzipSync(bytes).length));
  return {
    rows: seen.rows,
    htmlBytes: sum(received.map(({ type, bytes }) => (type === "document" ? bytes.length : 0))),
    htmlGzipBytes: sumGzipBytes("document"),
    cssGzipBytes: sumGzipBytes("stylesheet"),
    jsGzipBytes: sumGzipBytes("script"),
    scriptMs: getMs("ScriptDuration"),
    layoutMs: getMs("LayoutDuration") + getMs("RecalcStyleDuration"),
    taskMs: getMs("TaskDuration"),
    longTasks: seen.longMs.length,
    longTasksMs: sum(seen.longMs),
    firstPaintMs: seen.firstPaintMs,
  };
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The results as Markdown, line by line. */
function formatResults(results: readonly (Load & { name: string })[]): readonly string[] {
  const formatKilobytes = (bytes: number) => (bytes / 1000).toFixed(1);
  const heads = [
    ...["", "rows", "HTML kB", "HTML gzip", "CSS gzip", "JS gzip", "scripts ms", "layout ms"],
    ...["busy ms", "long tasks", "ms in them", "first paint ms"],
  ];
  return formatTable(
    heads,
    results.map((it) => {
      const bytes = [it.htmlBytes, it.htmlGzipBytes, it.cssGzipBytes, it.jsGzipBytes];
      const tasks = [it.longTasks, it.longTasksMs];
      const times = [it.scriptMs, it.layoutMs, it.taskMs, ...tasks, it.firstPaintMs];
      return [it.name, `${it.rows}`, ...bytes.map(formatKilobytes), ...times.map(formatWhole)];
    }),
  );
}
