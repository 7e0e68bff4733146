/** Who changed what, a row a change, and when sessions and tokens were last used; in the registry's object. Synchronous. */

import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import { limits } from "../../core/limits.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import { truncateText } from "../../core/truncate.ts";

/** So many entries more than it promises a log may have. */
const PRUNE_INTERVAL_ENTRIES = 500;

interface AuditRow extends Record<string, SqlStorageValue> {
  n: number;
  at_ms: number;
  actor: string | null;
  actor_id: string | null;
  action: string;
  subject: string | null;
}

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class AuditTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS audit(
        n INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, actor TEXT, actor_id TEXT, project TEXT NOT NULL, action TEXT NOT NULL, subject TEXT);
      CREATE INDEX IF NOT EXISTS audit_of ON audit(project, n);
      CREATE TABLE IF NOT EXISTS used(id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  /** Adds an entry; the oldest of its project are forgotten beyond `limits.maxAuditEntries`. */
  add(entry: {
    readonly atMs: number;
    readonly by?: string | undefined;
    readonly byId?: string | undefined;
    readonly project: string;
    readonly action: string;
    readonly subject?: string | undefined;
  }): void {
    const { atMs, by = null, byId = null, project, action, subject = null } = entry;
    this.#sql.exec(
      "INSERT INTO audit(at_ms, actor, actor_id, project, action, subject) VALUES (?, ?, ?, ?, ?, ?)",
      atMs,
      by,
      byId,
      project,
      action,
      subject === null ? null : truncateText(subject, limits.maxAuditSubjectChars),
    );
    this.#prune();
  }

  /** Of all projects, once in a while: it reads as many rows as there are. */
  #prune(): void {
    const [{ n } = { n: 0 }] = this.#sql.exec<{ n: number }>("SELECT max(n) AS n FROM audit");
    if (n % PRUNE_INTERVAL_ENTRIES !== 0) return;
    this.#sql.exec(
      `DELETE FROM audit WHERE n IN (SELECT n FROM (
         SELECT n, row_number() OVER (PARTITION BY project ORDER BY n DESC) AS place FROM audit)
       WHERE place > ?)`,
      limits.maxAuditEntries,
    );
  }

  /** The newest entries of a project. */
  listEntries(project: string, before = Number.MAX_SAFE_INTEGER): readonly AuditEntry[] {
    return this.#sql
      .exec<AuditRow>(
        `SELECT n, at_ms, actor, actor_id, action, subject FROM audit
         WHERE n < ? AND project = ? ORDER BY n DESC LIMIT ?`,
        before,
        project,
        limits.auditEntriesPerPage,
      )
      .toArray()
      .map(({ n, at_ms: atMs, actor, actor_id, action, subject }) => ({
        sequence: n,
        atMs,
        action: action,
        ...omitUndefined({
          by: actor ?? undefined,
          byId: actor_id ?? undefined,
          subject: subject ?? undefined,
        }),
      }));
  }

  /** When each was last used. */
  getLastUses(): Readonly<Record<string, number>> {
    const rows = this.#sql.exec<{ id: string; at_ms: number }>("SELECT id, at_ms FROM used");
    return Object.fromEntries(rows.toArray().map(({ id, at_ms }) => [id, at_ms]));
  }

  /** Notes a use. */
  recordUse(id: string, atMs: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO used(id, at_ms) VALUES (?, ?)", id, atMs);
  }

  /** Forgets what was used and is no more. */
  deleteOtherUses(ids: ReadonlySet<string>): void {
    for (const id of Object.keys(this.getLastUses())) {
      if (!ids.has(id)) this.#sql.exec("DELETE FROM used WHERE id = ?", id);
    }
  }
}
