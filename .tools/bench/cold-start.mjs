// From the spawn of workerd to the first answer, beside an empty Worker in turn. Once by the way for reports, asked with a
// preflight, which nothing stands behind: what is above an empty Worker is the start of this one. Once by the first page, which
// opens the objects and renders.

import { median } from "./quantiles.mjs";
import { startRig } from "./rig.mjs";

const STARTS = 9;

/**
 * @typedef {object} Start medians for the times, means for the CPU, whose account has steps of 10 ms
 * @property {import("./bundles.mjs").WorkerName} worker
 * @property {"report" | "page"} path
 * @property {"this" | "other"} of
 * @property {number} ms from the spawn to the end of the first answer
 * @property {number} aboveMs an empty Worker's
 * @property {number} cpuMs
 * @property {number} aboveCpuMs
 */
/** @typedef {readonly Start[]} ColdStart */

/**
 * @param {readonly import("./bundles.mjs").Bundle[]} bundles
 * @param {(text: string) => void} progress
 * @returns {Promise<ColdStart>}
 */
export async function coldStart(bundles, progress) {
  const runners = bundles.flatMap(({ name: of, tree, workers }) =>
    WANTED.flatMap(({ worker, path, init }) => {
      const file = workers[worker];
      return file === undefined
        ? []
        : [{ worker, path, init, of, tree, file, times: NONE(), cpu: NONE() }];
    }),
  );
  for (let nth = 1; nth <= STARTS; nth++) {
    progress(`start ${nth} of ${STARTS}`);
    for (const { file, tree, init, times, cpu } of runners) {
      const rig = await startRig(file, tree);
      const response = await fetch(`http://127.0.0.1:${rig.port}${init.url}`, init);
      await response.arrayBuffer();
      times.push(performance.now() - rig.spawnedMs);
      cpu.push(rig.cpuUs() / 1000);
      await rig.stop();
      if (!response.ok) throw new Error(`The first answer was ${response.status}.`);
    }
  }
  const empty = runners.find(({ worker }) => worker === "bare");
  return runners.map(({ worker, path, of, times, cpu }) => {
    const [ms, cpuMs] = [median(times), mean(cpu)];
    const aboveMs = ms - median(empty?.times ?? []);
    return { worker, path, of, ms, aboveMs, cpuMs, aboveCpuMs: cpuMs - mean(empty?.cpu ?? []) };
  });
}

const REPORT = { url: "/monitoring", method: "OPTIONS" };
const PAGE = { url: "/", method: "GET", headers: { accept: "text/html" } };

/** @type {readonly { worker: "bare" | "built", path: "report" | "page", init: RequestInit & { url: string } }[]} */
const WANTED = [
  { worker: "bare", path: "report", init: REPORT },
  { worker: "built", path: "report", init: REPORT },
  { worker: "built", path: "page", init: PAGE },
];

/** @returns {number[]} */
const NONE = () => [];

/** @param {readonly number[]} numbers */
function mean(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
