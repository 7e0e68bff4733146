/** SQLite table of the newest failures of uploads, which upload tools do not show. Synchronous. */
import { artifactLimits } from "../../../core/artifacts/artifact-limits.ts";

/** A failure: a sentence, and when it happened. */
interface UploadFailure {
  readonly atMs: number;
  readonly detail: string;
}

export class FailureTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Adds a failure, unless the newest one is the same, and deletes the oldest above the limit. */
  add(detail: string, nowMs: number): void {
    if (this.list()[0]?.detail === detail) return;
    this.#sql.exec("INSERT INTO failure(at_ms, detail) VALUES (?, ?)", nowMs, detail);
    this.#sql.exec(
      "DELETE FROM failure WHERE n <= (SELECT max(n) FROM failure) - ?",
      artifactLimits.listedFailures,
    );
  }

  /** Newest first. */
  list(): readonly UploadFailure[] {
    return this.#sql
      .exec<{ at_ms: number; detail: string }>("SELECT at_ms, detail FROM failure ORDER BY n DESC")
      .toArray()
      .map(({ at_ms, detail }) => ({ atMs: at_ms, detail }));
  }

  /** Replaces the sentences that `change` changes. */
  change(change: (detail: string) => string): void {
    const rows = this.#sql.exec<{ n: number; detail: string }>("SELECT n, detail FROM failure");
    for (const { n, detail } of rows.toArray()) {
      const changed = change(detail);
      if (changed === detail) continue;
      this.#sql.exec("UPDATE failure SET detail = ? WHERE n = ?", changed, n);
    }
  }
}
