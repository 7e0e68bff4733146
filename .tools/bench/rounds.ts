// The rounds: every case of every revision in turn, five times, so that other programs affect all
// of them. Every second round runs in reverse order, so that no case always follows the same one.

import { showProgress } from "../command/progress.ts";
import type { Sender } from "../rig/sender.ts";
import { type Case, isWriting } from "./cases.ts";
import { type Found, findAll } from "./find.ts";
import { computeLines, type Line, type Round } from "./lines.ts";
import { assertPages, type Contestant, type Stage, startAll } from "./stages.ts";
import type { Revision } from "./workers.ts";

const ROUNDS = 5;
/** The engine compiles frequent code, and needs more than a second for that. */
const MAX_WARM_UP_MS = 4_000;
const WARM_UP_PER_ROUND = 4;

export interface Rounds {
  rounds: number;
  seconds: number;
  lines: readonly Line[];
  found: readonly (Found & { rig: string })[];
  /** The resident memory after the last round. */
  memory: readonly { rig: string; megabytes: number }[];
}

interface Options {
  cases: readonly Case[];
  revisions: readonly Revision[];
  sender: Sender;
  /** The seconds of load of each case in each round. */
  seconds: number;
}

export async function playRounds(options: Options): Promise<Rounds> {
  const stages = new Map<string, Stage>();
  const { seconds } = options;
  const ms = seconds * 1000;
  try {
    const contestants = await startAll(options, stages);
    await assertPages(contestants);
    for (const { case: played, of, player } of contestants) {
      showProgress(`warm-up: ${played.name} of ${of}`);
      for (const count of played.connections.toReversed()) {
        await player.warmUp(count, Math.min(MAX_WARM_UP_MS, WARM_UP_PER_ROUND * ms));
      }
    }
    const turns = contestants.flatMap((one) =>
      one.case.connections.map((count) => ({
        one,
        count,
        amount: chooseAmount(one, contestants, count, ms),
      })),
    );
    for (let nth = 1; nth <= ROUNDS; nth++) {
      for (const { one, count, amount } of nth % 2 ? turns : turns.toReversed()) {
        showProgress(
          `round ${nth} of ${ROUNDS}: ${one.case.name} of ${one.of}, ${count} connections`,
        );
        const before = one.rounds.get(count) ?? [];
        one.rounds.set(count, [...before, await playRound(one, count, ms, amount)]);
      }
    }
    const found = await findAcknowledged(contestants, stages);
    const memory = [...stages].map(([rig, stage]) => ({
      rig,
      megabytes: stage.rig.readMemory() / 1e6,
    }));
    return { rounds: ROUNDS, seconds, lines: computeLines(contestants), found, memory };
  } finally {
    for (const { rig } of stages.values()) await rig.stop();
  }
}

async function findAcknowledged(
  contestants: readonly Contestant[],
  stages: ReadonlyMap<string, Stage>,
) {
  showProgress("lookup of everything that was acknowledged");
  const found: Rounds["found"][number][] = [];
  for (const [rig, stage] of stages) {
    const here = contestants.filter((one) => one.stage === stage);
    const runs = [stage.seeded ?? [], ...here.map(({ player }) => player.runs)].flat();
    if (runs.some(({ digests }) => digests.length > 0)) {
      found.push({ rig, ...(await findAll(stage.rig.client, runs)) });
    }
  }
  return found;
}

/**
 * A round. Its CPU time includes the work after the responses, counting and copies to KV, which are
 * part of the cost of a report.
 */
async function playRound(
  { case: one, stage: { rig }, player }: Contestant,
  connections: number,
  ms: number,
  amount: number,
): Promise<Round> {
  // CPU time since the last round belongs to no case.
  rig.takeCpuMs();
  const sent = await player.play(connections, ms, amount);
  if (isWriting(one)) await rig.rest();
  const { answered, failed, failures, tookMs, p50Ms, p99Ms } = sent;
  const cpuUs = (rig.takeCpuMs() * 1000) / answered;
  return { answered, failed, failures, p50Ms, p99Ms, cpuUs, perSecond: (answered * 1000) / tookMs };
}

/**
 * Both revisions of a case get the same number of requests, as many as the slower one answers in
 * the time, because the cost of a report depends on the number of stored reports and of reports
 * that share a write.
 */
function chooseAmount(
  one: Contestant,
  all: readonly Contestant[],
  connections: number,
  ms: number,
) {
  const peers = all.filter((peer) => peer.case === one.case);
  return Math.min(...peers.map(({ player }) => player.computeAmount(connections, ms)));
}
