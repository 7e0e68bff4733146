import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import type { ProjectStore } from "#src/store/client/project-store.ts";
import {
  asJson,
  createFirstReport,
  encodeFields,
  listDigests,
  postToList,
  readList,
  toDigest,
  UNAVAILABLE_LIST,
} from "#support/http/issue-list.ts";
import { visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const DAY_MS = 86_400_000;

describe("the issue list as JSON", () => {
  it("contains the open issues by default", async () => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    await projectStore.decide(toDigest(2), { state: "resolved" });
    const list = await readList("/issues");
    expect(list).toMatchObject({ query: "is:open", total: 2 });
    expect(list.issues.map(({ digest }) => digest)).toEqual([toDigest(3), toDigest(1)]);
    expect(await listDigests("")).toHaveLength(3);
    expect((await readList("/issues.json")).issues).toEqual(list.issues);
  });

  it.each([
    ["is:resolved", [1]],
    ["is:open", [4, 3, 2]],
    ['release:"1.4"', [4]],
    ["release:1.", [4, 3]],
    ["-release:1.", [2, 1]],
    ["env:staging", [3]],
    ["url:/cart is:open", [2]],
    ["plan:pro", [4]],
    ["price", [3]],
    ["kind:nothing", []],
  ])("filters by %s", async (query, numbers) => {
    await log.append([
      createFirstReport(1),
      createFirstReport(2, { request: { route: "/cart", headers: [] } }),
      createFirstReport(3, { environment: "staging", release: "1.5", message: "no price" }),
      createFirstReport(4, { release: "1.4", tags: [["plan", "pro"]] }),
    ]);
    await projectStore.decide(toDigest(1), { state: "resolved" });
    expect(await listDigests(query)).toEqual(numbers.map(toDigest));
  });

  it.each([
    ["last", [3, 2, 1]],
    ["first", [2, 3, 1]],
    ["count", [1, 3, 2]],
    ["nonsense", [3, 2, 1]],
  ])("is sorted by %s", async (sort, numbers) => {
    const repeatedReport = (n: number, id: string) =>
      createFirstReport(n, {
        id: id.repeat(32),
        occurredAtMs: createFirstReport(n).occurredAtMs - DAY_MS,
      });
    const [issue1Reports, issue3Report] = [
      [repeatedReport(1, "a"), repeatedReport(1, "b")],
      repeatedReport(3, "c"),
    ];
    await log.append([
      ...issue1Reports,
      issue3Report,
      createFirstReport(1),
      createFirstReport(2),
      createFirstReport(3),
    ]);
    const { issues } = await readList(`/issues?sort=${sort}`);
    expect(issues.map(({ digest }) => digest)).toEqual(numbers.map(toDigest));
  });

  it("pages to the next and the previous page consistently while reports arrive", async () => {
    const count = limits.listedIssues + 10;
    await log.append(Array.from({ length: count }, (_, n) => createFirstReport(n)));
    const first = await readList("/issues");
    expect(first.issues).toHaveLength(limits.listedIssues);
    expect(first.previous).toBeUndefined();
    // A new issue, and one of the second page happens again: it is now on the first page.
    await log.append([
      createFirstReport(200),
      createFirstReport(0, { id: "f".repeat(32), occurredAtMs: NOW_MS }),
    ]);
    const second = await readList(first.next ?? "");
    const places = Array.from({ length: 9 }, (_, n) => toDigest(9 - n));
    expect(second.issues.map(({ digest }) => digest)).toEqual(places);
    expect(second.next).toBeUndefined();
    const previousPage = await readList(second.previous ?? "");
    expect(previousPage.issues.map(({ digest }) => digest)).toEqual(
      first.issues.map(({ digest }) => digest),
    );
  });

  it("says that its total may be larger", async () => {
    const listIssues: ProjectStore["listIssues"] = async (query, from) => ({
      ...(await projectStore.listIssues(query, from)),
      isTotalCapped: true,
    });
    const services = { projectStore: replaceMethods(projectStore, { listIssues }) };
    const { body } = await visit("/issues", { ...asJson, services });
    expect(JSON.parse(body)).toMatchObject({ total: 0, isTotalCapped: true });
  });

  it("is refused while the index is unavailable", async () => {
    const { response, body } = await visit("/issues", {
      ...asJson,
      services: { projectStore: UNAVAILABLE_LIST },
    });
    expect(response.status).toBe(503);
    expect(JSON.parse(body).reason).toBe("index-unavailable");
  });
});

