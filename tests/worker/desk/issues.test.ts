import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "../../../src/core/grouping/digest.ts";
import { limits } from "../../../src/core/limits.ts";
import type { ProjectStore } from "../../../src/core/ports/storage-ports.ts";
import type { Report } from "../../../src/core/report.ts";
import { visit } from "../../support/app.ts";
import { fresh } from "../../support/fresh.ts";
import { aReport } from "../../support/reports.ts";
import { desk, log, NOW_MS } from "../../support/store.ts";

afterEach(() => fresh());

const asJson = { headers: { accept: "application/json" } };
const DAY_MS = 86_400_000;

/** A valid digest, number `n`. */
const digestOf = (n: number) => digestFromHash(new Uint8Array(32).fill(n));

/** The first report of issue `n`; the greater `n`, the later. */
const issueOf = (n: number, over: Partial<Report> = {}) =>
  aReport(n, { digest: digestOf(n), message: `fault ${n}`, ...over });

interface ListJson {
  readonly query: string;
  readonly total: number;
  readonly next?: string;
  readonly previous?: string;
  readonly issues: readonly { readonly digest: string; readonly state: string }[];
}

const read = async (path: string) => JSON.parse((await visit(path, asJson)).body) as ListJson;
const asked = async (q: string) =>
  (await read(`/issues?${new URLSearchParams({ q })}`)).issues.map(({ digest }) => digest);

const post = (path: string, body: string, over: Parameters<typeof visit>[1] = {}) =>
  visit(path, {
    method: "POST",
    body,
    ...over,
    headers: { "content-type": "application/x-www-form-urlencoded", ...over.headers },
  });
const form = (...fields: readonly (readonly [string, string])[]) =>
  String(new URLSearchParams(fields.map(([name, value]) => [name, value])));

const away: ProjectStore = {
  ...desk,
  ...Object.fromEntries(
    (["listIssues", "listFacets", "listViews", "decideMany", "annotate", "saveView"] as const).map(
      (name) => [name, () => Promise.reject(new Error("away"))],
    ),
  ),
};

describe("the list as JSON", () => {
  it("has those that are open, unless something else is asked", async () => {
    await log.append([issueOf(1), issueOf(2), issueOf(3)]);
    await desk.decide(digestOf(2), { state: "resolved" });
    const list = await read("/issues");
    expect(list).toMatchObject({ query: "is:open", total: 2 });
    expect(list.issues.map(({ digest }) => digest)).toEqual([digestOf(3), digestOf(1)]);
    expect(await asked("")).toHaveLength(3);
    expect((await read("/issues.json")).issues).toEqual(list.issues);
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
  ])("finds by %s", async (query, numbers) => {
    await log.append([
      issueOf(1),
      issueOf(2, { request: { route: "/cart", headers: [] } }),
      issueOf(3, { environment: "staging", release: "1.5", message: "no price" }),
      issueOf(4, { release: "1.4", tags: [["plan", "pro"]] }),
    ]);
    await desk.decide(digestOf(1), { state: "resolved" });
    expect(await asked(query)).toEqual(numbers.map(digestOf));
  });

  it.each([
    ["last", [3, 2, 1]],
    ["first", [2, 3, 1]],
    ["count", [1, 3, 2]],
    ["nonsense", [3, 2, 1]],
  ])("is ordered by %s", async (sort, numbers) => {
    const again = (n: number, id: string) =>
      issueOf(n, { id: id.repeat(32), occurredAtMs: issueOf(n).occurredAtMs - DAY_MS });
    const [thrice, twice] = [[again(1, "a"), again(1, "b")], again(3, "c")];
    await log.append([...thrice, twice, issueOf(1), issueOf(2), issueOf(3)]);
    const { issues } = await read(`/issues?sort=${sort}`);
    expect(issues.map(({ digest }) => digest)).toEqual(numbers.map(digestOf));
  });

  it("keeps its place while reports arrive, there and back", async () => {
    const count = limits.listedIssues + 10;
    await log.append(Array.from({ length: count }, (_, n) => issueOf(n)));
    const first = await read("/issues");
    expect(first.issues).toHaveLength(limits.listedIssues);
    expect(first.previous).toBeUndefined();
    // A new issue, and one of the second page happens again: it belongs to the first page now.
    await log.append([issueOf(200), issueOf(0, { id: "f".repeat(32), occurredAtMs: NOW_MS })]);
    const second = await read(first.next ?? "");
    const places = Array.from({ length: 9 }, (_, n) => digestOf(9 - n));
    expect(second.issues.map(({ digest }) => digest)).toEqual(places);
    expect(second.next).toBeUndefined();
    const back = await read(second.previous ?? "");
    expect(back.issues.map(({ digest }) => digest)).toEqual(
      first.issues.map(({ digest }) => digest),
    );
  });

  it("is refused while the index is away", async () => {
    const { response, body } = await visit("/issues", {
      ...asJson,
      services: { projectStore: away },
    });
    expect(response.status).toBe(503);
    expect(JSON.parse(body).reason).toBe("index-unavailable");
  });
});

