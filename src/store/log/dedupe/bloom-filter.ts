/**
 * A Bloom filter in segments for the ids of a day. Below its capacity it has no false negatives.
 * Fewer than one in 10,000 results is a false positive, which the caller's lookup corrects. At 24
 * bits per id, four million ids take 12 MB.
 */
import type { ReportId } from "../../../core/report.ts";
import { hashId, type IdKey, mixBits } from "../catalog/id-key.ts";

const IDS_PER_SEGMENT = 250_000;
const MAX_SEGMENTS = 16;
/** The ids that the filter has room for. */
export const MAX_FILTER_IDS = IDS_PER_SEGMENT * MAX_SEGMENTS;
const BITS_PER_ID = 24;
const PROBES_PER_ID = 10;
const BITS_PER_SEGMENT = IDS_PER_SEGMENT * BITS_PER_ID;
/** The first segment is small, so that small projects need little memory. */
const FIRST_SEGMENT_IDS = 4_096;

interface FilterSegment {
  readonly bits: Uint32Array;
  readonly bitCount: number;
  readonly maxIds: number;
  idCount: number;
  newestMs: number;
}

/** The ids of the last `ttlMs`, at most the newest four million. */
export class RollingBloomFilter {
  readonly #ttlMs: number;
  #segments: FilterSegment[] = [];

  constructor(ttlMs: number) {
    this.#ttlMs = ttlMs;
  }

  /** False if the id was not added. True may be wrong. */
  has(id: ReportId): boolean {
    return this.#hasKey(hashId(id));
  }

  /** Adds an id at `nowMs`. */
  add(id: ReportId, nowMs: number): void {
    this.addKey(hashId(id), nowMs);
  }

  #hasKey(key: IdKey): boolean {
    return this.#segments.some(({ bits, bitCount }) => {
      for (let probe = 0; probe < PROBES_PER_ID; probe++) {
        const bit = hashToBit(key, probe, bitCount);
        if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    });
  }

  /** Adds the key of an id at `nowMs`. */
  addKey(key: IdKey, nowMs: number): void {
    const segment = this.#getOpenSegment(nowMs);
    for (let probe = 0; probe < PROBES_PER_ID; probe++) {
      const bit = hashToBit(key, probe, segment.bitCount);
      segment.bits[bit >>> 5] = (segment.bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    segment.idCount += 1;
    segment.newestMs = Math.max(segment.newestMs, nowMs);
  }

  /** The segment for the next id. A segment is dropped once its newest id has expired. */
  #getOpenSegment(nowMs: number): FilterSegment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.idCount < last.maxIds) return last;
    const unexpired = this.#segments.filter(({ newestMs }) => newestMs > nowMs - this.#ttlMs);
    const isFirst = last === undefined;
    const maxIds = isFirst ? FIRST_SEGMENT_IDS : IDS_PER_SEGMENT;
    const bitCount = isFirst ? FIRST_SEGMENT_IDS * BITS_PER_ID : BITS_PER_SEGMENT;
    const bits = new Uint32Array(Math.ceil(bitCount / 32));
    const segment: FilterSegment = { bits, bitCount, maxIds, idCount: 0, newestMs: nowMs };
    this.#segments = [...unexpired.slice(1 - MAX_SEGMENTS), segment];
    return segment;
  }
}

function hashToBit({ high, low }: IdKey, probe: number, bitCount: number): number {
  const seeded = mixBits(high + Math.imul(probe, 0x9e3779b9));
  return mixBits(seeded ^ (low + Math.imul(probe, 0x85ebca6b))) % bitCount;
}
