/**
 * Blocks of source text. The texts of all sources follow each other as UTF-8; a block ends with a
 * line, or within a line that is very long. JSON strings are unescaped byte by byte, so a source of
 * any size takes the memory of one block.
 */
import type { BlockWriter } from "./compact-format.ts";
import { MAX_TEXT_BLOCK_BYTES, TEXT_BLOCK_BYTES } from "./compact-format.ts";
import type { JsonProblem, JsonSpan } from "./json-scanner.ts";

const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const LETTER_N = 0x6e;
/** Bytes that one escape or a cut may add to a full block. */
const SLACK_BYTES = 16;

/** A place in a source, 0-based; columns are UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A part of a source as it is written to a block. `bytes` are valid during the call only. */
export type VisitPart = (start: TextPosition, bytes: Uint8Array) => void;

/** Writes the texts of sources. */
export class SourceTextWriter {
  /** Offset, length and bytes of each block. */
  readonly directory: number[] = [];

  readonly #blocks: BlockWriter;
  readonly #out = new Uint8Array(MAX_TEXT_BLOCK_BYTES + SLACK_BYTES);
  #length = 0;

  constructor(blocks: BlockWriter) {
    this.#blocks = blocks;
  }

  /**
   * Writes the JSON string at `span` and returns its parts, five numbers each: line, column, block,
   * first byte, number of bytes. Calls `visit` with each part. Returns a problem if an escape is
   * invalid.
   */
  add(json: Uint8Array, span: JsonSpan, visit: VisitPart): readonly number[] | JsonProblem {
    if (this.#length >= TEXT_BLOCK_BYTES) this.#finishBlock();
    const parts: number[] = [];
    const out = this.#out;
    let position: TextPosition = { line: 0, column: 0 };
    let partStart = this.#length;
    let length = this.#length;
    const finishPart = () => {
      const bytes = out.subarray(partStart, length);
      const { line, column } = position;
      parts.push(line, column, this.#getBlockIndex(), partStart, bytes.length);
      visit(position, bytes);
      position = advance(position, bytes);
      this.#length = length;
    };
    const end = span.end - 1;
    for (let at = span.start + 1; at < end; ) {
      // Most bytes are unescaped and fit into the block: this loop is most of a map's cost.
      const runEnd = Math.min(end, at + MAX_TEXT_BLOCK_BYTES - length);
      while (at < runEnd) {
        const plain = json[at] as number;
        if (plain === BACKSLASH) break;
        out[length++] = plain;
        at++;
      }
      if (at === end) break;
      const byte = json[at] as number;
      const isFull = length >= MAX_TEXT_BLOCK_BYTES;
      if (isFull && canCutBefore(byte, json[at + 1], out[length - 1])) {
        finishPart();
        this.#finishBlock();
        partStart = length = 0;
      }
      if (byte !== BACKSLASH) {
        // A character that never ends is not UTF-8: its bytes replace the last one.
        out[length < out.length ? length++ : length - 1] = byte;
        at++;
        continue;
      }
      const escaped = readEscape(json, at, end);
      if (escaped === null) return { at, expected: "an escape of JSON" };
      length = writeUtf8(out, length, escaped.codePoint);
      at += escaped.length;
      if (escaped.codePoint === LINE_FEED && length >= TEXT_BLOCK_BYTES) {
        finishPart();
        this.#finishBlock();
        partStart = length = 0;
      }
    }
    if (length > partStart || parts.length === 0) finishPart();
    return parts;
  }

  /** Writes the last block. */
  finish(): void {
    if (this.#length > 0) this.#finishBlock();
  }

  #getBlockIndex(): number {
    return this.directory.length / 3;
  }

  #finishBlock(): void {
    this.directory.push(...this.#blocks.add(this.#out.subarray(0, this.#length)));
    this.#length = 0;
  }
}

/** True at the start of a character, except between CR and LF. */
function canCutBefore(byte: number, next: number | undefined, previous: number | undefined) {
  const isLineFeed = byte === LINE_FEED || (byte === BACKSLASH && next === LETTER_N);
  return (byte & 0xc0) !== 0x80 && !(isLineFeed && previous === CARRIAGE_RETURN);
}

const SIMPLE_ESCAPES: ReadonlyMap<number, number> = new Map(
  Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
  }).map(([letter, character]) => [letter.charCodeAt(0), character.charCodeAt(0)]),
);

