// The request CPU of the first page of a cold Worker, whose objects are warm, in one process with
// several isolates: one has the objects, one opens the pages before, and one is cold for each page.

import { showProgress } from "../command/command-line.ts";
import { computeMedian, formatRatio, formatShort, formatTable } from "../command/figures.ts";
import { createMixEvent } from "../reports/events.ts";
import type { Client } from "../rig/client.ts";
import { createStore, type Running } from "../rig/store.ts";
import type { Revision } from "./revisions.ts";

const PROCESSES = 5;
/** As many as the pages of the other cases show. */
const SEEDED_EVENTS = 200;
/** Requests of a warm Worker after which V8 has compiled what it compiles. */
const WARM_REQUESTS = 40;
const WARM_MEASURED = 10;
const PATHS = ["/issues", "/d/{digest}", "/", "/lookup?q={digest}"];
/** The first report of a Worker, as a page sends it. */
const REPORT = "a report";
const ALL = [...PATHS, REPORT];

/** The CPU times of a path, ms on the main thread. */
export interface ColdCosts {
  /** Of the first, second and later requests of a cold Worker. */
  first: number[];
  second: number[];
  later: number[];
}

/** The costs by path. Each process has a cold Worker for each path. */
export async function measureColdPages(
  file: string,
  tree: string | undefined,
  processes: number,
): Promise<Map<string, ColdCosts>> {
  const costs = new Map(
    ALL.map((path): [string, ColdCosts] => [path, { first: [], second: [], later: [] }]),
  );
  for (let nth = 0; nth < processes; nth++) {
    const copies = ["warm", ...ALL.map((_, n) => `cold-${n}`)];
    const store = await createStore({ ...(tree && { tree }), copies, v8Flags: [] });
    const running = await store.start(file);
    try {
      const [warm, ...cold] = running.copies;
      if (warm === undefined) break;
      for (let n = 0; n < SEEDED_EVENTS; n++) await warm.post(createMixEvent("hundred", n));
      await running.rest();
      const { issues } = await warm.readJson("/issues?sort=count");
      for (const [n, [path, one]] of [...costs].entries()) {
        const opened = path.replace("{digest}", issues[0].digest);
        await measurePath(running, warm, cold[n] ?? warm, opened, one);
      }
    } finally {
      await running.stop();
      store.remove();
    }
  }
  return costs;
}

async function measurePath(
  running: Running,
  warm: Client,
  cold: Client,
  path: string,
  costs: ColdCosts,
): Promise<void> {
  let nextN = SEEDED_EVENTS;
  const open = async (client: Client) => {
    running.takeMainThreadMs();
    const { status } =
      path === REPORT
        ? await client.post(createMixEvent("hundred", nextN++))
        : await client.send({ path, headers: { accept: "text/html" } });
    if (status < 200 || status >= 400) throw new Error(`${path} was answered with ${status}.`);
    return running.takeMainThreadMs();
  };
  const openMany = async (client: Client) => {
    const all: number[] = [];
    for (let n = 0; n < WARM_REQUESTS; n++) all.push(await open(client));
    return all;
  };
  await openMany(warm);
  if (path === REPORT) await running.rest();
  costs.first.push(await open(cold));
  costs.second.push(await open(cold));
  costs.later.push(computeMedian((await openMany(cold)).slice(-WARM_MEASURED)));
}

/** The table of the cold pages of all revisions. */
export async function formatColdPages(revisions: readonly Revision[]): Promise<string[]> {
  const measured: [string, Map<string, ColdCosts>][] = [];
  for (const { name, tree, built } of revisions) {
    showProgress(`cold pages of ${name}`);
    measured.push([name, await measureColdPages(built, tree, PROCESSES)]);
  }
  const [[, own] = ["", new Map<string, ColdCosts>()]] = measured;
  const rows = measured.flatMap(([name, costs]) =>
    [...costs].map(([path, { first, second, later }]) => [
      name === "this" ? path : `${path}, other`,
      ...[first, second, later].map((all) => formatShort(computeMedian(all))),
      formatRatio(first, later),
      name === "this" ? "" : formatRatio(own.get(path)?.first ?? [], first),
    ]),
  );
  const heads = ["first", "second", "later", "first × later", "this × other"];
  return formatTable(["a cold Worker, CPU ms", ...heads], rows);
}
