/**
 * The stored form of a source map: blocks that are compressed separately, and a directory that says
 * which block has which lines, names and sources. Resolving a frame reads three or four blocks of
 * some kilobytes instead of the whole map.
 *
 * ```text
 * u32 stored bytes of the directory | u32 its inflated bytes | directory (JSON) | blocks
 * ```
 *
 * Numbers are little-endian, offsets of blocks count from the first block.
 */

/** Changes with the format. Maps of another version are converted again. */
export const COMPACT_VERSION = 1;
/** The two numbers before the directory. */
export const HEADER_BYTES = 8;

/** Inflated size of a block of mappings after which the next one begins. */
export const MAPPING_BLOCK_BYTES = 16 * 1024;
/** Inflated size after which a block of source text ends with the current line. */
export const TEXT_BLOCK_BYTES = 64 * 1024;
/** The largest inflated size: a longer line is split between blocks. */
export const MAX_TEXT_BLOCK_BYTES = 256 * 1024;
export const NAMES_PER_BLOCK = 1024;
export const SOURCES_PER_BLOCK = 256;
export const FUNCTIONS_PER_BLOCK = 4096;

/** Lists of numbers, so that a directory of thousands of blocks is parsed quickly. */
export interface CompactDirectory {
  readonly version: typeof COMPACT_VERSION;
  /**
   * For each block: line and column of its first segment, then offset, length and inflated bytes.
   */
  readonly mappingBlocks: readonly number[];
  /** Offset, length and bytes of each block. */
  readonly nameBlocks: readonly number[];
  readonly sourceBlocks: readonly number[];
  readonly textBlocks: readonly number[];
  /**
   * Like `mappingBlocks`, for the boundaries of functions; null if the script's functions are
   * unknown. Maps that were converted by an older version have none.
   */
  readonly scopeBlocks: readonly number[] | null;
}

/** Numbers per block in lists with and without its first position. */
export const POSITIONED_NUMBERS = 5;
export const PLACE_NUMBERS = 3;

/**
 * A source in its block. A part of its text is five numbers: its first line and column, the block
 * of text, and the first byte and number of bytes there.
 */
export type SourceRecord = readonly [
  name: string | null,
  ignored: 0 | 1,
  parts: readonly number[] | null,
];

/**
 * Functions in their block, four numbers for each boundary: the distance in lines from the one
 * before, the column (or its distance, on the same line), the index of the name, and the number of
 * the function, which is 0 outside of all. Both hold up to the next boundary.
 */
export interface ScopeBlock {
  readonly names: readonly (string | null)[];
  readonly boundaries: readonly number[];
}

/** Numbers per boundary in a block of functions. */
export const BOUNDARY_NUMBERS = 4;

/** The name for code outside of all functions. */
export const MODULE_NAME = "<module>";
export const ANONYMOUS_NAME = "<anonymous>";

/** Bytes of the parts that blocks are collected in. */
const PART_BYTES = 512 * 1024;

/** Compresses and collects blocks. */
export class BlockWriter {
  readonly #deflate: (bytes: Uint8Array) => Uint8Array;
  readonly #parts: Uint8Array[] = [];
  /** Bytes in the last part. */
  #filled = PART_BYTES;
  #length = 0;

  constructor(deflate: (bytes: Uint8Array) => Uint8Array) {
    this.#deflate = deflate;
  }

  /** Adds a block. Returns offset, length and bytes. */
  add(bytes: Uint8Array): [offset: number, length: number, bytes: number] {
    const stored = this.#deflate(bytes);
    const place: [number, number, number] = [this.#length, stored.length, bytes.length];
    this.#append(stored);
    this.#length += stored.length;
    return place;
  }

  addJson(value: unknown): [offset: number, length: number, bytes: number] {
    return this.add(new TextEncoder().encode(JSON.stringify(value)));
  }

  /** The whole form, in parts. */
  finish(directory: CompactDirectory): readonly Uint8Array[] {
    const json = new TextEncoder().encode(JSON.stringify(directory));
    const stored = this.#deflate(json);
    const start = new Uint8Array(HEADER_BYTES + stored.length);
    const view = new DataView(start.buffer);
    view.setUint32(0, stored.length, true);
    view.setUint32(4, json.length, true);
    start.set(stored, HEADER_BYTES);
    const last = this.#parts.pop()?.subarray(0, this.#filled);
    return [start, ...this.#parts, ...(last === undefined ? [] : [last])];
  }

  /** A separate block would keep the compressor's buffer, which is much larger. */
  #append(stored: Uint8Array): void {
    for (let rest = stored; rest.length > 0; ) {
      if (this.#filled === PART_BYTES) {
        this.#parts.push(new Uint8Array(PART_BYTES));
        this.#filled = 0;
      }
      const taken = rest.subarray(0, PART_BYTES - this.#filled);
      this.#parts.at(-1)?.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
}
