import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { IssueListPage } from "#src/core/issue/issue-list-page.ts";
import { ISSUE_SORTS, type IssueSort, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import { IssueLists } from "#src/store/index/lists/issue-lists.ts";
import type { ProjectIndex } from "#src/store/index/project-index.ts";
import { IssueTable } from "#src/store/index/tables/issue-table.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0";

/** Digests in the order of their numbers. */
const toDigest = (n: number) => `0000-${String(n).padStart(4, "0")}`;

function aFault(n: number, over: Partial<Report> = {}): Report {
  return createReport(n, { digest: toDigest(n), message: `fault number ${n}`, ...over });
}

async function findIssues(text: string, sort?: IssueSort) {
  const { issues } = await projectStore.listIssues(parseIssueQuery(text, sort));
  return issues.map(({ digest }) => Number(digest.slice(5)));
}

describe("a query finds issues", () => {
  it("by state, value, word and negation", async () => {
    await log.append([
      aFault(1, { release: "1.4.0", environment: "production", request: { route: "/cart" } }),
      aFault(2, { release: "1.5.0", side: "browser", request: { userAgent: FIREFOX } }),
      aFault(3, { kind: "csp", type: "img-src", tags: [["plan", "gold"]] }),
      aFault(4, { message: "the voucher is void", noise: "extension" }),
      aFault(5, {
        release: "1.4.0",
        tags: [
          ["plan", "silver"],
          ["ort", "ÄRGER"],
        ],
      }),
    ]);
    await projectStore.decide(toDigest(5), { state: "resolved", release: "1.5.0" });
    await projectStore.annotate(toDigest(1), { change: "assign", to: "Ada" });
    const cases: readonly (readonly [query: string, found: readonly number[]])[] = [
      ["", [5, 3, 2, 1]],
      ["is:open", [3, 2, 1]],
      ["is:resolved", [5]],
      ["is:open is:resolved", [5, 3, 2, 1]],
      ["is:noise", [4]],
      ["is:noise voucher", [4]],
      ["voucher", []],
      ["release:1.4", [5, 1]],
      ['release:"1.4.0" is:open', [1]],
      ['release:"1.4"', []],
      ["-release:1.4", [3, 2]],
      ["env:PROD", [1]],
      ["browser:firefox", [2]],
      ["url:/cart", [1]],
      ["kind:csp", [3]],
      ["type:img", [3]],
      ["-kind:csp is:open", [2, 1]],
      ["digest:0000-0003,0000-0001", [3, 1]],
      ["-digest:0000-0003,0000-0001 is:open", [2]],
      ["digest:none", []],
      ["plan:gold", [3]],
      ["plan:", [5, 3]],
      ["ort:ÄRGER", [5]],
      ["ort:Ärger", [5]],
      ['new:"1.4.0"', [5, 1]],
      ['fixed:"1.5.0"', [5]],
      ["assigned:ada", [1]],
      ["is:unassigned", [5, 3, 2]],
      ['"fault number"', [5, 3, 2, 1]],
      ["fault -kind:csp", [5, 2, 1]],
      ["%", []],
      [`release:"' OR 1=1 --"`, []],
    ];
    for (const [query, digests] of cases)
      expect([query, await findIssues(query)]).toEqual([query, digests]);
  });

  it("and lists an ignored issue as open after its time or count", async () => {
    await log.append([aFault(1), aFault(2)]);
    await projectStore.decide(toDigest(1), { state: "snoozed", forMs: 3_600_000 });
    await projectStore.decide(toDigest(2), { state: "snoozed", forCount: 1 });
    expect(await findIssues("is:snoozed")).toEqual([2, 1]);
    await log.append([createReport(9, { digest: toDigest(2) })]);
    expect(await findIssues("is:open")).toEqual([2]);
    expect(await findIssues("is:snoozed")).toEqual([1]);
  });

  it("by the release in which they regressed", async () => {
    await log.append([aFault(1, { release: "1.4.0" }), aFault(2)]);
    await projectStore.decide(toDigest(1), { state: "resolved" });
    await log.append([
      createReport(9, { digest: toDigest(1), release: "1.5.0", occurredAtMs: readNowMs() + 5_000 }),
    ]);
    expect(await findIssues("is:regressed")).toEqual([1]);
    expect(await findIssues("regressed:1.5.0")).toEqual([1]);
    const { activity } = await projectStore.getAnnotations(toDigest(1));
    expect(activity.map(({ action }) => action)).toEqual(["resolved", "regressed"]);
  });
});

describe("pages do not shift", () => {
  const count = limits.listedIssues * 2 + 7;
  const listDigests = (page: IssueListPage) => page.issues.map(({ digest }) => digest);

  it.each(ISSUE_SORTS)("forward and back, sorted by %s, while reports arrive", async (sort) => {
    await log.append(Array.from({ length: count }, (_, n) => aFault(n)));
    const query = parseIssueQuery("", sort);
    const pages = [await projectStore.listIssues(query)];
    expect(pages[0]).toMatchObject({ total: count });
    expect(pages[0]?.previous).toBeUndefined();
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
      await log.append([aFault(5_000 + pages.length, { occurredAtMs: NOW_MS })]);
      pages.push(await projectStore.listIssues(query, next));
    }
    const all = pages.flatMap(listDigests).filter((digest) => digest < toDigest(5_000));
    expect(new Set(all).size).toBe(count);
    expect(all.length).toBe(count);
    const back = await projectStore.listIssues(query, pages[2]?.previous);
    expect(listDigests(back)).toEqual(pages[1] && listDigests(pages[1]));
  });
});

