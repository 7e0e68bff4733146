/**
 * The ids and traces of runs of the catalog, in an object's storage: packed, sorted by their keys,
 * and cut into slices of about a thousand. A lookup reads one slice of each run. Synchronous.
 *
 *     id_block  one row per slice that has entries
 */
import { Buffer } from "node:buffer";
import { upsert } from "../../sqlite/table.ts";
import type { IdKey } from "./id-key.ts";
import {
  ENTRY_BYTES,
  type EntryTarget,
  findEntries,
  mergeEntries,
  readKeys,
  splitIntoSlices,
  toSlice,
} from "./packed-entries.ts";

const SAVE = upsert("id_block", ["block"], ["entries"]);

const ENTRIES_PER_SLICE = 1_024;
const MAX_SLICE_BITS = 7;
/** The block of a slice is `run * BLOCKS_PER_RUN + slice`. */
const BLOCKS_PER_RUN = 4_096;

/** The entries of one run: their number, and how many slices they are cut into. */
export interface SlicedRun {
  readonly run: number;
  readonly entryCount: number;
  /** There are `2 ** sliceBits` slices. */
  readonly sliceBits: number;
}

export class IdBlocks {
  readonly #sql: SqlStorage;
  readonly #maxPerKey: number;

  /** `maxPerKey`: the lines that a run keeps of one id or trace. */
  constructor(sql: SqlStorage, maxPerKey: number) {
    this.#sql = sql;
    this.#maxPerKey = maxPerKey;
  }

  /** Adds packed entries to a run. Returns the changed run. */
  add(before: SlicedRun, added: Uint8Array): SlicedRun {
    const { run } = before;
    const entryCount = before.entryCount + added.length / ENTRY_BYTES;
    const sliceBits = toSliceBits(entryCount);
    if (sliceBits !== before.sliceBits) {
      // The slices are in the order of their keys.
      const stored = Buffer.concat([...this.#readRun(run)]);
      this.delete(run);
      this.#insert(run, splitIntoSlices(this.#merge(stored, added), sliceBits));
    } else {
      const slices = splitIntoSlices(added, sliceBits);
      for (const [slice, entries] of slices)
        slices.set(slice, this.#merge(this.#read(run * BLOCKS_PER_RUN + slice), entries));
      this.#insert(run, slices);
    }
    return { run, entryCount, sliceBits };
  }

  /** The lines that a key leads to, by run in the order of `runs`, the newest of a run first. */
  *find(key: IdKey, runs: readonly SlicedRun[]): Generator<EntryTarget & { readonly run: number }> {
    const blocks = runs.map(({ run, sliceBits }) => run * BLOCKS_PER_RUN + toSlice(key, sliceBits));
    const rows = this.#sql.exec<{ block: number; entries: ArrayBuffer }>(
      `SELECT block, entries FROM json_each(?) AS wanted
       CROSS JOIN id_block ON id_block.block = wanted.value`,
      JSON.stringify(blocks),
    );
    for (const { block, entries } of rows) {
      const run = Math.floor(block / BLOCKS_PER_RUN);
      for (const found of findEntries(new Uint8Array(entries), key)) yield { ...found, run };
    }
  }

  /** The keys of a run. */
  *readKeys(run: number): Generator<IdKey> {
    for (const entries of this.#readRun(run)) yield* readKeys(entries);
  }

  /** Deletes the entries of a run. */
  delete(run: number): void {
    this.#sql.exec(
      "DELETE FROM id_block WHERE block BETWEEN ? AND ?",
      run * BLOCKS_PER_RUN,
      (run + 1) * BLOCKS_PER_RUN - 1,
    );
  }

  *#readRun(run: number): Generator<Uint8Array> {
    const rows = this.#sql.exec<{ entries: ArrayBuffer }>(
      "SELECT entries FROM id_block WHERE block BETWEEN ? AND ?",
      run * BLOCKS_PER_RUN,
      (run + 1) * BLOCKS_PER_RUN - 1,
    );
    for (const { entries } of rows) yield new Uint8Array(entries);
  }

  #read(block: number): Uint8Array {
    const [row] = this.#sql.exec<{ entries: ArrayBuffer }>(
      "SELECT entries FROM id_block WHERE block = ?",
      block,
    );
    return row === undefined ? new Uint8Array() : new Uint8Array(row.entries);
  }

  #insert(run: number, slices: ReadonlyMap<number, Uint8Array>): void {
    for (const [slice, entries] of slices) {
      this.#sql.exec(
        SAVE,
        run * BLOCKS_PER_RUN + slice,
        // A copy, because the buffer of a slice has all entries.
        entries.slice().buffer,
      );
    }
  }

  #merge(a: Uint8Array, b: Uint8Array): Uint8Array {
    return mergeEntries(a, b, this.#maxPerKey);
  }
}

function toSliceBits(entryCount: number): number {
  const bits = Math.ceil(Math.log2(Math.max(1, entryCount / ENTRIES_PER_SLICE)));
  return Math.min(bits, MAX_SLICE_BITS);
}
