// Compares the senders' journal, the stored chunks, the counts in Errata and its lookups. Every
// difference is a sentence.

import { runInLanes } from "../command/tasks.ts";
import type { Client } from "../rig/client.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import type { Journal } from "./load.ts";
import type { KvRecord } from "./record.ts";

/** The sides that are compared: what was acknowledged, what is stored, and what Errata shows. */
export interface Evidence {
  journal: Journal;
  record: KvRecord;
  kv: FaultyKv;
  client: Client;
}

export interface Findings {
  /** Reports that were acknowledged and are missing. */
  lost: string[];
  /** Reports that were counted or stored more often than acknowledged. */
  duplicated: string[];
  /** All other differences. */
  wrong: string[];
}

/**
 * The allowed counts of an issue, by digest. `most` is above `least` if attempts of browser reports
 * were too far apart to count as one.
 */
type Expected = Map<string, { least: number; most: number }>;

/** Maximum of followed ids that have no stored body. */
const MAX_WITHOUT_BODY = 1_000;
const CODES_PER_LOOKUP = 10;
/** Concurrent lookups. */
const LANES = 8;

const createFindings = (): Findings => ({ lost: [], duplicated: [], wrong: [] });

/** Adds findings to others, with words before each. */
export function addFindings(to: Findings, from: Findings, prefix = "") {
  for (const kind of ["lost", "duplicated", "wrong"] as const) {
    to[kind].push(...from[kind].map((text) => prefix + text));
  }
}

/**
 * Compares everything, and looks up the ids of `sample`. Call when the log has stored everything.
 * Differences of counts are findings after `patienceMs`, because a shard that responds late makes
 * pages stale. `figures` tell the stored bodies, the ids that were looked up, those that were found
 * only after stale reads of KV had ended, the issues, and the reports of Errata's own failures.
 */
export async function verify(evidence: Evidence, sample: readonly string[], patienceMs: number) {
  const { journal, record, kv } = evidence;
  const findings = createFindings();
  findings.wrong.push(...journal.contradictions);
  for (const key of new Set(kv.changed)) {
    findings.wrong.push(`${key} was put with other bytes than before`);
  }
  record.read();
  const { kept, expected, own } = compareArchive(journal, record, findings);
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const found = createFindings();
    await compareStatus(expected, evidence, found);
    const differs = Object.values(found).some((texts) => texts.length > 0);
    if (differs && performance.now() < untilMs) continue;
    addFindings(findings, found);
    break;
  }
  const bodiless = [...listIds(journal)].filter((id) => !kept.has(id));
  const ids = new Set([...sample, ...bodiless.slice(0, MAX_WITHOUT_BODY)]);
  const followed = await followAll([...ids], kept, evidence);
  findings.lost.push(...followed.lost);
  const counts = { bodies: kept.size, followed: ids.size, foundLate: followed.late };
  return { ...findings, figures: { ...counts, issues: expected.size, own } };
}

/** True if the stored chunks have every acknowledged report, with its body or counted. */
export function isStored(journal: Journal, record: KvRecord) {
  const findings = createFindings();
  compareArchive(journal, record, findings);
  return findings.lost.length === 0;
}

/**
 * Every acknowledged id has one line, with its body, and every issue its count. Returns the chunks
 * of the ids that have a line, the expected counts, and the number of reports of Errata's own
 * failures.
 */
function compareArchive(journal: Journal, record: KvRecord, findings: Findings) {
  const { lost, duplicated, wrong } = findings;
  const keys: Map<string, string> = new Map();
  const countByMarker: Map<string, number> = new Map();
  const own = [];
  for (const line of record.listLines()) {
    const { id, marker, key, format } = line;
    if (keys.has(id)) duplicated.push(`${id} is in ${keys.get(id)} and in ${key}`);
    keys.set(id, key);
    const entry = journal.events.get(id);
    if (entry && marker !== `torture-${entry.event.n}`)
      wrong.push(`${id} has another body: ${marker}`);
    if (marker !== null) countByMarker.set(marker, (countByMarker.get(marker) ?? 0) + 1);
    if (entry || journal.uploads.has(marker ?? "")) continue;
    if (format === "render") own.push(line);
    else wrong.push(`${id} in ${key} was never sent`);
  }
  for (const [id, { end }] of journal.events) {
    if (end === undefined) wrong.push(`${id} was never acknowledged`);
    if (end === "accepted" && !keys.has(id)) lost.push(`${id} is not in the archive`);
  }
  for (const [marker, { end, exact, id = "", sent }] of journal.uploads) {
    const stored = countByMarker.get(marker) ?? 0;
    if (end === "accepted" && !keys.has(id)) lost.push(`${marker}, ${id}, is not in the archive`);
    if (stored > (exact ? 1 : sent)) duplicated.push(`${marker} is in the archive ${stored} times`);
  }
  const linked = own.filter(({ isLinked }) => !isLinked).map(({ digest }) => digest);
  const expected = computeExpected(journal, linked);
  compareCounts(expected, record.countIssues(), "the archive", findings);
  return { kept: keys, expected, own: own.length };
}

