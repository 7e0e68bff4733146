import { afterEach, describe, expect, it } from "vitest";
import { LOCAL_ASSIGNEE } from "#src/core/accounts/names.ts";
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
    for (const part of ["is:open", "release:&quot;1.4&quot;"])
      expect(body).toContain(`<input type="hidden" name="q" value="${part}"/>`);
    expect(body).toMatch(/aria-sort="descending"><a href="[^"]*sort=count/);
    expect(body).toMatch(/id="tab-open" href="[^"]*" aria-current="page"/);
    expect(body).toMatch(
      /href="\/issues\?q=is%3Aresolved\+release%3A%221.4%22&amp;sort=count"[^>]*>Resolved/,
    );
    expect(body).toMatch(/href="\/issues\?sort=count" aria-current="true"><bdi>1.4</);
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

const readPage = async (q: string, cookie = "") => {
  const path = `/issues?${new URLSearchParams({ q, streaming: "off" })}`;
  return (await visit(path, { headers: { cookie } })).body;
};
/** The text of the line of the tabs. */
const readSay = (body: string) =>
  (/data-query-say="">.*?<span>(.*?)<\/span>/s.exec(body)?.[1] ?? "").replace(/<[^>]*>/g, "");

describe("what a query says that is not understood", () => {
  it("is underlined and explained on the line of the tabs, and left out", async () => {
    await log.append([createFirstReport(1)]);
    const body = await readPage("is:opne fault");
    expect(body).toMatch(/class="chip" data-wrong="There is no is:opne, so it is left out."/);
    expect(body).toContain("<small>left out</small>");
    expect(readSay(body)).toBe(
      "is:opne: There is no is:opne, so it is left out. Did you mean is:open?",
    );
    expect(body).toContain('href="/issues?q=is%3Aopen+fault"><bdi class="query-text">is:open<');
    expect(readSay(await readPage("is:open"))).toBe("");
  });

  it("can be a tag that no issue has, with a link to the most similar key", async () => {
    await log.append([createFirstReport(1, { tags: [["plan", "pro"]] })]);
    for (const q of ["borwser:firefox", "-borwser:firefox"]) {
      const body = await readPage(q);
      expect(readSay(body)).toContain("There is no key borwser, so it is left out. Did you mean");
      expect(body).toContain(encodeURIComponent(q.replace("borwser", "browser")));
      expect(body).toMatch(/class="chip" data-wrong="There is no key borwser/);
      expect(body).toContain(`id="issue-${toDigest(1)}"`);
    }
    expect(readSay(await readPage("plna:pro"))).toContain("No issue has the tag plna");
    for (const q of ["plan:pro", "plan:free", "-plan:pro", "release:9"])
      expect(readSay(await readPage(q))).toBe("");
  });

  it("is in the JSON too, and no reason to change more issues", async () => {
    await log.append([createFirstReport(1), createFirstReport(2)]);
    expect(await readList("/issues?q=is:open+usrs:%3E10")).toMatchObject({
      total: 2,
      problems: [
        {
          part: "usrs:>10",
          reason: "There is no key usrs, so it is left out.",
          suggestion: "is:open users:>10",
        },
      ],
    });
    for (const [matching, status] of [
      ["is:open usrs:>10", 200],
      ["is:open is:opne", 400],
    ] as const) {
      const { response } = await postToList(
        "/issues/state",
        encodeFields(["matching", matching], ["do", "resolve"]),
        asJson,
      );
      expect([matching, response.status]).toEqual([matching, status]);
      expect(await listDigests("is:resolved")).toEqual([]);
    }
  });
});

describe("a query", () => {
  it("has chips whose links remove a part, and a field with its words", async () => {
    await log.append([createFirstReport(1)]);
    const body = await readPage('is:open -release:"1" price fault');
    expect(body.match(/class="chip"/g)).toHaveLength(2);
    expect(body).toContain('href="/issues?q=is%3Aopen+price+fault" aria-label="Remove -release:');
    expect(body).toMatch(/data-query-input=""[^>]*value="price fault"/);
  });

  it("of a form without scripts is one query: its chips and its field", async () => {
    const { response } = await visit("/issues?q=is%3Aopen&q=release%3A1.4&q=price&sort=count");
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "/issues?q=is%3Aopen+release%3A1.4+price&sort=count",
    ]);
  });

  it("can ask for what is assigned to the person, who need not have a name", async () => {
    await log.append([createFirstReport(1), createFirstReport(2), createFirstReport(3)]);
    await projectStore.annotate(toDigest(1), { change: "assign", to: LOCAL_ASSIGNEE });
    await projectStore.annotate(toDigest(2), { change: "assign", to: "James" });
    expect(await listDigests("assigned:me")).toEqual([toDigest(1)]);
    expect(await listDigests("-assigned:me")).toEqual([toDigest(3), toDigest(2)]);
    expect(await listDigests("is:assigned")).toEqual([toDigest(2), toDigest(1)]);
    expect(await readPage("assigned:me")).toContain(`id="issue-${toDigest(1)}"`);
  });

  it.each([
    ["count:>1", [1]],
    ["users:>=1", []],
    ["release:shop@*", [2]],
    ["release:shop@*,api@*", [3, 2]],
    ["env:staging,production", [3, 2]],
    ["-fault", [3]],
    ["-timeout", [2, 1]],
    ["last:<1h", [3, 2, 1]],
    ["first:>2026-11-20", [3, 2, 1]],
    ["first:<2026-11-20", []],
  ])("can compare, combine and exclude: %s", async (query, numbers) => {
    await log.append([
      createFirstReport(1),
      { ...createFirstReport(1), id: "f".repeat(32) },
      createFirstReport(2, { release: "shop@2.0", environment: "staging" }),
      createFirstReport(3, { release: "api@1", environment: "production", message: "timeout" }),
    ]);
    expect(await listDigests(query)).toEqual(numbers.map(toDigest));
  });

  it("is completed by the values of its issues, those of most issues first", async () => {
    await log.append([
      createFirstReport(1, { release: "shop@1" }),
      createFirstReport(2, { release: "shop@2" }),
      createFirstReport(3, { release: "shop@2" }),
      createFirstReport(4, { release: "api@1", environment: "staging" }),
    ]);
    const values = async (params: Record<string, string>) => {
      const { body } = await visit(`/issue-values.json?${new URLSearchParams(params)}`);
      return JSON.parse(body).values;
    };
    expect(await values({ key: "release", text: "shop" })).toEqual([
      { value: "shop@2", issues: 2 },
      { value: "shop@1", issues: 1 },
    ]);
    expect(await values({ key: "release", text: "", q: "env:staging" })).toEqual([
      { value: "api@1", issues: 1 },
    ]);
    expect(await values({ key: "nothing", text: "" })).toEqual([]);
  });
});

