/**
 * The rows of the log on their way to the index: sent in their order, again and again, until the index has counted them. It
 * counts a row once, however often it is sent.
 */
import { inTime } from "./in-time.ts";
import type { Counted, Sequenced } from "./rpc.ts";

/** Under load the index is told so often: it counts what comes together for less. */
const PUSH_EVERY_MS = 200;
const ENTRIES_PER_DELTA = 500;
/** One RPC takes 32 MiB, and a character may be three bytes. */
const CHARS_PER_DELTA = 4 * 1024 * 1024;
/** At most, with its words; see `markOf` and `wordsOf`. */
const CHARS_PER_MARK = 6_000;
/** At most; see `limits.maxTallyWordChars`. */
const CHARS_PER_TALLY = 450;
/** An index that does not answer is asked again; nobody waits for it for ever. */
const APPLY_PATIENCE_MS = 10_000;

/** What one log hands over with. */
export interface HandOverFacts {
  readonly apply: (rows: readonly Sequenced[]) => Promise<Counted>;
  /** Is told what the index has counted. */
  readonly counted: (counted: Counted) => void;
  readonly nowMs: () => number;
}

/** What one log hands over. */
export class HandOver {
  readonly #facts: HandOverFacts;
  #rows: Sequenced[] = [];
  /** Grows when everything begins anew: what was asked before says nothing then. */
  #epoch = 0;
  #pushing: Promise<void> | null = null;
  #soon: Promise<void> | null = null;
  #pushedMs = 0;

  constructor(facts: HandOverFacts) {
    this.#facts = facts;
  }

  /** True when the index has everything. */
  get isDone(): boolean {
    return this.#rows.length === 0;
  }

  /** Puts something behind what waits already. */
  add(row: Sequenced): void {
    this.#rows.push(row);
  }

  /** Nothing waits any more. */
  clear(): void {
    this.#rows = [];
    this.#epoch += 1;
  }

  /** Hands over what waits now. One push at a time; whoever comes meanwhile waits for that one. */
  push(): Promise<void> {
    this.#pushing ??= this.#pushAll().finally(() => {
      this.#pushing = null;
    });
    return this.#pushing;
  }

  /**
   * Hands over what waits, at most every `PUSH_EVERY_MS`: at once when it is quiet, under load once for all that has come
   * since.
   */
  async pushPaced(): Promise<void> {
    this.#soon ??= this.#pushLater().finally(() => {
      this.#soon = null;
    });
    await this.#soon;
  }

  async #pushLater(): Promise<void> {
    while (!this.isDone) {
      const waitMs = this.#pushedMs + PUSH_EVERY_MS - this.#facts.nowMs();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      await this.push();
    }
  }

  async #pushAll(): Promise<void> {
    const last = this.#rows.at(-1)?.seq ?? 0;
    while ((this.#rows[0]?.seq ?? Number.POSITIVE_INFINITY) <= last) {
      this.#pushedMs = this.#facts.nowMs();
      const delta = this.#rows.slice(0, this.#deltaSize());
      const epoch = this.#epoch;
      const counted = await inTime(this.#facts.apply(delta), APPLY_PATIENCE_MS);
      if (epoch !== this.#epoch) continue;
      this.#rows = this.#rows.filter(({ seq }) => seq > counted.seq);
      this.#facts.counted(counted);
    }
  }

  /** A row is sent whole: the index counts by rows, and the second half of one would look like a repetition. */
  #deltaSize(): number {
    let size = 0;
    let chars = 0;
    for (const [i, row] of this.#rows.entries()) {
      const isNext = row.seq !== this.#rows[i - 1]?.seq;
      if (isNext && (i >= ENTRIES_PER_DELTA || chars >= CHARS_PER_DELTA)) break;
      chars += charsOf(row);
      size = i + 1;
    }
    return size;
  }
}

/** What a row weighs at most: to measure it exactly would be to write it once more. */
function charsOf(row: Sequenced): number {
  return "mark" in row ? CHARS_PER_MARK : row.tallied.tallies.length * CHARS_PER_TALLY;
}
