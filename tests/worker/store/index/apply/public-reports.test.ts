import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { ISSUE_SORTS, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const OTHER = "NN8A-S8H6";
/** After every decision of these tests. */
const LATER_MS = Date.UTC(2100, 0, 1);
const publicReport = (n: number, over: Partial<Report> = {}) =>
  createReport(n, { trust: "public", ...over });

describe("public reports", () => {
  it.each(["server", "page"] as const)(
    "do not reopen a resolved issue with reports of level %s",
    async (trust) => {
      await log.append([createReport(1, { trust })]);
      await projectStore.decide(DIGEST, { state: "resolved" });
      await log.append([publicReport(2, { occurredAtMs: LATER_MS })]);
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({
        state: "resolved",
        count: 2,
      });
      await log.append([createReport(3, { trust, occurredAtMs: LATER_MS })]);
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({
        state: "open",
        publicCount: 1,
      });
    },
  );

  it("reopen a resolved issue that only public reports made", async () => {
    await log.append([publicReport(1)]);
    await projectStore.decide(DIGEST, { state: "resolved" });
    await log.append([publicReport(2, { occurredAtMs: LATER_MS })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({
      state: "open",
      trust: "public",
    });
  });

  it("neither change the first date of a server's issue nor its release, before or after it", async () => {
    const forged = {
      occurredAtMs: createReport(0).occurredAtMs - 29 * 86_400_000,
      release: "evil@0",
    };
    await log.append([publicReport(1, forged)]);
    await log.append([createReport(2, { release: "shop@1.4.0" })]);
    await log.append([publicReport(3, { ...forged, message: "evil" })]);
    const issue = await projectStore.getFreshIssue(DIGEST);
    expect(issue).toMatchObject({
      ...{ trust: "server", count: 3, publicCount: 2 },
      ...{ firstSeenMs: createReport(2).occurredAtMs, firstRelease: "shop@1.4.0" },
      ...{ release: "shop@1.4.0", message: createReport(2).message },
    });
    expect(issue?.releases?.values.map(([name]) => name)).toEqual(["shop@1.4.0"]);
  });
});

describe("public occurrences of an issue that a server reported", () => {
  const flood = async () => {
    await log.append([
      createReport(1, { occurredAtMs: 1_000_000 }),
      createReport(2, { digest: OTHER, occurredAtMs: 2_000_000 }),
      createReport(3, { digest: OTHER, occurredAtMs: 2_000_000 }),
    ]);
    const many = Array.from({ length: 40 }, (_, n) =>
      publicReport(100 + n, { occurredAtMs: LATER_MS }),
    );
    await log.append(many);
  };

  it.each(["last", "count"] as const)("do not change its place by %s", async (sort) => {
    await flood();
    const { issues } = await projectStore.listIssues(parseIssueQuery("", sort));
    expect(issues).toMatchObject([
      { digest: OTHER, count: 2 },
      { digest: DIGEST, count: 41, publicCount: 40, lastSeenMs: 1_000_000 },
    ]);
  });

  it("are shown separately, in lists, on its page and in its Markdown", async () => {
    await flood();
    const list = (await visit("/issues?streaming=off")).body;
    expect(list).toContain(" + 40 public</small>");
    const page = (await visit(`/d/${DIGEST}?streaming=off`)).body;
    expect(page).toContain("1 time<");
    expect(page).toContain("+ 40 reported without a secret key");
    const markdown = (await visit(`/d/${DIGEST}.md`)).body;
    expect(markdown).toContain("Seen: once,");
    expect(markdown).toContain("Also reported without a secret key: 40 times");
  });
});

describe("the first report of a server", () => {
  it("reopens an issue that was muted while only pages reported it", async () => {
    await log.append([createReport(1, { trust: "page" })]);
    await projectStore.decide(DIGEST, { state: "muted" });
    await log.append([createReport(2, { trust: "page" })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "muted" });
    await log.append([createReport(3)]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "open", pageCount: 2 });
  });
});

describe("the first trusted report", () => {
  it.each(["muted", "ignored"] as const)(
    "reopens an issue that was %s while public, and later public reports do not",
    async (state) => {
      await log.append([publicReport(1)]);
      await projectStore.decide(DIGEST, { state });
      await log.append([publicReport(2)]);
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state });
      await log.append([createReport(3, { trust: "server" })]);
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "open", count: 3 });
      const { activity } = await projectStore.getAnnotations(DIGEST);
      expect(activity.map(({ action }) => action)).toEqual([state, "trusted"]);
      await projectStore.decide(DIGEST, { state });
      await log.append([publicReport(4), createReport(5, { trust: "server" })]);
      expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state });
    },
  );

  it.each(["public", "page"] as const)("replaces the search words of a %s one", async (trust) => {
    await log.append([createReport(1, { trust, message: "decoy" })]);
    await projectStore.listNewestIssues();
    await log.append([createReport(2, { trust: "server", message: "voucher" })]);
    expect(await projectStore.searchIssues("voucher")).toEqual([DIGEST]);
    expect(await projectStore.searchIssues("decoy")).toEqual([]);
  });

  it("has its own search words if it arrives together with a page report", async () => {
    await log.append([
      createReport(1, { trust: "page", message: "decoy" }),
      createReport(2, { trust: "server", message: "voucher" }),
    ]);
    expect(await projectStore.searchIssues("voucher")).toEqual([DIGEST]);
    expect(await projectStore.searchIssues("decoy")).toEqual([]);
  });
});

