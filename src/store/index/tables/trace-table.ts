/**
 * The traces of Errata's own failed renders, a row each for a day, in the object of the index: what a browser's error is linked
 * by. Every method is synchronous.
 */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";

/** The table in the storage of the object that owns it; it is made when it is missing. */
export class TraceTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS trace(
        trace TEXT NOT NULL, digest TEXT NOT NULL, seen_ms INTEGER NOT NULL, path TEXT,
        PRIMARY KEY(trace, digest)) WITHOUT ROWID;`);
  }

  /** Notes that the render with this trace failed: with which digest, and on which page. */
  add(trace: string, { digest, url }: Pick<ReportSummary, "digest" | "url">, nowMs: number): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO trace(trace, digest, seen_ms, path) VALUES (?, ?, ?, ?)",
      trace,
      digest,
      nowMs,
      parsePath(url),
    );
  }

  /** The digests with which the render of this trace failed; with `on`, only if that was on the page of that report. */
  findDigests(trace: string, page?: Pick<ReportSummary, "url">): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string; path: string | null }>(
      "SELECT digest, path FROM trace WHERE trace = ?",
      trace,
    );
    return rows
      .toArray()
      .filter(({ path }) => page === undefined || (path !== null && path === parsePath(page.url)))
      .map(({ digest }) => digest);
  }

  /** The traces of renders that failed with this digest and with no other. */
  listExclusiveTraces(digest: Digest): readonly string[] {
    const query = `SELECT trace FROM trace WHERE digest = ?1
      AND trace NOT IN (SELECT trace FROM trace WHERE digest <> ?1)`;
    return this.#sql
      .exec<{ trace: string }>(query, digest)
      .toArray()
      .map(({ trace }) => trace);
  }

  /** Forgets those that lead to an issue. */
  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM trace WHERE digest = ?", digest);
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM trace");
  }

  /** Forgets traces: whoever saw the page has reported what broke on it. */
  deleteExpired(beforeMs: number): void {
    this.#sql.exec("DELETE FROM trace WHERE seen_ms < ?", beforeMs);
  }
}

/** The path of a page, by which two addresses of it are compared; null when there is none. */
function parsePath(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : null;
}