describe("the environment of the pages", () => {
  const cookie = "errata-environment-1=staging; errata-period=7d";

  it("filters the list, its facets and the next issues, but no JSON", async () => {
    await log.append([
      createFirstReport(1, { environment: "staging" }),
      createFirstReport(2, { environment: "production" }),
    ]);
    const body = await readPage("is:open", cookie);
    expect(body).toContain(`id="issue-${toDigest(1)}"`);
    expect(body).not.toContain(`id="issue-${toDigest(2)}"`);
    expect(body).toContain("?list=is%3Aopen+env%3A%22staging%22");
    // The chips are those of the query.
    expect(body.match(/class="chip"/g)).toHaveLength(1);
    expect(body).toContain("counted in all environments");
    const { body: json } = await visit("/issues.json", { headers: { cookie } });
    expect(JSON.parse(json).total).toBe(2);
    const returned = await readPage('is:open env:"staging"', cookie);
    expect(returned.match(/class="chip"/g)).toHaveLength(1);
  });

  it("gives way to one in the query, which the page says", async () => {
    await log.append([createFirstReport(2, { environment: "production" })]);
    const body = await readPage("env:production", cookie);
    expect(body).toContain(`id="issue-${toDigest(2)}"`);
    expect(readSay(body)).toContain("takes precedence");
  });

  it("has bars for each hour of a day, and each day of a longer period", async () => {
    await log.append([createFirstReport(1)]);
    const day = await readPage("is:open");
    expect(day).toContain("1 time in the last 24 hours, 1 time in this hour");
    expect(await readPage("is:open", cookie)).toMatch(/No open issues.* in .*staging/);
    const week = await readPage("is:open", "errata-period=7d");
    expect(week).toContain("1 time in the last 7 days, 1 time today");
  });
});
