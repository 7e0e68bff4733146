/**
 * SQLite tables of the record in KV: which parts of which maps are in which pack, and which keys
 * must be deleted. A pack is a KV value with parts of maps. Its row exists before the put, so that
 * an interrupted put is repeated with the same key. Synchronous.
 */

import { upsert } from "../../sqlite/table.ts";
import { MAP_PART_BYTES } from "./map-table.ts";

const SAVE_DELETED = upsert("deleted_key", ["key"], ["deleted_ms"]);

/** Parts of one map in a pack: `count` of them, starting with `first`. */
export interface PackSlice {
  readonly hash: string;
  readonly first: number;
  readonly count: number;
}

/** A pack whose value in KV is missing or outdated. */
export interface OutdatedPack {
  readonly name: string;
  /** Changes with the slices. */
  readonly version: number;
  readonly slices: readonly PackSlice[];
}

/** How long a deleted key is remembered: KV's list and reads may still have it. */
const DELETED_KNOWN_MS = 86_400_000;

export class PackTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /**
   * Adds a pack; `isSaved` if it was found in KV. Parts that another pack already has stay there.
   */
  add(name: string, slices: readonly PackSlice[], isSaved: boolean): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO pack(name, version, saved) VALUES (?, 0, ?)",
      name,
      isSaved ? 1 : 0,
    );
    for (const { hash, first, count } of slices) {
      const insert =
        "INSERT OR IGNORE INTO pack_slice(hash, first, count, pack) VALUES (?, ?, ?, ?)";
      this.#sql.exec(insert, hash, first, count, name);
    }
  }

  has(name: string): boolean {
    return this.#sql.exec("SELECT 1 FROM pack WHERE name = ?", name).toArray().length > 0;
  }

  listNames(): readonly string[] {
    return this.#sql
      .exec<{ name: string }>("SELECT name FROM pack")
      .toArray()
      .map(({ name }) => name);
  }

  /** The first pack to write, or to delete if it has no slices. */
  getNextOutdated(): OutdatedPack | undefined {
    const [pack] = this.#sql
      .exec<{ name: string; version: number }>(
        "SELECT name, version FROM pack WHERE saved = 0 ORDER BY name LIMIT 1",
      )
      .toArray();
    if (pack === undefined) return undefined;
    const slices = this.#sql
      .exec<{ hash: string; first: number; count: number }>(
        "SELECT hash, first, count FROM pack_slice WHERE pack = ? ORDER BY hash, first",
        pack.name,
      )
      .toArray();
    return { ...pack, slices };
  }

  /** Records that KV has a pack, unless it has changed since. */
  setSaved({ name, version }: Pick<OutdatedPack, "name" | "version">): void {
    this.#sql.exec("UPDATE pack SET saved = 1 WHERE name = ? AND version = ?", name, version);
  }

  /** Records that KV has lost a pack. */
  setUnsaved(name: string): void {
    this.#sql.exec("UPDATE pack SET saved = 0, version = version + 1 WHERE name = ?", name);
  }

  deletePack(name: string): void {
    this.#sql.exec("DELETE FROM pack WHERE name = ?", name);
  }

  /** Removes a map from its packs, which must be written again without it. */
  removeMap(hash: string): void {
    const packs = this.#sql
      .exec<{ pack: string }>("DELETE FROM pack_slice WHERE hash = ? RETURNING pack", hash)
      .toArray();
    for (const name of new Set(packs.map(({ pack }) => pack))) this.setUnsaved(name);
  }

  /** The number of the first part of a map that no pack has. */
  countPacked(hash: string): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT coalesce(max(first + count), 0) AS n FROM pack_slice WHERE hash = ?",
        hash,
      )
      .one().n;
  }

  /** True if KV has every part of a map of this size. */
  isMapSaved(hash: string, bytes: number): boolean {
    const { n } = this.#sql
      .exec<{ n: number }>(
        `SELECT coalesce(sum(count), 0) AS n FROM pack_slice JOIN pack ON pack.name = pack
         WHERE hash = ? AND saved = 1`,
        hash,
      )
      .one();
    return n >= Math.ceil(bytes / MAP_PART_BYTES);
  }

  addDeletedKeys(keys: Iterable<string>): void {
    for (const key of keys) this.#sql.exec(SAVE_DELETED, key, null);
  }

  getNextDeletedKey(): string | undefined {
    return this.#sql
      .exec<{ key: string }>("SELECT key FROM deleted_key WHERE deleted_ms IS NULL LIMIT 1")
      .toArray()[0]?.key;
  }

  /** Records that a key was deleted in KV, and removes the records of old deletions. */
  onDeleted(key: string, nowMs: number): void {
    this.#sql.exec("UPDATE deleted_key SET deleted_ms = ? WHERE key = ?", nowMs, key);
    this.#sql.exec("DELETE FROM deleted_key WHERE deleted_ms < ?", nowMs - DELETED_KNOWN_MS);
  }

  /** True if a key was deleted, or will be: its value in KV is obsolete. */
  isDeleted(key: string): boolean {
    return this.#sql.exec("SELECT 1 FROM deleted_key WHERE key = ?", key).toArray().length > 0;
  }

  /** Removes a deleted key that is written again. */
  undelete(key: string): void {
    this.#sql.exec("DELETE FROM deleted_key WHERE key = ?", key);
  }
}
