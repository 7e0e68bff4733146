/**
 * Lists of issues: pages of a query's results, and their facets. Pages are addressed by the last
 * issue of the previous page, so that new issues do not shift them. Synchronous.
 */
import {
  type Flood,
  type FoldedIssue,
  findFloodOf,
  summarizeFloods,
} from "../../../core/flood/flood.ts";
import type { AskedValues, FoundValues } from "../../../core/issue/facet-value.ts";
import type { Issue, IssueList, IssueSummary } from "../../../core/issue/issue.ts";
import type {
  FloodSummary,
  IssueCursor,
  IssueFacet,
  IssueListPage,
  IssueNeighbors,
} from "../../../core/issue/issue-list-page.ts";
import {
  FACETS,
  type FilterKey,
  type IssueQuery,
  type IssueSort,
  parseIssueQuery,
  SORT_NUMBERS,
} from "../../../core/issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import { toAsciiLowerCase } from "../../../core/issue/query-values.ts";
import { limits } from "../../../core/limits.ts";
import type { NewIssues } from "../../../core/overview/project-overview.ts";
import type { SimilarIssue } from "../../../core/ports/storage-ports.ts";
import type { Digest } from "../../../core/report.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import type { FloodTable } from "../state/flood-table.ts";
import { findFacetValues } from "../tables/facet-table.ts";
import type { FacetValues } from "../tables/facet-values.ts";
import {
  ISSUE_COLUMN_NAMES,
  type IssueColumns,
  toIssueSummary,
  toPositionSql,
} from "../tables/issue-columns.ts";
import type { IssueRef, IssueTable } from "../tables/issue-table.ts";
import { findIssues } from "./find-issues.ts";
import { findIssuesAt, type IssueAt } from "./find-issues-at.ts";
import { listUnknownTags, type SqlCondition } from "./issue-conditions.ts";
import { type PositionRow, toPosition } from "./issue-rows.ts";
import type {
  FoundIssue,
  FoundIssues,
  ListBounds,
  ListSearch,
  SortPosition,
} from "./list-search.ts";
import { findSimilarIssues, searchIssues } from "./search-issues.ts";

type Issues = Pick<IssueTable, "get" | "getSummary" | "listSummaries" | "countIssues">;

export class IssueLists {
  readonly #sql: SqlStorage;
  readonly #issues: Issues;
  readonly #bounds: ListBounds;
  readonly #floods: Pick<FloodTable, "listFloods">;
  readonly #hasTops: () => boolean;

  /** `hasTops` is false until a migration has filled the tops of the lists. */
  constructor(
    sql: SqlStorage,
    issues: Issues,
    bounds: ListBounds = limits,
    floods: Pick<FloodTable, "listFloods"> = NO_FLOODS,
    hasTops: () => boolean = () => true,
  ) {
    this.#sql = sql;
    this.#hasTops = hasTops;
    this.#issues = issues;
    this.#floods = floods;
    this.#bounds = bounds;
  }

  /** The issues last seen, newest first, without noise. */
  listNewest(count: number): readonly Issue[] {
    return this.#findNewest(count)
      .map(({ digest }) => this.#issues.get(digest))
      .filter((issue) => issue !== undefined);
  }

  #findNewest(count: number, { sql, values } = EVERY_ISSUE): readonly IssueRef[] {
    const query = `SELECT id, digest FROM issue INDEXED BY list_by_last
      WHERE noise = 0 AND ${sql} ORDER BY last_seen_ms DESC, digest DESC LIMIT ?`;
    return this.#sql.exec<{ id: number; digest: string }>(query, ...values, count).toArray();
  }

  /** At most `count` issues seen since `sinceMs`, newest first, without noise and floods. */
  listSeenSince(sinceMs: number, count: number, nowMs: number): readonly IssueSummary[] {
    const { sql, values } = this.#toUnfolded(nowMs);
    const isSeen = { sql: `last_seen_ms >= ? AND ${sql}`, values: [sinceMs, ...values] };
    return this.#listSummaries(this.#findNewest(count, isSeen));
  }

