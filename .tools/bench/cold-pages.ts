// The request CPU of the first page of a cold Worker, whose objects are warm: three isolates in one
// process. One has the objects, one has opened the pages before, and one is cold.

import { showProgress } from "../command/command-line.ts";
import { computeMedian, formatRatio, formatShort, formatTable } from "../command/figures.ts";
import { createMixEvent } from "../reports/events.ts";
import { createStore } from "../rig/store.ts";
import type { Revision } from "./revisions.ts";

const PROCESSES = 5;
/** As many as the pages of the other cases show. */
const SEEDED_EVENTS = 200;
/** Requests of a warm Worker after which V8 has compiled what it compiles. */
const WARM_REQUESTS = 30;
const WARM_MEASURED = 10;
const PATHS = ["/issues", "/d/{digest}", "/", "/lookup?q={digest}"];
/** The first report of a Worker, as a page sends it. */
const REPORT = "a report";

/** The CPU times of a path, ms on the main thread. */
export interface ColdCosts {
  /** Of the first, second and later requests of a cold Worker. */
  first: number[];
  second: number[];
  later: number[];
}

/** The start of a process with one isolate of the Worker, CPU ms, and the costs by path. */
export async function measureColdPages(
  file: string,
  tree: string | undefined,
  processes: number,
): Promise<Map<string, ColdCosts>> {
  const costs = new Map<string, ColdCosts>();
  for (const path of [...PATHS, REPORT]) {
    costs.set(path, { first: [], second: [], later: [] });
    for (let nth = 0; nth < processes; nth++) await measureOnce(path, file, tree, costs.get(path));
  }
  return costs;
}

async function measureOnce(
  path: string,
  file: string,
  tree: string | undefined,
  costs: ColdCosts | undefined,
) {
  const copies = ["warm", "cold"];
  const store = await createStore({ ...(tree && { tree }), copies, v8Flags: [] });
  const running = await store.start(file);
  try {
    const [warm, cold] = running.copies;
    if (warm === undefined || cold === undefined || costs === undefined) return;
    for (let n = 0; n < SEEDED_EVENTS; n++) await warm.post(createMixEvent("hundred", n));
    await running.rest();
    const { issues } = await warm.readJson("/issues?sort=count");
    const opened = path.replace("{digest}", issues[0].digest);
    let nextN = SEEDED_EVENTS;
    const open = async (client: typeof warm) => {
      running.takeMainThreadMs();
      const body = path === REPORT ? createMixEvent("hundred", nextN++) : undefined;
      const { status } =
        body === undefined
          ? await client.send({ path: opened, headers: { accept: "text/html" } })
          : await client.post(body);
      if (status < 200 || status >= 400) throw new Error(`${opened} was answered with ${status}.`);
      return running.takeMainThreadMs();
    };
    for (let n = 0; n < WARM_REQUESTS; n++) await open(warm);
    await running.rest();
    costs.first.push(await open(cold));
    costs.second.push(await open(cold));
    for (let n = 0; n < WARM_REQUESTS; n++) await open(cold);
    const later: number[] = [];
    for (let n = 0; n < WARM_MEASURED; n++) later.push(await open(cold));
    costs.later.push(computeMedian(later));
  } finally {
    await running.stop();
    store.remove();
  }
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
