/**
 * What is done to a shard of the log as a whole: it is cut, counted anew, made anew from KV, and erased from. Nothing here is on
 * the way of a report.
 */
import { chunkLinesOf, chunkMetadata, encodeChunk } from "./chunk.ts";
import { type ErasedLine, type Erasure, eraseLines, meantLines } from "./erase-lines.ts";
import { inTime } from "./in-time.ts";
import { chunkKey } from "./keys.ts";
import type { LogTable } from "./log-table.ts";
import type { PlacedId } from "./packed-ids.ts";
import { readChunk, UnreadableChunk } from "./record.ts";
import type { AdoptedChunk, ChunkPlace, Cut } from "./rpc.ts";
import type { Sealing } from "./sealing.ts";
import { placedLine } from "./stored.ts";
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
  #erasing: Promise<void> = Promise.resolve();

  constructor(facts: UpkeepFacts) {
    this.#facts = facts;
  }

  /** What the log holds before `openChunk`, which has no line yet. */
  cut(openChunk: number): Cut {
    const { table, nowMs } = this.#facts;
    const copied = table.catalogue.copiedSince(nowMs() - LISTED_AFTER_MS);
    return { before: openChunk, lastRow: table.lastRowGone(), held: table.heldChunks(), copied };
  }

  /**
   * Takes chunks that KV has into the catalogue, as if they had been copied from here; those that are known stay as they are.
   * Gives those that were not.
   */
  adopt(chunks: readonly AdoptedChunk[]): readonly AdoptedChunk[] {
    const { catalogue } = this.#facts.table;
    const unknown = chunks.filter(({ chunk }) => catalogue.copyOf(chunk) === undefined);
    for (const chunk of unknown) catalogue.add(chunk);
    return unknown;
  }

  /**
   * Erases from one chunk, wherever it is: in the rows, in KV, or in both. Gives the lines that the erasure met. Rejects while KV
   * refuses; then it may be asked again. One at a time: each writes the whole chunk.
   */
  erase(place: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const erased = this.#erasing.then(() => this.#erase(place, erasure));
    this.#erasing = erased.then(
      () => undefined,
      () => undefined,
    );
    return erased;
  }

  async #erase({ chunk, hour }: ChunkPlace, erasure: Erasure): Promise<readonly ErasedLine[]> {
    const { project, shard, table, sealing, kv, nowMs } = this.#facts;
    // A put that is on its way would bring back what is erased now.
    await sealing.idle();
    const held = table.lines(chunk);
    const meantHere = meantLines(held, erasure, { hour, shard, chunk });
    if (meantHere.length > 0) {
      table.replaceLines(chunk, eraseLines(held, meantHere), placedIn(meantHere));
    }
    const copy = table.catalogue.copyOf(chunk);
    const isCopied = copy !== undefined || held.length === 0;
    const untilMs = copy?.untilMs ?? nowMs() + LONGEST_MS;
    if (!isCopied || untilMs <= nowMs() + MIN_TTL_MS) return meantHere;
    const key = chunkKey(project, { hour, shard, chunk });
    const read = await readChunk(kv(), key).catch((error: unknown) => {
      // What nobody can read, nobody can read a text in.
      if (error instanceof UnreadableChunk) return [];
      throw error;
    });
    if (read === null && copy !== undefined) {
      throw new Error("a chunk of the catalogue is not in KV");
    }
    const { lines, placed } = chunkLinesOf(read ?? []);
    const meant = meantLines(lines, erasure, { hour, shard, chunk });
    if (meant.length === 0) return meantHere;
    table.catalogue.addErased(chunk, meant);
    // KV may have shown the chunk as it was before the last erasure.
    const left = eraseLines(lines, table.catalogue.erasedOf(chunk));
    await this.#put({ chunk, hour }, left, [...placed, ...placedIn(meant)], untilMs);
    return meant;
  }

  async #put(
    { chunk, hour }: ChunkPlace,
    lines: readonly string[],
    placed: readonly PlacedId[],
    untilMs: number,
  ): Promise<void> {
    const { project, shard, budget, kv, nowMs } = this.#facts;
    const ids = [...new Map(placed.map((one) => [one.id, one])).values()];
    const bytes = await encodeChunk(ids.length > 0 ? [...lines, placedLine(ids)] : lines);
    const options = { metadata: chunkMetadata(lines), expiration: Math.floor(untilMs / 1000) };
    budget.spend(nowMs());
    const put = kv().put(chunkKey(project, { hour, shard, chunk }), bytes, options);
    await inTime(put, PUT_PATIENCE_MS);
  }
}

/** The ids of reports that are erased stay known: a retry does not bring one back. */
function placedIn(erased: readonly ErasedLine[]): readonly PlacedId[] {
  return erased.flatMap(({ id, line }) => (id === undefined ? [] : { id, line }));
}

/** KV takes no shorter one; what expires before that need not be erased. */
const MIN_TTL_MS = 61_000;
/** Until when KV keeps a chunk that this log has forgotten is not known here. */
const LONGEST_MS = 90 * 86_400_000;
