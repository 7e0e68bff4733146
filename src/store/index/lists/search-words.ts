/** The words of a search, as the table `issue_search` has them. */
import { listTextParts, removeInvisible } from "../../../core/issue/issue-query.ts";
import { foldText, listPairs, splitRuns } from "../../../core/report/search-folding.ts";
import { countFtsMatches } from "../tables/fts.ts";

/** Limit of words in a query; further ones are ignored. */
const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;
const MAX_LINES = 2;
/** The marks and joiners of a word belong to it, other than those of an emoji. */
const WORD_PATTERN = /[\p{L}\p{N}_$](?:[\p{L}\p{N}\p{M}_$]|[\u200c\u200d](?=\p{L}))*/gu;
/** A line of a source: `cart.tsx:41`, also `src/cart.tsx:41:7`. Limited, to take linear time. */
const LINE_PATTERN =
  /(?<![\p{L}\p{N}_$@[\]-])[\p{L}\p{N}_$@[\]-][\p{L}\p{N}_$@[\].-]{0,100}\.\w{1,8}:\d{1,7}(?!\d)/gu;
const IS_WORD = /^[\p{L}\p{N}_$]$/u;

/** A word and the FTS5 expression that finds it. */
export interface WordTerm {
  readonly word: string;
  readonly match: string;
  /** No issue has the word, so it is used as the beginning of longer words. */
  readonly isPrefix: boolean;
  /** Part of a run without spaces, in which it may begin and end anywhere. */
  readonly isPart?: boolean;
  /** Several words that follow each other. */
  readonly isPhrase?: boolean;
}

/** Addresses of a process, and schemes of URLs: they say nothing of an error. */
const ADDRESS = /^0x[\da-f]+$/i;
const SCHEME = /\b[a-z][a-z\d+.-]{0,30}:\/\/(?=\S)/gi;

/** The words to search for. Leaves out numbers and short words, unless there are no others. */
export function extractWords(text: string): readonly string[] {
  const all = listAllWords(text.replace(SCHEME, " "));
  // Numbers and short words of stack frames differ between builds.
  const significant = all.filter(
    (word) => /\p{L}/u.test(word) && !ADDRESS.test(word) && (word.length > 2 || isRun(word, 2)),
  );
  const words = (significant.length > 0 ? significant : all).slice(0, MAX_WORDS);
  return [...new Set(words.map((word) => word.slice(0, MAX_WORD_CHARS)))];
}

function listAllWords(text: string): readonly string[] {
  return (text.normalize("NFC").match(WORD_PATTERN) ?? []).flatMap((word) =>
    splitRuns(word).map((part) => part.text),
  );
}

/** True for a run of at least `min` characters. */
function isRun(word: string, min = 1): boolean {
  return word.length >= min && splitRuns(word).every((part) => part.isRun);
}

/** Normalizes approximately as FTS5's `unicode61` tokenizer does, and as `toIndexedText` folds. */
export function normalizeText(text: string): string {
  return foldText(text);
}

/**
 * The words of a text with their FTS5 expressions, and the lines of source in it that an issue has.
 * Quoted words cannot be operators. Only a word that no issue has finds longer words that begin
 * with it, because FTS5 reads all of these at once.
 */
export function findWordTerms(sql: SqlStorage, searched: string): readonly WordTerm[] {
  const text = removeInvisible(searched);
  const lines = (text.match(LINE_PATTERN) ?? []).slice(0, MAX_LINES).map((line) => ({
    word: normalizeText(line),
    match: `"${line}"`,
    isPrefix: false,
  }));
  // No search text contains lines of built scripts.
  const known = lines.filter(({ match }) => countFtsMatches(sql, "issue_search", match, 1) > 0);
  const words = extractWords(text).map((word) => toWordTerm(sql, word));
  return [...known, ...words];
}

/** The terms of a text in which quotes are around phrases (`IssueQuery.text`). */
export function findQueryTerms(sql: SqlStorage, text: string): readonly WordTerm[] {
  const parts = listTextParts(text);
  const words = parts.filter(({ isPhrase }) => !isPhrase).map((part) => part.text);
  const phrases = parts.filter(({ isPhrase }) => isPhrase).slice(0, MAX_WORDS);
  return [
    ...findWordTerms(sql, words.join(" ")),
    ...phrases.flatMap((part) => findPhraseTerms(sql, part.text)),
  ];
}

/** The terms of words that follow each other; of runs without spaces, each for itself. */
export function findPhraseTerms(sql: SqlStorage, searched: string): readonly WordTerm[] {
  const words = listAllWords(removeInvisible(searched));
  if (words.length < 2 || words.some((word) => isRun(word))) return findWordTerms(sql, searched);
  const phrase = words.join(" ").toLowerCase();
  const normalized = normalizeText(phrase);
  const matches = [...new Set([phrase, normalized])].map((one) => `"${one}"`);
  return [
    { word: normalized, match: `(${matches.join(" OR ")})`, isPrefix: false, isPhrase: true },
  ];
}

function toWordTerm(sql: SqlStorage, word: string): WordTerm {
  const normalized = normalizeText(word);
  const whole = toMatch(word);
  if (isRun(word)) return { word: normalized, match: whole, isPrefix: false, isPart: true };
  const isPrefix = countFtsMatches(sql, "issue_search", whole, 1) === 0;
  return { word: normalized, match: isPrefix ? toMatch(word, "*") : whole, isPrefix };
}

/** The FTS5 expression that finds a word; with `*` as `end`, also longer words. */
export function toMatch(word: string, end: "" | "*" = ""): string {
  if (isRun(word)) {
    const pairs = listPairs(word);
    // One character is the beginning of a pair.
    return `"${pairs.join(" ")}"${[...word].length === 1 ? "*" : ""}`;
  }
  // Texts of earlier releases have only the word as it was sent.
  const spellings = [...new Set([normalizeText(word), word.toLowerCase()])];
  const matches = spellings.map((spelling) => `"${spelling}"${end}`);
  return matches.length === 1 ? (matches[0] ?? "") : `(${matches.join(" OR ")})`;
}

/** True if a normalized text has the word of a term, or one that begins with it. */
export function hasWord(
  text: string,
  { word, isPrefix, isPart = false, isPhrase = false }: Omit<WordTerm, "match">,
): boolean {
  if (isPart) return text.includes(word);
  if (isPhrase) return ` ${listAllWords(text).join(" ")} `.includes(` ${word} `);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + word.length]];
    if (!IS_WORD.test(before) && (isPrefix || !IS_WORD.test(after))) return true;
  }
  return false;
}