describe("the page of the list", () => {
  it("is there before the list, the facets and the views are", async () => {
    await log.append([issueOf(1)]);
    // The renderer comes with the first page, and the list in the meantime.
    await visit("/issues");
    const { body } = await visit("/issues");
    for (const waiting of ["the issues", "the filters"])
      expect(body).toContain(`Loading ${waiting}`.replace("Loading ", "Loading <!-- -->"));
    expect(body).toContain("fault 1");
  });

  it("says its question, its order and its state, and links to what is one step away", async () => {
    await log.append([issueOf(1, { release: "1.4" }), issueOf(2, { release: "1.5" })]);
    const { body } = await visit('/issues?q=is:open+release:"1.4"&sort=count&streaming=off');
    expect(body).toContain('value="is:open release:&quot;1.4&quot; "');
    expect(body).toMatch(/aria-sort="descending"><a href="[^"]*sort=count/);
    expect(body).toMatch(/id="tab-open" href="[^"]*" aria-current="page"/);
    expect(body).toMatch(
      /href="\/issues\?q=is%3Aresolved\+release%3A%221.4%22&amp;sort=count"[^>]*>Resolved/,
    );
    expect(body).toMatch(/href="\/issues\?sort=count" aria-current="true"><bdi>1.4</);
    expect(body).toContain('<option value="is:open release:&quot;1.4&quot; is:muted">');
  });

  it.each([
    [
      "an index that is away",
      "/issues",
      { projectStore: away },
      "The issue list is temporarily unavailable",
      "/issues",
    ],
    ["no report at all", "/issues", {}, "No issues yet", "/connect"],
    ["no report at all, at the lookup", "/", {}, "No issues yet", "/connect"],
  ])("is designed for %s", async (_name, path, services, says, leadsTo) => {
    const { response, body } = await visit(`${path}?streaming=off`, { services });
    expect(response.status).toBe(200);
    expect(body).toContain(says);
    expect(body).toContain(`href="${leadsTo}"`);
    expect(body).not.toContain("data-dgst");
  });

  it("names what to leave out where nothing is all of it", async () => {
    await log.append([issueOf(1)]);
    const { body } = await visit("/issues?q=is:open+release:9+price&streaming=off");
    expect(body).toContain("No matching issues");
    expect(body).toContain('href="/issues?q=is%3Aopen+price"');
    expect(body).toContain('href="/issues?q=is%3Aopen+release%3A9"');
    await desk.decide(digestOf(1), { state: "muted" });
    expect((await visit("/issues?streaming=off")).body).toContain("No open issues");
  });

  it("shows noise where it is asked for, at its old address too", async () => {
    const { response } = await visit("/noise");
    expect(response.status).toBe(301);
    expect(response.headers.get("location")).toBe("/issues?q=is%3Anoise");
  });

  it("shows markup in every field as text", async () => {
    const markup = `<img src=x onerror="alert(1)">`;
    await log.append([
      issueOf(1, {
        ...{ type: markup, message: markup, release: markup, environment: markup },
        request: { url: "https://shop.example/<img>", route: markup, headers: [] },
        tags: [[markup, markup]],
      }),
    ]);
    await desk.saveView(markup, { query: `"${markup}"`, sort: "last" });
    for (const path of ["/", "/issues", `/issues?q=${encodeURIComponent(markup)}`]) {
      const { body } = await visit(`${path}${path.includes("?") ? "&" : "?"}streaming=off`);
      expect(body).toContain("&lt;img");
      expect(body).not.toContain("<img");
    }
  });
});

