/**
 * Full-text search over a project's issues, in the object of its index: what an issue is called and what its first report said.
 * Every method is synchronous.
 */
import { digestToNumber } from "../../../core/grouping/digest.ts";
import type { Digest } from "../../../core/report.ts";
import { containsText } from "../../redact-text.ts";

/** Words of one search that are looked for; more say nothing more. */
const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;
/** Words of several reports: of two that say as much as one may. */
const MAX_TEXT_CHARS = 8_000;
const WORD_PATTERN = /[\p{L}\p{N}_$]+/gu;
/** Two failures that share these have nothing in common. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...["error", "exception", "failed", "message", "unhandledrejection"],
  ...["and", "for", "from", "has", "not", "the", "this", "was", "with"],
]);
/** The table in the storage of the object that owns it; it is made when it is missing. */
export class SearchTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    // An issue's row has the number of its digest: a table that says whose row is whose would be two more rows to write an issue.
    this.#sql.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS issue_words
      USING fts5(digest UNINDEXED, text, tokenize = "unicode61 tokenchars '_$'")`);
  }

  /** Notes what issues can be found by, those that have no words yet. */
  add(texts: Iterable<readonly [Digest, text: string]>): void {
    const query = "INSERT OR IGNORE INTO issue_words(rowid, digest, text) VALUES (?, ?, ?)";
    const numbered = Array.from(texts, ([digest, text]) => [digestToNumber(digest), digest, text]);
    // FTS5 gathers what it writes while the numbers grow.
    numbered.sort(([one], [other]) => Number(one) - Number(other));
    for (const row of numbered) this.#sql.exec(query, ...row);
  }

  /** The issues that have all of these words, the best match first. A word at the end may be a beginning. */
  search(text: string, count: number): readonly Digest[] {
    const query = toFtsQuery(text);
    return query === undefined ? [] : this.#queryRanked(query, count);
  }

  #queryRanked(match: string, count: number): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        "SELECT digest FROM issue_words WHERE issue_words MATCH ? ORDER BY rank LIMIT ?",
        match,
        count,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /**
   * The issues that have most of these words, without those that every failure has; the rarest and most of them first. Each is read
   * when it is asked for, at most `most` of them.
   */
  *findSimilar(text: string, limit: number): Generator<Digest> {
    const words = extractWords(text).map(normalizeText);
    const significant = words.filter((word) => !STOP_WORDS.has(word));
    const match = significant.map((word) => `"${word}"`).join(" OR ");
    if (match === "") return;
    const rows = this.#sql.exec<{ digest: string; text: string }>(
      "SELECT digest, text FROM issue_words WHERE issue_words MATCH ? ORDER BY rank LIMIT ?",
      match,
      limit,
    );
    for (const row of rows) {
      const normalized = normalizeText(row.text);
      const shared = significant.filter((word) => normalized.includes(word));
      if (2 * shared.length > significant.length) yield row.digest;
    }
  }

  /** Has an issue be found by these words as well, as far as there is room: of a report that came under another digest. */
  addText(digest: Digest, text: string): void {
    const existing = this.#readTexts(digest).join(" ");
    if (existing.includes(text) || existing.length + text.length > MAX_TEXT_CHARS) return;
    this.remove(digest);
    this.add([[digest, `${existing} ${text}`]]);
  }

  /** Has an issue be found by the words of another too. */
  merge(from: Digest, into: Digest): void {
    const words = [into, from].flatMap((digest) => this.#readTexts(digest));
    this.remove(from);
    this.remove(into);
    this.add([[into, words.join(" ")]]);
  }

  #readTexts(digest: Digest): readonly string[] {
    const query = "SELECT text FROM issue_words WHERE rowid = ?";
    const rows = this.#sql.exec<{ text: string }>(query, digestToNumber(digest)).toArray();
    return rows.map(({ text }) => text);
  }

  /** Forgets the words of one issue. */
  remove(digest: Digest): void {
    this.#sql.exec("DELETE FROM issue_words WHERE rowid = ?", digestToNumber(digest));
  }

  /** The issues in whose words a text stands. */
  findContaining(text: string): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string; text: string }>(
      "SELECT digest, text FROM issue_words",
    );
    return [...rows].filter((row) => containsText(row.text, text)).map(({ digest }) => digest);
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM issue_words");
  }

  /** Forgets the words of issues that are gone. */
  deleteOrphans(): void {
    this.#sql.exec("DELETE FROM issue_words WHERE digest NOT IN (SELECT digest FROM issue)");
  }
}

/** What FTS5 is asked for a text: each word in quotes, so that nothing in it is an operator; undefined when there is no word. */
export function toFtsQuery(text: string): string | undefined {
  const words = extractWords(text);
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(" ");
}

/** About as FTS5 compares words. */
function normalizeText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function extractWords(text: string): readonly string[] {
  const all = text.match(WORD_PATTERN) ?? [];
  // Numbers and syllables of a stack's line differ from build to build, and say little.
  const significant = all.filter((word) => /\p{L}/u.test(word) && word.length > 2);
  const words = (significant.length > 0 ? significant : all).slice(0, MAX_WORDS);
  return words.map((word) => word.slice(0, MAX_WORD_CHARS));
}
