// The CPU time of requests: every case of every revision in turn, several times, so that other
// programs affect all of them.

import {
  mappedBuild,
  reportMinifiedError,
  uploadMap,
} from "../../tests/support/source-maps/mapped-issue.ts";
import { showProgress } from "../command/command-line.ts";
import {
  computeMedian,
  formatRatio,
  formatShort,
  formatTable,
  formatWhole,
} from "../command/figures.ts";
import { waitUntil } from "../command/tasks.ts";
import { createMixEvent, MIXES, type Mix } from "../reports/events.ts";
import {
  openPage,
  type Requests,
  type Sent,
  sendEvents,
  sendLoad,
  sendPolicyReports,
  sendUploads,
} from "../rig/load.ts";
import { type Running, startRig } from "../rig/store.ts";
import type { Revision } from "./revisions.ts";

interface Case {
  /** The name on the command line. */
  name: string;
  /** The name in the table. */
  title: string;
  /** The case of the bare Worker that is "× bare" for this one. */
  bare: "bare-get" | "bare-post";
  /** Each case that writes has a process of its own, so that none finds data of another. */
  process: string;
  /** The mix of its events, whose counts are compared at the end. */
  mix?: Mix;
  requests: Requests;
}

const bare = (name: Case["bare"], title: string, requests: Requests): Case => {
  return { name, title, bare: name, process: "bare", requests };
};
/** The case that reports are compared with, besides the bare one. */
const FLOOR = "floor";
const page = (name: string, title: string, path: string, status?: number): Case => {
  const requests = openPage(path, status);
  return { name, title, bare: "bare-get", process: "pages", requests };
};
const reports = (name: string, title: string, requests: Requests, mix?: Mix): Case => {
  return { name, title, bare: "bare-post", process: name, requests, mix };
};

/** In the order of the table and of the rounds. */
export const CASES: readonly Case[] = [
  bare("bare-get", "bare GET", openPage("/")),
  page("list", "list", "/issues"),
  page("issue", "issue", "/d/{digest}"),
  page("issue-mapped", "issue, frames resolved", "/d/{mapped}"),
  page("lookup-hit", "lookup, hit", "/lookup?q={digest}", 303),
  page("lookup-miss", "lookup, miss", "/lookup?q=0123456789abcdef0123456789abcdef", 404),
  bare("bare-post", "bare POST of an event", sendEvents("storm")),
  {
    ...{ name: FLOOR, title: "floor: an event parsed and stored as a row", bare: "bare-post" },
    ...{ process: FLOOR, requests: sendEvents("distinct") },
  },
  reports("storm", "event, one issue", sendEvents("storm"), "storm"),
  reports("mixed", "event, 500 issues", sendEvents("mixed"), "mixed"),
  reports("distinct", "event, all distinct", sendEvents("distinct"), "distinct"),
  reports("upload", "browser's upload of 8 reports", sendUploads()),
  reports("policy", "CSP report", sendPolicyReports()),
];

const CONNECTIONS = 32;
const ROUNDS = 5;
/** The engine compiles frequent code, and needs more than a second for that. */
const MAX_WARM_UP_MS = 4_000;
const WARM_UP_PER_ROUND = 4;
/** Two events for each of the hundred issues that pages show. */
const SEEDED_EVENTS = 200;

/** A case of a revision, in its process. */
interface Contestant {
  case: Case;
  of: Revision["name"];
  rig: Running;
  requests: Requests;
  /** Requests of a round. */
  amount: number;
  nextN: number;
  answered: number;
  failures: Map<number, number>;
  rounds: Round[];
}

type Round = Pick<Sent, "p50Ms" | "p99Ms"> & {
  perSecond: number;
  /** CPU time per answered request, in µs, including the work after its response. */
  cpuUs: number;
};

