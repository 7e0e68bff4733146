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
/** With its words, of what senders write; see `markOf` and `wordsOf`. Of the worst that one can write it is the half. */
const CHARS_PER_MARK = 9_000;
/** At most; see `limits.maxTallyWordChars`. */
const CHARS_PER_TALLY = 450;
/** Rows in memory, some 10 MB: what waits behind them is read from the log when its turn comes. */
const MAX_HELD = 4_000;
/** An index that does not answer is asked again; nobody waits for it for ever. */
const APPLY_PATIENCE_MS = 10_000;

/** What one log hands over with. */
export interface HandOverFacts {
  readonly apply: (rows: readonly Sequenced[]) => Promise<Counted>;
  /** Is told what the index has counted. */
  readonly counted: (counted: Counted) => void;
  /** What stands in the log behind what is counted, in order. */
  readonly behind: () => Iterable<Sequenced>;
  readonly nowMs: () => number;
}

/** What one log hands over. */
export class HandOver {
  readonly #facts: HandOverFacts;
  #rows: Sequenced[] = [];
  /** True while more waits in the log than is held. */
  #isCut = false;
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
    return this.#rows.length === 0 && !this.#isCut;
  }

  /** Puts something behind what waits already. */
  add(row: Sequenced): void {
    if (!this.#isCut) this.#hold(row);
  }

  /** Takes what stands in the log behind what is counted, as far as there is room. */
  recall(): void {
    this.#rows = [];
    this.#isCut = false;
    for (const row of this.#facts.behind()) {
      this.#hold(row);
      if (this.#isCut) return;
    }
  }

  /** Rows of the log are held whole: the index would take the second half of one for a repetition. */
  #hold(row: Sequenced): void {
    this.#isCut = this.#rows.length >= MAX_HELD && row.seq !== this.#rows.at(-1)?.seq;
    if (!this.#isCut) this.#rows.push(row);
  }

  /** Nothing waits any more. */
  clear(): void {
    this.#rows = [];
    this.#isCut = false;
    this.#epoch += 1;
  }

  /** Resolves when everything is counted that waits now, whatever comes meanwhile; rejects when the index does not count. */
  async settle(): Promise<void> {
    while (this.#isCut) await this.push();
    const last = this.#lastSeq();
    while (this.#firstSeq() <= last) await this.push();
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
    let last = this.#lastSeq();
    while (this.#firstSeq() <= last) {
      this.#pushedMs = this.#facts.nowMs();
      const delta = this.#rows.slice(0, this.#deltaSize());
      const epoch = this.#epoch;
      const counted = await inTime(this.#facts.apply(delta), APPLY_PATIENCE_MS);
      if (epoch !== this.#epoch) continue;
      this.#rows = this.#rows.filter(({ seq }) => seq > counted.seq);
      this.#facts.counted(counted);
      if (this.#rows.length > 0 || !this.#isCut) continue;
      this.recall();
      last = this.#lastSeq();
    }
  }

  #firstSeq(): number {
    return this.#rows[0]?.seq ?? Number.POSITIVE_INFINITY;
  }

  #lastSeq(): number {
    return this.#rows.at(-1)?.seq ?? 0;
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
