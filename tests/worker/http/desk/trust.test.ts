import { afterEach, expect, it } from "vitest";
import type { Trust } from "#src/core/trust/trust.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DIGEST = "7F3K-Q2M9";
const OTHER = "NN8A-S8H6";
const readPage = async (path: string) =>
  (await visit(`${path}${path.includes("?") ? "&" : "?"}streaming=off`)).body;
const GLOBE = /<span class="public-mark" title="Sent with a public key or none">/g;

it.each<readonly [Trust, string, string]>([
  ["server", "Server", "Sent with a server key"],
  ["page", "Browser, signed page", "Sent by a signed page"],
  ["public", "Browser, public key", "Sent with a public key or none"],
])("the page, JSON and Markdown of an issue show the trust %s", async (trust, label, sentence) => {
  await log.append([createReport(1, { trust })]);
  await projectStore.getFreshIssue(DIGEST);
  const page = await readPage(`/d/${DIGEST}`);
  expect(page).toContain(`<a href="/docs/floods-and-fake-reports">${label}</a>`);
  expect(page).toContain(`<a href="/docs/floods-and-fake-reports">${sentence}</a>`);
  const json = JSON.parse((await visit(`/d/${DIGEST}.json`)).body);
  expect(json.issue ?? json).toMatchObject({ trust, publicCount: trust === "public" ? 1 : 0 });
  const { body } = await visit(`/d/${DIGEST}.md`);
  expect(body).toContain(`- Trust: ${trust}\n`);
  expect(body).toContain(`, trust: ${trust}\n`);
  const { hits } = JSON.parse((await visit(`/lookup.json?q=${DIGEST}`)).body);
  expect(hits).toMatchObject([{ trust }]);
});

it("an issue says how many occurrences came with which key", async () => {
  await log.append([
    createReport(1),
    createReport(2, { trust: "public" }),
    createReport(3, { trust: "public" }),
  ]);
  await projectStore.getFreshIssue(DIGEST);
  const page = await readPage(`/d/${DIGEST}`);
  expect(page).toContain(">Server 1; browser, public key 2</a>");
  const { body } = await visit(`/d/${DIGEST}.md`);
  expect(body).toContain("- Sent: 1 with a server key, 2 with a public key or none\n");
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
    const stored = page.slice(page.indexOf("All reports"));
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

it("a globe marks issues that have only public reports, in lists and on the home page", async () => {
  await log.append([createReport(1, { trust: "page" })]);
  for (const path of ["/issues", "/"]) expect(await readPage(path)).not.toMatch(GLOBE);
  await log.append([createReport(2, { digest: OTHER, trust: "public" })]);
  const list = await readPage("/issues");
  expect(list.match(GLOBE)).toHaveLength(1);
  expect(list).toMatch(
    /title="Sent with a public key or none"><svg.*?<span class="visually-hidden">Sent with a public key or none</,
  );
  expect(await readPage("/")).toMatch(GLOBE);
  const { issues } = JSON.parse((await visit("/issues.json")).body);
  expect(issues.map(({ trust }: { trust: Trust }) => trust).sort()).toEqual(["page", "public"]);
  await log.append([createReport(3, { digest: OTHER })]);
  expect(await readPage("/issues")).not.toMatch(GLOBE);
});

it("/releases marks releases that only public reports name", async () => {
  await log.append([createReport(1, { release: "shop@1.4.0" })]);
  expect(await readPage("/releases")).not.toMatch(GLOBE);
  await log.append([createReport(2, { digest: OTHER, trust: "public", release: "web@9" })]);
  expect((await readPage("/releases")).match(GLOBE)).toHaveLength(1);
});
