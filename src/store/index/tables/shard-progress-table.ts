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

/** Errors that were applied at `nowMs`. */
export interface ReceivedErrors {
  readonly errors: readonly CountedError[];
  readonly nowMs: number;
}

const NO_ERRORS: ReceivedErrors = { errors: [], nowMs: 0 };

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

  /**
   * Records the last applied row of a shard, the offset of the last report in it, and its errors.
   */
  setApplied(shard: string, seq: number, watermark: number, errors?: ReceivedErrors): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark, recent) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT(shard) DO UPDATE SET seq = ?2, watermark = max(watermark, ?3),
         recent = coalesce(?4, recent)`,
      ...[shard, seq, watermark, this.#addRecent(shard, errors)],
    );
  }

  /** The recent errors of a row with further ones, as JSON; null if none are to be stored. */
  #addRecent(shard: string, { errors, nowMs }: ReceivedErrors = NO_ERRORS): string | null {
    if (errors.length === 0) return null;
    const rows = this.#listRecent();
    const { recent = "none" } = rows.find((one) => one.shard === shard) ?? {};
    if (recent === "newer") return null;
    const known = rows.flatMap((one) => (typeof one.recent === "object" ? one.recent : []));
    // Rows of an earlier version did not count.
    const hasUnknown = rows.some((one) => one.recent === "unknown");
    const sinceMs = known[0]?.sinceMs ?? (hasUnknown ? nowMs : 0);
    const before = typeof recent === "object" ? recent : startRecentErrors(sinceMs);
    return RECENT_ERRORS.encode(addRecentErrors(before, errors, nowMs));
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

  /** Raises the watermark of a shard, and adds errors; its last applied row stays. */
  raiseWatermark(shard: string, watermark: number, errors?: ReceivedErrors): void {
    this.#sql.exec(
      `INSERT INTO shard_progress(shard, seq, watermark, recent) VALUES (?1, 0, ?2, ?3)
       ON CONFLICT(shard) DO UPDATE SET watermark = max(watermark, ?2),
         recent = coalesce(?3, recent)`,
      ...[shard, watermark, this.#addRecent(shard, errors)],
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
