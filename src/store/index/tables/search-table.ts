/**
 * SQLite full-text table (FTS5) of a project's issues: the title and the text of the first report.
 * The rowid is the id of the issue. Synchronous.
 */

import { fromIndexedText, toIndexedText } from "../../../core/report/search-folding.ts";
import type { Digest } from "../../../core/report.ts";
import { containsText } from "../../redact-text.ts";
import { RowInserter } from "../../sqlite/row-inserter.ts";
import type { IssueRef } from "./issue-table.ts";

/** Text of an issue with several reports: twice the maximum of one report. */
const MAX_TEXT_CHARS = 8_000;

export class SearchTable {
  readonly #sql: SqlStorage;
  readonly #inserts: RowInserter;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#inserts = new RowInserter(storage.sql, "issue_search", ["rowid", "text"]);
  }

  /** Adds the search texts of new issues, which cannot have one. Ids must ascend. */
  addNew(texts: Iterable<readonly [id: number, text: string]>): void {
    for (const [id, text] of texts) this.#inserts.add(id, toIndexedText(text));
    this.#inserts.flush();
  }

  /** Adds the search text of issues that have none. */
  add(texts: Iterable<readonly [Digest, text: string]>): void {
    const query = `INSERT INTO issue_search(rowid, text)
      SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM issue_search WHERE rowid = ?1)`;
    const rows = Array.from(texts).flatMap(([digest, text]) => {
      const id = this.#getId(digest);
      return id === undefined ? [] : [{ id, text }];
    });
    // FTS5 merges consecutive writes only while the rowids grow.
    rows.sort((a, b) => a.id - b.id);
    for (const { id, text } of rows) this.#sql.exec(query, id, toIndexedText(text));
  }

  /** Sets the search text of an issue. */
  replace(digest: Digest, text: string): void {
    this.remove(digest);
    this.add([[digest, text]]);
  }

  /** Adds the text of a report with another digest, up to the limit. */
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
    const id = this.#getId(digest);
    if (id === undefined) return [];
    const query = "SELECT text FROM issue_search WHERE rowid = ?";
    const rows = this.#sql.exec<{ text: string }>(query, id).toArray();
    return rows.map(({ text }) => fromIndexedText(text));
  }

  /** Call before the issue is removed. */
  remove(digest: Digest): void {
    const id = this.#getId(digest);
    if (id !== undefined) this.#sql.exec("DELETE FROM issue_search WHERE rowid = ?", id);
  }

  #getId(digest: Digest): number | undefined {
    const query = "SELECT id FROM issue WHERE digest = ?";
    const [row] = this.#sql.exec<{ id: number }>(query, digest);
    return row?.id;
  }

  /** Call after a rollback. */
  clearCache(): void {
    this.#inserts.clear();
  }

  /** The issues with ids from `after` (exclusive) to `last` whose search text contains a text. */
  findContaining(text: string, after: number, last: number): readonly IssueRef[] {
    const query = `SELECT issue.id, digest, text
      FROM issue CROSS JOIN issue_search ON issue_search.rowid = issue.id
      WHERE issue.id > ?1 AND issue.id <= ?2`;
    const rows = this.#sql
      .exec<{ id: number; digest: string; text: string }>(query, after, last)
      .toArray();
    return rows.filter((row) => containsText(row.text, text));
  }
}
