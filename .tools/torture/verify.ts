// Compares the senders' journal, the stored chunks, the counts in Errata and its lookups. Every
// difference is a sentence.

import { compareCounts, compareStatus, computeExpectedCounts, countStored } from "./counts.ts";
import { compareUntilEqual, createFindings, type Evidence, type Findings } from "./findings.ts";
import { followAll } from "./follow.ts";
import type { Journal } from "./journal.ts";
import type { KvRecord } from "./record.ts";

export interface Verdict extends Findings {
  /** The number of stored bodies. */
  kept: number;
  /** The number of ids that were looked up. */
  followed: number;
  /** The number of ids that were found only after stale reads of KV had ended. */
  foundLate: number;
  issues: number;
  /** The number of reports of Errata's own failures. */
  own: number;
}

interface Options {
  /** Ids to look up. */
  sample: readonly string[];
  /**
   * The time after which differences are findings, because a shard that responds late makes pages
   * stale.
   */
  patienceMs: number;
}

/** Maximum of followed ids that have no stored body. */
const MAX_WITHOUT_BODY = 1_000;

/** Compares everything. Call when the log has stored everything. */
export async function verify(
  evidence: Evidence,
  { sample, patienceMs }: Options,
): Promise<Verdict> {
  const { journal, record, kv } = evidence;
  const findings = { ...createFindings(), wrong: [...journal.contradictions] };
  for (const key of new Set(kv.changed)) {
    findings.wrong.push(`${key} was put with other bytes than before`);
  }
  record.read();
  const { kept, expected, own } = compareArchive(journal, record, findings);
  const issues = await compareUntilEqual(patienceMs, findings, (found) =>
    compareStatus(expected, evidence, found),
  );
  const bodiless = [...listIds(journal)].filter((id) => !kept.has(id));
  const ids = new Set([...sample, ...bodiless.slice(0, MAX_WITHOUT_BODY)]);
  const followed = await followAll([...ids], kept, evidence);
  findings.lost.push(...followed.lost);
  return {
    ...findings,
    kept: kept.size,
    followed: ids.size,
    foundLate: followed.late,
    issues,
    own: own.length,
  };
}

/** True if the stored chunks have every acknowledged report, with its body or counted. */
export function isStored(journal: Journal, record: KvRecord) {
  const findings = createFindings();
  compareArchive(journal, record, findings);
  return findings.lost.length === 0;
}

function compareArchive(journal: Journal, record: KvRecord, findings: Findings) {
  const { kept, own } = compareRecord(journal, record, findings);
  const expected = computeExpectedCounts(journal, own);
  compareCounts(expected, countStored(record), "the archive", findings);
  return { kept, expected, own };
}

/**
 * Every acknowledged id has one line, with its body. Returns the ids that have a line, and the
 * lines of Errata's own failures.
 */
function compareRecord(journal: Journal, record: KvRecord, { lost, duplicated, wrong }: Findings) {
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
  return { kept: keys, own };
}

/** Every acknowledged id, those of browsers' reports first. */
function* listIds(journal: Journal) {
  for (const { id } of journal.uploads.values()) if (id) yield id;
  for (const [id, { end }] of journal.events) if (end !== undefined) yield id;
}
