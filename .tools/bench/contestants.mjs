// Who plays in the rounds: every case for every revision that has its Worker, each on a process that is started, seeded and
// warmed up.

import { WARM_UP_MS } from "./plan.mjs";
import { createPlayer } from "./player.mjs";
import { startRig } from "./rig.mjs";
import { seed } from "./seed.mjs";

/** @typedef {import("./bundles.mjs").Bundle} Bundle */
/** @typedef {import("./cases.mjs").Case} Case */
/**
 * @typedef {object} Stage a process, and what is on it
 * @property {import("./bundles.mjs").WorkerName} worker
 * @property {import("./rig.mjs").Rig} rig
 * @property {import("./seed.mjs").Seeded | null} seeded
 */
/**
 * @typedef {object} Contestant
 * @property {Case} case
 * @property {Bundle["name"]} of
 * @property {Stage} stage
 * @property {import("./player.mjs").Player} player
 * @property {Map<number, import("./round.mjs").Round[]>} rounds by the number of connections
 */

/**
 * Starts everybody. The processes go into `stages`, also when it fails half-way.
 *
 * @param {object} options
 * @param {readonly Case[]} options.cases
 * @param {readonly Bundle[]} options.bundles
 * @param {import("./player.mjs").Sender} options.sender
 * @param {Map<string, Stage>} options.stages
 * @param {(text: string) => void} options.progress
 * @returns {Promise<Contestant[]>}
 */
export async function startAll({ cases, bundles, sender, stages, progress }) {
  /** @type {Contestant[]} */
  const contestants = [];
  for (const one of cases) {
    for (const { name: of, tree, workers } of bundles) {
      const worker = workers[one.worker];
      if (worker === undefined) continue;
      const key = of === "this" ? one.rig : `${one.rig}, the other`;
      progress(`${key} is started`);
      const stage = stages.get(key) ?? {
        worker: one.worker,
        rig: await startRig(worker, tree),
        seeded: null,
      };
      stages.set(key, stage);
      if (one.isSeeded) stage.seeded ??= await seed(stage.rig);
      const asks = one.asks.map((ask) => addressed(ask, stage.seeded));
      const player = createPlayer(sender, stage.rig.port, asks);
      contestants.push({ case: one, of, stage, player, rounds: new Map() });
    }
  }
  return contestants;
}

/** Warms everybody up, at each number of connections. @param {readonly Contestant[]} contestants @param {(text: string) => void} progress */
export async function warmUp(contestants, progress) {
  for (const { case: one, of, player } of contestants) {
    progress(`${one.name} of ${of} is warmed up`);
    for (const connections of one.connections.toReversed()) {
      await player.warmUp(connections, WARM_UP_MS);
    }
  }
}

/** With the digest of an issue that is there. @param {import("./asks.mjs").Ask} ask @param {import("./seed.mjs").Seeded | null} seeded */
function addressed(ask, seeded) {
  if (ask.kind !== "page") return ask;
  const [[digest] = [""]] = seeded?.digests ?? [];
  return { ...ask, path: ask.path.replace("{digest}", digest) };
}
