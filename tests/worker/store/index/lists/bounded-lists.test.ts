import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";
import type { Issue } from "#src/core/issue/issue.ts";
import { type FilterKey, type IssueSort, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { listReleaseSummaries } from "#src/store/index/state/release-summaries.ts";
import { createIssue } from "#support/reports/issues.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

/** Numbers of issues, and a tenth of the limits: both projects exceed them. */
const SIZES = [1_000, 20_000] as const;
const BOUNDS = {
  listedIssues: limits.listedIssues,
  facetedIssues: limits.facetedIssues / 10,
  maxCountedIssues: limits.maxCountedIssues / 10,
  maxSortedIssues: limits.maxSortedIssues / 10,
  maxIssuesInSet: limits.maxIssuesInSet / 10,
  maxJoinedIssues: limits.maxJoinedIssues / 10,
  maxScannedIssues: limits.maxScannedIssues / 10,
  maxTestedIssues: limits.maxTestedIssues / 10,
  maxReadFacetValues: limits.maxReadFacetValues / 10,
  maxValuesPerFilter: limits.maxValuesPerFilter / 10,
};
const MINUTE_MS = 60_000;

const toDigest = (n: number) => {
  const text = String((n * 7_919) % 1_000_000).padStart(8, "0");
  return `${text.slice(0, 4)}-${text.slice(4)}`;
};
/** One of many issues: `n` is the newest. Every value of `tag.n` is of one issue. */
function createNumberedIssue(n: number): Issue {
  const lastSeenMs = NOW_MS - 30 * 86_400_000 + n * MINUTE_MS;
  const names = (name: string) => ({ values: [[name, 1, 0, 0] as const], otherCount: 0 });
  return {
    ...createIssue({ digest: toDigest(n), kind: n % 100 === 0 ? "csp" : "error" }),
    ...{ type: n % 3 === 0 ? "TypeError" : "RangeError", message: `item ${n % 50} missing` },
    ...{ lastSeenMs, firstSeenMs: lastSeenMs, count: n % 7 === 0 ? n % 977 : 1 },
    trust: n % 10 === 0 ? "public" : "server",
    releases: names(`1.${n % 20}`),
    pages: names(`/page/${n % 500}`),
    tags: { plan: names(`p${n % 4}`), n: names(`n${n}`) },
    ...(n % 500 === 0 && { assignee: "Ada" }),
  };
}

/** Records the statements, and counts the rows that they read. */
function watch(storage: DurableObjectStorage) {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const statements = new Map<string, readonly unknown[]>();
  const sql = {
    exec: (query: string, ...values: unknown[]) => {
      const cursor = storage.sql.exec(query, ...values);
      cursors.push(cursor);
      statements.set(query, values);
      return cursor;
    },
  } as SqlStorage;
  const countRows = (work: () => unknown): number => {
    cursors.length = 0;
    work();
    return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  const transactionSync = <T>(work: () => T) => storage.transactionSync(work);
  return { storage: { sql, transactionSync } as DurableObjectStorage, statements, countRows };
}

type Work = (lists: IssueLists, tables: IndexTables, issueCount: number) => unknown;

const listing =
  (text: string | ((issueCount: number) => string), sort: IssueSort = "last"): Work =>
  (lists, _, issueCount) =>
    lists.listPage(
      parseIssueQuery(typeof text === "string" ? text : text(issueCount), sort),
      undefined,
      NOW_MS,
    );

const listValues =
  (key: FilterKey, text: string, query = ""): Work =>
  (lists) =>
    lists.listValues({ key, text, query: parseIssueQuery(query) }, NOW_MS);

/** The most rows that each may read, in a project of any size. */
const WORK: readonly (readonly [name: string, maxRows: number, work: Work])[] = [
  ["the newest issues", 700, (lists) => lists.createSnapshot(NOW_MS)],
  ["open issues", 350, listing("is:open")],
  ["open issues by first seen", 350, listing("is:open", "first")],
  ["open issues by count", 350, listing("is:open", "count")],
  ["open issues by users", 350, listing("is:open", "users")],
  ["new issues", 20, listing("is:new")],
  ["resolved issues, of which there are none", 20, listing("is:resolved", "count")],
  ["a word of one issue", 20, listing((count) => `"rare${count - 5}"`)],
  ["a word that no issue has", 20, listing("nowhere")],
  ["a word of a third of the issues", 2_500, listing("typeerror")],
  ["two words", 8_000, listing("typeerror missing")],
  ["two words that no issue has both", 8_000, listing("typeerror rangeerror")],
  ["a value of one issue", 20, listing((count) => `n:"n${count - 5}"`)],
  ["a value of a fiftieth of the issues", 2_500, listing('url:"/page/7"')],
  ["a value of a quarter of the issues", 2_500, listing('plan:"p3"')],
  ["a part of a value", 2_500, listing("release:1.1")],
  ["a part of many values", 1_500, listing("n:n1")],
  ["a part that no value has", 1_500, listing("n:nowhere")],
  ["issues without a value", 2_500, listing('-plan:"p3"')],
  ["issues without a part of a value", 2_500, listing("-release:1.1")],
  ["unassigned issues", 1_000, listing("is:unassigned")],
  ["assigned issues", 1_000, listing("is:assigned")],
  ["a value that begins with a text", 2_500, listing("release:1.1*")],
  ["a value that begins with a text, of many values", 1_500, listing("n:n99*")],
  ["a value that begins with a text that none has", 1_500, listing("n:zzz*")],
  ["a value that ends with a text, of many values", 1_500, listing("n:*99")],
  ["several values", 4_000, listing('plan:p1,"p3"')],
  ["several parts of many values", 1_500, listing("n:n1,n2,n3*")],
  ["issues without a word", 2_500, listing("-typeerror")],
  ["issues without a rare word", 1_000, listing((count) => `-rare${count - 5}`)],
  ["many occurrences", 2_500, listing("count:>900")],
  // The top of the list has other columns than the range, so two parts are read.
  ["many occurrences, by count", 1_000, listing("count:>900", "count")],
  ["few occurrences, by first seen", 2_500, listing("count:<2", "first")],
  ["many users, of which there are none", 20, listing("users:>10")],
  ["issues of the last hour", 400, listing("last:<12h")],
  ["old issues", 1_500, listing("last:>7d")],
  ["old issues, by count", 2_500, listing("last:>7d", "count")],
  ["issues first seen on a day", 2_500, listing("first:2026-11-01")],
  ["not many occurrences", 2_500, listing("-count:>900")],
  ["a kind, by count", 2_500, listing('kind:"csp"', "count")],
  ["a value and a word", 4_000, listing('plan:"p3" typeerror')],
  ["facets of all issues", 150, (lists) => lists.listFacets(parseIssueQuery("is:open"), NOW_MS)],
  ["values of a key", 150, listValues("release", "1.")],
  ["values of a key with many", 1_000, listValues("tag.n", "n9")],
  ["values of a word", 3_500, listValues("url", "7", "typeerror")],
  ["facets of a word", 2_500, (lists) => lists.listFacets(parseIssueQuery("typeerror"), NOW_MS)],
  ["similar issues", 1_500, (lists, _, count) => lists.findSimilar(toDigest(count - 5), [])],
  ["a search by a common word", 12_000, (lists) => lists.search("typeerror", 20)],
  ["a search by common words", 24_000, (lists) => lists.search("typeerror missing", 20)],
  ["releases", 100, (_, tables) => listReleaseSummaries(tables, [])],
  ["the issues first seen since a time, and how many", 240, (lists) => lists.findNew(0, 4, 0)],
];

it("a list by two words of many issues is complete if few have both", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const tables = new IndexTables(storage);
    const count = 1_200;
    tables.transaction(() => {
      const texts = Array.from({ length: 2 * count - 5 }, (_, n) => {
        const words = [n < count ? "cart" : "", n >= count - 5 ? "price" : ""];
        return [createNumberedIssue(n + 1), words.join(" ")] as const;
      });
      for (const [issue] of texts) tables.issues.save(issue);
      tables.search.add(texts.map(([{ digest }, text]) => [digest, text]));
    });
    const lists = new IssueLists(storage.sql, tables.issues, BOUNDS);
    const page = lists.listPage(parseIssueQuery("cart price"), undefined, NOW_MS);
    expect(page).toMatchObject({ total: 5, issues: { length: 5 } });
    expect([page.isTotalCapped, page.next]).toEqual([undefined, undefined]);
  });
});

