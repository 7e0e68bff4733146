import { afterEach, describe, expect, it } from "vitest";
import { findPerson } from "../../../../../src/core/accounts/actors.ts";
import { digestFromHash } from "../../../../../src/core/grouping/encode-digest.ts";
import { limits } from "../../../../../src/core/limits.ts";
import type { ProjectStore } from "../../../../../src/core/ports/storage-ports.ts";
import type { Report } from "../../../../../src/core/report.ts";
import { createMembers, ORIGIN, OWN_PAGE } from "../../../../support/accounts/members.ts";
import { visit } from "../../../../support/http/visit.ts";
import { createReport } from "../../../../support/reports/reports.ts";
import { emptyStore } from "../../../../support/store/empty-store.ts";
import { log, NOW_MS, projectStore } from "../../../../support/store/store.ts";

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const DAY_MS = 86_400_000;

/** A valid digest, number `n`. */
const toDigest = (n: number) => digestFromHash(new Uint8Array(32).fill(n));

/** The first report of issue `n`; the greater `n`, the later. */
const toFirstReport = (n: number, over: Partial<Report> = {}) =>
  createReport(n, { digest: toDigest(n), message: `fault ${n}`, ...over });

const twoDigests = [
  ["digest", toDigest(1)],
  ["digest", toDigest(2)],
] as const;

interface ListJson {
  readonly query: string;
  readonly total: number;
  readonly next?: string;
  readonly previous?: string;
  readonly issues: readonly { readonly digest: string; readonly state: string }[];
}

const readJson = async (path: string) => JSON.parse((await visit(path, asJson)).body) as ListJson;
const listDigests = async (q: string) =>
  (await readJson(`/issues?${new URLSearchParams({ q })}`)).issues.map(({ digest }) => digest);

const post = (path: string, body: string, over: Parameters<typeof visit>[1] = {}) =>
  visit(path, {
    method: "POST",
    body,
    ...over,
    headers: { "content-type": "application/x-www-form-urlencoded", ...over.headers },
  });
const form = (...fields: readonly (readonly [string, string])[]) =>
  String(new URLSearchParams(fields.map(([name, value]) => [name, value])));

const unavailable: ProjectStore = {
  ...projectStore,
  ...Object.fromEntries(
    (["listIssues", "listFacets", "listViews", "decideMany", "annotate", "saveView"] as const).map(
      (name) => [name, () => Promise.reject(new Error("unavailable"))],
    ),
  ),
};

