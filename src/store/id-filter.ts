/**
 * Whether an id was seen within a day, without a row or a string for each: a Bloom filter in segments. It never forgets an id
 * before its time as long as it has room, and is wrong about a new one in fewer than one of ten thousand cases; whoever is told
 * "seen" looks it up. At 24 bits an id, four million ids take 12 MB.
 */
import type { ReportId } from "../core/report.ts";

const IDS_PER_SEGMENT = 250_000;
const MAX_SEGMENTS = 16;
const BITS_PER_ID = 24;
const PROBES = 10;
const BITS = IDS_PER_SEGMENT * BITS_PER_ID;
/** Small objects stay small: the first ids have a segment of their own size. */
const FIRST_SEGMENT_IDS = 4_096;

interface Segment {
  readonly bits: Uint32Array;
  readonly size: number;
  readonly room: number;
  ids: number;
  youngestMs: number;
}

/** The ids of the last `keepMs`, the newest four million of them. */
export class IdFilter {
  readonly #keepMs: number;
  #segments: Segment[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** False when the id was certainly not seen. */
  has(id: ReportId): boolean {
    return this.#has(wordOf(id, 0), wordOf(id, 3));
  }

  /** Remembers an id from `nowMs` on. */
  add(id: ReportId, nowMs: number): void {
    this.#add(wordOf(id, 0), wordOf(id, 3), nowMs);
  }

  /** Remembers ids as a chunk's catalogue has them, 16 bytes each. */
  addPacked(packed: ArrayBuffer, seenMs: number): void {
    const view = new DataView(packed);
    for (let at = 0; at + 16 <= packed.byteLength; at += 16) {
      this.#add(view.getUint32(at), view.getUint32(at + 12), seenMs);
    }
  }

  #has(first: number, second: number): boolean {
    return this.#segments.some(({ bits, size }) => {
      for (let probe = 0; probe < PROBES; probe++) {
        const bit = bitOf(first, second, probe, size);
        if (((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    });
  }

  #add(first: number, second: number, nowMs: number): void {
    const segment = this.#roomAt(nowMs);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(first, second, probe, segment.size);
      segment.bits[bit >>> 5] = (segment.bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
    segment.ids += 1;
    segment.youngestMs = Math.max(segment.youngestMs, nowMs);
  }

  /** The segment that takes the next id. Old segments are forgotten whole, when their youngest id is old enough. */
  #roomAt(nowMs: number): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.ids < last.room) return last;
    const young = this.#segments.filter(({ youngestMs }) => youngestMs > nowMs - this.#keepMs);
    const isFirst = last === undefined;
    const room = isFirst ? FIRST_SEGMENT_IDS : IDS_PER_SEGMENT;
    const size = isFirst ? FIRST_SEGMENT_IDS * BITS_PER_ID : BITS;
    const bits = new Uint32Array(Math.ceil(size / 32));
    const segment: Segment = { bits, size, room, ids: 0, youngestMs: nowMs };
    this.#segments = [...young.slice(1 - MAX_SEGMENTS), segment];
    return segment;
  }
}

/** Eight hex characters as 32 bits: the first or the last quarter of an id. Ids of one content differ in the last alone. */
function wordOf(id: ReportId, quarter: 0 | 3): number {
  return Number.parseInt(id.slice(quarter * 8, quarter * 8 + 8), 16) >>> 0;
}

/** A hash of both words for each probe: ids made by senders need not be random. */
function bitOf(first: number, second: number, probe: number, size: number): number {
  const seeded = mix(first + Math.imul(probe, 0x9e3779b9));
  return mix(seeded ^ (second + Math.imul(probe, 0x85ebca6b))) % size;
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
