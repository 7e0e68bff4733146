// The rounds: every case of every revision in turn, five times, so that other programs affect all
// of them. Every second round runs in reverse order, so that no case always follows the same one.

import { progress } from "../command/progress.ts";
import { computeRatio, median, type Ratio } from "../command/statistics.ts";
import { createId } from "../reports/bodies.ts";
import { createClient } from "../rig/client.ts";
import { envelope, KEY } from "../rig/requests.ts";
import { type Rig, startRig, startServed } from "../rig/rig.ts";
import type { Sender, Sent } from "../rig/sender.ts";
import { type Case, isWriting, MANY } from "./cases.ts";
import { type Acknowledged, type Found, findAll } from "./find.ts";
import { seedMappedIssue } from "./mapped-issue.ts";
import { createPlayer, type Player } from "./player.ts";
import type { Revision } from "./workers.ts";

const ROUNDS = 5;
/** The engine compiles frequent code, and needs more than a second for that. */
const MAX_WARM_UP_MS = 4_000;
const WARM_UP_PER_ROUND = 4;
/** Two events for each of the first hundred issues. */
const SEEDED_EVENTS = 200;

export type Round = Pick<Sent, "answered" | "failed" | "failures" | "p50Ms" | "p99Ms"> & {
  perSecond: number;
  /** CPU time per answered request, in µs, including the work after its response. */
  cpuUs: number;
};

/** A case of a revision. */
export interface Played {
  case: Case;
  of: Revision["name"];
  /** The rounds by their number of connections. */
  rounds: Map<number, Round[]>;
}

/** The medians of the rounds. A ratio is null without a case to compare with. */
export interface Line {
  name: string;
  title: string;
  of: Revision["name"];
  connections: number;
  cpuUs: number;
  bare: Ratio | null;
  beside: Ratio | null;
  /** This revision's CPU time as a multiple of the other one's. */
  other: Ratio | null;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  failures: readonly string[];
}

export interface Rounds {
  rounds: number;
  seconds: number;
  lines: readonly Line[];
  found: readonly (Found & { rig: string })[];
  /** The resident memory after the last round. */
  memory: readonly { rig: string; megabytes: number }[];
}

interface Stage {
  rig: Rig;
  seeded: Acknowledged | null;
  /** The digest of an issue whose frames are resolved; "" if no case shows it. */
  mapped: string;
}

interface Contestant extends Played {
  player: Player;
  stage: Stage;
}

interface Options {
  cases: readonly Case[];
  revisions: readonly Revision[];
  sender: Sender;
  /** The seconds of load of each case in each round. */
  seconds: number;
  /** The number of issues of the Workers that show pages. */
  issues: number;
}

export async function playRounds(options: Options): Promise<Rounds> {
  const stages = new Map<string, Stage>();
  const { seconds } = options;
  const ms = seconds * 1000;
  try {
    const contestants = await startAll(options, stages);
    await assertPages(contestants);
    for (const {
      case: { name, connections },
      of,
      player,
    } of contestants) {
      progress(`warm-up: ${name} of ${of}`);
      for (const count of connections.toReversed()) {
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
        progress(`round ${nth} of ${ROUNDS}: ${one.case.name} of ${one.of}, ${count} connections`);
        const before = one.rounds.get(count) ?? [];
        one.rounds.set(count, [...before, await playRound(one, count, ms, amount)]);
      }
    }
    progress("lookup of everything that was acknowledged");
    const found: Rounds["found"][number][] = [];
    for (const [rig, stage] of stages) {
      const here = contestants.filter((one) => one.stage === stage);
      const sents = [stage.seeded ?? [], ...here.map(({ player }) => player.sents)].flat();
      if (sents.some(({ digests }) => digests.length > 0)) {
        found.push({ rig, ...(await findAll(stage.rig.port, sents)) });
      }
    }
    const memory = [...stages].map(([rig, stage]) => ({
      rig,
      megabytes: stage.rig.residentBytes() / 1e6,
    }));
    return { rounds: ROUNDS, seconds, lines: computeLines(contestants), found, memory };
  } finally {
    for (const { rig } of stages.values()) await rig.stop();
  }
}

/** The figures of the played cases. */
export function computeLines(played: readonly Played[]): Line[] {
  const roundsOf = (name: string | undefined, of: string, connections: number) =>
    played.find((one) => one.case.name === name && one.of === of)?.rounds.get(connections) ?? [];
  const cpu = (rounds: readonly Round[]) => rounds.map(({ cpuUs }) => cpuUs);
  return played.flatMap(({ case: { name, title, bare, beside }, of, rounds: byConnections }) =>
    [...byConnections].map(([connections, rounds]) => {
      const good = rounds.filter(({ answered }) => answered > 0);
      const medianOf = (figure: "cpuUs" | "perSecond" | "p50Ms" | "p99Ms") =>
        median(good.map((round) => round[figure]));
      // Cases to compare with run once, in this revision.
      const ratio = (other: string | undefined, whose: string) =>
        computeRatio(cpu(rounds), cpu(roundsOf(other, whose, connections)));
      return {
        ...{ name, title, of, connections, cpuUs: medianOf("cpuUs") },
        bare: ratio(bare, "this"),
        beside: ratio(beside, "this"),
        other: of === "this" ? ratio(name, "other") : null,
        perSecond: medianOf("perSecond"),
        p50Ms: medianOf("p50Ms"),
        p99Ms: medianOf("p99Ms"),
        failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
        failures: rounds.flatMap(({ failures }) => failures.map((one) => one.join(" ×"))),
      };
    }),
  );
}

