import { abortAllDurableObjects } from "cloudflare:test";
import { afterEach, describe, expect, it } from "vitest";
import { ISSUE_SORTS, parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import type { Trust } from "#src/core/trust/trust.ts";
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

  it.each(["last", "count"] as const)("count for its place by %s", async (sort) => {
    await flood();
    const { issues } = await projectStore.listIssues(parseIssueQuery("", sort));
    expect(issues).toMatchObject([
      { digest: DIGEST, count: 41, publicCount: 40, firstSeenMs: 1_000_000 },
      { digest: OTHER, count: 2 },
    ]);
    expect(issues[0]?.lastSeenMs).toBeGreaterThan(2_000_000);
  });

  it("are counted in lists, on its page and in its Markdown, which also say their number", async () => {
    await flood();
    const list = (await visit("/issues?streaming=off")).body;
    expect(list).toContain(">41<");
    const page = (await visit(`/d/${DIGEST}?streaming=off`)).body;
    expect(page.replaceAll(/<.*?>/g, "")).toContain("41 reports since");
    expect(page).toContain(">Server 1; browser, public key 40</a>");
    const markdown = (await visit(`/d/${DIGEST}.md`)).body;
    expect(markdown).toContain("Seen: 41 times,");
    expect(markdown).toContain("- Sent: 1 with a server key, 40 with a public key or none\n");
  });
});

describe("the first report of a server", () => {
  it("reopens an issue that was muted while only pages reported it", async () => {
    await log.append([createReport(1, { trust: "page" })]);
    await projectStore.decide(DIGEST, { state: "archived" });
    await log.append([createReport(2, { trust: "page" })]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "archived" });
    await log.append([createReport(3)]);
    expect(await projectStore.getFreshIssue(DIGEST)).toMatchObject({ state: "open", pageCount: 2 });
  });
});

