/**
 * SQLite tables of converted maps, by the hash of what they were converted from: equal maps of many
 * uploads are stored once. A map is stored in parts, because SQLite limits a row to 2 MB.
 * Synchronous.
 */

import { type ByteRange, concat } from "../../../core/symbolication/codec.ts";
import type { ConvertedMap } from "../../../core/symbolication/convert-map.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE_PART = upsert("map_part", ["hash", "part"], ["bytes"]);

/** Bytes of one part. */
export const MAP_PART_BYTES = 512 * 1024;

/** The findings of a conversion, without the bytes. */
export type MapFacts = Pick<ConvertedMap, "debugId" | "sources" | "sourcesWithText" | "problems">;

/** Some parts of a map, with the facts of the map. */
export interface PackedSlice {
  readonly hash: string;
  /** The size of the whole map. */
  readonly bytes: number;
  readonly facts: MapFacts;
  readonly first: number;
  readonly parts: readonly Uint8Array[];
}

export class MapTable {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  has(hash: string): boolean {
    return this.getBytes(hash) !== undefined;
  }

  /** The size of a map in bytes; undefined if it is not stored. */
  getBytes(hash: string): number | undefined {
    const [row] = this.#storage.sql.exec<{ bytes: number }>(
      "SELECT bytes FROM map WHERE hash = ?",
      hash,
    );
    return row?.bytes;
  }

  /** The findings of its conversion; undefined if it is not stored. */
  getFacts(hash: string): MapFacts | undefined {
    const [row] = this.#storage.sql.exec<{ facts: string }>(
      "SELECT facts FROM map WHERE hash = ?",
      hash,
    );
    return row && (JSON.parse(row.facts) as MapFacts);
  }

  /** Stores a map whole or not at all. */
  put(hash: string, { parts, ...facts }: ConvertedMap, nowMs: number): void {
    this.#storage.transactionSync(() => {
      const row = new Uint8Array(MAP_PART_BYTES);
      let [count, length, n] = [0, 0, 0];
      for (const part of parts) {
        length += part.length;
        for (let rest = part; rest.length > 0; ) {
          const taken = rest.subarray(0, MAP_PART_BYTES - count);
          row.set(taken, count);
          count += taken.length;
          rest = rest.subarray(taken.length);
          if (count < MAP_PART_BYTES) continue;
          this.#putPart(hash, n++, row);
          count = 0;
        }
      }
      if (count > 0) this.#putPart(hash, n, row.subarray(0, count));
      this.#add(hash, length, facts, nowMs);
    });
  }

  /** Stores parts of a map from the record, and the map itself once all parts are stored. */
  restore({ hash, bytes, facts, first, parts }: PackedSlice, nowMs: number): void {
    if (this.has(hash)) return;
    this.#storage.transactionSync(() => {
      for (const [n, part] of parts.entries()) this.#putPart(hash, first + n, part);
      const query = "SELECT count(*) AS n FROM map_part WHERE hash = ?";
      const { n } = this.#storage.sql.exec<{ n: number }>(query, hash).one();
      if (n === Math.ceil(bytes / MAP_PART_BYTES)) this.#add(hash, bytes, facts, nowMs);
    });
  }

  /** The bytes of some parts, in order. */
  readParts(hash: string, first: number, count: number): readonly Uint8Array[] {
    return this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM map_part WHERE hash = ? AND part >= ? ORDER BY part LIMIT ?",
        hash,
        first,
        count,
      )
      .toArray()
      .map(({ bytes }) => new Uint8Array(bytes));
  }

  /** The next map after a hash, in their order; undefined at the end. */
  getNextHash(after: string): string | undefined {
    const query = "SELECT hash FROM map WHERE hash > ? ORDER BY hash LIMIT 1";
    return this.#storage.sql.exec<{ hash: string }>(query, after).toArray()[0]?.hash;
  }

  /** Maps that no file refers to, stored before `beforeMs`. */
  listOrphans(beforeMs: number): readonly string[] {
    return this.#storage.sql
      .exec<{ hash: string }>(
        `SELECT hash FROM map WHERE at_ms < ?
           AND NOT EXISTS (SELECT 1 FROM file WHERE map_hash = map.hash)`,
        beforeMs,
      )
      .toArray()
      .map(({ hash }) => hash);
  }

  #putPart(hash: string, part: number, bytes: Uint8Array): void {
    this.#storage.sql.exec(SAVE_PART, hash, part, bytes);
  }

  #add(hash: string, bytes: number, facts: MapFacts, nowMs: number): void {
    const insert = "INSERT INTO map(hash, bytes, facts, at_ms) VALUES (?, ?, ?, ?)";
    this.#storage.sql.exec(insert, hash, bytes, JSON.stringify(facts), nowMs);
  }

  /** A map as a byte range that reads on demand; undefined if the map is not stored. */
  open(hash: string): ByteRange | undefined {
    const length = this.getBytes(hash);
    if (length === undefined) return undefined;
    return { length, read: (offset, count) => this.#read(hash, offset, count) };
  }

  /** The bytes of all maps. */
  countBytes(): number {
    const query = "SELECT coalesce(sum(bytes), 0) AS n FROM map";
    return this.#storage.sql.exec<{ n: number }>(query).one().n;
  }

  delete(hash: string): void {
    const { sql } = this.#storage;
    sql.exec("DELETE FROM map WHERE hash = ?", hash);
    sql.exec("DELETE FROM map_part WHERE hash = ?", hash);
  }

  /** As with `subarray`, an end after the end of the map is truncated. */
  #read(hash: string, offset: number, count: number): Uint8Array {
    const first = Math.floor(offset / MAP_PART_BYTES);
    const last = Math.floor((offset + count - 1) / MAP_PART_BYTES);
    const parts = this.#storage.sql
      .exec<{ bytes: ArrayBuffer }>(
        "SELECT bytes FROM map_part WHERE hash = ? AND part BETWEEN ? AND ? ORDER BY part",
        hash,
        first,
        last,
      )
      .toArray()
      .map(({ bytes }) => new Uint8Array(bytes));
    const from = offset - first * MAP_PART_BYTES;
    const [only] = parts;
    if (parts.length === 1 && only) return only.subarray(from, from + count);
    return concat(parts).subarray(from, from + count);
  }
}
