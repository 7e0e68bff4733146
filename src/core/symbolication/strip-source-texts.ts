/**
 * Copies a map without the texts of its sources, which are most of it. A placeholder states where
 * each text is. A map of 64 MB then takes only the memory of its mappings and of one source.
 */
import type { ByteRange } from "./codec.ts";
import type { JsonSpan } from "./format/json-scanner.ts";

/** Smaller maps stay whole. */
const STRIP_FROM_BYTES = 4 * 1024 * 1024;
const WINDOW_BYTES = 256 * 1024;
/** Shorter texts stay. */
const MIN_TEXT_BYTES = 64;
const KEY = new TextEncoder().encode('"sourcesContent"');
/** Not valid in JSON: a string cannot contain it. */
const MARK = 0x01;
const DIGITS = 8;
/** A quote, the mark, where the text begins and ends in hex, and a quote. */
const PLACEHOLDER_BYTES = 3 + 2 * DIGITS;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A map whose texts may be stripped. */
export interface StrippedMap {
  /** JSON in which the texts are placeholders. */
  readonly bytes: Uint8Array;
  /** The place in the whole map of a place in `bytes`. */
  readonly toOriginal: (at: number) => number;
  /** The JSON of a text in `bytes`, read from the whole map if it was stripped. */
  readonly readText: (text: JsonSpan) => { readonly json: Uint8Array; readonly start: number };
}

/** The map without its texts, read in windows; whole if it is smaller than `minBytes`. */
export function stripSourceTexts(
  range: ByteRange,
  minBytes = STRIP_FROM_BYTES,
  windowBytes = WINDOW_BYTES,
): StrippedMap {
  const cuts = range.length < minBytes ? [] : findTexts(range, windowBytes);
  const bytes = cuts.length === 0 ? range.read(0, range.length) : copyWithout(range, cuts);
  return {
    bytes,
    toOriginal: (at) => toOriginal(cuts, at),
    readText({ start, end }) {
      if (bytes[start + 1] !== MARK) return { json: bytes.subarray(start, end), start };
      const [from, to] = [readHex(bytes, start + 2), readHex(bytes, start + 2 + DIGITS)];
      return { json: range.read(from, Math.max(0, to - from)), start: from };
    },
  };
}

/** The texts of sources: their first bytes and the bytes after their last ones. */
function findTexts(range: ByteRange, windowBytes: number): readonly number[] {
  const cuts: number[] = [];
  const scan = new ContentsScan();
  let slashes = 0;
  let stringStart = -1;
  for (let base = 0; base < range.length; base += windowBytes) {
    const window = range.read(base, windowBytes);
    for (let at = 0; at < window.length; ) {
      if (stringStart === -1) {
        const byte = window[at] as number;
        if (byte === QUOTE) stringStart = base + at;
        else scan.visit(byte);
        at++;
        slashes = 0;
        continue;
      }
      const quote = window.indexOf(QUOTE, at);
      const end = quote === -1 ? window.length : quote;
      let before = 0;
      while (end - before > at && window[end - 1 - before] === BACKSLASH) before++;
      // Backslashes may begin in the last window.
      slashes = end - before === at ? slashes + before : before;
      at = end + 1;
      if (quote === -1) break;
      if (slashes % 2 === 1) {
        slashes = 0;
        continue;
      }
      const stringEnd = base + quote + 1;
      if (scan.isText && stringEnd - stringStart > MIN_TEXT_BYTES)
        cuts.push(stringStart, stringEnd);
      scan.isKey = stringEnd - stringStart === KEY.length && isKeyAt(range, stringStart);
      stringStart = -1;
    }
  }
  return cuts;
}

/** Finds the strings that are elements of `sourcesContent`. */
class ContentsScan {
  /** The last string is the key. */
  isKey = false;
  #depth = 0;
  /** The depth of the list; 0 outside of it. */
  #contents = 0;
  #isValue = false;

  get isText(): boolean {
    return this.#contents > 0 && this.#depth === this.#contents;
  }

  /** A byte outside of strings. */
  visit(byte: number): void {
    switch (byte) {
      case 0x3a: // :
        this.#isValue = this.isKey;
        this.isKey = false;
        return;
      case 0x5b: // [
      case 0x7b: // {
        this.#depth++;
        if (byte === 0x5b && this.#isValue && this.#contents === 0) this.#contents = this.#depth;
        this.#isValue = false;
        return;
      case 0x5d: // ]
      case 0x7d: // }
        if (this.#depth === this.#contents) this.#contents = 0;
        this.#depth--;
        return;
      case 0x2c: // ,
        this.#isValue = false;
        return;
      default:
    }
  }
}

function isKeyAt(range: ByteRange, start: number): boolean {
  const bytes = range.read(start, KEY.length);
  return KEY.every((byte, at) => bytes[at] === byte);
}

function copyWithout(range: ByteRange, cuts: readonly number[]): Uint8Array {
  let length = range.length;
  for (let n = 0; n < cuts.length; n += 2)
    length += PLACEHOLDER_BYTES - ((cuts[n + 1] as number) - (cuts[n] as number));
  const bytes = new Uint8Array(length);
  let [from, at] = [0, 0];
  const copyUntil = (end: number) => {
    while (from < end) {
      const part = range.read(from, Math.min(WINDOW_BYTES, end - from));
      bytes.set(part, at);
      from += part.length;
      at += part.length;
    }
  };
  for (let n = 0; n < cuts.length; n += 2) {
    const [start, end] = [cuts[n] as number, cuts[n + 1] as number];
    copyUntil(start);
    bytes[at] = QUOTE;
    bytes[at + 1] = MARK;
    writeHex(bytes, at + 2, start);
    writeHex(bytes, at + 2 + DIGITS, end);
    bytes[at + PLACEHOLDER_BYTES - 1] = QUOTE;
    at += PLACEHOLDER_BYTES;
    from = end;
  }
  copyUntil(range.length);
  return bytes;
}

function toOriginal(cuts: readonly number[], at: number): number {
  let removed = 0;
  for (let n = 0; n < cuts.length; n += 2) {
    const [start, end] = [cuts[n] as number, cuts[n + 1] as number];
    if (at + removed <= start) break;
    if (at + removed < start + PLACEHOLDER_BYTES) return start;
    removed += end - start - PLACEHOLDER_BYTES;
  }
  return at + removed;
}

function writeHex(bytes: Uint8Array, at: number, value: number): void {
  const text = value.toString(16).padStart(DIGITS, "0");
  for (let n = 0; n < DIGITS; n++) bytes[at + n] = text.charCodeAt(n);
}

/** 0 for anything else. */
function readHex(bytes: Uint8Array, at: number): number {
  const text = String.fromCharCode(...bytes.subarray(at, at + DIGITS));
  return /^[\da-f]{8}$/.test(text) ? Number.parseInt(text, 16) : 0;
}
