// Measures from the spawn of workerd to the first response, alternating with an empty Worker. A
// preflight needs no object and no page, so its time above the empty Worker is the start of this
// Worker. The first page also opens the objects and renders.

import { showProgress } from "../command/progress.ts";
import { computeMedian } from "../command/statistics.ts";
import { startRig } from "../rig/rig.ts";
import type { Revision } from "./workers.ts";

const STARTS = 9;
const PREFLIGHT = { path: "/monitoring", init: { method: "OPTIONS" } };
const PAGE = { path: "/", init: { headers: { accept: "text/html" } } };
const FIRST_REQUESTS = [
  { title: "an empty Worker", worker: "bare", ...PREFLIGHT },
  { title: "to a preflight", worker: "built", ...PREFLIGHT },
  { title: "with the first page", worker: "built", ...PAGE },
] as const;

/** Medians of the starts. */
export interface Start {
  title: string;
  of: Revision["name"];
  ms: number;
  cpuMs: number;
  /** Above an empty Worker. */
  aboveMs: number;
  aboveCpuMs: number;
}

export async function measureColdStart(revisions: readonly Revision[]): Promise<readonly Start[]> {
  const runners = revisions.flatMap(({ name: of, tree, workers }) =>
    FIRST_REQUESTS.flatMap((first) => {
      const file = workers[first.worker];
      const figures = { times: [] as number[], cpu: [] as number[] };
      return file === undefined ? [] : [{ ...first, of, tree, file, ...figures }];
    }),
  );
  for (let nth = 1; nth <= STARTS; nth++) {
    showProgress(`start ${nth} of ${STARTS}`);
    for (const { file, tree, path, init, times, cpu } of runners) {
      const rig = await startRig(file, tree);
      const response = await fetch(`http://127.0.0.1:${rig.port}${path}`, init);
      await response.arrayBuffer();
      times.push(performance.now() - rig.spawnedMs);
      cpu.push(rig.takeCpuMs());
      await rig.stop();
      if (!response.ok) throw new Error(`The first answer was ${response.status}.`);
    }
  }
  const [empty] = runners;
  return runners.map(({ title, of, times, cpu }) => ({
    ...{ title, of, ms: computeMedian(times), cpuMs: computeMedian(cpu) },
    aboveMs: computeMedian(times) - computeMedian(empty?.times ?? []),
    aboveCpuMs: computeMedian(cpu) - computeMedian(empty?.cpu ?? []),
  }));
}
