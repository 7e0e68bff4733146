/** The chunk of a log that takes lines, and when it has enough of them. */
import { toUtcHour } from "../../core/issue/aggregate-report.ts";

/** UTF-16 units: a report is mostly ASCII, and to count its bytes would be to encode it once more. */
const UPLOAD_CHARS = 1024 * 1024;
/** While no write is to be had a chunk grows on; with a last commit it stays below KV's 25 MiB, at three bytes a character. */
const MAX_CHUNK_CHARS = 6 * 1024 * 1024;
const MAX_CHUNK_LINES = 50_000;
/** Ids that have no line must fit into the catalogue's row beside those that have one. */
const MAX_CHUNK_EXTRA_IDS = 25_000;

/** One chunk while it grows. */
export class OpenChunk {
  readonly number: number;
  #hour = "";
  #lineCount = 0;
  #chars = 0;
  /** Reports that its sums stand for. */
  #extraIdCount = 0;

  constructor(chunk: number) {
    this.number = chunk;
  }

  /** `2026112117`: when it took its first lines. */
  get hour(): string {
    return this.#hour;
  }

  get lineCount(): number {
    return this.#lineCount;
  }

  /** This chunk, which is about to take lines at `nowMs`. */
  startAt(nowMs: number): this {
    if (this.#lineCount === 0) this.#hour = toUtcHour(nowMs);
    return this;
  }

  /** Notes lines that were written, and how many reports their sums stand for. */
  add(lines: readonly string[], extraIdCount: number): void {
    this.#lineCount += lines.length;
    this.#chars += lines.reduce((sum, line) => sum + line.length, 0);
    this.#extraIdCount += extraIdCount;
  }

  /** True when it should take no more; `mayCopy` says that a write into KV is to be had. */
  isFull(canUpload: boolean): boolean {
    return (
      this.#lineCount >= MAX_CHUNK_LINES ||
      this.#chars >= MAX_CHUNK_CHARS ||
      this.#extraIdCount >= MAX_CHUNK_EXTRA_IDS ||
      (canUpload && this.#chars >= UPLOAD_CHARS)
    );
  }
}