it("a public report linked to a trusted issue adds no words to it", async () => {
  const linked = { side: "browser", aliases: ["2338823894"], digest: OTHER } as const;
  await log.append([createReport(1, { trust: "server", aliases: ["2338823894"] })]);
  await log.append([publicReport(2, { ...linked, message: "decoy" })]);
  expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ linkedCount: 1 });
  expect(await projectStore.searchIssues("decoy")).toEqual([]);
  await log.append([createReport(3, { ...linked, trust: "page", message: "voucher" })]);
  expect(await projectStore.searchIssues("voucher")).toEqual([DIGEST]);
});

/** More than a page of a list, and more than a search compares. */
const FLOOD = 120;

describe.each([
  ["public", "server"],
  ["public", "page"],
  ["page", "server"],
] as const)("a flood of %s issues comes after those of level %s", (flooding, own) => {
  const toDigest = (n: number) => `0000-${String(1000 + n)}`;
  const flood = () =>
    log.append(
      Array.from({ length: FLOOD }, (_, n) =>
        createReport(100 + n, {
          ...{ trust: flooding, digest: toDigest(n), occurredAtMs: LATER_MS + n },
          ...{ message: "voucher void", release: `evil@${n % 9}` },
        }),
      ),
    );
  const reportOwnError = () =>
    log.append([
      createReport(1, { trust: own, message: "the voucher is void again", release: "shop@1" }),
    ]);

  it.each(ISSUE_SORTS)("in the list of issues, sorted by %s", async (sort) => {
    await reportOwnError();
    await flood();
    for (const query of ["is:open", ""]) {
      const { issues, trust } = await projectStore.listIssues(parseIssueQuery(query, sort));
      expect(issues).toHaveLength(limits.listedIssues);
      expect([issues[0]?.digest, trust]).toEqual([DIGEST, own]);
    }
  });

  it("on both sides of the pages of a list, which have each issue once", async () => {
    await flood();
    const page = Array.from({ length: limits.listedIssues }, (_, n) =>
      createReport(500 + n, { trust: own, digest: toDigest(500 + n), occurredAtMs: 1_000_000 + n }),
    );
    await log.append(page);
    const query = parseIssueQuery("");
    const first = await projectStore.listIssues(query);
    const second = await projectStore.listIssues(query, first.next);
    const trusts = [first, second].map(({ issues }) => [
      ...new Set(issues.map(({ trust }) => trust)),
    ]);
    expect(trusts).toEqual([[own], [flooding]]);
    expect([first, second].map(({ issues }) => issues.length)).toEqual([50, 50]);
    expect((await projectStore.listIssues(query, second.previous)).issues).toEqual(first.issues);
    const lowerOnly = await projectStore.listIssues(parseIssueQuery(`trust:${flooding}`));
    expect(lowerOnly.issues).toEqual(second.issues);
  });

  it("and has at most half of the newest issues", async () => {
    const all = Array.from({ length: limits.newestIssues }, (_, n) =>
      createReport(500 + n, { trust: own, digest: toDigest(500 + n), occurredAtMs: 1_000_000 + n }),
    );
    await log.append(all);
    await flood();
    const { issues } = await projectStore.listNewestIssues();
    const count = issues.filter(({ trust }) => trust === own).length;
    expect([count, issues.length]).toEqual([limits.newestIssues / 2, limits.newestIssues]);
  });

  it("in a search by words", async () => {
    await flood();
    await reportOwnError();
    expect((await projectStore.searchIssues("voucher void"))[0]).toBe(DIGEST);
  });

  it("in the issues similar to one", async () => {
    await flood();
    await reportOwnError();
    const title = { trust: own, message: "the voucher is void today" };
    await log.append([createReport(2, { ...title, digest: OTHER })]);
    const [first, ...others] = (await projectStore.getCurrentIssue(OTHER)).similar;
    expect(first?.digest).toBe(DIGEST);
    expect(others).toHaveLength(limits.similarIssues - 1);
  });

  it("in the facets of a list", async () => {
    await flood();
    await reportOwnError();
    const facets = await projectStore.listFacets(parseIssueQuery(""));
    expect(facets.find(({ key }) => key === "release")?.values[0]).toEqual(["shop@1", 1]);
  });
});

describe("releases", () => {
  it("are listed by trust: of servers, of pages, and of public reports, newest first", async () => {
    const inRelease = (n: number, release: string, over: Partial<Report>) =>
      createReport(n, { digest: `0000-${String(1000 + n)}`, release, ...over });
    await log.append([
      inRelease(1, "shop@1", {}),
      inRelease(2, "shop@2", {}),
      inRelease(3, "page@1", { trust: "page", occurredAtMs: LATER_MS }),
      inRelease(4, "page@2", { trust: "page", occurredAtMs: LATER_MS + 1 }),
      inRelease(5, "evil@1", { trust: "public", occurredAtMs: LATER_MS + 2 }),
    ]);
    const releases = await projectStore.listReleases();
    expect(releases.map(({ name, trust }) => [name, trust])).toEqual([
      ["shop@2", "server"],
      ["shop@1", "server"],
      ["page@2", "page"],
      ["page@1", "page"],
      ["evil@1", "public"],
    ]);
  });
});

