/**
 * Reads of chunks that are under way. Who asks for one that is being read is told with the other: reports that are asked for together
 * mostly stand in one chunk, and to inflate it ten times is four fifths of what an issue's JSON costs.
 */
import { inTime } from "./in-time.ts";
import { readChunk } from "./record.ts";

/** How long KV may take for one chunk. */
const PATIENCE_MS = 3_000;

/** The reads of one object, or of one request of the Worker: there, another's promises are not to be waited for. */
export class ChunkReads {
  readonly #kv: () => KVNamespace;
  readonly #options: { readonly cacheTtl?: number };
  #underWay = new Map<string, Promise<readonly string[] | null>>();

  /** `kv` is asked for with each read; `options` as `readChunk` takes them. */
  constructor(kv: () => KVNamespace, options: { readonly cacheTtl?: number } = {}) {
    this.#kv = kv;
    this.#options = options;
  }

  /** The lines of a chunk, as `readChunk` gives them; rejects when KV is silent, so that later ones may ask anew. */
  lines(key: string): Promise<readonly string[] | null> {
    const underWay = this.#underWay;
    const begun = underWay.get(key);
    if (begun !== undefined) return begun;
    const read = inTime(readChunk(this.#kv(), key, this.#options), PATIENCE_MS);
    underWay.set(key, read);
    const done = () => underWay.delete(key);
    read.then(done, done);
    return read;
  }

  /** A read that began before something was erased still has it: who asks from now on is not told with it. */
  forget(): void {
    this.#underWay = new Map();
  }
}