it("no list, facet, search or release reads more rows in a larger project", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const watched = watch(storage);
    const tables = new IndexTables(watched.storage);
    const lists = new IssueLists(watched.storage.sql, tables.issues, BOUNDS);
    const tooMany: unknown[] = [];
    let created = 0;
    for (const size of SIZES) {
      const texts: [string, string][] = [];
      tables.transaction(() => {
        for (; created < size; created++) {
          const issue = createNumberedIssue(created);
          tables.issues.save(issue, null);
          tables.releases.recordSeen(`1.${created % 20}`, created, "2026-11-21", issue.trust);
          texts.push([issue.digest, `${issue.type} ${issue.message} rare${created}`]);
        }
        tables.search.add(texts);
      });
      watched.statements.clear();
      for (const [name, maxRows, work] of WORK) {
        const rows = watched.countRows(() => work(lists, tables, size));
        if (rows > maxRows) tooMany.push({ name, size, rows, maxRows });
      }
    }
    expect(tooMany).toEqual([]);
    for (const [query, values] of watched.statements) {
      const plan = storage.sql
        .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...values)
        .toArray()
        .map(({ detail }) => detail);
      const scans = plan.filter((detail) => FULL_SCAN.test(detail));
      expect([query, scans]).toEqual([query, []]);
    }
  });
}, 120_000);

/**
 * All rows of a table. FTS5 names what limits its scan: `M` for words, `=<>` for rowids. The index
 * `release_fixed` has only the releases that members named, and its query has a limit.
 */
const FULL_SCAN =
  /^SCAN (issue|facet|facet_value|issue_search|release|release_count)\b(?!.*(INDEX \d+:[M=<>]|release_fixed))/;