describe("the issue list as JSON", () => {
  it("contains the open issues by default", async () => {
    await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
    await projectStore.decide(toDigest(2), { state: "resolved" });
    const list = await readJson("/issues");
    expect(list).toMatchObject({ query: "is:open", total: 2 });
    expect(list.issues.map(({ digest }) => digest)).toEqual([toDigest(3), toDigest(1)]);
    expect(await listDigests("")).toHaveLength(3);
    expect((await readJson("/issues.json")).issues).toEqual(list.issues);
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
      toFirstReport(1),
      toFirstReport(2, { request: { route: "/cart", headers: [] } }),
      toFirstReport(3, { environment: "staging", release: "1.5", message: "no price" }),
      toFirstReport(4, { release: "1.4", tags: [["plan", "pro"]] }),
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
      toFirstReport(n, { id: id.repeat(32), occurredAtMs: toFirstReport(n).occurredAtMs - DAY_MS });
    const [issue1Reports, issue3Report] = [
      [repeatedReport(1, "a"), repeatedReport(1, "b")],
      repeatedReport(3, "c"),
    ];
    await log.append([
      ...issue1Reports,
      issue3Report,
      toFirstReport(1),
      toFirstReport(2),
      toFirstReport(3),
    ]);
    const { issues } = await readJson(`/issues?sort=${sort}`);
    expect(issues.map(({ digest }) => digest)).toEqual(numbers.map(toDigest));
  });

  it("pages to the next and the previous page consistently while reports arrive", async () => {
    const count = limits.listedIssues + 10;
    await log.append(Array.from({ length: count }, (_, n) => toFirstReport(n)));
    const first = await readJson("/issues");
    expect(first.issues).toHaveLength(limits.listedIssues);
    expect(first.previous).toBeUndefined();
    // A new issue, and one of the second page happens again: it is now on the first page.
    await log.append([
      toFirstReport(200),
      toFirstReport(0, { id: "f".repeat(32), occurredAtMs: NOW_MS }),
    ]);
    const second = await readJson(first.next ?? "");
    const places = Array.from({ length: 9 }, (_, n) => toDigest(9 - n));
    expect(second.issues.map(({ digest }) => digest)).toEqual(places);
    expect(second.next).toBeUndefined();
    const previousPage = await readJson(second.previous ?? "");
    expect(previousPage.issues.map(({ digest }) => digest)).toEqual(
      first.issues.map(({ digest }) => digest),
    );
  });

  it("says that its total may be larger", async () => {
    const listIssues: ProjectStore["listIssues"] = async (query, from) => ({
      ...(await projectStore.listIssues(query, from)),
      isTotalCapped: true,
    });
    const services = { projectStore: { ...projectStore, listIssues } };
    const { body } = await visit("/issues", { ...asJson, services });
    expect(JSON.parse(body)).toMatchObject({ total: 0, isTotalCapped: true });
  });

  it("is refused while the index is unavailable", async () => {
    const { response, body } = await visit("/issues", {
      ...asJson,
      services: { projectStore: unavailable },
    });
    expect(response.status).toBe(503);
    expect(JSON.parse(body).reason).toBe("index-unavailable");
  });
});

