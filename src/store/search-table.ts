/**
 * Full-text search over a project's issues, in the object of its index: what an issue is called and what its first report said.
 * Every method is synchronous.
 */
import type { Digest } from "../core/report.ts";
import { holdsText } from "./written-text.ts";

/** Words of one search that are looked for; more say nothing more. */
const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;

/** The tables in the storage of the object that owns them; they are made when they are missing. */
export class SearchTable {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(text, tokenize = "unicode61 tokenchars '_$'");
      CREATE TABLE IF NOT EXISTS worded(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE);`);
  }

  /** Notes what an issue can be found by, if it has no words yet. */
  add(digest: Digest, text: string): void {
    const query = "INSERT OR IGNORE INTO worded(digest) VALUES (?) RETURNING id";
    const [added] = this.#sql.exec<{ id: number }>(query, digest);
    if (added === undefined) return;
    this.#sql.exec("INSERT INTO words(rowid, text) VALUES (?, ?)", added.id, text);
  }

  /** The issues that have all of these words, the best match first. A word at the end may be a beginning. */
  find(text: string, count: number): readonly Digest[] {
    const query = matchOf(text);
    return query === undefined ? [] : this.#ranked(query, count);
  }

  #ranked(match: string, count: number): readonly Digest[] {
    return this.#sql
      .exec<{ digest: string }>(
        `SELECT digest FROM words JOIN worded ON worded.id = words.rowid
         WHERE words MATCH ? ORDER BY rank LIMIT ?`,
        match,
        count,
      )
      .toArray()
      .map(({ digest }) => digest);
  }

  /** The issues that have some of these words, those that share the rarest and most of them first. */
  like(text: string, count: number): readonly Digest[] {
    const words = wordsIn(text);
    if (words.length === 0) return [];
    return this.#ranked(words.map((word) => `"${word}"`).join(" OR "), count);
  }

  /** Has an issue be found by the words of another too. */
  merge(from: Digest, into: Digest): void {
    const one = "SELECT text FROM words JOIN worded ON worded.id = words.rowid WHERE digest = ?";
    const [words] = this.#sql.exec<{ text: string }>(one, from);
    const [known] = this.#sql.exec<{ text: string }>(one, into);
    this.remove(from);
    this.remove(into);
    this.add(into, [known?.text, words?.text].filter((text) => text !== undefined).join(" "));
  }

  /** Forgets the words of one issue. */
  remove(digest: Digest): void {
    const one = "SELECT id FROM worded WHERE digest = ?";
    this.#sql.exec(`DELETE FROM words WHERE rowid IN (${one})`, digest);
    this.#sql.exec("DELETE FROM worded WHERE digest = ?", digest);
  }

  /** The issues in whose words a text stands. */
  holding(text: string): readonly Digest[] {
    const rows = this.#sql.exec<{ digest: string; text: string }>(
      "SELECT digest, text FROM words JOIN worded ON worded.id = words.rowid",
    );
    return [...rows].filter((row) => holdsText(row.text, text)).map(({ digest }) => digest);
  }

  /** Forgets everything. */
  wipe(): void {
    this.#sql.exec("DELETE FROM words");
    this.#sql.exec("DELETE FROM worded");
  }

  /** Forgets the words of issues that are gone. */
  forget(): void {
    const gone = "SELECT id FROM worded WHERE digest NOT IN (SELECT digest FROM issue)";
    this.#sql.exec(`DELETE FROM words WHERE rowid IN (${gone})`);
    this.#sql.exec("DELETE FROM worded WHERE digest NOT IN (SELECT digest FROM issue)");
  }
}

/** What FTS5 is asked for a text: each word in quotes, so that nothing in it is an operator; undefined when there is no word. */
export function matchOf(text: string): string | undefined {
  const words = wordsIn(text);
  if (words.length === 0) return undefined;
  return words.map((word) => `"${word}"*`).join(" ");
}

function wordsIn(text: string): readonly string[] {
  const all = text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  // Numbers and syllables of a stack's line differ from build to build, and say little.
  const telling = all.filter((word) => /\p{L}/u.test(word) && word.length > 2);
  const words = (telling.length > 0 ? telling : all).slice(0, MAX_WORDS);
  return words.map((word) => word.slice(0, MAX_WORD_CHARS));
}