describe("the page of the issue list", () => {
  it("is sent before the list, the facets and the views are loaded", async () => {
    await log.append([createFirstReport(1)]);
    // The first visit loads the renderer, during which the list arrives.
    await visit("/issues");
    const { body } = await visit("/issues");
    for (const part of ["the issues", "the filters"])
      expect(body).toContain(`Loading ${part}`.replace("Loading ", "Loading <!-- -->"));
    expect(body).toContain("fault 1");
  });

  it("shows the query, the order and the state, and links to each variation of them", async () => {
    await log.append([
      createFirstReport(1, { release: "1.4" }),
      createFirstReport(2, { release: "1.5" }),
    ]);
    const { body } = await visit('/issues?q=is:open+release:"1.4"&sort=count&streaming=off');
    expect(body).toContain('value="is:open release:&quot;1.4&quot; "');
    expect(body).toMatch(/aria-sort="descending"><a href="[^"]*sort=count/);
    expect(body).toMatch(/id="tab-open" href="[^"]*" aria-current="page"/);
    expect(body).toMatch(
      /href="\/issues\?q=is%3Aresolved\+release%3A%221.4%22&amp;sort=count"[^>]*>Resolved/,
    );
    expect(body).toMatch(/href="\/issues\?sort=count" aria-current="true"><bdi>1.4</);
    expect(body).toContain('<option value="is:open release:&quot;1.4&quot; is:archived">');
  });

  it.each([
    [
      "an unavailable index",
      "/issues",
      { projectStore: UNAVAILABLE_LIST },
      "The issue list is temporarily unavailable",
      "/issues",
    ],
    ["no reports", "/issues", {}, "No issues yet", "/connect"],
    ["no reports, on the start page", "/", {}, "No issues yet", "/connect"],
  ])("has a text for %s", async (_name, path, services, text, leadsTo) => {
    const { response, body } = await visit(`${path}?streaming=off`, { services });
    expect(response.status).toBe(200);
    expect(body).toContain(text);
    expect(body).toContain(`href="${leadsTo}"`);
    expect(body).not.toContain("data-dgst");
  });

  it("continues the search if the examined part of a long list has no match", async () => {
    const next = { sortValue: 5, digest: toDigest(1), isBackward: false } as const;
    const listIssues: ProjectStore["listIssues"] = async (query, from) => ({
      ...(await projectStore.listIssues(query, from)),
      ...{ total: 1_000, isTotalCapped: true, next },
    });
    const services = { projectStore: replaceMethods(projectStore, { listIssues }) };
    const path = "/issues?q=is:archived&streaming=off";
    expect((await visit(path, { services })).body).toContain(
      `href="/issues?q=is%3Aarchived&amp;from=5.${toDigest(1)}">Continue searching`,
    );
    await log.append([createFirstReport(1)]);
    expect((await visit("/issues?streaming=off", { services })).body).toContain("1,000+ issues");
  });

  it("names the filters to remove if nothing matches", async () => {
    await log.append([createFirstReport(1)]);
    const { body } = await visit("/issues?q=is:open+release:9+price&streaming=off");
    expect(body).toContain("No matching issues");
    expect(body).toContain('href="/issues?q=is%3Aopen+price"');
    expect(body).toContain('href="/issues?q=is%3Aopen+release%3A9"');
    await projectStore.decide(toDigest(1), { state: "archived" });
    expect((await visit("/issues?streaming=off")).body).toContain("No open issues");
  });

  it("redirects the old URL of the noise list to the filter is:noise", async () => {
    const { response } = await visit("/noise");
    expect(response.status).toBe(301);
    expect(response.headers.get("location")).toBe("/issues?q=is%3Anoise");
  });

  it("shows markup in every field as text", async () => {
    const markup = `<img src=x onerror="alert(1)">`;
    await log.append([
      createFirstReport(1, {
        ...{ type: markup, message: markup, release: markup, environment: markup },
        request: { url: "https://shop.example/<img>", route: markup, headers: [] },
        tags: [[markup, markup]],
      }),
    ]);
    await projectStore.saveView(markup, { query: `"${markup}"`, sort: "last" });
    for (const path of ["/", "/issues", `/issues?q=${encodeURIComponent(markup)}`]) {
      const { body } = await visit(`${path}${path.includes("?") ? "&" : "?"}streaming=off`);
      expect(body).toContain("&lt;img");
      expect(body).not.toContain("<img");
    }
  });
});

describe("the page of an issue that was opened from a list", () => {
  it("leads to the next issue and back, and keeps the list after a decision", async () => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    const [first, second, third] = (await readList("/issues")).issues.map(({ digest }) => digest);
    const list = await visit("/issues?streaming=off");
    expect(list.body).toContain(`href="/d/${second}?list=is%3Aopen"`);
    const path = `/d/${second}?list=is%3Aopen`;
    const { body } = await visit(`${path}&streaming=off`);
    expect(body).toContain("<span>2 of 3</span>");
    expect(body).toMatch(new RegExp(`rel="prev"[^>]*href="/d/${first}\\?list=is%3Aopen"`));
    expect(body).toMatch(new RegExp(`rel="next"[^>]*href="/d/${third}\\?list=is%3Aopen"`));
    expect(body).toContain(`href="/issues#issue-${second}"`);
    const { response } = await postToList(
      `/d/${second}/state`,
      encodeFields(["state", "resolved"]),
      {
        headers: { referer: `http://localhost:8787${path}` },
      },
    );
    expect(response.headers.get("location")).toBe(path);
    const after = await visit(`${path}&streaming=off`);
    expect(after.body).toContain("<span>2 in the list</span>");
    // The issue that took its place.
    expect(after.body).toContain(`href="/issues#issue-${third}"`);
  });
});

describe("a hint about the query", () => {
  const readPage = async (q: string) =>
    (await visit(`/issues?${new URLSearchParams({ q, streaming: "off" })}`)).body;

  it("names an unknown state, and links to the most similar one", async () => {
    await log.append([createFirstReport(1)]);
    const body = await readPage("is:opne fault");
    expect(body).toMatch(/is:opne<\/bdi> is not a filter/);
    expect(body).toContain('href="/issues?q=is%3Aopen+fault"><bdi class="query-text">is:open<');
  });

  it("names a tag that no issue has, and links to the most similar key", async () => {
    await log.append([createFirstReport(1, { tags: [["plan", "pro"]] })]);
    for (const q of ["borwser:firefox", "-borwser:firefox"]) {
      const body = await readPage(q);
      expect(body).toMatch(/No issue has the tag <bdi[^>]*>borwser</);
      expect(body).toContain(encodeURIComponent(q.replace("borwser", "browser")));
    }
    expect(await readPage("plna:pro")).toMatch(/No issue has the tag <bdi[^>]*>plna</);
    for (const q of ["plan:pro", "plan:free", "-plan:pro", "release:9"])
      expect(await readPage(q)).not.toContain("No issue has the tag");
  });
});
