/**
 * SQLite table of the erasures of a text: the preview, and the number of erased reports. The text
 * is deleted when the erasure ends, or an hour after a preview that no erasure followed.
 * Synchronous.
 */
import {
  type ErasureCounts,
  MAX_LISTED_ISSUES,
  type TextErasure,
} from "../../../../core/erasure.ts";
import type { Digest } from "../../../../core/report.ts";

export class ErasureTable {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
  }

  add(id: string, text: string, atMs: number): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO erasure(id, at_ms, text) VALUES (?, ?, ?)",
      id,
      atMs,
      text,
    );
  }

  /** The erasure without its work; null if it is unknown. */
  get(id: string): TextErasure | null {
    const [row] = this.#sql.exec<{
      text: string | null;
      found: string | null;
      erased: number | null;
    }>("SELECT text, found, erased_reports AS erased FROM erasure WHERE id = ?", id);
    if (row === undefined) return null;
    const found = row.found === null ? undefined : (JSON.parse(row.found) as ErasureCounts);
    const { text, erased } = row;
    const digests = this.#sql
      .exec<{ digest: Digest }>(
        "SELECT digest FROM erasure_issue WHERE id = ? ORDER BY digest LIMIT ?",
        id,
        MAX_LISTED_ISSUES,
      )
      .toArray();
    return {
      ...{ id, text: text ?? undefined, found, erasedReports: erased ?? undefined },
      ...(digests.length > 0 && { digests: digests.map(({ digest }) => digest) }),
    };
  }

  /** Notes issues with the text, each once. */
  addIssues(id: string, digests: Iterable<Digest>): void {
    const query = "INSERT OR IGNORE INTO erasure_issue(id, digest) VALUES (?, ?)";
    for (const digest of digests) this.#sql.exec(query, id, digest);
  }

  /** Saves the result of the preview, with the number of the noted issues. */
  saveFound(id: string, counts: Omit<ErasureCounts, "issues">): void {
    const query = "SELECT count(*) AS n FROM erasure_issue WHERE id = ?";
    const issues = this.#sql.exec<{ n: number }>(query, id).one().n;
    const found: ErasureCounts = { ...counts, issues };
    this.#sql.exec("UPDATE erasure SET found = ? WHERE id = ?", JSON.stringify(found), id);
  }

  /** Removes at most `max` of the noted issues that are not listed; false if none was left. */
  forgetIssues(id: string, max: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `DELETE FROM erasure_issue WHERE id = ?1 AND digest IN (
         SELECT digest FROM erasure_issue WHERE id = ?1 ORDER BY digest LIMIT ?2 OFFSET ?3)`,
      id,
      max,
      MAX_LISTED_ISSUES,
    );
    return rowsWritten > 0;
  }

  /** Saves the result of the erasure, and deletes its text. */
  saveErased(id: string, reports: number): void {
    const query = "UPDATE erasure SET erased_reports = ?, text = NULL WHERE id = ?";
    this.#sql.exec(query, reports, id);
  }
}