describe("a decision about several issues", () => {
  const both = [
    ["digest", digestOf(1)],
    ["digest", digestOf(2)],
  ] as const;

  it.each([
    ["resolve", "resolved"],
    ["resolve-next", "resolved"],
    ["ignore", "ignored"],
    ["mute", "muted"],
    ["reopen", "open"],
  ])("is taken from the button %s, and leads back to where it stood", async (word, state) => {
    await log.append([issueOf(1), issueOf(2), issueOf(3)]);
    const back = "/issues?q=is%3Aopen+fault&sort=count";
    const { response } = await post(
      "/issues/state",
      form(["do", word], ["returnTo", back], ...both),
    );
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(back);
    const states = (await read("/issues?q=")).issues.map((issue) => issue.state);
    expect(states).toEqual(["open", state, state]);
  });

  it("is taken from JSON as for one issue, and answers with those that there are", async () => {
    await log.append([issueOf(1)]);
    const sent = { digest: [digestOf(1), digestOf(9)], state: "ignored", duration: "1d" };
    const { response, body } = await post("/issues/state", JSON.stringify(sent), {
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toEqual({ digests: [digestOf(1)] });
    const { atMs = 0, untilMs = 0 } = (await desk.getFreshIssue(digestOf(1)))?.decision ?? {};
    expect(untilMs - atMs).toBe(DAY_MS);
  });

  it("merges the others into the first", async () => {
    await log.append([issueOf(1), issueOf(2)]);
    const { response } = await post("/issues/state", form(["do", "merge"], ...both));
    expect(response.status).toBe(303);
    expect(await asked("")).toEqual([digestOf(1)]);
    expect((await desk.getFreshIssue(digestOf(1)))?.count).toBe(2);
  });

  it("leaves one issue alone that would be merged with nothing", async () => {
    await log.append([issueOf(1)]);
    const { response } = await post(
      "/issues/state",
      form(["do", "merge"], ["digest", digestOf(1)]),
    );
    expect(response.status).toBe(303);
    expect(await asked("")).toEqual([digestOf(1)]);
  });

  it.each([
    "https://elsewhere.example/issues",
    "//elsewhere.example/issues",
    "/\\elsewhere.example",
    "javascript:alert(1)",
    "/status",
    "/issues/../status",
    "",
  ])("leads to no other place: %s", async (back) => {
    await log.append([issueOf(1)]);
    const { response } = await post(
      "/issues/state",
      form(["do", "mute"], ["returnTo", back], ...both),
    );
    expect(response.headers.get("location")).toBe("/issues");
  });

  it.each([
    ["no digest", form(["do", "resolve"]), 400],
    ["a digest that is none", form(["do", "resolve"], ["digest", "x"]), 400],
    ["a misread digest", form(["do", "resolve"], ["digest", "7F3K-Q2MG"]), 400],
    ["no decision", form(...both), 400],
    ["an unknown word", form(["do", "constructor"], ...both), 400],
    ["a word and a state", form(["do", "mute"], ["state", "open"], ...both), 400],
    ["a field twice", form(["do", "mute"], ["do", "resolve"], ...both), 400],
    ["a state that is none", form(["state", "gone"], ...both), 400],
    ["too much", form(["do", "mute"], ["returnTo", "x".repeat(limits.maxFormBytes)], ...both), 413],
    ["no form", "do=mute", 415, "text/plain"],
    ["digests that are no texts", '{"state":"open","digest":[1]}', 400, "application/json"],
    ["a digest that is an object", '{"state":"open","digest":{}}', 400, "application/json"],
  ])(
    "is refused for %s",
    async (_name, body, status, type = "application/x-www-form-urlencoded") => {
      await log.append([issueOf(1), issueOf(2)]);
      const { response } = await post("/issues/state", body, { headers: { "content-type": type } });
      expect(response.status).toBe(status);
      expect((await read("/issues")).total).toBe(2);
    },
  );

  it("is refused for more issues than one decision may be about", async () => {
    const digest = Array.from({ length: limits.maxIssuesPerDecision + 1 }, (_, n) =>
      digestFromHash(new Uint8Array(32).map((_, at) => n + at)),
    );
    const { response } = await post("/issues/state", JSON.stringify({ state: "open", digest }), {
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(400);
  });

  it.each(["/issues/state", "/saved-views"])(
    "is refused at %s for another site, and while the index is away",
    async (path) => {
      const body = form(
        ...(path === "/saved-views"
          ? [["name", "mine"] as const]
          : [["do", "mute"] as const, ...both]),
      );
      const foreign = await post(path, body, { headers: { "sec-fetch-site": "cross-site" } });
      expect(foreign.response.status).toBe(403);
      const waiting = await post(path, body, { services: { projectStore: away } });
      expect(waiting.response.status).toBe(503);
    },
  );
});

describe("what was done", () => {
  const done = (response: Response) => response.headers.get("set-cookie") ?? "";
  const sent = (word: string, ...numbers: readonly number[]) =>
    post(
      "/issues/state",
      form(["do", word], ...numbers.map((n) => ["digest", digestOf(n)] as const)),
    );
  /** The page that a browser shows then. */
  const pageAfter = (response: Response, path = "/issues?streaming=off") =>
    visit(path, { headers: { cookie: done(response).split(";", 1).join() } });

  it.each<[string, number[], string, string?]>([
    ["resolve", [1, 2], "2 issues resolved."],
    ["resolve", [1], "1 issue resolved."],
    ["resolve-next", [1, 2], "2 issues resolved in the next release."],
    ["ignore", [1, 2], "2 issues ignored."],
    ["mute", [1, 9], "1 issue muted."],
    ["reopen", [1, 2], "2 issues reopened."],
    ["merge", [1, 2], "2 issues merged into one."],
    ["merge", [1], "Not merged. Select at least two existing issues."],
    ["mute", [8, 9], "No changes. The selected issues no longer exist."],
  ])(
    "is said on the list that it leads to, once: %s of %j",
    async (word, numbers, says, role = "status") => {
      await log.append([issueOf(1), issueOf(2), issueOf(3)]);
      const { response } = await sent(word, ...numbers);
      const shown = await pageAfter(response);
      expect(shown.body).toMatch(new RegExp(`role="${role}"[^>]*autofocus=""[^>]*>${says}<`));
      expect(shown.body).toContain(`<title>${says} Issues</title>`);
      expect(done(shown.response)).toContain("errata-flash=; Max-Age=0; Path=/issues");
      expect((await pageAfter(shown.response)).body).not.toContain(says);
    },
  );

  it.each([
    [
      "a comment of spaces",
      "/d/0/annotations",
      [["comment", "   "]],
      "The comment is empty or too long",
    ],
    ["an unknown issue", "/d/0/annotations", [["merge", digestOf(9)]], "No issue has this digest"],
    ["no state", "/d/0/state", [["state", "gone"]], "Select at least one issue and an action"],
    ["a wrong digest", "/d/0/erase", [["confirm", digestOf(9)]], "Type this issue’s digest"],
    ["an issue that is gone", "/d/9/state", [["state", "muted"]], "No issue has this digest"],
    ["no choice", "/issues/state", [["do", "nothing"]], "Select at least one issue and an action"],
    ["a view without a name", "/saved-views", [["name", " "]], "Enter a name"],
  ] as const)(
    "is why not, where a form was refused, on the page where it stands: %s",
    async (_, at, fields, says) => {
      await log.append([issueOf(1)]);
      const path = at.replace("/0/", `/${digestOf(1)}/`).replace("/9/", `/${digestOf(9)}/`);
      const browser = { headers: { "sec-fetch-site": "same-origin" } };
      const { response } = await post(path, form(...fields), browser);
      const page = at.startsWith("/d/0") ? `/d/${digestOf(1)}` : "/issues";
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      const { body } = await pageAfter(response, `${page}?streaming=off`);
      expect(body).toMatch(new RegExp(`class="form-error" role="alert"[^>]*>[^<]*${says}`));
      const program = await post(path, form(...fields));
      expect([400, 404]).toContain(program.response.status);
      const foreign = { headers: { "sec-fetch-site": "cross-site" } };
      expect((await post(path, form(...fields), foreign)).response.status).toBe(403);
    },
  );

  it("is said of a view that is kept, and of one that is forgotten", async () => {
    const kept = await post("/saved-views", form(["name", "Mine"], ["query", "is:new"]));
    expect((await pageAfter(kept.response)).body).toContain(">View saved.<");
    const gone = await post("/saved-views", form(["name", "Mine"], ["delete", "1"]));
    expect((await pageAfter(gone.response)).body).toContain(">View deleted.<");
  });

  it("is in a cookie for that page and a minute, which no script reads, and no program gets", async () => {
    await log.append([issueOf(1)]);
    const { response } = await sent("mute", 1);
    expect(done(response)).toBe(
      "errata-flash=muted.1; Max-Age=60; Path=/issues; HttpOnly; SameSite=Lax",
    );
    expect(response.headers.get("location")).toBe("/issues");
    const asked = form(["do", "mute"], ["digest", digestOf(1)]);
    expect(done((await post("/issues/state", asked, asJson)).response)).toBe("");
  });

  it.each(["nothing.1", "constructor.1", "muted", "muted.x", "muted.-1", "<b>.1", "muted.1234567"])(
    "is not what a cookie %s says",
    async (value) => {
      const { body } = await visit("/issues?streaming=off", {
        headers: { cookie: `errata-flash=${value}` },
      });
      expect(body).not.toContain('class="flash"');
    },
  );
});

describe("a hint to the question", () => {
  const page = async (q: string) =>
    (await visit(`/issues?${new URLSearchParams({ q, streaming: "off" })}`)).body;

  it("names a state that there is none of, and links to the one that was meant", async () => {
    await log.append([issueOf(1)]);
    const body = await page("is:opne fault");
    expect(body).toMatch(/is:opne<\/bdi> is not a filter/);
    expect(body).toContain('href="/issues?q=is%3Aopen+fault"><bdi class="query-text">is:open<');
  });

  it("names a tag that no issue has, and the key that was meant", async () => {
    await log.append([issueOf(1, { tags: [["plan", "pro"]] })]);
    for (const q of ["borwser:firefox", "-borwser:firefox"]) {
      const body = await page(q);
      expect(body).toMatch(/No issue has the tag <bdi[^>]*>borwser</);
      expect(body).toContain(encodeURIComponent(q.replace("borwser", "browser")));
    }
    expect(await page("plna:pro")).toMatch(/No issue has the tag <bdi[^>]*>plna</);
    for (const q of ["plan:pro", "plan:free", "-plan:pro", "release:9"])
      expect(await page(q)).not.toContain("No issue has the tag");
  });
});

describe("a view", () => {
  it("is kept under its name, stands on the page, and is forgotten", async () => {
    const query = 'env:"staging" is:open';
    const kept = await post(
      "/saved-views",
      form(["name", " Mine "], ["query", query], ["sort", "count"]),
    );
    expect(kept.response.status).toBe(303);
    const address = kept.response.headers.get("location");
    expect(address).toBe("/issues?q=is%3Aopen+env%3A%22staging%22&sort=count");
    expect(await desk.listViews()).toEqual([
      { name: "Mine", query: 'is:open env:"staging"', sort: "count" },
    ]);
    const { body } = await visit(`${address}&streaming=off`);
    expect(body).toMatch(/aria-current="page"><bdi>Mine</);
    expect(body).toContain("Delete this view");
    const forgotten = await post("/saved-views", form(["name", "Mine"], ["delete", "1"]), asJson);
    expect(JSON.parse(forgotten.body)).toEqual({ views: [] });
    expect(await desk.listViews()).toEqual([]);
  });

  it.each([
    ["no name", form(["query", "x"])],
    ["a name of spaces", form(["name", "   "])],
    ["a name with a line end", form(["name", "a\nb"])],
    ["a name that is too long", form(["name", "x".repeat(limits.maxViewNameChars + 1)])],
    ["a query that is too long", form(["name", "x"], ["query", "x".repeat(501)])],
    ["a field that it has not", form(["name", "x"], ["state", "open"])],
  ])("is refused with %s", async (_name, body) => {
    const { response } = await post("/saved-views", body);
    expect(response.status).toBe(400);
    expect(await desk.listViews()).toEqual([]);
  });
});

describe("the lookup of an address", () => {
  const at = (n: number, url: string) =>
    issueOf(n, { request: { url, route: new URL(url).pathname, headers: [] } });

  it("leads to the list of what broke at its path", async () => {
    const url = "https://shop.example/cart/pay?step=2";
    await log.append([at(1, url), at(2, url), at(3, "https://shop.example/")]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(url)}`);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/issues?q=url%3A%2Fcart%2Fpay");
    const { body } = await visit(`/lookup?q=${encodeURIComponent(url)}`, asJson);
    expect(JSON.parse(body)).toEqual({ hits: [], list: "/issues?q=url%3A%2Fcart%2Fpay" });
  });

  it("leads to the only issue there", async () => {
    await log.append([at(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/cart%23top");
    expect(response.headers.get("location")).toBe(`/d/${digestOf(1)}`);
  });

  it("leads nowhere where nothing broke", async () => {
    await log.append([at(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/other");
    expect(response.status).toBe(404);
  });
});