describe("the first trusted report", () => {
  it.each(["archived", "snoozed"] as const)(
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

describe.each(["page", "public"] as const)("an issue of level %s", (trust) => {
  const toDigest = (n: number) => `0000-${String(1000 + n)}`;
  const words = { message: "voucher void", release: "shop@1" } as const;
  const reportErrors = async (newest: Trust) => {
    const older = newest === "server" ? trust : "server";
    await log.append([createReport(1, { ...words, trust: older, occurredAtMs: 1_000_000 })]);
    const times = { occurredAtMs: 2_000_000, userSketch: "0a9" };
    const twice = [2, 3].map((n) =>
      createReport(n, { ...words, ...times, trust: newest, digest: OTHER }),
    );
    await log.append(twice);
  };

  it.each(ISSUE_SORTS)("is in the list by %s where an issue of a server would be", async (sort) => {
    for (const newest of [trust, "server"] as const) {
      await reportErrors(newest);
      for (const query of ["is:open", ""]) {
        const { issues } = await projectStore.listIssues(parseIssueQuery(query, sort));
        expect(issues.map(({ digest }) => digest)).toEqual([OTHER, DIGEST]);
      }
      await emptyStore();
    }
  });

  it("is among the pages of a list, which have each issue once", async () => {
    await log.append(
      Array.from({ length: 2 * limits.listedIssues }, (_, n) =>
        createReport(500 + n, {
          ...{ trust: n % 2 === 0 ? trust : "server", digest: toDigest(n) },
          occurredAtMs: 1_000_000 + n,
        }),
      ),
    );
    const query = parseIssueQuery("");
    const first = await projectStore.listIssues(query);
    const second = await projectStore.listIssues(query, first.next);
    const all = [first, second].flatMap(({ issues }) => issues.map(({ digest }) => digest));
    expect(all).toEqual(all.toSorted().toReversed());
    expect(new Set(all).size).toBe(2 * limits.listedIssues);
    expect((await projectStore.listIssues(query, second.previous)).issues).toEqual(first.issues);
    for (const [filter, count] of [
      ["trust:", 50],
      ["-trust:", 50],
      ["trust:x", 0],
    ] as const) {
      const value = filter.endsWith("x") ? filter : filter + trust;
      const { issues, total } = await projectStore.listIssues(parseIssueQuery(value));
      expect([issues.length, total]).toEqual([count, count]);
      const isOwn = filter === "trust:";
      expect(issues.every((one) => (one.trust === trust) === isOwn)).toBe(true);
    }
  });

  it("is among the newest issues by its last time", async () => {
    await reportErrors(trust);
    const { issues } = await projectStore.listNewestIssues();
    expect(issues.map((issue) => issue.trust)).toEqual([trust, "server"]);
  });

  it("is found by words like an issue of a server: by the words of its title, then the newest", async () => {
    await reportErrors(trust);
    expect(await projectStore.searchIssues("voucher void")).toEqual([OTHER, DIGEST]);
    const similar = { ...words, trust: "server", digest: toDigest(1) } as const;
    await log.append([createReport(4, { ...similar, occurredAtMs: 500_000 })]);
    const found = (await projectStore.getCurrentIssue(toDigest(1))).similar;
    expect(found.map(({ digest }) => digest)).toEqual([OTHER, DIGEST]);
  });

  it("counts in the facets of a list like an issue of a server", async () => {
    await reportErrors(trust);
    const own = { release: "shop@2", digest: toDigest(1), trust } as const;
    await log.append([createReport(5, own), createReport(6, { ...own, digest: toDigest(2) })]);
    await log.append([createReport(7, { ...own, digest: toDigest(3) })]);
    const facets = await projectStore.listFacets(parseIssueQuery(""));
    expect(facets.find(({ key }) => key === "release")?.values).toEqual([
      ["shop@2", 3],
      ["shop@1", 2],
    ]);
  });
});

describe("releases", () => {
  it("are listed by their first report, the newest first, at every trust level", async () => {
    const inRelease = (n: number, release: string, over: Partial<Report>) =>
      createReport(n, { digest: `0000-${String(1000 + n)}`, release, ...over });
    await log.append([
      inRelease(1, "shop@1", { occurredAtMs: LATER_MS + 1 }),
      inRelease(2, "page@1", { trust: "page", occurredAtMs: LATER_MS }),
      inRelease(3, "web@1", { trust: "public", occurredAtMs: LATER_MS + 2 }),
    ]);
    const releases = await projectStore.listReleases();
    expect(releases.map(({ name, trust }) => [name, trust])).toEqual([
      ["web@1", "public"],
      ["shop@1", "server"],
      ["page@1", "page"],
    ]);
  });

  it("count all their new and regressed issues, those of browsers too", async () => {
    const toDigest = (n: number) => `0000-${String(1000 + n)}`;
    const release = "shop@1";
    const ofBrowser = (n: number, over: Partial<Report> = {}) =>
      publicReport(n, { digest: toDigest(n), release, ...over });
    await log.append([createReport(1, { release }), ofBrowser(2), ofBrowser(4)]);
    await projectStore.decide(toDigest(4), { state: "resolved" });
    await log.append([ofBrowser(5, { digest: toDigest(4), occurredAtMs: LATER_MS })]);
    expect(await projectStore.listReleases()).toMatchObject([
      { name: release, trust: "server", issueCount: 3, newIssueCount: 3, regressedCount: 1 },
    ]);
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
    const all = await projectStore.listReleases();
    expect(all.at(-1)).toMatchObject({ name: "shop@1.4.0", trust: "server" });
    const others = all.slice(0, -1);
    expect(others.every(({ trust }) => trust === "public")).toBe(true);
    const recorded = others.filter(({ firstSeenMs }) => firstSeenMs !== undefined);
    expect(recorded.length).toBeLessThanOrEqual(limits.maxNewReleasesPerDay.public);
  });

  it("do not mark a release as deployed that a person named as fixed", async () => {
    await log.append([createReport(1, { release: "1.0.0" })]);
    await projectStore.decide(DIGEST, { state: "resolved", release: "2.0.0" });
    const find = async () =>
      (await projectStore.listReleases()).find(({ name }) => name === "2.0.0");
    expect(await find()).toMatchObject({ trust: "server", issueCount: 0 });
    await log.append([publicReport(2, { digest: OTHER, release: "2.0.0" })]);
    expect(await find()).toMatchObject({ trust: "public", issueCount: 1 });
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
