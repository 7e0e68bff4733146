/**
 * Finds issues by their search text: those with all words of a text, with most words of a title, or
 * of the same type and culprit. If there are many matches, only the newest are compared.
 * Synchronous.
 */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import { listSearchTexts } from "../../../core/lookup/pasted-words.ts";
import type { Digest } from "../../../core/report.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import {
  extractWords,
  findQueryTerms,
  findWordTerms,
  normalizeText,
  toMatch,
  type WordTerm,
} from "./search-words.ts";

/** Words that do not make two failures similar. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...["error", "exception", "failed", "message", "unhandledrejection"],
  ...["and", "for", "from", "has", "not", "the", "this", "was", "with"],
]);

type Summaries = Pick<IssueTable, "getSummary" | "listSummaries">;

/** Issues that only a part of a text leads to. */
const MAX_PARTIAL = 5;

/**
 * Issues that have all words of `text`; without any, those that its lines lead to (`SearchTexts`).
 * Sorted by the number of words in their title, then the newest first.
 */
export function searchIssues(
  sql: SqlStorage,
  issues: Summaries,
  text: string,
  count: number,
): readonly Digest[] {
  const { exact, similar } = listSearchTexts(text);
  for (const [at, one] of exact.entries()) {
    const terms = at === 0 ? findWordTerms(sql, one) : findQueryTerms(sql, one);
    const found = findWithAll(sql, issues, terms);
    if (found.length > 0) return found.slice(0, at === 0 ? count : MAX_PARTIAL);
  }
  for (const one of similar) {
    const found = findWithMostWords(sql, issues, one);
    if (found.length > 0) return found.slice(0, MAX_PARTIAL);
  }
  return [];
}

/**
 * The terms that an issue of a list must have: all of a query's text, or those of the first of its
 * lines and frames that an issue has, if the text is a log or a stack that no issue has as a whole.
 */
export function findTextTerms(sql: SqlStorage, text: string): readonly WordTerm[] {
  const all = findQueryTerms(sql, text);
  const [, ...parts] = listSearchTexts(text).exact;
  if (parts.length === 0 || listIdsWithAll(sql, all, 1).length > 0) return all;
  for (const part of parts) {
    const terms = findQueryTerms(sql, part);
    if (listIdsWithAll(sql, terms, 1).length > 0) return terms;
  }
  return all;
}

/** The newest issues that have all terms. */
function listIdsWithAll(
  sql: SqlStorage,
  terms: readonly WordTerm[],
  count: number,
): readonly number[] {
  if (terms.length === 0) return [];
  const matches = terms.map(({ match }) => match);
  const range = findSearchedRange(sql, matches);
  return listNewestIds(sql, matches.join(" AND "), range, count);
}

function findWithAll(
  sql: SqlStorage,
  issues: Summaries,
  terms: readonly WordTerm[],
): readonly Digest[] {
  const ids = listIdsWithAll(sql, terms, limits.comparedIssues);
  const words = terms.map(({ word }) => word);
  return rankBySharedWords(issues.listSummaries(ids), words).map(({ digest }) => digest);
}

/** A message has values between its words, which differ from those of the first report. */
const MIN_SIMILAR_WORDS = 3;
const MIN_SHARED = 0.6;

/** Issues whose title has most words of a line, and its type if the line begins with one. */
function findWithMostWords(sql: SqlStorage, issues: Summaries, text: string): readonly Digest[] {
  const words = listWords(text);
  if (words.length < MIN_SIMILAR_WORDS) return [];
  const summaries = issues.listSummaries(findByRarestWords(sql, text));
  const similar = summaries.filter((issue) => {
    const shared = countShared(issue, words);
    const ownWords = listTitleWords(issue);
    const ofTitle = ownWords.filter((word) => words.includes(word)).length;
    return shared >= MIN_SHARED * words.length && ofTitle >= MIN_SHARED * ownWords.length;
  });
  return rankBySharedWords(similar, words).map(({ digest }) => digest);
}

/**
 * All rowids. If many issues have each word, the rowids of the newest with the first word, because
 * FTS5 reads all of them to find the issues with every word.
 */
