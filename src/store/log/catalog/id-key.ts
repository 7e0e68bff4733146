/**
 * Keys of ids in the catalog: 64 bits of a hash. Ids from senders may not be random, and a run of
 * the catalog (`id-runs.ts`) needs keys that are spread evenly. Ids of strangers' reports come from
 * SHA-256 (`core/report/report-id.ts`), so strangers cannot choose a key.
 */
import type { ReportId } from "../../../core/report.ts";

/** 64 bits as two unsigned words. */
export interface IdKey {
  readonly high: number;
  readonly low: number;
}

/** Traces and report ids have separate keys. */
type IdKind = "report" | "trace";

const SEEDS: Readonly<Record<IdKind, number>> = { report: 0x2545f491, trace: 0x6c62272e };

/** The key of an id of 32 hex characters. */
export function hashId(id: ReportId, kind: IdKind = "report"): IdKey {
  const parseWord = (word: number) => Number.parseInt(id.slice(word * 8, word * 8 + 8), 16) >>> 0;
  return hashWords(parseWord(0), parseWord(1), parseWord(2), parseWord(3), kind);
}

/** Less than zero if `a` comes first. */
export function compareKeys(a: IdKey, b: IdKey): number {
  return a.high - b.high || a.low - b.low;
}

function hashWords(a: number, b: number, c: number, d: number, kind: IdKind): IdKey {
  const seed = SEEDS[kind];
  const first = mixBits(mixBits(a + seed) ^ b);
  const second = mixBits(mixBits(c ^ seed) + d);
  return {
    high: mixBits(first + Math.imul(second, 0x9e3779b9)),
    low: mixBits(second ^ Math.imul(first, 0x85ebca6b)),
  };
}

/** Every bit of the result depends on every bit of the word (MurmurHash3 `fmix32`). */
export function mixBits(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