it("facets count the values of a query's issues", async () => {
  await log.append([
    aFault(1, { release: "1.4.0", tags: [["plan", "gold"]] }),
    aFault(2, { release: "1.4.0" }),
    aFault(3, { release: "1.5.0", noise: "extension" }),
  ]);
  const facets = await projectStore.listFacets(parseIssueQuery(""));
  expect(facets).toEqual([
    { key: "release", values: [["1.4.0", 2]] },
    { key: "kind", values: [["error", 2]] },
    { key: "tag.plan", values: [["gold", 1]] },
  ]);
});

it("trust filters issues, and its facet counts them if their trust differs", async () => {
  await log.append([
    aFault(1),
    aFault(2, { trust: "page" }),
    aFault(3, { trust: "public" }),
    aFault(4, { trust: "public" }),
  ]);
  const find = async (text: string) =>
    (await projectStore.listIssues(parseIssueQuery(text))).issues
      .map(({ digest }) => digest)
      .sort();
  expect(await find("trust:server")).toEqual([toDigest(1)]);
  expect(await find('trust:"page"')).toEqual([toDigest(2)]);
  expect(await find("trust:public")).toEqual([toDigest(3), toDigest(4)]);
  expect(await find("-trust:public")).toEqual([toDigest(1), toDigest(2)]);
  expect(await projectStore.listFacets(parseIssueQuery(""))).toContainEqual({
    key: "trust",
    values: [
      ["public", 2],
      ["page", 1],
      ["server", 1],
    ],
  });
});

it("similar issues share significant words", async () => {
  await log.append([
    aFault(1, { message: "the basket has no voucher" }),
    aFault(2, { message: "the basket has two vouchers" }),
    aFault(3, { type: "RangeError", message: "too deep" }),
    aFault(4, { type: "Error", message: "Error with the attachment" }),
    aFault(5, { type: "Error", message: "this error was not for the basket with nothing in it" }),
    aFault(6, { type: "Error", message: "failed" }),
  ]);
  const findSimilar = async (n: number) =>
    (await projectStore.getCurrentIssue(toDigest(n))).similar.map(({ digest }) => digest);
  expect(await findSimilar(1)).toEqual([toDigest(2)]);
  for (const n of [4, 5, 6]) expect(await findSimilar(n), `${n}`).toEqual([]);
});

it("releases have their new, regressed and fixed issues and their sessions", async () => {
  await log.append(
    [
      aFault(1, { release: "1.4.0" }),
      aFault(2, { release: "1.4.0" }),
      createReport(9, { digest: toDigest(1), release: "1.5.0" }),
    ],
    [
      [["session", "server", "1.4.0", "production", "started"], 10],
      [["session", "server", "1.4.0", "staging", "crashed"], 1],
    ],
  );
  await projectStore.decide(toDigest(2), { state: "resolved", release: "1.5.0" });
  const releases = await projectStore.listReleases();
  expect(releases.map(({ firstSeenMs: _, ...release }) => release)).toEqual([
    {
      ...{ name: "1.5.0", trust: "server" },
      ...{ issueCount: 1, newIssueCount: 0, regressedCount: 0, fixedCount: 1 },
    },
    {
      ...{ name: "1.4.0", trust: "server" },
      ...{ issueCount: 2, newIssueCount: 2, regressedCount: 0, fixedCount: 0 },
      sessions: {
        ...{ started: 10, errored: 0, crashed: 1 },
        days: [[expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 10]],
      },
    },
  ]);
});

it("facets count every matching issue and no other", async () => {
  const issueCount = 320;
  const faults = Array.from({ length: issueCount }, (_, n) => aFault(n, { release: "1.4.0" }));
  await log.append([...faults, aFault(5_000, { release: "1.5.0" })]);
  await projectStore.decide(toDigest(0), { state: "archived" });
  expect(await projectStore.listFacets(parseIssueQuery("is:open"))).toEqual([
    {
      key: "release",
      values: [
        ["1.4.0", issueCount - 1],
        ["1.5.0", 1],
      ],
    },
    { key: "kind", values: [["error", issueCount]] },
  ]);
});

it("the issue cache and the totals agree with the table after writes, a rollback and a removal", async () => {
  await runInDurableObject(getIndex(), (_: ProjectIndex, { storage }) => {
    const written = new IssueTable(storage);
    const issue = aggregateReport(
      undefined,
      summarizeReport(aFault(1), "2026112117/0.00000009:0"),
      NOW_MS,
    );
    written.save(issue);
    // As after a restart: the cache is empty.
    const table = new IssueTable(storage);
    const lists = new IssueLists(storage.sql, table);
    const counts = () => lists.listNewest(10).map(({ count }) => count);
    expect(counts()).toEqual([1]);
    table.save({ ...issue, count: 2 });
    expect(counts()).toEqual([2]);
    const totals = () => [table.countIssues(false), table.countIssues(true)];
    expect(totals()).toEqual([1, 0]);
    table.save({ ...issue, count: 2, noise: "extension" });
    expect(totals()).toEqual([0, 1]);
    table.save({ ...issue, count: 2 });
    expect(() =>
      storage.transactionSync(() => {
        table.save({ ...issue, count: 3, noise: "extension" });
        table.save({ ...issue, digest: "0000-7777" });
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    table.clearCache();
    expect([counts(), totals()]).toEqual([[2], [1, 0]]);
    table.remove(issue.digest);
    expect([counts(), totals()]).toEqual([[], [0, 0]]);
  });
});