function findSearchedRange(sql: SqlStorage, matches: readonly string[]): string {
  const lowest = `SELECT rowid AS id FROM issue_search WHERE issue_search MATCH ?
    ORDER BY rowid DESC LIMIT 1 OFFSET ?`;
  let range: string | undefined;
  for (const match of matches) {
    const [row] = sql.exec<{ id: number }>(lowest, match, limits.maxIssuesInSet);
    if (row === undefined) return ALL_ROWIDS;
    range ??= `rowid >= ${row.id}`;
  }
  return range ?? ALL_ROWIDS;
}

const ALL_ROWIDS = "rowid > 0";

/**
 * Issues that share most words (no stop words) with the title of an issue, or its type and culprit,
 * the most similar first.
 */
export function findSimilarIssues(
  sql: SqlStorage,
  issues: Summaries,
  digest: Digest,
): readonly IssueSummary[] {
  const issue = issues.getSummary(digest);
  if (issue === undefined) return [];
  const words = listTitleWords(issue);
  const isNoise = issue.noise === undefined ? 0 : 1;
  const texts = [toTitle(issue), issue.culprit ?? ""];
  const ids = JSON.stringify(findByRarestWords(sql, ...texts));
  // A summary takes longer to read than a title.
  const titles = sql.exec<Title & { id: number }>(SIMILAR_TITLES, ids, isNoise, digest).toArray();
  const isSamePlace = (other: Title) =>
    other.type === issue.type && other.culprit !== null && other.culprit === issue.culprit;
  const similar = titles.filter(
    (other) => isSamePlace(other) || 2 * countShared(other, words) > words.length,
  );
  const ranked = rankBySharedWords(similar, words).slice(0, limits.similarIssues);
  return issues.listSummaries(ranked.map(({ id }) => id));
}

const SIMILAR_TITLES = `SELECT id, last_seen_ms AS lastSeenMs, type,
    summary ->> 'message' AS message, summary ->> 'culprit' AS culprit FROM issue
  WHERE id IN (SELECT value FROM json_each(?)) AND +noise = ? AND digest <> ?`;

type Title = Pick<IssueSummary, "type" | "message" | "lastSeenMs"> & {
  readonly culprit?: string | null;
};

function toTitle({ type, message }: Title): string {
  return `${type} ${message}`;
}

function listTitleWords(title: Title): readonly string[] {
  return listWords(toTitle(title));
}

function listWords(text: string): readonly string[] {
  return listSaidWords(text).map(normalizeText);
}

function listSaidWords(text: string): readonly string[] {
  return extractWords(text).filter((word) => !STOP_WORDS.has(normalizeText(word)));
}

/** The ids of the newest issues with each word of texts, rarest word first. */
function findByRarestWords(sql: SqlStorage, ...texts: readonly string[]): readonly number[] {
  const max = limits.comparedIssues;
  const words = texts.flatMap(listSaidWords);
  const perWord = words.map((word) => listNewestIds(sql, toMatch(word), ALL_ROWIDS, max));
  const ids = perWord.sort((a, b) => a.length - b.length).flat();
  return [...new Set(ids)].slice(0, max);
}

function listNewestIds(
  sql: SqlStorage,
  match: string,
  range: string,
  count: number,
): readonly number[] {
  // One row: reading many from a cursor takes longer than parsing JSON.
  const query = `SELECT json_group_array(id) AS ids FROM (
    SELECT rowid AS id FROM issue_search WHERE issue_search MATCH ? AND ${range}
    ORDER BY rowid DESC LIMIT ?)`;
  return JSON.parse(sql.exec<{ ids: string }>(query, match, count).one().ids);
}

function rankBySharedWords<T extends Title>(
  issues: readonly T[],
  words: readonly string[],
): readonly T[] {
  return issues
    .map((issue) => ({ issue, shared: countShared(issue, words) }))
    .sort((a, b) => b.shared - a.shared || b.issue.lastSeenMs - a.issue.lastSeenMs)
    .map(({ issue }) => issue);
}

function countShared(issue: Title, words: readonly string[]): number {
  const title = normalizeText(toTitle(issue));
  return words.filter((word) => title.includes(word)).length;
}
