/**
 * SQLite table of the trace ids of Errata's own failed page renders, kept for a day. A browser
 * error with the same trace is linked to the failed render. Synchronous.
 */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { containsText } from "../../redact-text.ts";
import { upsert } from "../../sqlite/table.ts";

const SAVE = upsert("trace", ["trace", "digest"], ["failed_ms", "path"]);

export class TraceTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** Records a failed render: its trace, digest and page. */
  add(trace: string, { digest, url }: Pick<ReportSummary, "digest" | "url">, nowMs: number): void {
    this.#sql.exec(SAVE, trace, digest, nowMs, parsePath(url));
  }

  /** The digests of the failed renders of a trace; with `page`, only of renders of that page. */
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

  /** The traces whose renders failed with this digest only. */
  listExclusiveTraces(digest: Digest): readonly string[] {
    const query = `SELECT trace FROM trace WHERE digest = ?1 AND NOT EXISTS (
      SELECT 1 FROM trace AS other WHERE other.trace = trace.trace AND other.digest <> ?1)`;
    return this.#sql
      .exec<{ trace: string }>(query, digest)
      .toArray()
      .map(({ trace }) => trace);
  }

  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM trace WHERE digest = ?", digest);
  }

  /** At most `limit` traces after one, in order. */
  listNames(after: string, limit: number): readonly string[] {
    const query = "SELECT DISTINCT trace FROM trace WHERE trace > ? ORDER BY trace LIMIT ?";
    return this.#sql
      .exec<{ trace: string }>(query, after, limit)
      .toArray()
      .map(({ trace }) => trace);
  }

  /** Forgets the pages of a trace whose paths contain a text. */
  erasePaths(trace: string, text: string): void {
    const query = "SELECT DISTINCT path FROM trace WHERE trace = ? AND path NOT NULL";
    for (const { path } of this.#sql.exec<{ path: string }>(query, trace).toArray()) {
      if (!containsText(path, text)) continue;
      this.#sql.exec("UPDATE trace SET path = NULL WHERE trace = ? AND path = ?", trace, path);
    }
  }
}

/** The path of a URL, for comparing pages; null if there is none. */
function parsePath(url: string | undefined): string | null {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : null;
}