/** The table of the named cases, and what is wrong with them. */
export async function playRounds(
  names: readonly string[],
  revisions: readonly Revision[],
  { bareFile, floorFile }: { bareFile: string; floorFile: string },
  seconds: number,
): Promise<{ lines: string[]; wrong: string[] }> {
  const chosen = CASES.filter(({ name }) => names.includes(name));
  const needed = new Set([...names, ...chosen.map((one) => one.bare)]);
  if (chosen.some((one) => one.bare === "bare-post")) needed.add(FLOOR);
  const files = new Map([
    ["bare", bareFile],
    [FLOOR, floorFile],
  ]);
  const rigs = new Map<string, Running>();
  const contestants: Contestant[] = [];
  try {
    for (const one of CASES.filter(({ name }) => needed.has(name))) {
      for (const { name: of, tree, built } of revisions) {
        const file = files.get(one.process);
        if (file !== undefined && of === "other") continue;
        const key = `${one.process} of ${of}`;
        showProgress(`start: ${key}`);
        const rig = rigs.get(key) ?? (await startRig(file ?? built, tree));
        rigs.set(key, rig);
        const requests = await fillPath(one.requests, rig);
        const sent = { amount: 0, nextN: 0, answered: 0, failures: new Map(), rounds: [] };
        contestants.push({ case: one, of, rig, requests, ...sent });
      }
    }
    for (const one of contestants) await warmUp(one, seconds * 1000);
    for (let nth = 1; nth <= ROUNDS; nth++) {
      // Every second round in reverse order, so that no case always follows the same one.
      for (const one of nth % 2 ? contestants : contestants.toReversed()) {
        showProgress(`round ${nth} of ${ROUNDS}: ${one.case.name} of ${one.of}`);
        await playRound(one, contestants);
      }
    }
    return { lines: formatRounds(contestants), wrong: await findDifferences(contestants) };
  } finally {
    for (const rig of rigs.values()) await rig.stop();
  }
}

/** Replaces `{digest}` and `{mapped}` in the path of a page by issues that it seeds. */
async function fillPath(requests: Requests, rig: Running): Promise<Requests> {
  if (requests.body !== undefined) return requests;
  let path = requests.path;
  if (path !== "/" && (await rig.client.readJson("/")).total === 0) await seed(rig);
  if (path.includes("{mapped}")) path = path.replace("{mapped}", await seedMappedIssue(rig));
  if (path.includes("{digest}")) {
    const { issues } = await rig.client.readJson("/issues?sort=count");
    path = path.replace("{digest}", issues[0].digest);
  }
  const { status, text } = await rig.client.send({ path, headers: requests.headers });
  if (status !== requests.status || (status !== 303 && !/<\/html>|^ok$/.test(text.trimEnd()))) {
    throw new Error(`${path} was answered with ${status}, or not whole.`);
  }
  return { ...requests, path };
}

/** Sends events of a hundred issues, one after another, so that each rig has the same list. */
async function seed({ client, rest }: Running) {
  for (let n = 0; n < SEEDED_EVENTS; n++) await client.post(createMixEvent("hundred", n));
  await rest();
}

/** Reports an error of a build with a source map. Without resolved frames, its page costs less. */
async function seedMappedIssue({ port, client }: Running): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  await uploadMap(origin);
  const digest = await reportMinifiedError(origin);
  const isResolved = async () => {
    const { text } = await client.send({ path: `/d/${digest}`, headers: { accept: "text/html" } });
    return text.includes("src/money.js");
  };
  if (await waitUntil(isResolved, { maxMs: 20_000, everyMs: 200 })) return digest;
  throw new Error(`The page of ${digest} names no source of ${mappedBuild.name}.`);
}

/** Sends requests until the code is compiled and the pace is known. */
async function warmUp(one: Contestant, roundMs: number) {
  showProgress(`warm-up: ${one.case.name} of ${one.of}`);
  const ms = Math.min(MAX_WARM_UP_MS, WARM_UP_PER_ROUND * roundMs);
  await play(one, { ms: ms / 2 });
  const { answered, tookMs } = await play(one, { ms: ms / 2 });
  one.amount = Math.max(CONNECTIONS, Math.round((answered / tookMs) * roundMs));
}

