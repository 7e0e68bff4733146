/**
 * SQLite full-text table (FTS5) of a project's issues: the title and the text of the first report.
 * Synchronous.
 */
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { containsText } from "../../redact-text.ts";
import { createFtsTable, emptyFtsTable } from "./fts.ts";

/** Text of an issue with several reports: twice the maximum of one report. */
const MAX_TEXT_CHARS = 8_000;
/**
 * The rowid is the id of the issue; negative for a public one, so that in descending order trusted
 * issues come first, and public reports cannot displace them.
 */
const COLUMNS = `text, tokenize = "unicode61 tokenchars '_$'"`;

export class SearchTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    createFtsTable(this.#sql, "issue_search", COLUMNS);
  }

  /** Adds the search text of issues; an issue that has one keeps it. */
  add(texts: Iterable<readonly [Digest, text: string]>): void {
    const query = `INSERT OR IGNORE INTO issue_search(rowid, text)
      SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM issue_search WHERE rowid = -?1)`;
    const rows = Array.from(texts, ([digest, text]) => [this.#getRowid(digest), text] as const);
    // FTS5 merges consecutive writes only while the rowids grow.
    rows.sort(([one = 0], [other = 0]) => one - other);
    for (const [rowid, text] of rows) if (rowid !== undefined) this.#sql.exec(query, rowid, text);
  }

  /** Sets the search text of an issue, whether or not it has one. */
  replace(digest: Digest, text: string): void {
    this.remove(digest);
    this.add([[digest, text]]);
  }

  /** Adds the text of a report that has another digest, if there is room. */
  addText(digest: Digest, text: string): void {
    const existing = this.#readTexts(digest).join(" ");
    if (existing.includes(text) || existing.length + text.length > MAX_TEXT_CHARS) return;
    this.remove(digest);
    this.add([[digest, `${existing} ${text}`]]);
  }

  /** Moves the text of one issue to another. */
  merge(from: Digest, into: Digest): void {
    const words = [into, from].flatMap((digest) => this.#readTexts(digest));
    this.remove(from);
    this.remove(into);
    this.add([[into, words.join(" ")]]);
  }

  #readTexts(digest: Digest): readonly string[] {
    const rowid = this.#getRowid(digest);
    if (rowid === undefined) return [];
    const query = "SELECT text FROM issue_search WHERE rowid IN (?1, -?1)";
    const rows = this.#sql.exec<{ text: string }>(query, rowid).toArray();
    return rows.map(({ text }) => text);
  }

  /** Call before the issue is removed. */
  remove(digest: Digest): void {
    const rowid = this.#getRowid(digest);
    if (rowid !== undefined)
      this.#sql.exec("DELETE FROM issue_search WHERE rowid IN (?1, -?1)", rowid);
  }

  #getRowid(digest: Digest): number | undefined {
    const query = "SELECT id, trust FROM issue WHERE digest = ?";
    const [row] = this.#sql.exec<{ id: number; trust: Trust }>(query, digest);
    return row && (row.trust === "public" ? -row.id : row.id);
  }

  /** The issues with ids from `after` (exclusive) to `last` whose search text contains a text. */
  findContaining(text: string, after: number, last: number): readonly Digest[] {
    const toQuery = (rowid: string) => `SELECT digest, text
      FROM issue CROSS JOIN issue_search ON issue_search.rowid = ${rowid}
      WHERE issue.id > ?1 AND issue.id <= ?2`;
    const query = `${toQuery("issue.id")} UNION ALL ${toQuery("-issue.id")}`;
    const rows = this.#sql.exec<{ digest: string; text: string }>(query, after, last);
    return [...rows].filter((row) => containsText(row.text, text)).map(({ digest }) => digest);
  }

  wipe(): void {
    emptyFtsTable(this.#sql, "issue_search", COLUMNS);
  }
}
