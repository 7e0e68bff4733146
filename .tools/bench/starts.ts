// The time of a cold start, and the rows and KV entries of reports.

import { showProgress } from "../command/command-line.ts";
import { computeMedian, formatRatio, formatShort, formatTable } from "../command/figures.ts";
import { buildCounting } from "../counting/build-counting.ts";
import type { Mix } from "../reports/events.ts";
import { sendEvents, sendLoad } from "../rig/load.ts";
import { createStore, startRig, type Usage } from "../rig/store.ts";
import type { Revision } from "./revisions.ts";

const STARTS = 9;
const PREFLIGHT = { path: "/monitoring", method: "OPTIONS" };
const PAGE = { path: "/", headers: { accept: "text/html" } };

/**
 * Measures from the spawn of workerd to the first response, alternating with a bare Worker. A
 * preflight needs no object and no page, so its time above the bare Worker is the start of this
 * Worker. The first page also opens the objects and renders.
 */
export async function measureColdStart(revisions: readonly Revision[], bareFile: string) {
  const [{ tree } = { tree: "" }] = revisions;
  const starts = [
    { title: "a bare Worker", file: bareFile, tree, first: PREFLIGHT },
    ...revisions.flatMap(({ name, tree, built: file }) => {
      const other = name === "this" ? "" : ", other";
      return [
        { title: `to a preflight${other}`, file, tree, first: PREFLIGHT },
        { title: `with the first page${other}`, file, tree, first: PAGE },
      ];
    }),
  ].map((one) => ({ ...one, ms: [] as number[], cpuMs: [] as number[] }));
  for (let nth = 1; nth <= STARTS; nth++) {
    showProgress(`start ${nth} of ${STARTS}`);
    for (const { file, tree, first, ms, cpuMs } of starts) {
      const rig = await startRig(file, tree);
      const { status } = await rig.client.send(first);
      ms.push(performance.now() - rig.spawnedMs);
      cpuMs.push(rig.takeCpuMs());
      await rig.stop();
      if (status < 200 || status > 204) throw new Error(`The first answer was ${status}.`);
    }
  }
  const [bare = { ms: [], cpuMs: [] }] = starts;
  return formatTable(
    ["cold start", "ms", "above a bare Worker", "CPU ms", "above a bare Worker", "× bare"],
    starts.map(({ title, ms, cpuMs }) => [
      ...[title, formatShort(computeMedian(ms))],
      formatShort(computeMedian(ms) - computeMedian(bare.ms)),
      ...[formatShort(computeMedian(cpuMs))],
      formatShort(computeMedian(cpuMs) - computeMedian(bare.cpuMs)),
      formatRatio(cpuMs, bare.cpuMs),
    ]),
  );
}

const MIXES: readonly Mix[] = ["storm", "mixed", "distinct"];
const CONNECTIONS = 32;
/** The first snapshots of new issues are written at once. Only the rate after them counts. */
const EVENTS_BEFORE = 1_000;
const EVENTS = 4_000;
const FIGURES: readonly (keyof Usage)[] = [
  ...(["rowsRead", "rowsWritten", "objectRequests", "kvReads", "kvWrites"] as const),
];

/** The rows, requests and KV operations of each report, and its bytes in KV. */
export async function measureRows(revisions: readonly Revision[]): Promise<string[]> {
  const rows: string[][] = [];
  const counting = await Promise.all(
    revisions.map(async (one) => ({ ...one, file: await buildCounting(one.built, one.tree) })),
  );
  for (const mix of MIXES) {
    for (const { name, tree, file } of counting) {
      showProgress(`rows: ${mix} of ${name}`);
      const store = await createStore({ tree });
      const running = await store.start(file);
      const play = async (firstN: number, amount: number) => {
        const run = { connections: CONNECTIONS, firstN, amount };
        await sendLoad(running.client, sendEvents(mix), run);
        await running.settle();
      };
      await play(0, EVENTS_BEFORE);
      await running.takeUsage();
      await play(EVENTS_BEFORE, EVENTS);
      const used = await running.takeUsage(EVENTS);
      await running.stop();
      const bytes = (store.sumKvBytes(true) + store.sumKvBytes(false)) / (EVENTS_BEFORE + EVENTS);
      store.remove();
      const figures = [...FIGURES.map((figure) => used[figure]), bytes];
      rows.push([name === "this" ? mix : `${mix}, other`, ...figures.map(formatShort)]);
    }
  }
  const heads = ["rows read", "rows written", "requests to objects", "KV reads", "KV writes"];
  return formatTable(["a report", ...heads, "bytes in KV"], rows);
}
