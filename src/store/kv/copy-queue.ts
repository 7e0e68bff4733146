/**
 * SQLite table of the outdated copies in KV, one row per key: with the order and time of their
 * writes. Memory has only those that are being written, so a restart loses none. Synchronous.
 */
import { type Table, table } from "../sqlite/table.ts";

/** The table of the outdated copies, in each object that has copies in KV. */
export function outdatedCopies(since: number, wipe: Table["wipe"]): Table {
  return table(
    "outdated_snapshot",
    {
      kind: "TEXT NOT NULL",
      name: "TEXT NOT NULL",
      rank: "INTEGER NOT NULL",
      due_ms: "INTEGER NOT NULL",
      since_ms: "INTEGER NOT NULL",
    },
    ["kind", "name"],
    {
      since,
      wipe,
      indexes: { outdated_snapshot_order: "(rank, due_ms)" },
      isBig: true,
      rowsPerTurn: 100,
      expire: "never",
      // The name of an erased alias stays until its key in KV is deleted, within minutes.
      erase: "no text",
    },
  );
}

export interface CopyRef {
  /** `issue`, `alias`, `issue-list`, or the `copy` of a table. */
  readonly kind: string;
  /** A digest, an alias, or the name of a document. */
  readonly name: string;
}

/** The order in which copies are written. */
export const CopyRank = {
  /** KV has erased data. Written outside of the write budget. */
  erasure: 0,
  /** What people decided or configured, and the list of the newest issues. */
  triage: 1,
  /** An issue that a request asked for. */
  viewed: 2,
  /** An open issue that is new. */
  new: 3,
  changed: 4,
  /** Only page and public reports changed it. Written with a part of the budget. */
  page: 5,
  /** Only public reports changed it. Written with a smaller part. */
  public: 6,
} as const;

export type CopyRank = (typeof CopyRank)[keyof typeof CopyRank];

/** Every rank in the order of writes. */
export const COPY_RANKS: readonly CopyRank[] = Object.values(CopyRank);

/** Rows of each rank that are read to find the oldest one. */
const OLDEST_AMONG = 20;

/** Marks a copy that an earlier release may not have written. */
export function markOutdated(sql: SqlStorage, { kind, name }: CopyRef): void {
  const insert = `INSERT OR IGNORE INTO outdated_snapshot(kind, name, rank, due_ms, since_ms)
    VALUES (?, ?, ?, 0, 0)`;
  sql.exec(insert, kind, name, CopyRank.triage);
}

export class CopyQueue {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds a key. A waiting key keeps the better rank and the earlier time. */
  add({ kind, name }: CopyRef, rank: CopyRank, dueMs: number, nowMs: number): void {
    this.#sql.exec(
      `INSERT INTO outdated_snapshot(kind, name, rank, due_ms, since_ms)
       VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT(kind, name) DO UPDATE SET rank = min(rank, ?3), due_ms = min(due_ms, ?4)
       WHERE rank > ?3 OR due_ms > ?4`,
      ...[kind, name, rank, dueMs, nowMs],
    );
  }

  /** Adds several keys of a kind that were not written just now, with one statement. */
  addAll(
    kind: string,
    names: readonly string[],
    rank: CopyRank,
    dueMs: number,
    nowMs: number,
  ): void {
    this.#sql.exec(
      `INSERT INTO outdated_snapshot(kind, name, rank, due_ms, since_ms)
       SELECT ?1, value, ?3, ?4, ?5 FROM json_each(?2) WHERE true
       ON CONFLICT(kind, name) DO UPDATE SET rank = min(rank, ?3), due_ms = min(due_ms, ?4)
       WHERE rank > ?3 OR due_ms > ?4`,
      ...[kind, JSON.stringify(names), rank, dueMs, nowMs],
    );
  }

  /** Moves a key of a rank between `rank` and `page` to `rank`. */
  raise({ kind, name }: CopyRef, rank: CopyRank): void {
    this.#sql.exec(
      `UPDATE outdated_snapshot SET rank = ?3
       WHERE kind = ?1 AND name = ?2 AND rank > ?3 AND rank < ?4`,
      ...[kind, name, rank, CopyRank.page],
    );
  }

  postpone({ kind, name }: CopyRef, dueMs: number): void {
    const query = "UPDATE outdated_snapshot SET due_ms = ? WHERE kind = ? AND name = ?";
    this.#sql.exec(query, dueMs, kind, name);
  }

  remove({ kind, name }: CopyRef): void {
    this.#sql.exec("DELETE FROM outdated_snapshot WHERE kind = ? AND name = ?", kind, name);
  }

  /** The keys of a rank that are due at `nowMs`, in order; at most `count`. */
  listDue(rank: CopyRank, nowMs: number, count: number): readonly CopyRef[] {
    return this.#sql
      .exec<{ kind: string; name: string }>(
        `SELECT kind, name FROM outdated_snapshot
         WHERE rank = ? AND due_ms <= ? ORDER BY due_ms LIMIT ?`,
        ...[rank, nowMs, count],
      )
      .toArray();
  }

  /** When the first key of a rank is due, in ms; null if there is none. */
  getNextDueMs(rank: CopyRank): number | null {
    const query = "SELECT min(due_ms) AS ms FROM outdated_snapshot WHERE rank = ?";
    return this.#sql.exec<{ ms: number | null }>(query, rank).one().ms;
  }

  /** The number of keys, counted up to `max`. */
  count(max: number): number {
    const query = "SELECT count(*) AS n FROM (SELECT 1 FROM outdated_snapshot LIMIT ?)";
    return this.#sql.exec<{ n: number }>(query, max).one().n;
  }

  /** Since when the oldest of the next keys is outdated, in ms; null if there is none. */
  getOldestMs(): number | null {
    const query = `SELECT min(since_ms) AS ms FROM (SELECT since_ms FROM outdated_snapshot
      WHERE rank = ? ORDER BY due_ms LIMIT ${OLDEST_AMONG})`;
    const times = COPY_RANKS.map(
      (rank) => this.#sql.exec<{ ms: number | null }>(query, rank).one().ms ?? Infinity,
    );
    const oldestMs = Math.min(...times);
    return oldestMs === Infinity ? null : oldestMs;
  }
}
