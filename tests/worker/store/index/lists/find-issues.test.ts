import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { summarizeIssue } from "#src/core/issue/aggregate-report.ts";
import { getCurrentState, isRegressed } from "#src/core/issue/decision.ts";
import type { Decision, Issue, IssueSummary } from "#src/core/issue/issue.ts";
import {
  type IssueCursor,
  type IssueListPage,
  roundCount,
} from "#src/core/issue/issue-list-page.ts";
import {
  ISSUE_SORTS,
  type IssueFilter,
  type IssueQuery,
  NEW_ISSUE_AGE_MS,
  SORT_NUMBERS,
} from "#src/core/issue/issue-query.ts";
import {
  createValueTest,
  isComparedKey,
  isInRange,
  parseRange,
} from "#src/core/issue/query-values.ts";
import type { TopValues } from "#src/core/issue/top-values.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IndexTables } from "#src/store/index/state/index-tables.ts";
import { createIssue } from "#support/reports/issues.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const ISSUES = 90;
const WORDS = ["basket", "baskets", "voucher", "Größe", "price_of", "total"];
const TAGS = Array.from({ length: 9 }, (_, n) => `plan ${n}`);

/** So small that each way of finding issues is used. */
const BOUNDS = {
  listedIssues: 7,
  facetedIssues: 20,
  maxCountedIssues: 15,
  maxSortedIssues: 5,
  maxIssuesInSet: 20,
  maxScannedIssues: 25,
  maxJoinedIssues: 20,
  maxTestedIssues: 11,
  maxReadFacetValues: 8,
  maxValuesPerFilter: 3,
};

const toTopValues = (names: readonly string[]): TopValues => ({
  values: names.map((name) => [name, 1, 0, 0]),
  otherCount: 0,
});
const toDigest = (n: number) => `0000-${String((n * 7_919) % 10_000).padStart(4, "0")}`;

const chooseSome = <T>(...all: readonly T[]) => fc.subarray([...all]);
const aDecision = fc.constantFrom<Decision | undefined>(
  undefined,
  undefined,
  { v: 2, state: "resolved", atMs: 0, release: "1.5.0" },
  { v: 2, state: "archived", atMs: 0 },
  { v: 2, state: "snoozed", atMs: 0, untilMs: NOW_MS - 1 },
  { v: 2, state: "snoozed", atMs: 0, untilMs: NOW_MS + 1 },
  { v: 2, state: "open", atMs: 0, regressedAtMs: 1, regressedInRelease: "1.5.0" },
);
const anyIssue = fc.record({
  seenMs: fc.constantFrom(0, 1, 2, NEW_ISSUE_AGE_MS, 2 * NEW_ISSUE_AGE_MS),
  ageMs: fc.constantFrom(0, 1, 2 * NEW_ISSUE_AGE_MS),
  count: fc.constantFrom(1, 1, 2, 120, 121, 4_500),
  trust: fc.constantFrom("server", "page", "public" as const),
  kind: fc.constantFrom("error", "error", "error", "csp" as const),
  noise: fc.constantFrom(undefined, undefined, undefined, "extension" as const),
  words: chooseSome(...WORDS),
  releases: chooseSome("1.4.0", "1.4.1", "1.5.0"),
  plans: chooseSome(...TAGS),
  assignee: fc.constantFrom(undefined, undefined, "Ada"),
  decision: aDecision,
});

function toIssue(n: number, from: ReturnType<typeof anyIssue.generate>["value"]): Issue {
  const { seenMs, ageMs, count, trust, kind, noise, assignee, decision, ...others } = from;
  const issue = createIssue({ digest: toDigest(n), trust, kind, ...(noise && { noise }) });
  const lastSeenMs = NOW_MS - seenMs;
  return {
    ...issue,
    ...{ count, lastSeenMs, firstSeenMs: lastSeenMs - ageMs },
    message: others.words.join(" "),
    releases: toTopValues(others.releases),
    tags: { plan: toTopValues(others.plans) },
    state: decision?.state ?? "open",
    ...(decision && { decision }),
    ...(assignee && { assignee }),
  };
}