/**
 * A round. Its CPU time includes the work after the responses, counting and copies to KV, which are
 * part of the cost of a report. All revisions send as many requests as the slowest one answers in
 * the time, because the cost of a report depends on the number of stored reports and of reports
 * that share a write.
 */
async function playRound(one: Contestant, all: readonly Contestant[]) {
  const peers = all.filter((peer) => peer.case === one.case);
  const amount = Math.min(...peers.map((peer) => peer.amount));
  // CPU time since the last round belongs to no case.
  one.rig.takeCpuMs();
  const { answered, tookMs, p50Ms, p99Ms } = await play(one, { amount });
  if (one.case.process !== "bare" && one.requests.body !== undefined) await one.rig.rest();
  const cpuUs = (one.rig.takeCpuMs() * 1000) / answered;
  one.rounds.push({ cpuUs, perSecond: (answered * 1000) / tookMs, p50Ms, p99Ms });
}

async function play(one: Contestant, limit: { amount?: number; ms?: number }): Promise<Sent> {
  const run = { connections: CONNECTIONS, firstN: one.nextN, ...limit };
  const sent = await sendLoad(one.rig.client, one.requests, run);
  one.nextN = sent.nextN;
  one.answered += sent.answered;
  for (const [status, count] of sent.failures) {
    one.failures.set(status, (one.failures.get(status) ?? 0) + count);
  }
  return sent;
}

function formatRounds(contestants: readonly Contestant[]): string[] {
  const listCpu = (name: string, of: Revision["name"]) =>
    contestants
      .find((one) => one.case.name === name && one.of === of)
      ?.rounds.map(({ cpuUs }) => cpuUs);
  const rows = contestants.map(({ case: { name, title, bare }, of, rounds }) => {
    const getMedian = (figure: keyof Round) => computeMedian(rounds.map((round) => round[figure]));
    const cpuUs = listCpu(name, of) ?? [];
    return [
      ...[of === "this" ? title : `${title}, other`, formatWhole(getMedian("cpuUs"))],
      formatRatio(cpuUs, listCpu(bare, "this")),
      bare === "bare-post" ? formatRatio(cpuUs, listCpu(FLOOR, "this")) : "",
      of === "this" ? formatRatio(cpuUs, listCpu(name, "other")) : "",
      ...[formatWhole(getMedian("perSecond")), formatShort(getMedian("p50Ms"))],
      formatShort(getMedian("p99Ms")),
    ];
  });
  const ratios = ["× bare", "× floor", "× other"];
  const heads = ["", "CPU µs per request", ...ratios, "requests/s", "p50 ms", "p99 ms"];
  return [
    `${ROUNDS} rounds, ${CONNECTIONS} connections; ± is half of the range of the rounds' ratios.`,
    "",
    ...formatTable(heads, rows),
  ];
}

/**
 * A sentence for each unexpected answer, and for each process that did not count what it
 * acknowledged.
 */
async function findDifferences(contestants: readonly Contestant[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { case: one, of, rig, answered, failures } of contestants) {
    const name = `${one.name} of ${of}`;
    for (const [status, count] of failures) {
      wrong.push(`${name}: ${count} answers with the status ${status || "of no answer"}`);
    }
    if (one.mix === undefined) continue;
    const expected = Math.min(MIXES[one.mix], answered);
    const { total } = await rig.client.readJson("/");
    const { received } = await rig.client.readJson("/status");
    // A request without an answer may have been stored.
    if (failures.size === 0 ? total !== expected : total < expected) {
      wrong.push(`${name}: ${total} issues instead of ${expected}`);
    }
    if (failures.size === 0 ? received.total !== answered : received.total < answered) {
      wrong.push(`${name}: ${received.total} reports instead of ${answered}`);
    }
  }
  return wrong;
}
