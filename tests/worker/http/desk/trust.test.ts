import { afterEach, expect, it } from "vitest";
import { parseIssueQuery } from "#src/core/issue/issue-query.ts";
import { limits } from "#src/core/limits.ts";
import type { Trust } from "#src/core/trust/trust.ts";
import { DEFAULT_QUERY, toIssueListUrl } from "#src/ui/urls/issue-list-urls.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const OTHER = "NN8A-S8H6";
const readPage = async (path: string) =>
  (await visit(`${path}${path.includes("?") ? "&" : "?"}streaming=off`)).body;
/** In a row, after its digest and badge. */
const PUBLIC_LABEL = /<\/(?:code|span)> <bdi>public<\/bdi>/;

it.each<readonly [Trust, string, string]>([
  ["server", "Trusted server", "Reported by a trusted server"],
  ["page", "Signed page", "Reported by a signed page"],
  ["public", "Public", "Reported without a secret key"],
])("the page, JSON and Markdown of an issue show the trust %s", async (trust, label, sentence) => {
  await log.append([createReport(1, { trust })]);
  await projectStore.getFreshIssue(DIGEST);
  const page = await readPage(`/d/${DIGEST}`);
  expect(page).toContain(`<a href="/docs/trust">${label}</a>`);
  expect(page).toContain(`<a href="/docs/trust">${sentence}</a>`);
  const json = JSON.parse((await visit(`/d/${DIGEST}.json`)).body);
  expect(json.issue ?? json).toMatchObject({ trust, publicCount: trust === "public" ? 1 : 0 });
  const { body } = await visit(`/d/${DIGEST}.md`);
  expect(body).toContain(`- Trust: ${trust}\n`);
  expect(body).toContain(`, trust: ${trust}\n`);
  const { hits } = JSON.parse((await visit(`/lookup.json?q=${DIGEST}`)).body);
  expect(hits).toMatchObject([{ trust }]);
});

it("an issue says how many occurrences are public", async () => {
  await log.append([
    createReport(1),
    createReport(2, { trust: "public" }),
    createReport(3, { trust: "public" }),
  ]);
  await projectStore.getFreshIssue(DIGEST);
  const page = await readPage(`/d/${DIGEST}`);
  expect(page).toContain("<dd>+ 2 reported without a secret key</dd>");
  const { body } = await visit(`/d/${DIGEST}.md`);
  expect(body).toContain("- Also reported without a secret key: 2 times\n");
});

it.each(["public", "page"] as const)(
  "reports of level %s, linked or not, do not displace a server's report in JSON and page",
  async (trust) => {
    await log.append([createReport(1)]);
    for (const isLinked of [false, true])
      await log.append(
        Array.from({ length: 15 }, (_, n) =>
          createReport(10 + n + (isLinked ? 20 : 0), { trust, isLinked }),
        ),
      );
    await projectStore.getFreshIssue(DIGEST);
    const { reports } = JSON.parse((await visit(`/d/${DIGEST}.json`)).body);
    expect(reports).toHaveLength(10);
    expect(reports[0]).toMatchObject({ id: toReportId(1), trust: "server" });
    const page = await readPage(`/d/${DIGEST}`);
    const stored = page.slice(page.indexOf("Stored reports"));
    expect(/report=([0-9a-f]{32})/.exec(stored)?.[1]).toBe(toReportId(1));
  },
);

it("the example of the notice shows the code of a signed page's notice, not of a public one", async () => {
  const notice = { kind: "notice", isLinked: true } as const;
  await log.append([createReport(1)]);
  await log.append([createReport(2, { ...notice, trust: "page", aliases: ["2338823894"] })]);
  await log.append([createReport(3, { ...notice, trust: "public", aliases: ["1111111111"] })]);
  const page = await readPage(`/d/${DIGEST}`);
  const [, example = ""] = page.split('class="shown-notice"');
  expect(example.slice(0, 1_500)).toContain("2338823894");
});

it("the issue list marks public issues only among trusted ones, and says that they come last", async () => {
  await log.append([createReport(1, { trust: "public" })]);
  const alone = await readPage("/issues");
  expect(alone).not.toMatch(PUBLIC_LABEL);
  expect(alone).not.toContain("public issues last");
  await log.append([createReport(2, { digest: OTHER })]);
  const mixed = await readPage("/issues");
  expect(mixed).toMatch(PUBLIC_LABEL);
  // The header of the column says that the last seen issues come first.
  expect(mixed).toContain("public issues last");
  expect(await readPage("/")).toMatch(PUBLIC_LABEL);
  const { issues } = JSON.parse((await visit("/issues.json")).body);
  expect(issues.map(({ trust }: { trust: Trust }) => trust).sort()).toEqual(["public", "server"]);
});

it("a page of the issue list that has only public issues marks them, too", async () => {
  await log.append([createReport(1)]);
  await log.append(
    Array.from({ length: limits.listedIssues + 1 }, (_, n) =>
      createReport(n + 10, { trust: "public", digest: `0000-${1_000 + n}` }),
    ),
  );
  const query = parseIssueQuery(DEFAULT_QUERY);
  const { next } = await projectStore.listIssues(query);
  const page = await readPage(toIssueListUrl({ query, from: next }));
  expect(page).not.toContain(DIGEST);
  expect(page.match(new RegExp(PUBLIC_LABEL, "g"))).toHaveLength(2);
});

it("/releases marks releases that only public reports name", async () => {
  await log.append([createReport(1, { trust: "public", release: "evil@9" })]);
  expect(await readPage("/releases")).not.toContain(">public</small>");
  await log.append([createReport(2, { digest: OTHER, release: "shop@1.4.0" })]);
  const page = await readPage("/releases");
  expect(page).toContain(">public</small>");
  expect(page.indexOf("shop@1.4.0")).toBeLessThan(page.indexOf("evil@9"));
});
