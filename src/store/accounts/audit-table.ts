/**
 * SQLite tables of the audit log, with one row per change, and of the last use of sessions and
 * tokens. Synchronous.
 */
import type { AuditEntry } from "../../core/accounts/audit-entry.ts";
import { limits } from "../../core/limits.ts";
import type { AuditOutcome } from "../../core/ports/accounts-port.ts";
import { truncateText } from "../../core/truncate.ts";
import { upsert } from "../sqlite/table.ts";

const SAVE_USE = upsert("last_use", ["id"], ["at_ms"]);

/** A log may exceed its maximum by this many entries. */
const PRUNE_INTERVAL_ENTRIES = 500;

interface AuditRow extends Record<string, SqlStorageValue> {
  sequence: number;
  atMs: number;
  actor: string | null;
  actorId: string | null;
  action: string;
  subject: string | null;
  details: string | null;
  outcome: string | null;
}

export class AuditTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /**
   * Adds an entry and returns its sequence. A project keeps its newest `limits.maxAuditEntries`.
   */
  add(entry: {
    readonly atMs: number;
    readonly by?: string | undefined;
    readonly byId?: string | undefined;
    readonly project: string;
    readonly action: string;
    readonly subject?: string | undefined;
    readonly details?: string | undefined;
    readonly outcome?: string | undefined;
  }): number {
    const { atMs, by = null, byId = null, project, action, subject, details } = entry;
    const { sequence } = this.#sql
      .exec<{ sequence: number }>(
        `INSERT INTO audit_entry(at_ms, actor, actor_id, project, action, subject, details, outcome)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING sequence`,
        atMs,
        by,
        byId,
        project,
        action,
        truncate(subject),
        truncate(details),
        entry.outcome ?? null,
      )
      .one();
    this.#prune();
    return sequence;
  }

  /** Adds the outcome of an operation to its entry. */
  recordOutcome(sequence: number, { outcome, subject }: AuditOutcome): void {
    this.#sql.exec(
      "UPDATE audit_entry SET outcome = ?, subject = coalesce(?, subject) WHERE sequence = ?",
      outcome,
      truncate(subject),
      sequence,
    );
  }

  /** Prunes all projects once every `PRUNE_INTERVAL_ENTRIES`, because it reads every row. */
  #prune(): void {
    const query = "SELECT coalesce(max(sequence), 0) AS newest FROM audit_entry";
    const { newest } = this.#sql.exec<{ newest: number }>(query).one();
    if (newest % PRUNE_INTERVAL_ENTRIES !== 0) return;
    this.#sql.exec(
      `DELETE FROM audit_entry WHERE sequence IN (SELECT sequence FROM (
         SELECT sequence, row_number() OVER (PARTITION BY project ORDER BY sequence DESC) AS rank
         FROM audit_entry)
       WHERE rank > ?)`,
      limits.maxAuditEntries,
    );
  }

  /** The newest entries of a project with a sequence number below `before`. */
  listEntries(project: string, before = Number.MAX_SAFE_INTEGER): readonly AuditEntry[] {
    return this.#sql
      .exec<AuditRow>(
        `SELECT sequence, at_ms AS atMs, actor, actor_id AS actorId, action, subject, details,
           outcome
         FROM audit_entry WHERE sequence < ? AND project = ? ORDER BY sequence DESC LIMIT ?`,
        before,
        project,
        limits.auditEntriesPerPage,
      )
      .toArray()
      .map(({ sequence, atMs, actor, actorId, action, subject, details, outcome }) => ({
        sequence,
        atMs,
        action,
        by: actor ?? undefined,
        byId: actorId ?? undefined,
        subject: subject ?? undefined,
        details: details ?? undefined,
        outcome: outcome ?? undefined,
      }));
  }

  /** When each session and token was last used, in ms, by id. */
  getLastUses(): Readonly<Record<string, number>> {
    const query = "SELECT id, at_ms AS atMs FROM last_use";
    const rows = this.#sql.exec<{ id: string; atMs: number }>(query).toArray();
    return Object.fromEntries(rows.map(({ id, atMs }) => [id, atMs]));
  }

  recordUse(id: string, atMs: number): void {
    this.#sql.exec(SAVE_USE, id, atMs);
  }

  /** Deletes the last uses of all other ids. */
  deleteOtherUses(ids: ReadonlySet<string>): void {
    for (const id of Object.keys(this.getLastUses())) {
      if (!ids.has(id)) this.#sql.exec("DELETE FROM last_use WHERE id = ?", id);
    }
  }
}

function truncate(text: string | undefined): string | null {
  return text === undefined ? null : truncateText(text, limits.maxAuditSubjectChars);
}