/** Starts a process for each rig and seeds it. Fills `stages` even if it fails half-way. */
async function startAll({ cases, revisions, sender, issues }: Options, stages: Map<string, Stage>) {
  const contestants: Contestant[] = [];
  for (const one of cases) {
    for (const { name: of, tree, workers } of revisions) {
      const file = workers[one.worker];
      if (file === undefined) continue;
      const rigName = of === "this" ? one.rig : `${one.rig}, other`;
      let stage = stages.get(rigName);
      if (stage === undefined) {
        progress(`start: ${rigName}`);
        const rig = one.worker === "start" ? await startServed() : await startRig(file, tree);
        stage = { rig, seeded: null, mapped: "" };
        stages.set(rigName, stage);
      }
      if (one.isSeeded) stage.seeded ??= await seed(stage.rig, sender, issues);
      const [[digest = ""] = []] = stage.seeded?.digests ?? [];
      const { ask } = one;
      const isMapped = ask.kind === "page" && ask.path.includes("{mapped}");
      if (isMapped && stage.mapped === "") stage.mapped = await seedMappedIssue(stage.rig);
      const path =
        ask.kind === "page"
          ? ask.path.replace("{digest}", digest).replace("{mapped}", stage.mapped)
          : "";
      const player = createPlayer(
        sender,
        stage.rig.port,
        ask.kind === "page" ? { ...ask, path } : ask,
      );
      contestants.push({ case: one, of, stage, player, rounds: new Map() });
    }
  }
  return contestants;
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
  rig.cpuUs();
  const sent = await player.play(connections, ms, amount);
  if (isWriting(one)) await rig.rest();
  const { answered, failed, failures, tookMs, p50Ms, p99Ms } = sent;
  const cpuUs = rig.cpuUs() / answered;
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
  return Math.min(...peers.map(({ player }) => player.amountFor(connections, ms)));
}

/**
 * Sends events of `issues` issues. The first hundred are sent one after another, so that each rig
 * has the same list.
 */
async function seed(rig: Rig, sender: Sender, issues: number): Promise<Acknowledged> {
  const client = createClient(() => rig.port, KEY);
  const ids = Array.from({ length: SEEDED_EVENTS }, (_, n) => createId(3, `seed ${n}`));
  const digests = new Map<string, number>();
  for (const [n, id] of ids.entries()) {
    const { status, outcomes } = await client.post(envelope("hundred", n, id));
    if (status !== 200) throw new Error(`An event was answered with ${status}.`);
    for (const { digest } of outcomes) digests.set(digest, (digests.get(digest) ?? 0) + 1);
  }
  client.close();
  const more = createPlayer(sender, rig.port, { kind: "event", mix: "distinct" });
  for (let left = issues - 100; left >= MANY; left -= 10_000) {
    progress(`${left} issues to come`);
    const sent = await more.play(MANY, 60_000, Math.min(left, 10_000));
    for (const [digest, count] of sent.digests)
      digests.set(digest, (digests.get(digest) ?? 0) + count);
  }
  await rig.rest();
  return { failed: 0, digests: [...digests], ids };
}

/** Rejects unless each page is whole, and both renderers of the fixture give the same bytes. */
async function assertPages(contestants: readonly Contestant[]): Promise<void> {
  const pages = new Map<string, string>();
  for (const {
    case: { name },
    of,
    player: { ask },
    stage,
  } of contestants) {
    if (ask.kind !== "page") continue;
    const response = await fetch(`http://127.0.0.1:${stage.rig.port}${ask.path}`, {
      headers: { accept: "text/html" },
      redirect: "manual",
    });
    const page = await response.text();
    const isHtml = response.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (
      response.status !== (ask.status ?? 200) ||
      (isHtml && page !== "" && !page.includes("</html>"))
    ) {
      throw new Error(`${name}: ${ask.path} was answered with ${response.status}, or not whole.`);
    }
    if (of === "this") pages.set(name, page);
  }
  const [own, plain] = ["fixture", "fixture-plain"].map((name) => pages.get(name));
  if (own !== undefined && plain !== undefined && own !== plain) {
    throw new Error("The two renderers give different pages.");
  }
}