describe("the page of the issue list", () => {
  it("is sent before the list, the facets and the views are loaded", async () => {
    await log.append([toFirstReport(1)]);
    // The first visit loads the renderer, during which the list arrives.
    await visit("/issues");
    const { body } = await visit("/issues");
    for (const part of ["the issues", "the filters"])
      expect(body).toContain(`Loading ${part}`.replace("Loading ", "Loading <!-- -->"));
    expect(body).toContain("fault 1");
  });

  it("shows the query, the order and the state, and links to each variation of them", async () => {
    await log.append([toFirstReport(1, { release: "1.4" }), toFirstReport(2, { release: "1.5" })]);
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
      "an unavailable index",
      "/issues",
      { projectStore: unavailable },
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
    const next = { trustRank: 2, sortValue: 5, digest: toDigest(1), isBackward: false } as const;
    const listIssues: ProjectStore["listIssues"] = async (query, from) => ({
      ...(await projectStore.listIssues(query, from)),
      ...{ total: 1_000, isTotalCapped: true, next },
    });
    const services = { projectStore: { ...projectStore, listIssues } };
    const path = "/issues?q=is:muted&streaming=off";
    expect((await visit(path, { services })).body).toContain(
      `href="/issues?q=is%3Amuted&amp;from=2.5.${toDigest(1)}">Continue searching`,
    );
    await log.append([toFirstReport(1)]);
    expect((await visit("/issues?streaming=off", { services })).body).toContain("1,000+ issues");
  });

  it("names the filters to remove if nothing matches", async () => {
    await log.append([toFirstReport(1)]);
    const { body } = await visit("/issues?q=is:open+release:9+price&streaming=off");
    expect(body).toContain("No matching issues");
    expect(body).toContain('href="/issues?q=is%3Aopen+price"');
    expect(body).toContain('href="/issues?q=is%3Aopen+release%3A9"');
    await projectStore.decide(toDigest(1), { state: "muted" });
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
      toFirstReport(1, {
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

describe("a decision about several issues", () => {
  it.each([
    ["resolve", "resolved"],
    ["resolve-next", "resolved"],
    ["ignore", "ignored"],
    ["mute", "muted"],
    ["reopen", "open"],
  ])("is accepted from the button %s, and redirects to the same list", async (word, state) => {
    await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
    const returnTo = "/issues?q=is%3Aopen+fault&sort=count";
    const { response } = await post(
      "/issues/state",
      form(["do", word], ["returnTo", returnTo], ...twoDigests),
    );
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(returnTo);
    const states = (await readJson("/issues?q=")).issues.map((issue) => issue.state);
    expect(states).toEqual(["open", state, state]);
  });

  it("is accepted as JSON like that for one issue, and the response lists the existing issues", async () => {
    await log.append([toFirstReport(1)]);
    const sendAction = { digest: [toDigest(1), toDigest(9)], state: "ignored", duration: "1d" };
    const { response, body } = await post("/issues/state", JSON.stringify(sendAction), {
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toEqual({ digests: [toDigest(1)] });
    const { atMs = 0, untilMs = 0 } =
      (await projectStore.getFreshIssue(toDigest(1)))?.decision ?? {};
    expect(untilMs - atMs).toBe(DAY_MS);
  });

  it("merges the other issues into the first", async () => {
    await log.append([toFirstReport(1), toFirstReport(2)]);
    const { response } = await post("/issues/state", form(["do", "merge"], ...twoDigests));
    expect(response.status).toBe(303);
    expect(await listDigests("")).toEqual([toDigest(1)]);
    expect((await projectStore.getFreshIssue(toDigest(1)))?.count).toBe(2);
  });

  it("to merge a single issue changes nothing", async () => {
    await log.append([toFirstReport(1)]);
    const { response } = await post(
      "/issues/state",
      form(["do", "merge"], ["digest", toDigest(1)]),
    );
    expect(response.status).toBe(303);
    expect(await listDigests("")).toEqual([toDigest(1)]);
  });

  it.each([
    "https://elsewhere.example/issues",
    "//elsewhere.example/issues",
    "/\\elsewhere.example",
    "javascript:alert(1)",
    "/status",
    "/issues/../status",
    "",
  ])("redirects to the issue list in place of another page: %s", async (returnTo) => {
    await log.append([toFirstReport(1)]);
    const { response } = await post(
      "/issues/state",
      form(["do", "mute"], ["returnTo", returnTo], ...twoDigests),
    );
    expect(response.headers.get("location")).toBe("/issues");
  });

  it.each([
    ["no digest", form(["do", "resolve"]), 400],
    ["an invalid digest", form(["do", "resolve"], ["digest", "x"]), 400],
    ["a misread digest", form(["do", "resolve"], ["digest", "7F3K-Q2MG"]), 400],
    ["no decision", form(...twoDigests), 400],
    ["an unknown action", form(["do", "constructor"], ...twoDigests), 400],
    ["an action and a state", form(["do", "mute"], ["state", "open"], ...twoDigests), 400],
    ["a field twice", form(["do", "mute"], ["do", "resolve"], ...twoDigests), 400],
    ["an invalid state", form(["state", "gone"], ...twoDigests), 400],
    [
      "a large body",
      form(["do", "mute"], ["returnTo", "x".repeat(limits.maxFormBytes)], ...twoDigests),
      413,
    ],
    ["another media type", "do=mute", 415, "text/plain"],
    ["digests that are not text", '{"state":"open","digest":[1]}', 400, "application/json"],
    ["a digest that is an object", '{"state":"open","digest":{}}', 400, "application/json"],
  ])(
    "is refused with %s",
    async (_name, body, status, type = "application/x-www-form-urlencoded") => {
      await log.append([toFirstReport(1), toFirstReport(2)]);
      const { response } = await post("/issues/state", body, { headers: { "content-type": type } });
      expect(response.status).toBe(status);
      expect((await readJson("/issues")).total).toBe(2);
    },
  );

  it("is refused for more than the maximum number of issues", async () => {
    const digest = Array.from({ length: limits.maxIssuesPerDecision + 1 }, (_, n) =>
      digestFromHash(new Uint8Array(32).map((_, at) => n + at)),
    );
    const { response } = await post("/issues/state", JSON.stringify({ state: "open", digest }), {
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(400);
  });

  it.each(["/issues/state", "/saved-views"])(
    "is refused at %s for another site, and while the index is unavailable",
    async (path) => {
      const body = form(
        ...(path === "/saved-views"
          ? [["name", "mine"] as const]
          : [["do", "mute"] as const, ...twoDigests]),
      );
      const foreign = await post(path, body, { headers: { "sec-fetch-site": "cross-site" } });
      expect(foreign.response.status).toBe(403);
      const refused = await post(path, body, { services: { projectStore: unavailable } });
      expect(refused.response.status).toBe(503);
    },
  );
});

describe("the message after an action", () => {
  const getFlashCookie = (response: Response) => response.headers.get("set-cookie") ?? "";
  const sendAction = (word: string, ...numbers: readonly number[]) =>
    post(
      "/issues/state",
      form(["do", word], ...numbers.map((n) => ["digest", toDigest(n)] as const)),
    );
  /** The next page in the browser, with the cookie of the response. */
  const visitAfter = (response: Response, path = "/issues?streaming=off") =>
    visit(path, { headers: { cookie: getFlashCookie(response).split(";", 1).join() } });

  it.each<[string, number[], string, string?]>([
    ["resolve", [1, 2], "2 issues resolved."],
    ["resolve", [1], `${toDigest(1)} resolved.`],
    ["resolve-next", [1, 2], "2 issues resolved in the next release."],
    ["ignore", [1, 2], "2 issues ignored."],
    ["mute", [1, 9], `${toDigest(1)} muted.`],
    ["reopen", [1, 2], "2 issues reopened."],
    ["merge", [1, 2], "2 issues merged into one."],
    ["merge", [1], "Not merged. Select at least two existing issues."],
    ["mute", [8, 9], "No changes. The selected issues no longer exist."],
  ])("is shown once on the list: %s of %j", async (word, numbers, text, role = "status") => {
    await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
    const { response } = await sendAction(word, ...numbers);
    const shown = await visitAfter(response);
    const message = /<div class="flash.*?<p role="(\w+)">(.*?)<\/p>/.exec(shown.body);
    expect([message?.[1], message?.[2]?.replace(/<.*?>/g, "")]).toEqual([role, text]);
    expect(shown.body).toContain(`<title>${text} Issues · First project · Errata</title>`);
    expect(getFlashCookie(shown.response)).toContain("errata-flash=; Max-Age=0; Path=/issues");
    expect((await visitAfter(shown.response)).body).not.toContain(text);
  });

  it.each([
    [
      "a comment of spaces",
      "/d/0/annotations",
      [["comment", "   "]],
      "The comment is empty or too long",
    ],
    ["an unknown issue", "/d/0/annotations", [["merge", toDigest(9)]], "No issue has this digest"],
    ["no state", "/d/0/state", [["state", "gone"]], "Select at least one issue and an action"],
    ["a wrong digest", "/d/0/erase", [["confirm", toDigest(9)]], "Type this issue’s digest"],
    [
      "an issue that does not exist",
      "/d/9/state",
      [["state", "muted"]],
      "No issue has this digest",
    ],
    [
      "an unknown action",
      "/issues/state",
      [["do", "nothing"]],
      "Select at least one issue and an action",
    ],
    ["a view without a name", "/saved-views", [["name", " "]], "Enter a name"],
  ] as const)(
    "states why a form was refused, on the page with the form: %s",
    async (_, template, fields, text) => {
      await log.append([toFirstReport(1)]);
      const path = template.replace("/0/", `/${toDigest(1)}/`).replace("/9/", `/${toDigest(9)}/`);
      const browser = { headers: { "sec-fetch-site": "same-origin" } };
      const { response } = await post(path, form(...fields), browser);
      const page = template.startsWith("/d/0") ? `/d/${toDigest(1)}` : "/issues";
      expect([response.status, response.headers.get("location")]).toEqual([303, page]);
      const { body } = await visitAfter(response, `${page}?streaming=off`);
      expect(body).toMatch(new RegExp(`class="flash refused"><p role="alert">[^<]*${text}`));
      const program = await post(path, form(...fields));
      expect([400, 404]).toContain(program.response.status);
      const foreign = { headers: { "sec-fetch-site": "cross-site" } };
      expect((await post(path, form(...fields), foreign)).response.status).toBe(403);
    },
  );

  it("confirms that a view was saved or deleted", async () => {
    const saved = await post("/saved-views", form(["name", "Mine"], ["query", "is:new"]));
    expect((await visitAfter(saved.response)).body).toContain(">View saved.<");
    const deleted = await post("/saved-views", form(["name", "Mine"], ["delete", "1"]));
    expect((await visitAfter(deleted.response)).body).toContain(">View deleted.<");
  });

  it("is in an HttpOnly cookie for that page and one minute, and API clients do not get one", async () => {
    await log.append([toFirstReport(1)]);
    const { response } = await sendAction("mute", 1);
    expect(getFlashCookie(response)).toMatch(
      /^errata-flash=muted\.1\.[0-9a-f]{32}\.040G-2084; Max-Age=60; Path=\/issues; HttpOnly; SameSite=Lax$/,
    );
    expect(response.headers.get("location")).toBe("/issues");
    const listDigests = form(["do", "mute"], ["digest", toDigest(1)]);
    expect(getFlashCookie((await post("/issues/state", listDigests, asJson)).response)).toBe("");
  });

  it.each([
    ...["nothing.1..", "constructor.1..", "muted", "muted.1", "muted.x..", "muted.-1..", "<b>.1.."],
    ...["muted.1234567..", "muted.1.x.", "muted.1..<b>", "muted.1...."],
  ])("is not shown for the cookie %s", async (value) => {
    const { body } = await visit("/issues?streaming=off", {
      headers: { cookie: `errata-flash=${value}` },
    });
    expect(body).not.toContain('class="flash"');
  });
});

describe("an action on the list", () => {
  const readStates = async () =>
    Object.fromEntries((await readJson("/issues?q=")).issues.map((one) => [one.digest, one.state]));
  const getUndoId = (response: Response) =>
    /\.([0-9a-f]{32})\./.exec(response.headers.get("set-cookie") ?? "")?.[1] ?? "";

  it("is undone by the button of its message, which leads back to the page", async () => {
    await log.append([toFirstReport(1), toFirstReport(2)]);
    const { response } = await post("/issues/state", form(["do", "mute"], ...twoDigests));
    const undoId = getUndoId(response);
    const shown = await visit("/issues?streaming=off&q=", {
      headers: { cookie: (response.headers.get("set-cookie") ?? "").split(";", 1).join() },
    });
    expect(shown.body).toContain(`<input type="hidden" name="undo" value="${undoId}"/>`);
    const undone = await post("/undo", form(["undo", undoId], ["returnTo", "/issues?q="]));
    expect(undone.response.status).toBe(303);
    expect(undone.response.headers.get("location")).toBe("/issues?q=");
    expect(await readStates()).toEqual({ [toDigest(1)]: "open", [toDigest(2)]: "open" });
    const again = await post("/undo", form(["undo", undoId]), asJson);
    expect(JSON.parse(again.body)).toEqual({ digests: [] });
  });

  it("is possible with the button of one row, whatever else is selected", async () => {
    await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
    const row = `resolve ${toDigest(3)}`;
    await post("/issues/state", form(["row", row], ...twoDigests));
    expect(await readStates()).toMatchObject({ [toDigest(1)]: "open", [toDigest(3)]: "resolved" });
    const { response } = await post("/issues/state", form(["row", "burn 1"], ...twoDigests));
    expect(response.status).toBe(400);
  });

  it("changes all issues of a query, beyond the page, and undoes all of them", async () => {
    const count = limits.maxIssuesPerDecision + 7;
    await log.append(Array.from({ length: count }, (_, n) => toFirstReport(n + 1)));
    const { response } = await post("/issues/state", form(["do", "resolve"], ["matching", "*"]));
    expect(response.headers.get("set-cookie")).toContain(`=resolved.${count}.`);
    expect((await readJson("/issues")).total).toBe(0);
    await post("/undo", form(["undo", getUndoId(response)]));
    expect((await readJson("/issues")).total).toBe(count);
    const merge = await post("/issues/state", form(["do", "merge"], ["matching", "*"]));
    expect(merge.response.status).toBe(400);
  });

  it("assigns issues to a member, and to nobody else", async () => {
    await log.append([toFirstReport(1), toFirstReport(2)]);
    const members = await createMembers();
    const { actor, proof } = await members.invite("member");
    const registry = await members.registry.readCopy();
    const name = findPerson(registry, actor, Date.now())?.name ?? "";
    const send = (to: string) =>
      visit("/issues/state", {
        method: "POST",
        origin: ORIGIN,
        body: form(["assign", to], ...twoDigests),
        headers: { ...proof, ...OWN_PAGE, "content-type": "application/x-www-form-urlencoded" },
        services: members.services,
      });
    const assigned = await send(name);
    expect(assigned.response.headers.get("set-cookie")).toContain("=assigned.2.");
    expect((await projectStore.getFreshIssue(toDigest(2)))?.assignee).toBe(name);
    const stranger = await send("Mallory");
    expect(stranger.response.headers.get("set-cookie")).toContain("=not-assigned.0.");
    expect((await projectStore.getFreshIssue(toDigest(1)))?.assignee).toBe(name);
    const page = await visit("/issues?streaming=off", {
      origin: ORIGIN,
      headers: proof,
      services: members.services,
    });
    expect(page.body).toContain(`name="assign"><bdi>Assign to me</bdi>`);
    const show = async (cookie: string) => {
      const headers = { ...proof, cookie: `${proof.cookie}; errata-flash=${cookie}` };
      return visit("/issues", { origin: ORIGIN, headers, services: members.services });
    };
    const [cookie = ""] =
      /errata-flash=([^;]+)/.exec(assigned.response.headers.get("set-cookie") ?? "")?.slice(1) ??
      [];
    expect((await show(cookie)).body).toContain(`2 issues assigned to ${name}.`);
    const forged = cookie.replace(/[\w-]+$/, Buffer.from("Mallory").toString("base64url"));
    expect((await show(forged)).body).toContain("2 issues assigned.");
  });
});

it("a lookup with several matches is a list to act on, by state, with the text marked", async () => {
  await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
  await projectStore.decide(toDigest(2), { state: "muted" });
  const lookUp = async (state: string) =>
    (await visit(`/lookup?q=fault${state}&streaming=off`)).body;
  const all = await lookUp("");
  expect(all.match(/class="list-row issue-row"/g)).toHaveLength(3);
  expect(all).toContain("<mark>fault</mark> 1");
  expect(all).toContain('name="returnTo" value="/lookup?q=fault"');
  const muted = await lookUp("&state=muted");
  expect(muted.match(/class="list-row issue-row"/g)).toHaveLength(1);
  const { response } = await post(
    "/issues/state",
    form(["do", "reopen"], ["digest", toDigest(2)], ["returnTo", "/lookup?q=fault"]),
  );
  expect(response.headers.get("location")).toBe("/lookup?q=fault");
});

describe("the page of an issue that was opened from a list", () => {
  it("leads to the next issue and back, and keeps the list after a decision", async () => {
    await log.append([toFirstReport(1), toFirstReport(2), toFirstReport(3)]);
    const [first, second, third] = (await readJson("/issues")).issues.map(({ digest }) => digest);
    const list = await visit("/issues?streaming=off");
    expect(list.body).toContain(`href="/d/${second}?list=is%3Aopen"`);
    const path = `/d/${second}?list=is%3Aopen`;
    const { body } = await visit(`${path}&streaming=off`);
    expect(body).toContain("<span>2 of 3</span>");
    expect(body).toMatch(new RegExp(`rel="prev"[^>]*href="/d/${first}\\?list=is%3Aopen"`));
    expect(body).toMatch(new RegExp(`rel="next"[^>]*href="/d/${third}\\?list=is%3Aopen"`));
    expect(body).toContain(`href="/issues#issue-${second}"`);
    const { response } = await post(`/d/${second}/state`, form(["state", "resolved"]), {
      headers: { referer: `http://localhost:8787${path}` },
    });
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
    await log.append([toFirstReport(1)]);
    const body = await readPage("is:opne fault");
    expect(body).toMatch(/is:opne<\/bdi> is not a filter/);
    expect(body).toContain('href="/issues?q=is%3Aopen+fault"><bdi class="query-text">is:open<');
  });

  it("names a tag that no issue has, and links to the most similar key", async () => {
    await log.append([toFirstReport(1, { tags: [["plan", "pro"]] })]);
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

describe("a saved view", () => {
  it("is stored under its name, is listed on the page, and can be deleted", async () => {
    const query = 'env:"staging" is:open';
    const saved = await post(
      "/saved-views",
      form(["name", " Mine "], ["query", query], ["sort", "count"]),
    );
    expect(saved.response.status).toBe(303);
    const address = saved.response.headers.get("location");
    expect(address).toBe("/issues?q=is%3Aopen+env%3A%22staging%22&sort=count");
    expect(await projectStore.listViews()).toEqual([
      { name: "Mine", query: 'is:open env:"staging"', sort: "count" },
    ]);
    const { body } = await visit(`${address}&streaming=off`);
    expect(body).toMatch(/aria-current="page"><bdi>Mine</);
    expect(body).toContain("Delete this view");
    const deleted = await post("/saved-views", form(["name", "Mine"], ["delete", "1"]), asJson);
    expect(JSON.parse(deleted.body)).toEqual({ views: [] });
    expect(await projectStore.listViews()).toEqual([]);
  });

  it.each([
    ["no name", form(["query", "x"])],
    ["a name of spaces", form(["name", "   "])],
    ["a name with a line end", form(["name", "a\nb"])],
    ["a name that is too long", form(["name", "x".repeat(limits.maxViewNameChars + 1)])],
    ["a query that is too long", form(["name", "x"], ["query", "x".repeat(501)])],
    ["an unknown field", form(["name", "x"], ["state", "open"])],
  ])("is refused with %s", async (_name, body) => {
    const { response } = await post("/saved-views", body);
    expect(response.status).toBe(400);
    expect(await projectStore.listViews()).toEqual([]);
  });
});

describe("the lookup of a URL", () => {
  const reportAt = (n: number, url: string) =>
    toFirstReport(n, { request: { url, route: new URL(url).pathname, headers: [] } });

  it("redirects to the list of issues with its path", async () => {
    const url = "https://shop.example/cart/pay?step=2";
    await log.append([reportAt(1, url), reportAt(2, url), reportAt(3, "https://shop.example/")]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(url)}`);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/issues?q=url%3A%2Fcart%2Fpay");
    const { body } = await visit(`/lookup?q=${encodeURIComponent(url)}`, asJson);
    expect(JSON.parse(body)).toEqual({ hits: [], list: "/issues?q=url%3A%2Fcart%2Fpay" });
  });

  it("redirects to the only issue with its path", async () => {
    await log.append([reportAt(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/cart%23top");
    expect(response.headers.get("location")).toBe(`/d/${toDigest(1)}`);
  });

  it("finds nothing if no issue has its path", async () => {
    await log.append([reportAt(1, "https://shop.example/cart")]);
    const { response } = await visit("/lookup?q=https://shop.example/other");
    expect(response.status).toBe(404);
  });
});
