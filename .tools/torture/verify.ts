// The reckoning: what the senders were told, what stands in the record, what the desk counts and what it finds must be one and
// the same. Every difference is a sentence.

import type { Books } from "./books.ts";
import type { Client } from "./client.ts";
import { compareCounts, compareStatus, countsOf, expectedCounts } from "./counts.ts";
import type { FaultyKv } from "./faulty-kv.ts";
import { followAll } from "./follow.ts";
import type { KvRecord } from "./record.ts";

interface Verdict {
  /** acknowledged, and not where it should be */
  lost: readonly string[];
  /** counted or stored more often than it was acknowledged */
  twice: readonly string[];
  /** everything else that should not be */
  wrong: readonly string[];
  /** bodies in the record */
  kept: number;
  /** ids that were followed on the desk */
  followed: number;
  /** those of them that were found only when KV's old reads had ended */
  foundLate: number;
  issues: number;
  /** failures of Errata itself, which are reports too */
  own: number;
}

export type Findings = { lost: string[]; twice: string[]; wrong: string[] };

/** More ids than these are not followed of those that have no body to be seen in the record. */
const MAX_WITHOUT_BODY = 1_000;

/** Compares everything. The log must have come to rest before. */
export async function verify({
  books,
  record,
  kv,
  client,
  sample,
  patienceMs,
}: {
  books: Books;
  record: KvRecord;
  kv: FaultyKv;
  client: Client;
  /** ids to follow on the desk */
  sample: readonly string[];
  /** a shard that does not answer at once makes the desk a moment old */
  patienceMs: number;
}): Promise<Verdict> {
  const findings: Findings = { lost: [], twice: [], wrong: [...books.contradictions] };
  for (const key of new Set(kv.changed)) {
    findings.wrong.push(`${key} was put with other bytes than before`);
  }
  record.read();
  const { kept, own } = compareRecord(books, record, findings);
  const expected = expectedCounts(books, own);
  compareCounts(expected, countsOf(record), "the record", findings);
  const issues = await within(patienceMs, findings, (found) =>
    compareStatus({ expected, books, record, client }, found),
  );
  const bodiless = [...idsOf(books)].filter((id) => !kept.has(id));
  const ids = new Set([...sample, ...bodiless.slice(0, MAX_WITHOUT_BODY)]);
  const followed = await followAll([...ids], { books, kept, client, kv });
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

/**
 * Every id that was acknowledged with its body has one line, and that line its body. Gives the ids that have a line, and the
 * lines of Errata's own failures.
 */
function compareRecord(books: Books, record: KvRecord, { lost, twice, wrong }: Findings) {
  const keys: Map<string, string> = new Map();
  const perMark: Map<string, number> = new Map();
  const own = [];
  for (const line of record.lines()) {
    const { id, mark, key, format } = line;
    if (keys.has(id)) twice.push(`${id} stands in ${keys.get(id)} and in ${key}`);
    keys.set(id, key);
    const entry = books.events.get(id);
    if (entry && mark !== `torture-${entry.event.n}`) wrong.push(`${id} has another body: ${mark}`);
    if (mark !== null) perMark.set(mark, (perMark.get(mark) ?? 0) + 1);
    if (entry || books.uploads.has(mark ?? "")) continue;
    if (format === "render") own.push(line);
    else wrong.push(`${id} in ${key} was sent by nobody`);
  }
  for (const [id, { end }] of books.events) {
    if (end === undefined) wrong.push(`${id} was never acknowledged`);
    if (end === "accepted" && !keys.has(id)) lost.push(`${id} is not in the record`);
  }
  for (const [mark, { end, exact, id = "", sent }] of books.uploads) {
    const stored = perMark.get(mark) ?? 0;
    if (end === "accepted" && !keys.has(id)) lost.push(`${mark}, ${id}, is not in the record`);
    if (stored > (exact ? 1 : sent)) twice.push(`${mark} stands in the record ${stored} times`);
  }
  return { kept: keys, own };
}

/** Every id that a sender was told, browsers' reports first. */
function* idsOf(books: Books) {
  for (const { id } of books.uploads.values()) if (id) yield id;
  for (const [id, { end }] of books.events) if (end !== undefined) yield id;
}

/** Compares until nothing differs, or for so long; what differs then is found. */
async function within<T>(ms: number, findings: Findings, compare: (found: Findings) => Promise<T>) {
  const untilMs = performance.now() + ms;
  for (;;) {
    const found: Findings = { lost: [], twice: [], wrong: [] };
    const result = await compare(found);
    const differs = found.lost.length + found.twice.length + found.wrong.length > 0;
    if (differs && performance.now() < untilMs) continue;
    findings.lost.push(...found.lost);
    findings.twice.push(...found.twice);
    findings.wrong.push(...found.wrong);
    return result;
  }
}
