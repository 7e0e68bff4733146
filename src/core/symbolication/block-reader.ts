/** Reads and inflates blocks of a map of compact form. Keeps those that were read last. */
import { decodeText, parseJsonText } from "../decode/parse-json.ts";
import type { ByteRange, Codec } from "./codec.ts";

/** Decoded blocks that an open map keeps. A stack of fifty frames needs up to 5 MB. */
const MAX_CACHED_BYTES = 6 * 1024 * 1024;

/**
 * A reader of the blocks after `firstBlock`. A place is three numbers of a directory: the offset of
 * a block, its length, and its inflated length. An unreadable block is null or undefined.
 */
export class BlockReader {
  readonly #range: ByteRange;
  readonly #codec: Codec;
  readonly #firstBlock: number;
  /** Decoded blocks by offset, and parts of text by their place, oldest first. */
  readonly #cached = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  #cachedBytes = 0;

  constructor(range: ByteRange, codec: Codec, firstBlock: number) {
    this.#range = range;
    this.#codec = codec;
    this.#firstBlock = firstBlock;
  }

  readJson(places: readonly number[], at: number): unknown {
    return this.cache(`json ${places[at]}`, (places[at + 2] ?? 0) * 2, () => {
      const bytes = this.inflate(places, at);
      return bytes === null ? undefined : parseJsonText(decodeText(bytes));
    });
  }

  read(places: readonly number[], at: number): Uint8Array | null {
    return this.cache(`block ${places[at]}`, places[at + 2] ?? 0, () => this.inflate(places, at));
  }

  /** A block that is not kept. */
  inflate(places: readonly number[], at: number): Uint8Array | null {
    const [offset, length, bytes] = [places[at], places[at + 1], places[at + 2]];
    if (offset === undefined || length === undefined || bytes === undefined) return null;
    return this.#codec.inflate(this.#range.read(this.#firstBlock + offset, length), bytes);
  }

  /** The value that `create` returned for this key, of about `bytes` bytes. */
  cache<T>(key: string, bytes: number, create: () => T): T {
    const cached = this.#cached.get(key);
    if (cached !== undefined) return cached.value as T;
    const value = create();
    this.#cachedBytes += bytes;
    for (const [oldest, entry] of this.#cached) {
      if (this.#cachedBytes <= MAX_CACHED_BYTES) break;
      this.#cached.delete(oldest);
      this.#cachedBytes -= entry.bytes;
    }
    this.#cached.set(key, { value, bytes });
    return value;
  }
}
