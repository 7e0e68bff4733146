/** The chunk that new lines are added to, and when it is full. */
import { toUtcHour } from "../../core/issue/aggregate-report.ts";

/** UTF-16 units: reports are mostly ASCII, and an exact byte count would need another encoding. */
const UPLOAD_CHARS = 1024 * 1024;
/** While the write budget is used up, a chunk grows up to this size: below KV's 25 MiB. */
const MAX_CHUNK_CHARS = 6 * 1024 * 1024;
const MAX_CHUNK_LINES = 50_000;
/** Extra ids must fit into the catalog's row, next to the ids of the lines. */
const MAX_CHUNK_EXTRA_IDS = 25_000;

/** One chunk while it grows. */
export class OpenChunk {
  readonly number: number;
  #hour = "";
  #lineCount = 0;
  #chars = 0;
  #extraIdCount = 0;

  constructor(chunk: number) {
    this.number = chunk;
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

  /** True when it should be closed. `canUpload`: the write budget allows a write to KV now. */
  isFull(canUpload: boolean): boolean {
    return (
      this.#lineCount >= MAX_CHUNK_LINES ||
      this.#chars >= MAX_CHUNK_CHARS ||
      this.#extraIdCount >= MAX_CHUNK_EXTRA_IDS ||
      (canUpload && this.#chars >= UPLOAD_CHARS)
    );
  }
}
