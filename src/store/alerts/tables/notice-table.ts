/**
 * SQLite table of what members were told personally: a row for each member, with what happened, and
 * whether the member has read it. Members are named as issues name their assignees. Rows contain no
 * reported text. Synchronous.
 */
import { toComparableName } from "../../../core/accounts/names.ts";
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { Notice } from "../../../core/alerts/notice.ts";
import type { Digest } from "../../../core/report.ts";
import { DAY_MS } from "../../../core/utc-time.ts";

/** A notice of one member. */
export interface StoredNotice extends Omit<Notice, "to"> {
  readonly id: string;
  readonly atMs: number;
  readonly digest: Digest;
  readonly isUnread: boolean;
}

/** The member who reads, and since when: earlier notices are those of a former member. */
export interface NoticeReader {
  readonly name: string;
  readonly sinceMs: number;
}

const KEPT_MS = 90 * DAY_MS;

export class NoticeTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds a row for each member, and deletes old rows and the oldest above the limit of each. */
  add(id: string, digest: Digest, { to, ...notice }: Notice, atMs: number): void {
    this.#sql.exec("DELETE FROM notice WHERE at_ms <= ?", atMs - KEPT_MS);
    for (const name of to.map(toComparableName)) {
      this.#sql.exec(
        `INSERT INTO notice(seq, id, name, digest, at_ms, is_read, notice)
         VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM notice), ?, ?, ?, ?, 0, ?)`,
        ...[id, name, digest, atMs, JSON.stringify(notice)],
      );
      this.#sql.exec(
        `DELETE FROM notice WHERE name = ?1 AND seq <= (
           SELECT seq FROM notice WHERE name = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
        ...[name, alertLimits.keptNotices],
      );
    }
  }

  /** At most `count`, newest first. */
  list({ name, sinceMs }: NoticeReader, count: number): readonly StoredNotice[] {
    return this.#sql
      .exec<{ id: string; digest: string; at_ms: number; is_read: number; notice: string }>(
        `SELECT id, digest, at_ms, is_read, notice FROM notice
         WHERE name = ? AND at_ms >= ? ORDER BY seq DESC LIMIT ?`,
        ...[toComparableName(name), sinceMs, count],
      )
      .toArray()
      .map(({ id, digest, at_ms, is_read, notice }) => ({
        ...(JSON.parse(notice) as Omit<Notice, "to">),
        ...{ id, digest, atMs: at_ms, isUnread: is_read === 0 },
      }));
  }

  countUnread({ name, sinceMs }: NoticeReader): number {
    return this.#sql
      .exec<{ unread: number }>(
        `SELECT count(*) AS unread FROM notice
         WHERE name = ? AND is_read = 0 AND at_ms >= ?`,
        ...[toComparableName(name), sinceMs],
      )
      .one().unread;
  }

  /** Marks a notice as read; with `isUpTo`, all older ones too. Returns its issue. */
  markRead({ name }: NoticeReader, id: string, isUpTo: boolean): Digest | undefined {
    const own = toComparableName(name);
    const query = "SELECT seq, digest FROM notice WHERE id = ? AND name = ?";
    const [row] = this.#sql.exec<{ seq: number; digest: string }>(query, id, own).toArray();
    if (row === undefined) return undefined;
    this.#sql.exec(
      `UPDATE notice SET is_read = 1
       WHERE name = ?1 AND is_read = 0 AND ${isUpTo ? "seq <= ?2" : "seq = ?2"}`,
      ...[own, row.seq],
    );
    return row.digest;
  }

  erase(digest: Digest): void {
    this.#sql.exec("DELETE FROM notice WHERE digest = ?", digest);
  }

  /** `part` is in lower case. */
  eraseText(part: string): void {
    this.#sql.exec(
      "DELETE FROM notice WHERE instr(name, ?1) > 0 OR instr(lower(notice), ?1) > 0",
      part,
    );
  }
}
