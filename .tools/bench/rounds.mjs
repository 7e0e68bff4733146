// The rounds: every case of every revision in turn, again and again, so that whatever else the machine does meets all of them
// alike. Every second round is played backwards, so that none always stands behind the same neighbour.

import { isWriting } from "./cases.mjs";
import { startAll, warmUp } from "./contestants.mjs";
import { findable } from "./findable.mjs";
import { linesOf } from "./lines.mjs";
import { assertPages } from "./pages.mjs";
import { ROUNDS } from "./plan.mjs";
import { playRound } from "./round.mjs";

/** @typedef {import("./contestants.mjs").Contestant} Contestant */
/** @typedef {{ rig: string, acknowledged: number, found: number, failed: number, wrong: readonly string[] }} Found */
/** @typedef {{ rig: string, megabytes: number }} Resident */
/**
 * @typedef {object} Rounds
 * @property {number} rounds
 * @property {number} roundMs
 * @property {readonly import("./lines.mjs").Line[]} lines
 * @property {readonly Found[]} found
 * @property {readonly Resident[]} resident after all rounds
 */

/**
 * @param {object} options
 * @param {readonly import("./cases.mjs").Case[]} options.cases
 * @param {readonly import("./bundles.mjs").Bundle[]} options.bundles
 * @param {import("./player.mjs").Sender} options.sender
 * @param {number} options.roundMs
 * @param {(text: string) => void} options.progress
 * @returns {Promise<Rounds>}
 */
export async function playRounds({ cases, bundles, sender, roundMs, progress }) {
  /** @type {Map<string, import("./contestants.mjs").Stage>} */
  const stages = new Map();
  try {
    const contestants = await startAll({ cases, bundles, sender, stages, progress });
    await assertPages(contestants);
    await warmUp(contestants, progress);
    const turns = turnsOf(contestants, roundMs);
    for (let nth = 1; nth <= ROUNDS; nth++) {
      for (const { contestant, connections, amount } of nth % 2 ? turns : turns.toReversed()) {
        const { case: one, of, player, stage } = contestant;
        progress(`round ${nth} of ${ROUNDS}: ${one.name} of ${of}, ${connections} connections`);
        const how = { connections, ms: roundMs, amount, isWriting: isWriting(one) };
        const round = await playRound(player, stage.rig, how);
        const played = contestant.rounds.get(connections) ?? [];
        contestant.rounds.set(connections, [...played, round]);
      }
    }
    progress("everything is looked for");
    const found = await allFound(stages, contestants);
    return {
      rounds: ROUNDS,
      roundMs,
      lines: linesOf(contestants),
      found,
      resident: residentOf(stages),
    };
  } finally {
    for (const { rig } of stages.values()) await rig.stop();
  }
}

/**
 * Both revisions of a case get the same number of requests, as many as the slower one answers in the time: what has been stored
 * before, and what one write is shared by, is part of the price.
 *
 * @param {readonly Contestant[]} contestants
 * @param {number} roundMs
 */
function turnsOf(contestants, roundMs) {
  return contestants.flatMap((contestant) =>
    contestant.case.connections.map((connections) => {
      const peers = contestants.filter((peer) => peer.case === contestant.case);
      const amount = Math.min(...peers.map(({ player }) => player.amountFor(connections, roundMs)));
      return { contestant, connections, amount };
    }),
  );
}

/** Without what is there for a comparison alone. @param {ReadonlyMap<string, import("./contestants.mjs").Stage>} stages */
function residentOf(stages) {
  return [...stages]
    .filter(([, { worker }]) => worker === "bare" || worker === "built")
    .map(([rig, stage]) => ({ rig, megabytes: stage.rig.residentBytes() / 1e6 }));
}

/** Looks for everything that was acknowledged. @param {ReadonlyMap<string, import("./contestants.mjs").Stage>} stages
 * @param {readonly Contestant[]} contestants @returns {Promise<Found[]>} */
async function allFound(stages, contestants) {
  const found = [];
  for (const [rig, stage] of stages) {
    const players = contestants.filter((one) => one.stage === stage).map(({ player }) => player);
    const sents = players.flatMap(({ sents }) => sents);
    if (!sents.some(({ digests }) => digests.length > 0)) continue;
    const all = stage.seeded === null ? sents : [stage.seeded, ...sents];
    found.push({ rig, ...(await findable(stage.rig, all)) });
  }
  return found;
}
