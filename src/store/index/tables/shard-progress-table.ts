/**
 * SQLite tables of the progress that makes counts exact. Synchronous.
 *
 *     shard_progress  per shard: the last applied log row, the offset of the last applied report
 *                     (`keys.ts`, `toOffset`), and recent errors of any shard
 *     initialized     has a row once this storage holds the project's state
 */
import { parseJsonText } from "../../../core/decode/parse-json.ts";
import {
  addRecentErrors,
  type CountedError,
  joinRecentErrors,
  RECENT_ERRORS,
  type RecentErrors,
  startRecentErrors,
} from "../../../core/overview/recent-errors.ts";
import type { Watermarks } from "../../kv/watermarks.ts";
import { RECENT_UNKNOWN } from "./index-schema.ts";
import { NOTHING_STAGED, type StagedChanges } from "./staged-changes.ts";

interface StoredRecent {
  readonly shard: string;
  /** `none`: nothing counted yet; `unknown`: an earlier version did not count. */
  readonly recent: RecentErrors | "none" | "unknown" | "newer";
}

export class ShardProgressTable {
  readonly #sql: SqlStorage;
  readonly #getStaged: () => StagedChanges;
  /** True if the storage is known to be initialized: it stays so. */
  #isInitialized = false;

  constructor(storage: DurableObjectStorage, getStaged = () => NOTHING_STAGED) {
    this.#sql = storage.sql;
    this.#getStaged = getStaged;
  }

  /** The last applied row of a shard's log; 0 before the first. */
  getAppliedSeq(shard: string): number {
    return this.#getStaged().progress.get(shard)?.seq ?? this.getStoredSeq(shard);
  }

  /**
   * The last row of a shard's log whose changes are stored, not only staged; 0 before the first.
   */
  getStoredSeq(shard: string): number {
    const query = "SELECT seq FROM shard_progress WHERE shard = ?";
    const [row] = this.#sql.exec<{ seq: number }>(query, shard);
    return row?.seq ?? 0;
  }

  /** Records the last applied row of a shard and the offset of the last report in it. */
  setApplied(shard: string, seq: number, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark) VALUES (?1, ?2, ?3)
       ON CONFLICT(shard) DO UPDATE SET seq = ?2, watermark = max(watermark, ?3)`,
      shard,
      seq,
      watermark,
    );
  }

  /**
   * Adds errors to a row: that of `shard`, or any. Call it with a row that is written anyway, so
   * that it costs no further one.
   */
  addRecent(errors: readonly CountedError[], nowMs: number, shard?: string): void {
    const rows = this.#listRecent();
    const row = rows.find((one) => one.shard === shard) ?? rows[0];
    if (row === undefined || row.recent === "newer") return;
    const known = rows.flatMap(({ recent }) => (typeof recent === "object" ? recent : []));
    const start = row.recent === "unknown" ? (known[0]?.sinceMs ?? nowMs) : 0;
    const before = typeof row.recent === "object" ? row.recent : startRecentErrors(start);
    const recent = RECENT_ERRORS.encode(addRecentErrors(before, errors, nowMs));
    this.#sql.exec("UPDATE shard_progress SET recent = ? WHERE shard = ?", recent, row.shard);
  }

  /** The recent errors of all shards; undefined before the first report of this version. */
  readRecent(): RecentErrors | undefined {
    const rows = this.#listRecent();
    return joinRecentErrors(
      rows.flatMap(({ recent }) => (typeof recent === "object" ? recent : [])),
    );
  }

  #listRecent(): readonly StoredRecent[] {
    return this.#sql
      .exec<{ shard: string; recent: string | null }>(
        "SELECT shard, recent FROM shard_progress ORDER BY shard",
      )
      .toArray()
      .map(({ shard, recent }) => {
        if (recent === null || recent === RECENT_UNKNOWN)
          return { shard, recent: recent === null ? "none" : "unknown" };
        const stored = RECENT_ERRORS.decode(parseJsonText(recent));
        if (stored.kind === "newer") return { shard, recent: "newer" };
        return { shard, recent: stored.kind === "ok" ? stored.value : "unknown" };
      });
  }

  /** Raises the watermark of a shard; its last applied row stays. */
  raiseWatermark(shard: string, watermark: number): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark) VALUES (?1, 0, ?2)
       ON CONFLICT(shard) DO UPDATE SET watermark = max(watermark, ?2)`,
      shard,
      watermark,
    );
  }

  /** The offset of each shard up to which reports are applied. */
  getWatermarks(): Watermarks {
    const rows = this.#sql
      .exec<{ shard: string; watermark: number }>("SELECT shard, watermark FROM shard_progress")
      .toArray();
    const watermarks = new Map(rows.map(({ shard, watermark }) => [shard, watermark]));
    for (const [shard, { watermark }] of this.#getStaged().progress)
      watermarks.set(shard, Math.max(watermark, watermarks.get(shard) ?? 0));
    return Object.fromEntries(watermarks);
  }

  /** True once `markInitialized` was called in this storage. */
  isInitialized(): boolean {
    this.#isInitialized ||=
      this.#sql.exec("SELECT 1 FROM initialized LIMIT 1").toArray().length > 0;
    return this.#isInitialized;
  }

  markInitialized(): void {
    this.#sql.exec("INSERT OR IGNORE INTO initialized(id) VALUES (1)");
  }

  /** Shards that have sent rows. */
  listShards(): readonly string[] {
    const rows = this.#sql.exec<{ shard: string }>("SELECT shard FROM shard_progress").toArray();
    const stored = rows.map(({ shard }) => shard);
    return [...new Set([...stored, ...this.#getStaged().progress.keys()])];
  }
}