const aFilter = fc
  .constantFrom<readonly [IssueFilter["key"], string]>(
    ...["1.4.0", "1.4", "1", "2"].map((value) => ["release", value] as const),
    ...["plan 3", "PLAN", "4", ""].map((value) => ["tag.plan", value] as const),
    ...[["kind", "csp"] as const, ["trust", "public"] as const, ["fixed", "1.5.0"] as const],
    ...["1.4*", "*.0", "1.4.0,1.5", '"1.4.1",*.0'].map((value) => ["release", value] as const),
    ...["plan*", "*1,*2,*3,*4", "PLAN 1,plan 2", "*"].map((value) => ["tag.plan", value] as const),
    ...[">1", "<=120", "121", ">=4500"].map((value) => ["count", value] as const),
    ...["<1d", ">1h", "<48h"].map((value) => ["last", value] as const),
    ...["<1d", ">=2026-11-20"].map((value) => ["first", value] as const),
    ...[["users", ">0"] as const, ["users", "<5"] as const, ["assigned", "me"] as const],
    ...[["regressed", "1.5"] as const, ["assigned", "ada"] as const, ["tag.x", "y"] as const],
  )
  .chain(([key, value]) =>
    fc.record({
      key: fc.constant(key),
      value: fc.constant(value),
      isExact: fc.boolean(),
      isNegated: fc.boolean(),
    }),
  );
const aQuery: fc.Arbitrary<IssueQuery> = fc.record({
  states: chooseSome("open", "resolved", "snoozed", "archived"),
  isRegressed: fc.nat(6).map((n) => n === 0),
  isNew: fc.nat(4).map((n) => n === 0),
  isUnassigned: fc.nat(3).map((n) => n === 0),
  isAssigned: fc.nat(5).map((n) => n === 0),
  isNoise: fc.nat(3).map((n) => n === 0),
  isFolded: fc.constant(false),
  filters: fc.array(aFilter, { maxLength: 3 }),
  excluded: fc.constantFrom([], [], ["basket"], ["voucher total"], ["nowhere"], ["%"]),
  leftOut: fc.constant([]),
  text: fc.constantFrom(
    "",
    "",
    "basket",
    "bask",
    "voucher total",
    "grosse",
    "price_of tot",
    "%",
    '"voucher total"',
  ),
  sort: fc.constantFrom(...ISSUE_SORTS),
});

/** The documented meaning of a query. */
function matches(issue: Issue, query: IssueQuery, all: readonly Issue[]): boolean {
  const { states, isRegressed: mustRegress, isNew, isUnassigned, isNoise, filters, text } = query;
  const { isAssigned, excluded } = query;
  const readWords = (one: Issue) =>
    one.message.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ß", "ss");
  const words = readWords(issue).split(" ");
  const has = (word: string) =>
    all.some((one) => readWords(one).split(" ").includes(word))
      ? words.includes(word)
      : words.some((one) => one.startsWith(word));
  const hasPhrase = (phrase: string) => ` ${words.join(" ")} `.includes(` ${phrase} `);
  return (
    (issue.noise !== undefined) === isNoise &&
    (states.length === 0 || states.includes(getCurrentState(issue, NOW_MS))) &&
    (!mustRegress || isRegressed(issue)) &&
    (!isNew || issue.firstSeenMs > NOW_MS - NEW_ISSUE_AGE_MS) &&
    (!isUnassigned || issue.assignee === undefined) &&
    (!isAssigned || issue.assignee !== undefined) &&
    !excluded.some((one) => (one.includes(" ") ? hasPhrase(one) : one !== "%" && has(one))) &&
    text !== "%" &&
    (text.startsWith('"')
      ? hasPhrase(text.slice(1, -1))
      : text === "" || text.split(" ").every(has)) &&
    filters.every((filter) => {
      const { key, value, isNegated } = filter;
      if (isComparedKey(key)) {
        const range = parseRange(key, value, NOW_MS) ?? {};
        return isInRange(range, SORT_NUMBERS[key](summarizeIssue(issue))) !== isNegated;
      }
      if (value === "me") return isNegated;
      const values = listValues(issue, key);
      return values.some(createValueTest(filter)) !== isNegated;
    })
  );
}

