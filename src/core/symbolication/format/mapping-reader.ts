/** Decodes the `mappings` of a map segment by segment. Source: ECMA-426 § Mappings grammar. */
import type { JsonProblem } from "./json-scanner.ts";

const COMMA = 0x2c;
const SEMICOLON = 0x3b;
/** A VLQ digit has five bits of the number and one that says that another digit follows. */
const DIGIT_BITS = 5;
const CONTINUES = 32;
/** Bits 30 and 31 are in the seventh digit; it has no room for more. */
const LAST_SHIFT = 30;
const LAST_DIGIT_MAX = 3;
const LOWEST = -(2 ** 31);

const DIGITS = new Int8Array(256).fill(-1);
for (const [value, character] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
].entries()) {
  DIGITS[character.charCodeAt(0)] = value;
}

/**
 * Reads segments in the order of the text. The members describe the segment of the last `next`;
 * positions are 0-based and may be negative or have any size, because they are sums.
 */
export class MappingReader {
  line = 0;
  column = 0;
  source = 0;
  originalLine = 0;
  originalColumn = 0;
  name = 0;
  /** 1: maps to nothing; 4: to a place in a source; 5: with a name. */
  fields = 0;
  /** Why the text is invalid. `next` has returned false. */
  problem: JsonProblem | null = null;

  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  /** A reader of the bytes from `start` up to `end`, without quotes and JSON escapes. */
  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Reads the next segment. False at the end of the text and after a problem. */
  next(): boolean {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    while (at < end && bytes[at] === SEMICOLON) {
      this.line++;
      this.column = 0;
      at++;
    }
    if (at >= end) return false;
    let fields = 0;
    let byte = 0;
    do {
      // The loop of digits is not a function: it runs five million times for a map of 26 MB.
      let value = 0;
      let shift = 0;
      let digit = 0;
      do {
        byte = at < end ? (bytes[at] as number) : COMMA;
        digit = DIGITS[byte] as number;
        if (digit < 0) return this.#fail(at, shift, byte);
        if (shift < LAST_SHIFT) value |= (digit & (CONTINUES - 1)) << shift;
        else if (digit > LAST_DIGIT_MAX) return this.#failAt(at, "a number of at most 32 bits");
        else value |= digit << LAST_SHIFT;
        shift += DIGIT_BITS;
        at++;
      } while ((digit & CONTINUES) !== 0);
      // The grammar reads a negative zero as the lowest number.
      const magnitude = value >>> 1;
      const number = (value & 1) === 0 ? magnitude : magnitude === 0 ? LOWEST : -magnitude;
      if (fields === 0) this.column += number;
      else if (fields === 1) this.source += number;
      else if (fields === 2) this.originalLine += number;
      else if (fields === 3) this.originalColumn += number;
      else if (fields === 4) this.name += number;
      else return this.#failAt(at, "a segment of 1, 4 or 5 numbers");
      fields++;
      byte = at < end ? (bytes[at] as number) : SEMICOLON;
    } while (byte !== COMMA && byte !== SEMICOLON);
    if (fields === 2 || fields === 3) return this.#failAt(at, "a segment of 1, 4 or 5 numbers");
    if (byte === COMMA) {
      at++;
      if (at >= end || bytes[at] === SEMICOLON)
        return this.#failAt(at, "a segment after the comma");
    }
    this.#at = at;
    this.fields = fields;
    return true;
  }

  #fail(at: number, shift: number, byte: number): false {
    const isCutOff = shift > 0 && (byte === COMMA || byte === SEMICOLON);
    return this.#failAt(at, isCutOff ? "the rest of a number" : "a digit of base64");
  }

  #failAt(at: number, expected: string): false {
    this.problem = { at, expected };
    this.#at = this.#end;
    return false;
  }
}