  /** The issues last seen that no flood folds, newest first, without noise. */
  listNewestUnfolded(count: number, nowMs: number): readonly Issue[] {
    const newest = this.#findNewest(count, this.#toUnfolded(nowMs));
    return newest.flatMap(({ digest }) => this.#issues.get(digest) ?? []);
  }

  /** The issues that may have occurred between two times, those last seen soonest after them. */
  listBetween(fromMs: number, toMs: number): readonly Issue[] {
    const query = `SELECT digest FROM issue INDEXED BY list_by_last
      WHERE noise = 0 AND last_seen_ms >= ? AND first_seen_ms < ? ORDER BY last_seen_ms LIMIT ?`;
    const rows = this.#sql.exec<{ digest: string }>(query, fromMs, toMs, limits.newestIssues);
    return rows.toArray().flatMap(({ digest }) => this.#issues.get(digest) ?? []);
  }

  /** When the first of the stored issues was first seen, ms; undefined without issues. */
  findFirstMs(): number | undefined {
    const query = `SELECT first_seen_ms AS ms FROM issue INDEXED BY list_by_first
      WHERE noise = 0 ORDER BY first_seen_ms LIMIT 1`;
    return this.#sql.exec<{ ms: number }>(query).toArray()[0]?.ms;
  }

  /** The open issue that was first seen first, among the oldest ones. */
  findOldestOpen(): IssueSummary | undefined {
    const query = `SELECT id FROM (SELECT id, state FROM issue INDEXED BY list_by_first
      WHERE noise = 0 ORDER BY first_seen_ms LIMIT ?) WHERE state = 'open' LIMIT 1`;
    return this.#listSummaries(this.#sql.exec<{ id: number }>(query, MAX_OLDEST).toArray())[0];
  }

  findNew(sinceMs: number, count: number, nowMs: number): NewIssues {
    const { maxCountedIssues } = this.#bounds;
    const unfolded = this.#toUnfolded(nowMs);
    return findNewIssues(this.#sql, this.#issues, sinceMs, count, maxCountedIssues, unfolded);
  }

  /** The floods of now, and the issues that they fold. */
  readFloods(nowMs: number): FloodsOfNow {
    const floods = this.#floods.listFloods(nowMs);
    const issues = findFoldedIssues(this.#sql, floods);
    const folded = new Set(issues.map(({ digest }) => digest));
    return { floods: summarizeFloods(floods, issues), folded };
  }

  search(text: string, count: number): readonly Digest[] {
    return searchIssues(this.#sql, this.#issues, text, count);
  }

  findAt(fromMs: number, toMs: number): readonly IssueAt[] {
    return findIssuesAt(this.#sql, this.#issues, fromMs, toMs);
  }

  /** The issues of `search`, as summaries. */
  searchSummaries(text: string, count: number): readonly IssueSummary[] {
    return this.search(text, count)
      .map((digest) => this.#issues.getSummary(digest))
      .filter((issue) => issue !== undefined);
  }

  /** Issues similar to `digest`, after those of `first`. */
  findSimilar(digest: Digest, first: readonly Digest[]): readonly SimilarIssue[] {
    const listed = first.flatMap((one) => this.#issues.getSummary(one) ?? []);
    const similar = findSimilarIssues(this.#sql, this.#issues, digest);
    const others = similar.filter((one) => !first.includes(one.digest));
    return [...listed, ...others].map((summary) => {
      const grouping = this.#issues.get(summary.digest)?.grouping;
      return { ...summary, grouping };
    });
  }

  /** The list of the newest issues as it is stored in KV. */
  createSnapshot(nowMs: number): IssueList {
    const newest = this.#findNewest(limits.newestIssues, this.#toUnfolded(nowMs));
    const issues = this.#listSummaries(newest);
    const [total, noiseTotal] = [this.#issues.countIssues(false), this.#issues.countIssues(true)];
    return { v: 2, issues, total, noiseTotal, asOfMs: nowMs };
  }

  /** The page of a query after (or before) a cursor; the first page without one. */
  listPage(
    query: IssueQuery,
    from: IssueCursor | undefined,
    nowMs: number,
    count: number = this.#bounds.listedIssues,
  ): IssueListPage {
    const { condition: folded, floods } = this.#toFolding(query, nowMs);
    const options = { from, count, withTotal: true, folded, hasTops: this.#hasTops() } as const;
    const found = findIssues(this.#sql, query, nowMs, options, this.#bounds);
    const { total, isTotalCapped } = found;
    const unknownTags = listUnknownTags(this.#sql, query);
    return {
      v: 1,
      issues: this.#listSummaries(found.issues).toSorted(compareBy(query.sort)),
      total,
      ...(isTotalCapped && { isTotalCapped }),
      ...findNeighborPages(found, from),
      ...(floods.length > 0 && { floods }),
      ...(unknownTags.length > 0 && { unknownTags }),
      asOfMs: nowMs,
    };
  }

  findNeighbors(query: IssueQuery, digest: Digest, nowMs: number): IssueNeighbors | null {
    const { condition } = this.#toFolding(query, nowMs);
    const options = { folded: condition, hasTops: this.#hasTops() };
    return findNeighbors(this.#sql, query, digest, nowMs, this.#bounds, options);
  }

  /**
   * The most frequent values of a query's issues. If there are many issues, only the newest
   * `sampleSize` are counted.
   */
  listFacets(query: IssueQuery, nowMs: number): readonly IssueFacet[] {
    const found = this.#findNewestOf(query, nowMs);
    const facets = countFacets(found.issues);
    const sampleSize = found.issues.length;
    return found.hasMore ? facets.map((facet) => ({ ...facet, sampleSize })) : facets;
  }

  /**
   * The values of a key that contain a text: those of the query's newest issues, then further ones
   * if there are more issues.
   */
  listValues({ query = EVERY_QUERY, key, text }: AskedValues, nowMs: number): FoundValues {
    const found = this.#findNewestOf(query, nowMs);
    const part = toAsciiLowerCase(text);
    const counts: ValueCounts = new Map();
    for (const { valuesJson } of found.issues)
      for (const value of (JSON.parse(valuesJson) as FacetValues)[key] ?? [])
        if (toAsciiLowerCase(value).includes(part)) add(counts, value);
    const counted = sortByCount(counts);
    const asked = { text, isExact: false, isPattern: false };
    const known = found.hasMore
      ? findFacetValues(this.#sql, key, [asked], this.#bounds)
      : NO_VALUES;
    const others = known.values
      .filter((value) => !counts.has(value))
      .map((value) => [value] as const);
    const all = [...counted, ...others].sort(
      ([a], [b]) => Number(startsWith(b, part)) - Number(startsWith(a, part)),
    );
    const max = limits.suggestedValues;
    return {
      values: all.slice(0, max),
      ...((known.isCut || all.length > max) && { isCut: true }),
      ...(found.hasMore && { sampleSize: found.issues.length }),
    };
  }

  /** The newest issues of a query with their values. */
  #findNewestOf(query: IssueQuery, nowMs: number): FoundIssues {
    const options = {
      from: undefined,
      count: this.#bounds.facetedIssues,
      withValues: true,
      folded: this.#toFolding(query, nowMs).condition,
      hasTops: this.#hasTops(),
    } as const;
    return findIssues(this.#sql, { ...query, sort: "last" }, nowMs, options, this.#bounds);
  }

  /**
   * The condition of a query about issues of floods, and the floods whose issues it hides. A search
   * by words finds these issues too.
   */
  #toFolding(query: IssueQuery, nowMs: number): Folding {
    const floods = this.#floods.listFloods(nowMs);
    if (floods.length === 0 && !query.isFolded) return { floods: [] };
    const issues = findFoldedIssues(this.#sql, floods);
    if (query.isFolded) return { floods: [], condition: toFoldedCondition(issues, true) };
    if (query.isNoise || query.text !== "") return { floods: [] };
    const hidden = summarizeFloods(floods, issues).filter(({ reports }) => reports > 0);
    return { floods: hidden, condition: toFoldedCondition(issues, false) };
  }

  #toUnfolded(nowMs: number): SqlCondition {
    const floods = this.#floods.listFloods(nowMs);
    if (floods.length === 0) return EVERY_ISSUE;
    return toFoldedCondition(findFoldedIssues(this.#sql, floods), false);
  }

  #listSummaries(found: readonly Pick<FoundIssue, "id">[]): readonly IssueSummary[] {
    return this.#issues.listSummaries(found.map(({ id }) => id));
  }
}

/** The oldest issues among which an open one is searched. */
const MAX_OLDEST = 500;
const NO_FLOODS = { listFloods: () => [] };
const NO_VALUES = { values: [], isCut: false } as const;
const EVERY_QUERY = parseIssueQuery("");
const EVERY_ISSUE: SqlCondition = { sql: "1", values: [] };

interface FloodsOfNow {
  readonly floods: readonly FloodSummary[];
  readonly folded: ReadonlySet<Digest>;
}

interface Folding {
  readonly floods: readonly FloodSummary[];
  readonly condition?: SqlCondition;
}

/** The exact order of a page. The list itself may sort by a rounded count. */
function compareBy(sort: IssueSort) {
  const toNumber = SORT_NUMBERS[sort];
  // Below their tops, lists have the issues by last time.
  const toTop = (issue: IssueSummary) => (toNumber(issue) > 1 ? toNumber(issue) : 0);
  return (a: IssueSummary, b: IssueSummary) =>
    toTop(b) - toTop(a) ||
    (toTop(a) > 0 ? 0 : b.lastSeenMs - a.lastSeenMs) ||
    (a.digest < b.digest ? 1 : -1);
}

/** The cursors of the pages before and after. A page without issues has only a next one. */
function findNeighborPages(
  { issues, hasMore, examinedUntil }: FoundIssues,
  from: IssueCursor | undefined,
): { readonly [K in "previous" | "next"]: IssueCursor | undefined } {
  const isBackward = from?.isBackward === true;
  const toCursor = (at: SortPosition | undefined, isBack: boolean) =>
    at && { sortValue: at.sortValue, digest: at.digest, isBackward: isBack };
  const further = hasMore ? toCursor(examinedUntil ?? issues.at(-1), isBackward) : undefined;
  const returning = from && toCursor(issues[0], !isBackward);
  return isBackward
    ? { previous: further, next: returning }
    : { previous: returning, next: further };
}

// Counts the values of a list's issues. Pure.

/** The number of issues by value. */
type ValueCounts = Map<string, number>;

/** The values of each key that most issues have. */
function countFacets(issues: readonly FoundIssue[]): readonly IssueFacet[] {
  const tags: ValueCounts = new Map();
  const valuesPerKey = new Map<string, ValueCounts>();
  for (const { valuesJson } of issues) {
    for (const [key, list] of Object.entries(JSON.parse(valuesJson) as FacetValues)) {
      if (key.startsWith("tag.")) add(tags, key);
      const counts: ValueCounts = valuesPerKey.get(key) ?? new Map();
      valuesPerKey.set(key, counts);
      for (const value of list) add(counts, value);
    }
  }
  const shownTags = listMostFrequent(tags).map(([name]) => name as FilterKey);
  return [...FACETS.keys(), ...shownTags].flatMap((key) => {
    const values = listMostFrequent(valuesPerKey.get(key) ?? new Map());
    return isWorthShowing(key, values) ? [{ key, values }] : [];
  });
}

function add(counts: ValueCounts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listMostFrequent(counts: ValueCounts): IssueFacet["values"] {
  return sortByCount(counts).slice(0, limits.valuesPerFacet);
}

function sortByCount(counts: ValueCounts): IssueFacet["values"] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function startsWith(value: string, lowerText: string): boolean {
  return toAsciiLowerCase(value).startsWith(lowerText);
}

function isWorthShowing(key: FilterKey, values: IssueFacet["values"]): boolean {
  return values.length > (FACETS.get(key)?.isCommon === true ? 1 : 0);
}

// Finds the issues next to one in the list of a query. Synchronous.

/** Sorts after every character of a digest. */
const AFTER_DIGEST = "~";

/** The neighbors; null if the issue is unknown. The issue need not match the query. */
function findNeighbors(
  sql: SqlStorage,
  query: IssueQuery,
  digest: Digest,
  nowMs: number,
  bounds: ListBounds,
  options: Pick<ListSearch, "folded" | "hasTops">,
): IssueNeighbors | null {
  const [row] = sql.exec<PositionRow>(
    `SELECT ${toPositionSql(query.sort, options.hasTops)} AS at, digest
     FROM issue WHERE digest = ?`,
    digest,
  );
  if (row === undefined) return null;
  const place = toPosition(row);
  const find = (from: IssueCursor | undefined, count: number, withTotal = false) =>
    findIssues(sql, query, nowMs, { from, count, withTotal, ...options }, bounds);
  // Nearest first.
  const before = find({ ...place, isBackward: true }, bounds.maxCountedIssues);
  const from = { ...place, digest: `${digest}${AFTER_DIGEST}`, isBackward: false };
  const [first, second] = find(from, 2).issues;
  const isListed = first?.digest === digest;
  const { total, isTotalCapped } = find(undefined, 1, true);
  const precedingCount = before.issues.length;
  const pageStart = precedingCount - (precedingCount % bounds.listedIssues);
  const pageEnd = before.hasMore ? undefined : before.issues[precedingCount - pageStart];
  return {
    previous: before.issues[0]?.digest,
    next: (isListed ? second : first)?.digest,
    position: isListed && !before.hasMore ? precedingCount + 1 : undefined,
    page: pageStart > 0 && pageEnd ? toCursor(pageEnd) : undefined,
    total,
    ...(isTotalCapped && { isTotalCapped }),
  };
}

function toCursor({ sortValue, digest }: Omit<IssueCursor, "isBackward">): IssueCursor {
  return { sortValue, digest, isBackward: false };
}

// Finds and counts issues that were first seen recently. Bounded work, synchronous.

/**
 * The newest `count` issues first seen after `sinceMs` that no flood folds, and their total up to
 * `maxCounted`.
 */
function findNewIssues(
  sql: SqlStorage,
  issues: Pick<IssueTable, "listSummaries">,
  sinceMs: number,
  count: number,
  maxCounted: number,
  unfolded: SqlCondition,
): NewIssues {
  const found = `FROM issue INDEXED BY list_by_first
    WHERE noise = 0 AND first_seen_ms > ? AND ${unfolded.sql}`;
  const counted = `SELECT count(*) AS n FROM (SELECT 1 ${found} LIMIT ?)`;
  const values = [sinceMs, ...unfolded.values];
  const { n } = sql.exec<{ n: number }>(counted, ...values, maxCounted + 1).one();
  const listed = `SELECT id ${found} ORDER BY first_seen_ms DESC, digest DESC LIMIT ?`;
  const rows = sql.exec<{ id: number }>(listed, ...values, count).toArray();
  return {
    issues: issues.listSummaries(rows.map(({ id }) => id)),
    total: Math.min(n, maxCounted),
    ...(n > maxCounted && { isTotalCapped: true }),
  };
}

// Finds the issues that floods fold into one row. Bounded work, synchronous.

const COLUMNS = ["digest", ...ISSUE_COLUMN_NAMES].join(", ");
/** Public reports may be backdated by an hour. */
const MAX_BACKDATED_MS = HOUR_MS;
/** A flood of a day begins fewer issues, and the issue of others is one more. */
const MAX_FOLDED = limits.maxNewPublicIssuesPerDay + 1;

/** The issues of the floods; none, without a query, if there is no flood. */
function findFoldedIssues(sql: SqlStorage, floods: readonly Flood[]): readonly FoldedIssue[] {
  if (floods.length === 0) return [];
  const sinceMs = Math.min(...floods.map((flood) => flood.sinceMs)) - MAX_BACKDATED_MS;
  const rows = sql.exec<IssueColumns & { digest: string }>(
    `SELECT ${COLUMNS} FROM (
       SELECT ${COLUMNS} FROM issue INDEXED BY list_by_first
       WHERE noise = 0 AND first_seen_ms > ? AND trust = 'public'
       ORDER BY first_seen_ms DESC LIMIT ?)
     UNION ALL SELECT ${COLUMNS} FROM issue WHERE digest = ? AND first_seen_ms <= ?`,
    ...[sinceMs, MAX_FOLDED, OTHER_ANONYMOUS_DIGEST, sinceMs],
  );
  return [...rows].flatMap(({ digest, ...columns }) => {
    const flood = findFloodOf(toIssueSummary(digest, columns), floods);
    return flood === undefined ? [] : [{ digest, flood, reports: columns.report_count }];
  });
}

/** The condition that an issue is (`isIn`), or is not, one of these. */
function toFoldedCondition(folded: readonly FoldedIssue[], isIn: boolean): SqlCondition {
  const digests = JSON.stringify(folded.map(({ digest }) => digest));
  const list = "(SELECT value FROM json_each(?))";
  return { sql: `digest ${isIn ? "IN" : "NOT IN"} ${list}`, values: [digests] };
}
