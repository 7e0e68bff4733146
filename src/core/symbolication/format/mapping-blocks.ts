/**
 * Blocks of segments in the order of the generated script. A segment is a header, the distance in
 * columns and its kind, and the distances of its other fields from the segment before. Each block
 * starts from zero, so that it can be read alone.
 */
import { type BlockWriter, MAPPING_BLOCK_BYTES } from "./compact-format.ts";

/** Kinds of a segment, in the two low bits of its header. */
const UNMAPPED = 0;
const MAPPED = 1;
const NAMED = 2;
/** Not a segment: the header has the distance to the next line with segments. */
const NEW_LINE = 3;

/**
 * A segment. All numbers are 0-based; `source` is -1 if it maps to nothing, `name` if it has none.
 */
export interface Segment {
  line: number;
  column: number;
  source: number;
  originalLine: number;
  originalColumn: number;
  name: number;
}

/** Copies all members. */
function copySegment(to: Segment, from: Segment): void {
  to.line = from.line;
  to.column = from.column;
  to.source = from.source;
  to.originalLine = from.originalLine;
  to.originalColumn = from.originalColumn;
  to.name = from.name;
}

/** A segment at the beginning of a block, and the state before the first segment. */
export function createSegment(line = 0): Segment {
  return { line, column: 0, source: 0, originalLine: 0, originalColumn: 0, name: 0 };
}

/**
 * Writes segments, which must be sorted by line and column. Of several segments at one position it
 * keeps the first and the last, since lookups find no other.
 */
export class MappingBlockWriter {
  /**
   * For each block: line and column of its first segment, then offset, length and inflated bytes.
   */
  readonly directory: number[] = [];

  readonly #blocks: BlockWriter;
  readonly #writer = new ByteWriter(MAPPING_BLOCK_BYTES + 64);
  /** The state after the last written segment. */
  readonly #state = createSegment();
  #firstLine = 0;
  #firstColumn = 0;
  readonly #repeated = createSegment();
  #isRepeated = false;

  constructor(blocks: BlockWriter) {
    this.#blocks = blocks;
  }

  add(segment: Segment): void {
    const state = this.#state;
    const isFirst = this.#writer.length === 0;
    if (!isFirst && state.line === segment.line && state.column === segment.column) {
      copySegment(this.#repeated, segment);
      this.#isRepeated = true;
      return;
    }
    this.#writeRepeated();
    if (this.#writer.length >= MAPPING_BLOCK_BYTES) this.#finishBlock();
    this.#write(segment);
  }

  /** Writes the last block. */
  finish(): void {
    this.#writeRepeated();
    if (this.#writer.length > 0) this.#finishBlock();
  }

  #writeRepeated(): void {
    if (!this.#isRepeated) return;
    this.#isRepeated = false;
    this.#write(this.#repeated);
  }

  #write(segment: Segment): void {
    const state = this.#state;
    const writer = this.#writer;
    if (writer.length === 0) {
      this.#firstLine = segment.line;
      this.#firstColumn = segment.column;
      copySegment(state, createSegment(segment.line));
    }
    if (segment.line !== state.line) {
      writer.writeNumber((segment.line - state.line) * 4 + NEW_LINE);
      state.line = segment.line;
      state.column = 0;
    }
    const kind = segment.source < 0 ? UNMAPPED : segment.name < 0 ? MAPPED : NAMED;
    writer.writeNumber((segment.column - state.column) * 4 + kind);
    state.column = segment.column;
    if (kind === UNMAPPED) return;
    writer.writeSigned(segment.source - state.source);
    writer.writeSigned(segment.originalLine - state.originalLine);
    writer.writeSigned(segment.originalColumn - state.originalColumn);
    state.source = segment.source;
    state.originalLine = segment.originalLine;
    state.originalColumn = segment.originalColumn;
    if (kind === MAPPED) return;
    writer.writeSigned(segment.name - state.name);
    state.name = segment.name;
  }

  #finishBlock(): void {
    const place = this.#blocks.add(this.#writer.take());
    this.directory.push(this.#firstLine, this.#firstColumn, ...place);
  }
}

/** Reads the segments of a block. */
export class MappingBlockReader {
  /** The segment of the last `next`. */
  readonly segment: Segment;
  readonly #reader: ByteReader;
  /** The state that distances count from; an unmapped segment does not change it. */
  readonly #place: Segment;

  /** A reader of a block whose first segment is on `line`. */
  constructor(block: Uint8Array, line: number) {
    this.#reader = new ByteReader(block);
    this.#place = createSegment(line);
    this.segment = createSegment(line);
  }

  /** Reads the next segment; false at the end. */
  next(): boolean {
    const reader = this.#reader;
    const place = this.#place;
    const { segment } = this;
    if (reader.isAtEnd()) return false;
    let header = reader.readNumber();
    if (header % 4 === NEW_LINE) {
      segment.line += Math.floor(header / 4);
      segment.column = 0;
      header = reader.readNumber();
    }
    const kind = header % 4;
    segment.column += Math.floor(header / 4);
    if (kind === UNMAPPED) {
      segment.source = -1;
      segment.name = -1;
      return true;
    }
    place.source += reader.readSigned();
    place.originalLine += reader.readSigned();
    place.originalColumn += reader.readSigned();
    if (kind === NAMED) place.name += reader.readSigned();
    segment.source = place.source;
    segment.originalLine = place.originalLine;
    segment.originalColumn = place.originalColumn;
    segment.name = kind === NAMED ? place.name : -1;
    return true;
  }
}

/**
 * The segment for a position: the first at exactly this column, otherwise the last one before it on
 * the same line. Null if there is none.
 */
export function findSegment(
  block: Uint8Array,
  firstLine: number,
  line: number,
  column: number,
): Segment | null {
  const reader = new MappingBlockReader(block, firstLine);
  const found = createSegment();
  let isFound = false;
  while (reader.next()) {
    const { segment } = reader;
    if (segment.line < line) continue;
    if (segment.line > line || segment.column > column) break;
    copySegment(found, segment);
    isFound = true;
    if (segment.column === column) break;
  }
  return isFound ? found : null;
}

/** The first segment of a line after a column and before `end`; null without any in the block. */
export function findNextSegment(
  block: Uint8Array,
  firstLine: number,
  line: number,
  { column, end }: { readonly column: number; readonly end: number },
): Segment | null {
  const reader = new MappingBlockReader(block, firstLine);
  while (reader.next()) {
    const { segment } = reader;
    if (segment.line < line || (segment.line === line && segment.column <= column)) continue;
    return segment.line === line && segment.column < end ? { ...segment } : null;
  }
  return null;
}

/** Appends bytes and numbers of variable length (LEB128) to a buffer that grows. */
class ByteWriter {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Appends an integer from 0 to 2^53 - 1. */
  writeNumber(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest = rest < 2 ** 31 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** Appends an integer of up to 32 bits and a sign, as a number of the same order (zigzag). */
  writeSigned(value: number): void {
    this.writeNumber(value < 0 ? -value * 2 - 1 : value * 2);
  }

  /** Makes room for `count` bytes after `length`. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  /** The appended bytes, valid until the next ones. The writer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }
}

/** Reads the output of `ByteWriter`. After the end every number is 0. */
class ByteReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.at >= this.#bytes.length;
  }

  readNumber(): number {
    let byte = this.#bytes[this.at++] ?? 0;
    let value = byte & 0x7f;
    for (let factor = 128; byte >= 0x80; factor *= 128) {
      byte = this.#bytes[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
    }
    return value;
  }

  readSigned(): number {
    const value = this.readNumber();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
