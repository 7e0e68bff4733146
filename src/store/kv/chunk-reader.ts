/**
 * Reads of chunks that are under way. Who asks for one that is being read is told with the other: reports that are asked for together
 * mostly stand in one chunk, and to inflate it ten times is four fifths of what an issue's JSON costs.
 */
import { withTimeout } from "../with-timeout.ts";
import { readChunk } from "./chunk-store.ts";

/** How long KV may take for one chunk. */
const READ_TIMEOUT_MS = 3_000;

/** The reads of one object, or of one request of the Worker: there, another's promises are not to be waited for. */
export class SingleFlightChunkReader {
  readonly #kv: () => KVNamespace;
  readonly #options: { readonly cacheTtl?: number };
  #pending = new Map<string, Promise<readonly string[] | null>>();

  /** `kv` is asked for with each read; `options` as `readChunk` takes them. */
  constructor(kv: () => KVNamespace, options: { readonly cacheTtl?: number } = {}) {
    this.#kv = kv;
    this.#options = options;
  }

  /** The lines of a chunk, as `readChunk` gives them; rejects when KV is silent, so that later ones may ask anew. */
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

  /** A read that began before something was erased still has it: who asks from now on is not told with it. */
  reset(): void {
    this.#pending = new Map();
  }
}