/** The escape at a backslash; a surrogate pair is one. A lone surrogate becomes U+FFFD. */
function readEscape(
  json: Uint8Array,
  at: number,
  end: number,
): { readonly codePoint: number; readonly length: number } | null {
  const simple = SIMPLE_ESCAPES.get(json[at + 1] as number);
  if (simple !== undefined) return { codePoint: simple, length: 2 };
  const unit = readUnit(json, at, end);
  if (unit === null) return null;
  if (unit < 0xd800 || unit > 0xdfff) return { codePoint: unit, length: 6 };
  const low = unit < 0xdc00 ? readUnit(json, at + 6, end) : null;
  if (low === null || low < 0xdc00 || low > 0xdfff) return { codePoint: 0xfffd, length: 6 };
  return { codePoint: 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00), length: 12 };
}

/** The UTF-16 unit of `\uXXXX`; null for anything else. */
function readUnit(json: Uint8Array, at: number, end: number): number | null {
  if (at + 6 > end || json[at] !== BACKSLASH || json[at + 1] !== 0x75) return null;
  let unit = 0;
  for (let digitAt = at + 2; digitAt < at + 6; digitAt++) {
    const digit = Number.parseInt(String.fromCharCode(json[digitAt] as number), 16);
    if (Number.isNaN(digit)) return null;
    unit = unit * 16 + digit;
  }
  return unit;
}

function writeUtf8(out: Uint8Array, length: number, codePoint: number): number {
  let at = Math.min(length, out.length - 4);
  if (codePoint < 0x80) out[at++] = codePoint;
  else if (codePoint < 0x800) {
    out[at++] = 0xc0 | (codePoint >> 6);
    out[at++] = 0x80 | (codePoint & 0x3f);
  } else if (codePoint < 0x10000) {
    out[at++] = 0xe0 | (codePoint >> 12);
    out[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    out[at++] = 0x80 | (codePoint & 0x3f);
  } else {
    out[at++] = 0xf0 | (codePoint >> 18);
    out[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    out[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
    out[at++] = 0x80 | (codePoint & 0x3f);
  }
  return at;
}

/** The position after `bytes`. */
function advance({ line, column }: TextPosition, bytes: Uint8Array): TextPosition {
  let lines = 0;
  let lineStart = 0;
  if (bytes.includes(CARRIAGE_RETURN) || bytes.includes(SEPARATOR[0])) {
    for (let at = 0; at < bytes.length; at++) {
      if (!endsLine(bytes, at)) continue;
      lines++;
      lineStart = at + 1;
    }
  } else {
    for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
      lines++;
      lineStart = at + 1;
    }
  }
  return { line: line + lines, column: (lines === 0 ? column : 0) + countUnits(bytes, lineStart) };
}

/** True for the last byte of a line end. */
function endsLine(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at];
  if (byte === LINE_FEED) return true;
  if (byte === CARRIAGE_RETURN) return bytes[at + 1] !== LINE_FEED;
  const isLast = byte === SEPARATOR[2] || byte === SEPARATOR[2] + 1;
  return isLast && bytes[at - 1] === SEPARATOR[1] && bytes[at - 2] === SEPARATOR[0];
}

/** The UTF-16 units of the text from an index. */
function countUnits(bytes: Uint8Array, from: number): number {
  let units = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

/** U+2028 in UTF-8; U+2029 follows it. */
const SEPARATOR = [0xe2, 0x80, 0xa8] as const;
