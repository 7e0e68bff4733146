/**
 * SQLite full-text table (FTS5) of a project's issues: the title and the text of the first report.
 * The rowid contains the level of the issue (`search-rowid.ts`). Synchronous.
 */
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { containsText } from "../../redact-text.ts";
import { createFtsTable, emptyFtsTable } from "./fts.ts";
import type { IssueRef } from "./issue-table.ts";
import { listSearchRowids, toSearchRowid } from "./search-rowid.ts";

/** Text of an issue with several reports: twice the maximum of one report. */
const MAX_TEXT_CHARS = 8_000;
const COLUMNS = `text, tokenize = "unicode61 tokenchars '_$'"`;

/** The rowids of the issue with the id of the first parameter. */
const ROWIDS_OF_ISSUE = listSearchRowids("?1").join(", ");

interface IssueId extends Record<string, SqlStorageValue> {
  readonly id: number;
  readonly trust: Trust;
}

export class SearchTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    createFtsTable(this.#sql, "issue_search", COLUMNS);
  }

  /** Adds the search text of issues that have none. */
  add(texts: Iterable<readonly [Digest, text: string]>): void {
    const query = `INSERT INTO issue_search(rowid, text)
      SELECT ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM issue_search WHERE rowid IN (${ROWIDS_OF_ISSUE}))`;
    const rows = Array.from(texts).flatMap(([digest, text]) => {
      const issue = this.#getIssue(digest);
      return issue === undefined
        ? []
        : [{ id: issue.id, rowid: toSearchRowid(issue.id, issue.trust), text }];
    });
    // FTS5 merges consecutive writes only while the rowids grow.
    rows.sort((a, b) => a.rowid - b.rowid);
    for (const { id, rowid, text } of rows) this.#sql.exec(query, id, rowid, text);
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
    const issue = this.#getIssue(digest);
    if (issue === undefined) return [];
    const query = `SELECT text FROM issue_search WHERE rowid IN (${ROWIDS_OF_ISSUE})`;
    const rows = this.#sql.exec<{ text: string }>(query, issue.id).toArray();
    return rows.map(({ text }) => text);
  }

  /** Call before the issue is removed. */
  remove(digest: Digest): void {
    const issue = this.#getIssue(digest);
    const query = `DELETE FROM issue_search WHERE rowid IN (${ROWIDS_OF_ISSUE})`;
    if (issue !== undefined) this.#sql.exec(query, issue.id);
  }

  #getIssue(digest: Digest): IssueId | undefined {
    const query = "SELECT id, trust FROM issue WHERE digest = ?";
    const [row] = this.#sql.exec<IssueId>(query, digest);
    return row;
  }

  /** The issues with ids from `after` (exclusive) to `last` whose search text contains a text. */
  findContaining(text: string, after: number, last: number): readonly IssueRef[] {
    const toQuery = (rowid: string) => `SELECT issue.id, digest, text
      FROM issue CROSS JOIN issue_search ON issue_search.rowid = ${rowid}
      WHERE issue.id > ?1 AND issue.id <= ?2`;
    const query = listSearchRowids("issue.id").map(toQuery).join(" UNION ALL ");
    const rows = this.#sql
      .exec<{ id: number; digest: string; text: string }>(query, after, last)
      .toArray();
    return rows.filter((row) => containsText(row.text, text));
  }

  wipe(): void {
    emptyFtsTable(this.#sql, "issue_search", COLUMNS);
  }
}