describe("the new and regressed issues of a release", () => {
  it("are those of trusted issues if a trusted report named it", async () => {
    const toDigest = (n: number) => `0000-${String(1000 + n)}`;
    const release = "shop@1";
    const invented = (n: number, over: Partial<Report> = {}) =>
      publicReport(n, { digest: toDigest(n), release, ...over });
    await log.append([createReport(1, { release }), invented(2), invented(3), invented(4)]);
    await projectStore.decide(toDigest(4), { state: "resolved" });
    await log.append([invented(5, { digest: toDigest(4), occurredAtMs: LATER_MS })]);
    const own = { release: "evil@1", occurredAtMs: LATER_MS };
    await log.append([publicReport(6, { digest: toDigest(6), ...own })]);
    expect(await projectStore.listReleases()).toMatchObject([
      { name: release, isTrusted: true, issueCount: 4, newIssueCount: 1, regressedCount: 0 },
      { name: "evil@1", isTrusted: false, issueCount: 1, newIssueCount: 1 },
    ]);
  });
});

describe("the newest issues", () => {
  it("have room for trusted ones beside those of more recent public reports", async () => {
    const toDigest = (n: number) => `0000-${String(1000 + n)}`;
    const create = (from: number, count: number, over: Partial<Report>) =>
      Array.from({ length: count }, (_, n) =>
        createReport(from + n, { digest: toDigest(from + n), ...over }),
      );
    await log.append(create(0, 60, {}));
    const flood = { trust: "public", occurredAtMs: LATER_MS } as const;
    await log.append(create(100, limits.newestIssues, flood));
    const { issues, total } = await projectStore.listNewestIssues();
    const count = (trust: string) => issues.filter((one) => one.trust === trust).length;
    expect([count("server"), count("public")]).toEqual([50, 50]);
    // The newest come first, whatever their trust.
    expect([issues[0]?.trust, issues.length, total]).toEqual(["public", 100, 160]);
  });
});

describe("600 invented releases of public reports", () => {
  const inventReleases = () =>
    log.append(
      Array.from({ length: 600 }, (_, n) =>
        publicReport(100 + n, { release: `evil@${n}`, occurredAtMs: LATER_MS }),
      ),
    );

  it("do not hide the releases of servers, even after a restart", async () => {
    await inventReleases();
    await abortAllDurableObjects();
    await inventReleases();
    await log.append([createReport(1, { digest: OTHER, release: "shop@1.4.0" })]);
    const [first, ...others] = await projectStore.listReleases();
    expect(first).toMatchObject({ name: "shop@1.4.0", isTrusted: true });
    expect(others.every(({ isTrusted }) => !isTrusted)).toBe(true);
    const recorded = others.filter(({ firstSeenMs }) => firstSeenMs !== undefined);
    expect(recorded.length).toBeLessThanOrEqual(limits.maxNewReleasesPerDay.public);
  });

  it("do not mark a release as deployed that a person named as fixed", async () => {
    await log.append([createReport(1, { release: "1.0.0" })]);
    await projectStore.decide(DIGEST, { state: "resolved", release: "2.0.0" });
    const find = async () =>
      (await projectStore.listReleases()).find(({ name }) => name === "2.0.0");
    expect(await find()).toMatchObject({ isTrusted: true, issueCount: 0 });
    await log.append([publicReport(2, { digest: OTHER, release: "2.0.0" })]);
    expect(await find()).toMatchObject({ isTrusted: false, issueCount: 1 });
  });

  it("cause no regression in the release in which an issue was resolved", async () => {
    await log.append([createReport(1, { release: "shop@a" })]);
    await projectStore.decide(DIGEST, { state: "resolved", inNextRelease: true });
    await inventReleases();
    await log.append([createReport(2, { release: "shop@a", occurredAtMs: LATER_MS })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "resolved" });
    await log.append([createReport(3, { release: "shop@b", occurredAtMs: LATER_MS })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "open" });
  });

  it("do not decide when a release of a server was first seen", async () => {
    await log.append([createReport(1, { release: "shop@a" })]);
    await projectStore.decide(DIGEST, { state: "resolved", inNextRelease: true });
    const { occurredAtMs } = createReport(0);
    await log.append([publicReport(2, { digest: OTHER, release: "shop@b", occurredAtMs })]);
    await log.append([
      publicReport(3, { digest: OTHER, release: "shop@a", occurredAtMs: LATER_MS }),
    ]);
    await log.append([createReport(4, { release: "shop@a", occurredAtMs: LATER_MS })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "resolved" });
    await log.append([createReport(5, { release: "shop@b", occurredAtMs: LATER_MS })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "open" });
  });
});
