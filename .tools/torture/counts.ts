// The number of reports of each issue: as the senders expect it, in the stored chunks, and in
// Errata.

import { runInLanes } from "../command/run-in-lanes.ts";
import type { Client } from "../rig/client.ts";
import type { Evidence, Findings } from "./findings.ts";
import { LANES } from "./follow.ts";
import type { Journal } from "./journal.ts";
import type { KvRecord, Line } from "./record.ts";

/**
 * The allowed counts of an issue, by digest. `most` is above `least` if attempts of browser reports
 * were too far apart to count as one.
 */
type Expected = Map<string, { least: number; most: number }>;

const CODES_PER_LOOKUP = 10;

/** The expected count of each issue. `own` are the lines of Errata's own failures. */
export function computeExpectedCounts(
  { events, uploads }: Journal,
  own: readonly Line[],
): Expected {
  const reports = [...events.values(), ...uploads.values()];
  /** A report that was counted without its body got no digest. */
  const digests: Map<string, string> = new Map();
  for (const { fault, digest } of reports) if (digest) digests.set(fault, digest);
  const expected: Expected = new Map();
  const add = (digest: string, least = 1, most = least) => {
    const sum = expected.get(digest) ?? { least: 0, most: 0 };
    expected.set(digest, { least: sum.least + least, most: sum.most + most });
  };
  for (const report of reports) {
    if (report.end === undefined) continue;
    const most = "exact" in report && !report.exact ? report.sent : 1;
    add(report.digest || (digests.get(report.fault) ?? report.fault), 1, most);
  }
  for (const { digest, isLinked } of own) if (!isLinked) add(digest);
  return expected;
}

/** The count of each issue in the stored chunks. */
export function countStored(record: KvRecord) {
  const counts: Map<string, number> = new Map();
  for (const { digest, isLinked } of record.listLines()) {
    if (!isLinked) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  for (const { digest, occurrences } of record.listRollups()) {
    counts.set(digest, (counts.get(digest) ?? 0) + occurrences);
  }
  return counts;
}

/** Adds a finding for each issue that counts too few or too many. */
export function compareCounts(
  expected: Expected,
  counts: ReadonlyMap<string, number>,
  where: string,
  { lost, duplicated }: Findings,
) {
  for (const [digest, { least, most }] of expected) {
    const count = counts.get(digest) ?? 0;
    const text = `${digest} counts ${count} in ${where}, not ${least}`;
    for (let i = count; i < least; i++) lost.push(text);
    for (let i = most; i < count; i++) duplicated.push(text);
  }
  for (const digest of counts.keys()) {
    if (!expected.has(digest)) duplicated.push(`${digest} in ${where} was never reported`);
  }
}

/**
 * Compares Errata: its issues with `expected`, its totals and listed sessions with the stored
 * chunks, and the stored sessions with the acknowledged ones. Resolves to the number of issues.
 */
export async function compareStatus(
  expected: Expected,
  { journal, record, client }: Evidence,
  findings: Findings,
) {
  const { lost, duplicated, wrong } = findings;
  const counts = await readIssueCounts([...expected.keys()], client);
  compareCounts(expected, counts, "its issue", findings);
  const status: {
    outcomes: { outcome: string; item: string; total: number }[];
    sessions: { release: string; started: number }[];
  } = (await client.readJson("/status")) ?? { outcomes: [], sessions: [] };
  record.read();
  const stored = record.countReports();
  const counted = status.outcomes
    .filter(
      ({ outcome, item }) =>
        outcome === "accepted" || (outcome === "counted" && !/^sessions?$/.test(item)),
    )
    .reduce((sum, { total }) => sum + total, 0);
  if (counted !== stored) {
    const text = `/status counts ${counted} reports, the stored chunks ${stored}`;
    (counted < stored ? lost : duplicated).push(text);
  }
  const started = new Map(
    [...record.sumCounters()].flatMap(([name, sum]): [string, number][] => {
      const [first, , release, , end] = JSON.parse(name);
      return first === "session" && end === "started" ? [[release, sum]] : [];
    }),
  );
  for (const [release, isAcknowledged] of journal.sessions) {
    const count = started.get(release) ?? 0;
    if (isAcknowledged && count === 0) lost.push(`the session of ${release} is not stored`);
    if (count > 1) duplicated.push(`the session of ${release} is stored ${count} times`);
  }
  // The page lists only some of the releases.
  for (const { release, started: count } of status.sessions) {
    const sum = started.get(release) ?? 0;
    if (count !== sum)
      wrong.push(`the stored chunks have ${sum} sessions of ${release}, /status ${count}`);
  }
  return counts.size;
}

async function readIssueCounts(digests: readonly string[], client: Client) {
  const counts: Map<string, number> = new Map();
  const groups = Array.from({ length: Math.ceil(digests.length / CODES_PER_LOOKUP) }, (_, i) =>
    digests.slice(i * CODES_PER_LOOKUP, (i + 1) * CODES_PER_LOOKUP),
  );
  await runInLanes(groups, LANES, async (group) => {
    // Sent as URLs, because in other text digits are not a digest.
    const asked = group.map((digest) => `/d/${digest}`).join(" ");
    const answer = await client.readJson(`/lookup?q=${encodeURIComponent(asked)}`);
    for (const { digest, count } of answer?.hits ?? []) counts.set(digest, count);
  });
  return counts;
}
