/**
 * Finds the values of a JSON document in its bytes without parsing it, since the objects of a
 * source map of 60 MB would take several times its size. Linear, without recursion. Contents of
 * skipped values are not validated beyond strings and brackets. Source: RFC 8259.
 */
import { parseJsonText } from "../../decode/parse-json.ts";
import { truncateText } from "../../truncate.ts";

/** A value in the bytes: from its first byte up to the byte after its last. */
export interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

/** The place at which the bytes stop being valid JSON. */
export interface JsonProblem {
  readonly at: number;
  readonly expected: string;
  /** The start of the value whose end is expected. */
  readonly from?: number;
}

/** Nesting of values. Index maps have four levels; extensions of bundlers a few more. */
const MAX_DEPTH = 64;
/** No known member has a longer name, even with escaped characters. */
const MAX_KEY_BYTES = 200;

/** `\\u0041` is one character. */
const MAX_BYTES_PER_CHAR = 6;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** A scanner of one document. Methods return -1 after a problem, which `problem` describes. */
export class JsonScanner {
  readonly bytes: Uint8Array;
  problem: JsonProblem | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The index of the first byte from `at` that is not white space. */
  skipSpace(at: number): number {
    let next = at;
    while (isSpace(this.bytes[next])) next++;
    return next;
  }

  /** The index after the value that starts at `at`. */
  skipValue(at: number): number {
    const { bytes } = this;
    const first = bytes[at];
    if (first === QUOTE) return this.#skipString(at);
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.#skipScalar(at);
    const closers: number[] = [];
    for (let next = at; next < bytes.length; ) {
      const byte = bytes[next];
      if (byte === QUOTE) {
        next = this.#skipString(next);
        if (next === -1) return -1;
        continue;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (closers.length >= MAX_DEPTH) return this.fail(next, `at most ${MAX_DEPTH} levels`);
        // The closing character has the code of the opening one plus two.
        closers.push(byte + 2);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (closers.pop() !== byte) return this.fail(next, "the bracket that closes the last one");
        if (closers.length === 0) return next + 1;
      }
      next++;
    }
    return this.fail(bytes.length, "the end of the value", at);
  }

  /** Calls `visit` for each member of the object at `at`. Returns the index after the object. */
  visitMembers(at: number, visit: (key: string, value: JsonSpan) => void): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACE) return this.fail(at, "an object");
    let next = this.skipSpace(at + 1);
    if (bytes[next] === CLOSE_BRACE) return next + 1;
    for (;;) {
      if (bytes[next] !== QUOTE) return this.fail(next, "the name of a member");
      const keyEnd = this.#skipString(next);
      if (keyEnd === -1) return -1;
      const key = this.#readKey(next, keyEnd);
      const colon = this.skipSpace(keyEnd);
      if (bytes[colon] !== COLON) return this.fail(colon, "a colon");
      const start = this.skipSpace(colon + 1);
      const end = this.skipValue(start);
      if (end === -1) return -1;
      visit(key, { start, end });
      next = this.skipSpace(end);
      if (bytes[next] === CLOSE_BRACE) return next + 1;
      if (bytes[next] !== COMMA) return this.fail(next, "a comma or the end of the object");
      next = this.skipSpace(next + 1);
    }
  }

  /**
   * Calls `visit` with the first and the end index of each element of the array at `at`, until it
   * returns false. Returns the index after the array or after the last visited element.
   */
  visitElements(at: number, visit: (start: number, end: number) => boolean): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACKET) return this.fail(at, "an array");
    let next = this.skipSpace(at + 1);
    if (bytes[next] === CLOSE_BRACKET) return next + 1;
    for (;;) {
      const end = this.skipValue(next);
      if (end === -1 || !visit(next, end)) return end;
      next = this.skipSpace(end);
      if (bytes[next] === CLOSE_BRACKET) return next + 1;
      if (bytes[next] !== COMMA) return this.fail(next, "a comma or the end of the array");
      next = this.skipSpace(next + 1);
    }
  }

  /** The parsed value; undefined if it is not valid JSON. Only for small values. */
  parse({ start, end }: JsonSpan): unknown {
    return parseJsonText(decoder.decode(this.bytes.subarray(start, end)));
  }

  /** The text of a string, cut to `maxChars` characters; undefined for any other value. */
  parseText({ start, end }: JsonSpan, maxChars: number): string | undefined {
    if (this.bytes[start] !== QUOTE) return undefined;
    const cut = start + 1 + maxChars * MAX_BYTES_PER_CHAR;
    if (cut >= end) {
      const text = this.parse({ start, end });
      return typeof text === "string" ? truncateText(text, maxChars) : undefined;
    }
    // The cut may be inside of an escape, which has up to twelve bytes for a pair.
    for (let dropped = 0; dropped < 12; dropped++) {
      const raw = decoder.decode(this.bytes.subarray(start + 1, cut - dropped));
      const text = parseJsonText(`"${raw}"`);
      if (typeof text === "string") return truncateText(text, maxChars);
    }
    return undefined;
  }

  /** The texts of neighboring elements of an array, each as `parseText` returns it. */
  parseTexts(spans: readonly JsonSpan[], maxChars: number): readonly (string | undefined)[] {
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) return [];
    const isShort = last.end - first.start < spans.length * maxChars;
    const list = isShort
      ? parseJsonText(`[${decoder.decode(this.bytes.subarray(first.start, last.end))}]`)
      : undefined;
    // Long texts and values that are not text are parsed one by one.
    return Array.isArray(list) && list.length === spans.length && list.every(isShortText(maxChars))
      ? list
      : spans.map((span) => this.parseText(span, maxChars));
  }

  /** Notes a problem and returns -1. */
  fail(at: number, expected: string, from?: number): -1 {
    this.problem ??= { at, expected, from };
    return -1;
  }

  #skipString(at: number): number {
    const { bytes } = this;
    for (let quote = bytes.indexOf(QUOTE, at + 1); quote !== -1; ) {
      let slashes = 0;
      while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++;
      if (slashes % 2 === 0) return quote + 1;
      quote = bytes.indexOf(QUOTE, quote + 1);
    }
    return this.fail(bytes.length, "the end of the string", at);
  }

  /** A number, true, false or null. */
  #skipScalar(at: number): number {
    const { bytes } = this;
    let end = at;
    while (end < bytes.length && isScalarByte(bytes[end] as number)) end++;
    return end === at ? this.fail(at, "a value") : end;
  }

  #readKey(start: number, end: number): string {
    if (end - start > MAX_KEY_BYTES) return "";
    const key = this.parse({ start, end });
    return typeof key === "string" ? key : "";
  }
}

function isShortText(maxChars: number) {
  return (value: unknown) => typeof value === "string" && value.length <= maxChars;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Letters, digits, and the signs of numbers. */
function isScalarByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  );
}