function listValues(issue: Issue, key: string): readonly string[] {
  const { releases, tags = {}, kind, trust, assignee, decision } = issue;
  const toNames = (top: TopValues | undefined) => top?.values.map(([name]) => name) ?? [];
  const lists: Readonly<Record<string, readonly (string | undefined)[]>> = {
    release: toNames(releases),
    "tag.plan": toNames(tags.plan),
    kind: [kind],
    trust: [trust],
    assigned: [assignee],
    fixed: [decision?.state === "resolved" ? decision.release : undefined],
    regressed: [decision?.regressedInRelease],
  };
  return (lists[key] ?? []).filter((value) => value !== undefined);
}

type Sorted = Pick<IssueSummary, "digest" | "lastSeenMs" | "firstSeenMs" | "count" | "userCount">;

function compareBy({ sort }: IssueQuery) {
  const at = (issue: Sorted) =>
    ({
      last: issue.lastSeenMs,
      first: issue.firstSeenMs,
      count: roundCount(issue.count),
      users: roundCount(issue.userCount ?? 0),
    })[sort];
  // An issue with one occurrence, or one user, is below the others, by its last time.
  const toPosition = (issue: Sorted) => (at(issue) > 1 ? [at(issue), 0] : [0, issue.lastSeenMs]);
  return (a: Sorted, b: Sorted) => {
    const [[topA = 0, lastA = 0], [topB = 0, lastB = 0]] = [toPosition(a), toPosition(b)];
    return topB - topA || lastB - lastA || (a.digest < b.digest ? 1 : -1);
  };
}

/** All pages from a cursor on, in one direction. */
function listPages(
  lists: IssueLists,
  query: IssueQuery,
  direction: "next" | "previous",
  from?: IssueCursor,
): readonly IssueListPage[] {
  const pages: IssueListPage[] = [];
  let cursor = from;
  do {
    const page = lists.listPage(query, cursor, NOW_MS);
    pages.push(page);
    cursor = page[direction];
  } while (cursor !== undefined && pages.length < ISSUES);
  return pages;
}

it("any query finds the issues that it describes, on pages forward and back", async () => {
  await projectStore.listNewestIssues();
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const some = fc.array(anyIssue, { minLength: ISSUES, maxLength: ISSUES });
    for (const bounds of [BOUNDS, undefined]) {
      for (const seed of [1, 2, 3]) {
        const tables = new IndexTables(storage);
        tables.wipe({ includeTriage: true });
        const [issues = []] = fc
          .sample(some, { seed, numRuns: 1 })
          .map((all) => all.map((one, n) => toIssue(n, one)));
        for (const issue of issues) tables.issues.save(issue);
        tables.search.add(issues.map(({ digest, message }) => [digest, message]));
        const lists = new IssueLists(storage.sql, tables.issues, bounds);
        fc.assert(
          fc.property(aQuery, (query) => {
            const compare = compareBy(query);
            const expected = issues
              .filter((issue) => matches(issue, query, issues))
              .map(summarizeIssue)
              .sort(compare);
            const digests = expected.map(({ digest }) => digest);
            const toDigests = (page: IssueListPage) =>
              page.issues.toSorted(compare).map(({ digest }) => digest);
            const pages = listPages(lists, query, "next");
            expect(pages.flatMap(toDigests)).toEqual(digests);
            for (const { total, isTotalCapped = false } of pages) {
              if (isTotalCapped) expect(total).toBeLessThanOrEqual(digests.length);
              else expect(total).toBe(digests.length);
            }
            const last = pages.findLast((page) => page.issues.length > 0);
            if (last?.previous !== undefined) {
              const back = listPages(lists, query, "previous", last.previous).toReversed();
              expect(back.flatMap(toDigests)).toEqual(
                digests.slice(0, digests.length - last.issues.length),
              );
            }
          }),
          { seed, numRuns: 120 },
        );
      }
    }
  });
}, 60_000);
