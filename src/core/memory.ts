/**
 * What a pure function made of a text, remembered for the next reports: those of one application name the same files, functions and
 * fields. Bounded, and nothing hangs on it: whoever fills it with other texts makes it forget, and no more.
 */
import { inOnePiece } from "./one-piece.ts";

/** When there are so many it begins anew … */
const MAX_TEXTS = 1_000;
/** … and longer ones are not remembered: a megabyte at most, in each memory. */
const MAX_TEXT_CHARS = 500;

/** Results by the text that they were made of. */
export class Memory<T> {
  readonly #results = new Map<string, T>();

  /** What was remembered; undefined for a text that is new, long, or forgotten. */
  get(text: string): T | undefined {
    return this.#results.get(text);
  }

  /** What was remembered, else what is made of it now. */
  getOrMake(text: string, make: (text: string) => T): T {
    const known = this.#results.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    this.set(text, made);
    return made;
  }

  /** Remembers a result, unless its text is too long. */
  set(text: string, result: T): void {
    if (text.length > MAX_TEXT_CHARS) return;
    if (this.#results.size >= MAX_TEXTS) this.#results.clear();
    this.#results.set(inOnePiece(text), result);
  }
}
