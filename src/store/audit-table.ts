/** Who changed what, a row a change, and when sessions and tokens were last used; in the registry's object. Synchronous. */
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { AuditEntry } from "../core/registry/audit.ts";

interface Row extends Record<string, SqlStorageValue> {
  n: number;
  at_ms: number;
  actor: string | null;
  project: string;
  deed: string;
  subject: string | null;
}

/** The tables of the object that owns `storage`; they are made when they are missing. */
export class AuditTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS audit(
        n INTEGER PRIMARY KEY AUTOINCREMENT, at_ms INTEGER NOT NULL, actor TEXT, project TEXT NOT NULL, deed TEXT NOT NULL, subject TEXT);
      CREATE INDEX IF NOT EXISTS audit_of ON audit(project, n);
      CREATE TABLE IF NOT EXISTS used(id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) WITHOUT ROWID;`);
  }

  /** Adds an entry; the oldest are forgotten beyond `limits.maxAuditEntries`. */
  add(entry: {
    readonly atMs: number;
    readonly by?: string | undefined;
    readonly project: string;
    readonly deed: string;
    readonly subject?: string | undefined;
  }): void {
    const { atMs, by = null, project, deed, subject = null } = entry;
    this.#sql.exec(
      "INSERT INTO audit(at_ms, actor, project, deed, subject) VALUES (?, ?, ?, ?, ?)",
      atMs,
      by,
      project,
      deed,
      subject,
    );
    this.#sql.exec(
      "DELETE FROM audit WHERE n <= (SELECT max(n) FROM audit) - ?",
      limits.maxAuditEntries,
    );
  }

  /** The newest entries of a project. */
  entries(project: string, before = Number.MAX_SAFE_INTEGER): readonly AuditEntry[] {
    return this.#sql
      .exec<Row>(
        `SELECT n, at_ms, actor, project, deed, subject FROM audit
         WHERE n < ? AND project = ? ORDER BY n DESC LIMIT ?`,
        before,
        project,
        limits.auditEntriesPerPage,
      )
      .toArray()
      .map(({ n, at_ms: atMs, actor, project: of, deed, subject }) => ({
        n,
        atMs,
        deed,
        ...present({
          by: actor ?? undefined,
          project: of ?? undefined,
          subject: subject ?? undefined,
        }),
      }));
  }

  /** When each was last used. */
  uses(): Readonly<Record<string, number>> {
    const rows = this.#sql.exec<{ id: string; at_ms: number }>("SELECT id, at_ms FROM used");
    return Object.fromEntries(rows.toArray().map(({ id, at_ms }) => [id, at_ms]));
  }

  /** Notes a use. */
  used(id: string, atMs: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO used(id, at_ms) VALUES (?, ?)", id, atMs);
  }

  /** Forgets what was used and is no more. */
  keepUsesOf(ids: ReadonlySet<string>): void {
    for (const id of Object.keys(this.uses())) {
      if (!ids.has(id)) this.#sql.exec("DELETE FROM used WHERE id = ?", id);
    }
  }
}