/** The expected count of each issue. `own` are the digests of Errata's own failures. */
function computeExpected({ events, uploads }: Journal, own: readonly string[]): Expected {
  const reports = [...events.values(), ...uploads.values()];
  /** A report that was counted without its body got no digest. */
  const digests: Map<string, string> = new Map();
  for (const { fault, digest } of reports) if (digest) digests.set(fault, digest);
  const expected: Expected = new Map();
  const add = (digest: string, most = 1) => {
    const sum = expected.get(digest) ?? { least: 0, most: 0 };
    expected.set(digest, { least: sum.least + 1, most: sum.most + most });
  };
  for (const report of reports) {
    if (report.end === undefined) continue;
    const most = "exact" in report && !report.exact ? report.sent : 1;
    add(report.digest || (digests.get(report.fault) ?? report.fault), most);
  }
  for (const digest of own) add(digest);
  return expected;
}

/** Adds a finding for each issue that counts too few or too many. */
function compareCounts(
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
 * chunks, and the stored sessions with the acknowledged ones.
 */
async function compareStatus(expected: Expected, evidence: Evidence, findings: Findings) {
  const { journal, record, client } = evidence;
  const { lost, duplicated, wrong } = findings;
  compareCounts(expected, await readCounts([...expected.keys()], client), "its issue", findings);
  const status: {
    outcomes: { outcome: string; item: string; total: number }[];
    sessions: { release: string; started: number }[];
  } = (await client.readJson("/status")) ?? { outcomes: [], sessions: [] };
  record.read();
  const stored = record.countReports();
  const counted = status.outcomes
    .filter(({ outcome, item }) => {
      return outcome === "accepted" || (outcome === "counted" && !/^sessions?$/.test(item));
    })
    .reduce((sum, { total }) => sum + total, 0);
  if (counted !== stored) {
    const text = `/status counts ${counted} reports, the stored chunks ${stored}`;
    (counted < stored ? lost : duplicated).push(text);
  }
  const started = record.countSessions();
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
}

async function readCounts(digests: readonly string[], client: Client) {
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

/** Every acknowledged id, those of browsers' reports first. */
function* listIds(journal: Journal) {
  for (const { id } of journal.uploads.values()) if (id) yield id;
  for (const [id, { end }] of journal.events) if (end !== undefined) yield id;
}

/**
 * Follows each id to its body if one is stored (in `kept`), else to its issue. Resolves to a
 * sentence for each id that is not found, and to the number of ids that were found only after the
 * stale reads of KV ended.
 */
async function followAll(
  ids: readonly string[],
  kept: ReadonlyMap<string, string>,
  { journal, client, kv }: Evidence,
) {
  const failed: { id: string; why: string }[] = [];
  const follow = async (id: string) => {
    const hits: { url: string }[] = (await client.readJson(`/lookup?q=${id}`))?.hits ?? [];
    const hit = hits.find(({ url }) => url.endsWith(id));
    if (hit === undefined) return "the lookup does not find it";
    if (!kept.has(id)) return null;
    const report = await client.readJson(hit.url);
    if (report?.id !== id) return `${hit.url} does not show it`;
    const n = journal.events.get(id)?.event.n;
    const isIts = n === undefined || JSON.stringify(report).includes(`"torture-${n}"`);
    return isIts ? null : `${hit.url} shows another body`;
  };
  await runInLanes(ids, LANES, async (id) => {
    const why = await follow(id);
    if (why !== null) failed.push({ id, why });
  });
  kv.refresh();
  const lost: string[] = [];
  await runInLanes(failed, LANES, async ({ id, why }) => {
    const end = journal.events.get(id)?.end ?? "a browser's report";
    if ((await follow(id)) !== null) lost.push(`${id}, ${end}: ${why}`);
  });
  return { lost, late: failed.length - lost.length };
}
