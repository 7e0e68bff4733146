/**
 * SQLite full-text table (FTS5) of a project's issues: the title and the text of the first report.
 * Synchronous.
 */
import type { Digest } from "../../../core/report.ts";
import { containsText } from "../../redact-text.ts";

/** Words of one query; further ones are ignored. */
const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;
/** Text of an issue with several reports: twice the maximum of one report. */
const MAX_TEXT_CHARS = 8_000;
const WORD_PATTERN = /[\p{L}\p{N}_$]+/gu;
/** Words that do not make two failures similar. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...["error", "exception", "failed", "message", "unhandledrejection"],
  ...["and", "for", "from", "has", "not", "the", "this", "was", "with"],
]);

export class SearchTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    // The rowid is the id of the issue.
    this.#sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS issue_search
      USING fts5(text, tokenize = "unicode61 tokenchars '_$'")`);
  }

  /** Adds the search text of issues; an issue that has one keeps it. */
  add(texts: Iterable<readonly [Digest, text: string]>): void {
    const query = "INSERT OR IGNORE INTO issue_search(rowid, text) VALUES (?, ?)";
    const rows = Array.from(texts, ([digest, text]) => [this.#getId(digest), text] as const);
    // FTS5 merges consecutive writes only while the rowids grow.
    rows.sort(([one = 0], [other = 0]) => one - other);
    for (const [id, text] of rows) if (id !== undefined) this.#sql.exec(query, id, text);
  }

  /**
   * Issues that have all words of `text`: trusted issues first, then the best match. Each word
   * matches as a prefix.
   */
  search(text: string, count: number): readonly Digest[] {
    const query = toFtsQuery(text);
    return query === undefined ? [] : this.#queryRanked(query, count);
  }

  #queryRanked(match: string, count: number): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT digest FROM issue_search JOIN issue ON issue.id = issue_search.rowid
         WHERE issue_search MATCH ?
         ORDER BY issue.trust = 'public', issue_search.rank LIMIT ?`,
        match,
        count,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /**
   * Issues that have most words of `text`, stop words excluded; the best match first, at most
   * `limit`. Each row is read when the caller asks for it.
   */
  *findSimilar(text: string, limit: number): Generator<Digest> {
    const words = extractWords(text).map(normalizeText);
    const significant = words.filter((word) => !STOP_WORDS.has(word));
    const match = significant.map((word) => `"${word}"`).join(" OR ");
    if (match === "") return;
    const rows = this.#sql.exec<{ digest: string; text: string }>(
      `SELECT digest, text FROM issue_search JOIN issue ON issue.id = issue_search.rowid
       WHERE issue_search MATCH ? ORDER BY issue_search.rank LIMIT ?`,
      match,
      limit,
    );
    for (const row of rows) {
      const normalized = normalizeText(row.text);
      const shared = significant.filter((word) => normalized.includes(word));
      if (2 * shared.length > significant.length) yield row.digest;
    }
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
    const id = this.#getId(digest);
    if (id === undefined) return [];
    const query = "SELECT text FROM issue_search WHERE rowid = ?";
    const rows = this.#sql.exec<{ text: string }>(query, id).toArray();
    return rows.map(({ text }) => text);
  }

  /** Call before the issue is removed. */
  remove(digest: Digest): void {
    const id = this.#getId(digest);
    if (id !== undefined) this.#sql.exec("DELETE FROM issue_search WHERE rowid = ?", id);
  }

  #getId(digest: Digest): number | undefined {
    const [row] = this.#sql.exec<{ id: number }>("SELECT id FROM issue WHERE digest = ?", digest);
    return row?.id;
  }

  /** The issues whose search text contains a text. */
  findContaining(text: string): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string; text: string }>(
      "SELECT digest, text FROM issue JOIN issue_search ON issue_search.rowid = issue.id",
    );
    return [...rows].filter((row) => containsText(row.text, text)).map(({ digest }) => digest);
  }

  wipe(): void {
    this.#sql.exec("DELETE FROM issue_search");
  }
}

/**
 * The FTS5 query for a text: every word is quoted, so that none is an operator. Undefined if the
 * text has no word.
 */
export function toFtsQuery(text: string): string | undefined {
  const words = extractWords(text);
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(" ");
}

/** Approximately as FTS5's `unicode61` tokenizer compares words. */
function normalizeText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function extractWords(text: string): readonly string[] {
  const all = text.match(WORD_PATTERN) ?? [];
  // Numbers and short words of stack frames differ between builds.
  const significant = all.filter((word) => /\p{L}/u.test(word) && word.length > 2);
  const words = (significant.length > 0 ? significant : all).slice(0, MAX_WORDS);
  return words.map((word) => word.slice(0, MAX_WORD_CHARS));
}
