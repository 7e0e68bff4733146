/** The chunk that new lines are added to, and when it is full or due. */
import { toUtcHour } from "../../core/utc-time.ts";

/** UTF-16 units: reports are mostly ASCII, and an exact byte count would need another encoding. */
const UPLOAD_CHARS = 1024 * 1024;
/** While the write budget is used up, a chunk grows up to this size: below KV's 25 MiB. */
const MAX_CHUNK_CHARS = 6 * 1024 * 1024;
const MAX_CHUNK_LINES = 50_000;
/** Extra ids must fit into the catalog's row, next to the ids of the lines. */
const MAX_CHUNK_EXTRA_IDS = 25_000;

/** Limits of the time from the first line of a chunk to its upload. */
const MIN_UPLOAD_DELAY_MS = 1_000;
const MAX_UPLOAD_DELAY_MS = 60_000;
/** Chunks that are not full use this share of the write budget, if that is within the limits. */
const QUIET_SHARE = 1 / 8;

/**
 * How long a chunk that is not full takes lines, in ms, so that reports of a quiet minute share a
 * chunk. It is longer with a small write budget: `paceMs` is the interval at which the budget lasts
 * until the end of the day. The reports are durable and can be found immediately.
 */
export function getUploadDelayMs(paceMs: number): number {
  const delayMs = Math.max(paceMs / QUIET_SHARE, MIN_UPLOAD_DELAY_MS);
  return Math.ceil(Math.min(delayMs, Math.max(MAX_UPLOAD_DELAY_MS, paceMs)));
}

/** The open chunk as it is written so far. */
export interface OpenChunkState {
  readonly chunk: number;
  readonly hour: string;
  readonly lineCount: number;
  readonly chars: number;
  readonly extraIdCount: number;
}

/** One chunk while it grows. */
export class OpenChunk {
  readonly number: number;
  #hour: string;
  #lineCount: number;
  #chars: number;
  #extraIdCount: number;

  /** An empty chunk, or one that was begun before a restart. */
  constructor(chunk: number, written?: OpenChunkState) {
    this.number = chunk;
    this.#hour = written?.hour ?? "";
    this.#lineCount = written?.lineCount ?? 0;
    this.#chars = written?.chars ?? 0;
    this.#extraIdCount = written?.extraIdCount ?? 0;
  }

  /** The UTC hour of its first lines: `2026112117`. */
  get hour(): string {
    return this.#hour;
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  /** Sets the hour of an empty chunk. Call it before adding lines. */
  startAt(nowMs: number): this {
    if (this.#lineCount === 0) this.#hour = toUtcHour(nowMs);
    return this;
  }

  /** Counts lines that were written, and the extra ids written with them. */
  add(lines: readonly string[], extraIdCount: number): void {
    this.#lineCount += lines.length;
    this.#chars += lines.reduce((sum, line) => sum + line.length, 0);
    this.#extraIdCount += extraIdCount;
  }

  /** True when it should be closed. `canUpload`: the write budget allows a write to KV. */
  isFull(canUpload: boolean): boolean {
    return (
      this.#lineCount >= MAX_CHUNK_LINES ||
      this.#chars >= MAX_CHUNK_CHARS ||
      this.#extraIdCount >= MAX_CHUNK_EXTRA_IDS ||
      (canUpload && this.#chars >= UPLOAD_CHARS)
    );
  }
}
