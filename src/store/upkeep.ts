/**
 * What is done to a shard of the log as a whole: it is cut, counted anew, made anew from KV, and erased from. Nothing here is on
 * the way of a report.
 */
import { chunkMetadata, encodeChunk } from "./chunk.ts";
import { chunkLinesOf } from "./chunk-lines.ts";
import { type ErasedLine, type Erasure, eraseLines, meantLines } from "./erase-lines.ts";
import { inTime } from "./in-time.ts";
import { chunkKey } from "./keys.ts";
import type { LogTable } from "./log-table.ts";
import { readChunk } from "./record.ts";
import type { AdoptedChunk, ChunkPlace, Cut } from "./rpc.ts";
import type { Sealing } from "./sealing.ts";
import type { WriteBudget } from "./write-budget.ts";

/** For so long KV's list may miss what was put. */
const LISTED_AFTER_MS = 3_600_000;
const PUT_PATIENCE_MS = 20_000;

/** What one shard is kept up with. */
export interface UpkeepFacts {
  readonly project: string;
  readonly shard: string;
  readonly table: LogTable;
  readonly sealing: Sealing;
  readonly budget: WriteBudget;
  readonly kv: () => KVNamespace;
  readonly nowMs: () => number;
}

/** The upkeep of one shard. */
export class Upkeep {
  readonly #facts: UpkeepFacts;

  constructor(facts: UpkeepFacts) {
    this.#facts = facts;
  }

  /** What the log holds before `openChunk`, which has no line yet. */
  cut(openChunk: number): Cut {
    const { table, nowMs } = this.#facts;
    const copied = table.catalogue.copiedSince(nowMs() - LISTED_AFTER_MS);
    return { before: openChunk, held: table.heldChunks(), copied };
  }

  /**
   * Takes chunks that KV has into the catalogue, as if they had been copied from here; those that are known stay as they are.
   * Gives those that were not.
   */
  adopt(chunks: readonly AdoptedChunk[]): readonly AdoptedChunk[] {
    const { catalogue } = this.#facts.table;
    const unknown = chunks.filter(({ chunk }) => catalogue.copyOf(chunk) === undefined);
    for (const { chunk, hour, ids, placed, copiedMs, untilMs } of unknown) {
      catalogue.add({ chunk, hour, ids, placed, sealedMs: copiedMs, untilMs });
    }
    return unknown;
  }

  /**
   * Erases from one chunk, wherever it is: in the rows, in KV, or in both. Gives the lines that the erasure met. Rejects while KV
   * refuses; then it may be asked again.
   */
  async erase({ chunk, hour }: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const { project, shard, table, sealing, budget, kv, nowMs } = this.#facts;
    // A put that is on its way would bring back what is erased now.
    await sealing.idle();
    const held = table.lines(chunk);
    const meantHere = meantLines(held, erasure);
    if (meantHere.length > 0) table.replaceLines(chunk, eraseLines(held, meantHere));
    const copy = table.catalogue.copyOf(chunk);
    if (copy === undefined || copy.untilMs <= nowMs() + MIN_TTL_MS) return meantHere;
    const key = chunkKey(project, { hour, shard, chunk });
    const lines = await readChunk(kv(), key);
    if (lines === null) throw new Error("a chunk of the catalogue is not in KV");
    const meant = meantLines(lines, erasure);
    if (meant.length === 0) return meantHere;
    table.catalogue.addErased(chunk, meant);
    // KV may have shown the chunk as it was before the last erasure.
    const left = eraseLines(lines, table.catalogue.erasedOf(chunk));
    budget.spend(nowMs());
    const metadata = chunkMetadata(chunkLinesOf(left).lines);
    const expiration = Math.floor(copy.untilMs / 1000);
    const put = kv().put(key, await encodeChunk(left), { metadata, expiration });
    await inTime(put, PUT_PATIENCE_MS);
    return meant;
  }
}

/** KV takes no shorter one; what expires before that need not be erased. */
const MIN_TTL_MS = 61_000;
