/**
 * Reads chunks so that concurrent readers of one chunk share a read. The reports of a page are
 * usually in one chunk; inflating it for each would be most of the page's cost.
 */
import { withTimeout } from "../with-timeout.ts";
import { readChunk } from "./chunk-store.ts";

const READ_TIMEOUT_MS = 3_000;

/** For one object or one request: a request of a Worker must not await promises of another. */
export class SingleFlightChunkReader {
  readonly #kv: () => KVNamespace;
  readonly #options: { readonly cacheTtl?: number };
  #pending = new Map<string, Promise<readonly string[] | null>>();

  /** `kv` is called for each read; `options` are those of `readChunk`. */
  constructor(kv: () => KVNamespace, options: { readonly cacheTtl?: number } = {}) {
    this.#kv = kv;
    this.#options = options;
  }

  /** The lines of a chunk, as `readChunk` returns them. Rejects after `READ_TIMEOUT_MS`. */
  readLines(key: string): Promise<readonly string[] | null> {
    const pending = this.#pending;
    const existing = pending.get(key);
    if (existing !== undefined) return existing;
    const read = withTimeout(readChunk(this.#kv(), key, this.#options), READ_TIMEOUT_MS);
    pending.set(key, read);
    const remove = () => pending.delete(key);
    read.then(remove, remove);
    return read;
  }

  /** Later readers must not share earlier reads, which may contain lines that were erased since. */
  reset(): void {
    this.#pending = new Map();
  }
}
