/**
 * Every kind of request whose calls are counted, by its row in `src/docs/page-costs.ts` and its
 * route in the router. Requests of one row cost the same.
 */
import { createPageTokens } from "#src/auth/page-tokens.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { ORIGIN } from "#support/accounts/members.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";

/** One request by a signed-in member. */
export interface PageRequest {
  /** The route in the router: `GET /d/:digest`. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  /** The posted body: text as a form, any other value as JSON. */
  readonly body?: string | object;
  readonly accept?: string;
  /** The delay after its report was received. */
  readonly laterMs?: number;
}

const toDigest = (n: number) => digestFromHash(Uint8Array.of(n, 0, 0, 0, 0));
/** The issues that exist, and two digests that do not. */
export const DIGESTS = {
  known: toDigest(1),
  twoSides: toDigest(2),
  uncopied: toDigest(3),
  into: toDigest(4),
  merged: toDigest(5),
  violation: toDigest(6),
  erased: toDigest(7),
  many: toDigest(8),
  unknown: toDigest(9),
  mapped: toDigest(10),
  traced: toDigest(11),
} as const;
/** A framework's digest, which leads to `DIGESTS.known` alone. */
export const ALIAS = "2338823894";

const { known, twoSides, uncopied: withoutSnapshot, into, merged, erased, many, unknown } = DIGESTS;
const { mapped, traced } = DIGESTS;
/** An upload that does not exist. */
const UPLOAD = "0".repeat(40);
/** A digest with one misread character, which has eight possible readings. */
const misread = `${known.slice(0, -1)}Z`;
/** The server key of the Worker whose calls are counted. */
export const SERVER_KEY = `errata_server_${"5".repeat(32)}`;
const pageTokens = createPageTokens({
  configuredKeyHash: toSha256(SERVER_KEY),
  registry: { readCopy: () => Promise.reject(new Error("The configured key is enough.")) },
  nowMs: readNowMs,
});
const pageToken = await pageTokens.sign({ traceId: toReportId(1), origin: ORIGIN });
const LATER_MS = 7_200_000;
const form = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;
const exported = [
  { errata: 1, project: "1", exportedAt: "2026-11-21T00:00:00.000Z" },
  createReport(80),
  { end: 1, lines: 1 },
];
const envelope = (id: number, type: "event" | "feedback", item: object) =>
  [{ event_id: toReportId(id) }, { type }, item].map((line) => JSON.stringify(line)).join("\n");
const event = (n: number) => ({ exception: { values: [{ type: "TypeError", value: `no ${n}` }] } });
const feedback = (n: number) => ({
  contexts: { feedback: { message: "It broke.", associated_event_id: toReportId(n) } },
});

function get(path: string, over: Partial<PageRequest> = {}): PageRequest {
  return { route: `GET ${path}`, path, status: 200, ...over };
}

function post(path: string, body: string | object, over: Partial<PageRequest> = {}): PageRequest {
  return { route: `POST ${path}`, path, body, status: 303, ...over };
}

const SOURCE_MAP = '{"version":3,"sources":["a.ts"],"names":[],"mappings":"AAAA"}';
const put = (path: string, route: string): PageRequest => ({
  route,
  path,
  body: SOURCE_MAP,
  status: 200,
});
const issue = (code: string, over: Partial<PageRequest> = {}) =>
  get(`/d/${code}`, { route: "GET /d/:digest", ...over });
const receipt = (code: string, over: Partial<PageRequest> = {}) =>
  get(`/e/${code}`, { route: "GET /e/:digest", ...over });
const lookup = (q: string, status: number) =>
  get(`/lookup?${form({ q })}`, { route: "GET /lookup", status });
const release = (name: string, status: number) =>
  get(`/releases/${name}`, { route: "GET /releases/:name{.+}", status });
const postToIssue = (what: string, digest: string, body: string) =>
  post(`/d/${digest}/${what}`, body, { route: `POST /d/:digest/${what}` });
const comment = (digest: string) =>
  post(`/e/${digest}`, form({ comment: "It broke." }), { route: "POST /e/:digest" });

/** Reading requests; their cost does not depend on their order. */
const READ_REQUESTS: Readonly<Record<string, readonly PageRequest[]>> = {
  "`/`": [get("/")],
  "`/live`, `/self-test`": [get("/live"), get("/self-test")],
  "`/self-test/injection`": [get("/self-test/injection", { route: "GET /self-test/:kind" })],
  "`/all-issues`": [get("/all-issues")],
  "`/all-issues` as JSON": [get("/all-issues.json")],
  "`/all-alerts`": [get("/all-alerts")],
  "`/all-alerts` as JSON": [get("/all-alerts.json")],
  "`/releases`": [get("/releases")],
  "`/releases` as JSON": [get("/releases.json")],
  "`/issues`": [get("/issues")],
  "`/issues`, no match": [get("/issues?q=nowhere", { route: "GET /issues" })],
  "`/issues` with a tag that no issue has": [get("/issues?q=tag.no:1", { route: "GET /issues" })],
  "`/`, `/issues`, `/live` as JSON": [
    get("/", { accept: "application/json" }),
    get("/issues.json"),
    get("/live.json"),
  ],
  "`/d/<digest>`": [issue(known)],
  "`/d/<digest>`, chunk older than ten minutes": [issue(known, { laterMs: LATER_MS })],
  "`/d/<digest>` with a server and a browser report": [issue(twoSides)],
  "`/d/<digest>` with a trace": [issue(traced)],
  "`/d/<digest>` without a snapshot in KV": [issue(withoutSnapshot)],
  "`/d/<digest>` with a stack, in a project with source maps": [issue(mapped)],
  "`/d/<digest>` that was merged": [issue(merged, { status: 302 })],
  "`/d/<digest>` that is unknown": [issue(unknown, { status: 404 })],
  "`/d/<digest>` that was misread": [issue(misread, { status: 404 }), lookup(misread, 404)],
  "`/d/<digest>` as JSON": [issue(`${known}.json`)],
  "`/d/<digest>` as JSON, ten reports in chunks older than ten minutes": [
    issue(`${many}.json`, { laterMs: LATER_MS }),
  ],
  "`/d/<digest>` as Markdown": [issue(`${known}.md`)],
  "an attachment": [get(`/d/${known}/files/0`, { route: "GET /d/:digest/files/:n" })],
  "`/d/<digest>` as JSON, with stacks, in a project with source maps": [issue(`${mapped}.json`)],
  "`/d/<code>` of another framework": [issue(ALIAS, { status: 302 })],
  "`/lookup`: a digest or another code": [
    lookup(known, 303),
    lookup(ALIAS, 303),
    get(`/lookup.json?q=${known}`, { route: "GET /lookup.json" }),
  ],
  "`/lookup`: a report id": [lookup(toReportId(1), 303)],
  "a page that waits for a code, each time it looks again": [
    get("/lookup.json?codes=here&q=2338823895", { route: "GET /lookup.json" }),
  ],
  "`/lookup`: text that six issues contain": [lookup("missing of the cart", 200)],
  "`/lookup`: a URL": [lookup("https://shop.example/cart", 303)],
  "`/releases/<name>`": [release("1.4.0", 200)],
  "`/releases/<name>` that is not listed": [release("9", 404)],
  "`/csp`": [get("/csp")],
  "`/csp` with a dry run": [get("/csp?policy=img-src", { route: "GET /csp" })],
  "`/csp` as JSON": [get("/csp.json"), post("/csp.json", {}, { status: 200 })],
  "`/scope`, completing a query": [
    get("/scope"),
    get("/issue-values.json?key=env", { route: "GET /issue-values.json" }),
  ],
  "`/live/socket`": [get("/live/socket", { status: 101 })],
  "`/connect`": [get("/connect")],
  "`/connect` before the first report": [get("/p/2/connect", { route: "GET /connect" })],
  "`/connect` as JSON": [get("/connect.json")],
  "`/source-maps`": [get("/source-maps")],
  "`/source-maps` as JSON; `/source-maps/<upload>`": [
    get("/source-maps.json"),
    get(`/source-maps/${UPLOAD}`, { route: "GET /source-maps/:id", status: 404 }),
  ],
  "`/status`": [get("/status")],
  "`/status` as JSON": [get("/status.json")],
  "`/profile`, `/settings`, `/settings/audit`": [
    get("/profile"),
    get("/settings"),
    get("/settings/audit"),
  ],
  "`/profile`, `/settings/audit` as JSON": [get("/profile.json"), get("/settings/audit.json")],
  "`/alerts`": [get("/alerts")],
  "`/alerts` as JSON": [get("/alerts.json")],
  "`/alerts/preferences`": [get("/alerts/preferences"), get("/alerts/preferences.json")],
  "`/alerts/act`, a link that has expired": [
    get(`/alerts/act?action=ignore&digest=${known}&until=1&signature=x`, {
      route: "GET /alerts/act",
      status: 404,
    }),
  ],
  "`/alerts/confirm-email`, a link that has expired": [
    get("/alerts/confirm-email?address=ada%40example.org&until=1&signature=x", {
      route: "GET /alerts/confirm-email",
      status: 404,
    }),
    post("/alerts/confirm-email?address=ada%40example.org&until=1&signature=x", "", {
      route: "POST /alerts/confirm-email",
      status: 404,
    }),
  ],
  "`/settings/alerts`": [get("/settings/alerts")],
  "`/settings/alerts` as JSON": [get("/settings/alerts.json")],
  "`/settings/trackers`, also as JSON": [get("/settings/trackers"), get("/settings/trackers.json")],
  "`/d/<digest>/tracker`": [get(`/d/${known}/tracker`, { route: "GET /d/:digest/tracker" })],
  "`/feeds/<token>` that is unknown": [
    get(`/feeds/${toReportId(1)}.atom`, { route: "GET /feeds/:token", status: 404 }),
  ],
  "`/e/<digest>`": [receipt(known)],
  "`/e/<digest>` that is unknown": [receipt(unknown)],
  "`/e/<digest>` that was merged": [receipt(merged)],
  "`/e/<digest>` as JSON": [receipt(`${known}.json`)],
  "`/e/<code>` of another framework": [receipt(ALIAS, { status: 302 })],
  "`/e/<digest>/confirm`, a link that has expired": [
    get(`/e/${known}/confirm?token=x`, { route: "GET /e/:digest/confirm", status: 404 }),
    post(`/e/${known}/confirm`, form({ token: "x" }), {
      route: "POST /e/:digest/confirm",
      status: 404,
    }),
  ],
  "`/export`": [get("/export")],
  "a page whose render fails": [
    get("/self-test/shell", { route: "GET /self-test/:kind", status: 500 }),
    get("/self-test/after-flush", { route: "GET /self-test/:kind" }),
  ],
  "`/sign-in`, `/device`, `/e/<digest>/tell`, `/deployment.json`, `/projects`, `/noise`, `/policies`, `/settings/data`, `/settings/alerts/<form>`, `/settings` as JSON; submitting a policy; choosing colors or what pages show":
    [
      get("/sign-in"),
      get(`/e/${known}/tell`, { route: "GET /e/:digest/tell", status: 302 }),
      get("/deployment.json", { status: 404 }),
      get("/settings/data"),
      get("/projects"),
      get("/projects.json"),
      get("/noise", { status: 301 }),
      get("/policies", { status: 301 }),
      get("/settings/alerts/rules", { route: "GET /settings/alerts/:form", status: 302 }),
      get("/settings.json"),
      post("/theme", form({ theme: "dark" })),
      post("/settings/repositories/editor", form({ editor: "vscode", root: "/shop" })),
      post("/scope", form({ period: "7d" })),
      post("/csp", form({ policy: "img-src" })),
      post("/profile/passkeys/options", {}, { status: 200 }),
      get("/device"),
      get("/lookup", { status: 303 }),
    ],
};

/** Changing requests, in an order in which each finds the data that it needs. */
const WRITE_REQUESTS: Readonly<Record<string, readonly PageRequest[]>> = {
  "sending reports": [
    post("/monitoring", event(1), { status: 200 }),
    post("/api/1/envelope/", envelope(91, "event", event(2)), { status: 200 }),
  ],
  "sending a test report": [post("/connect/test", ""), post("/self-test/injection", "")],
  "sending one report with a page token": [
    post(
      `/monitoring?t=${pageToken}`,
      { errata: 1, how: "uncaught", type: "TypeError", message: "no token" },
      { route: "POST /monitoring", status: 202 },
    ),
  ],
  "user feedback about an event": [
    post("/api/1/envelope/", envelope(92, "feedback", feedback(91)), { status: 200 }),
  ],
  "a comment on a receipt": [comment(known)],
  "a request to be told of a fix": [
    post(`/e/${known}/tell`, form({ address: "ada@example.org" }), {
      route: "POST /e/:digest/tell",
    }),
  ],
  "a decision, a comment, a merge, an undo": [
    postToIssue("state", known, form({ state: "archived" })),
    postToIssue("annotations", known, form({ comment: "Since Monday." })),
    post("/issues/state", form({ digest: known, do: "archive" })),
    post("/issues/state", `digest=${known}&digest=${into}&do=merge`),
    post("/undo", form({ undo: "0".repeat(32) })),
  ],
  "a saved view": [post("/saved-views", form({ name: "Mine", query: "cart", sort: "last" }))],
  "saving a repository": [
    post("/settings/repositories", form({ do: "save", url: "https://github.com/acme/shop" })),
  ],
  "ending a split by stack": [postToIssue("annotations", known, form({ groupTogether: "1" }))],
  "marking the inbox as read": [post("/alerts/read", form({ upTo: "m1" }))],
  "changes of a person's alerts": [
    post("/alerts/preferences", form({ do: "save", onlyAssigned: "on" })),
  ],
  "saving the repository of issues": [
    post("/settings/repositories", form({ do: "issues", repository: "acme/shop" })),
  ],
  "adding a tracker": [
    post(
      "/settings/trackers",
      form({ do: "save", kind: "github", project: "acme/shop", token: "ghp_0123456789" }),
      { status: 200 },
    ),
  ],
  "linking an issue to one of a tracker": [
    post(`/d/${known}/tracker`, form({ do: "link", url: "https://issues.example.com/1" }), {
      route: "POST /d/:digest/tracker",
    }),
  ],
  "a webhook of a tracker": [
    post(`/hooks/${toReportId(1)}`, {}, { route: "POST /hooks/:tracker", status: 404 }),
  ],
  "saving an alert rule": [
    post(
      "/settings/alerts/rules",
      form({ do: "save", name: "All", "on.regressed": "on", coolDownMs: "0" }),
    ),
  ],
  "adding a destination of alerts": [
    post(
      "/settings/alerts/destinations",
      form({ do: "save", name: "Shop", kind: "email", to: "ada@example.com" }),
    ),
  ],
  "sending an unknown message again": [
    post("/settings/alerts/again", { message: "m1" }, { status: 404 }),
  ],
  "testing an unknown destination": [
    post("/settings/alerts/test", { destination: "d1" }, { status: 404 }),
  ],
  "creating the address of a feed": [
    post("/settings/alerts/feeds", form({ do: "create", view: "Mine" }), { status: 200 }),
  ],
  "deleting an upload of source maps": [
    post(`/source-maps/${UPLOAD}/delete`, "", { route: "POST /source-maps/:id/delete" }),
  ],
  "changes on `/projects` and `/settings`": [
    post("/projects", form({ name: "Third" })),
    post("/settings", form({ do: "add-key", name: "web" })),
  ],
  "changes on `/settings` that show a secret once": [
    post("/settings", form({ do: "add-token", name: "ci", role: "viewer" }), { status: 200 }),
  ],
  "starting a passkey sign-in": [post("/sign-in/options", {}, { status: 200 })],
  "`/oauth/authorize`, a program that is not allowed": [
    get("/oauth/authorize?client_id=x&redirect_uri=x", {
      route: "GET /oauth/authorize",
      status: 400,
    }),
    post("/oauth/authorize", form({ request: "x" }), { status: 400 }),
  ],
  "`/device` with an unknown code": [
    get("/device?user_code=BBBB-BBBB", { route: "GET /device", status: 404 }),
    post("/device", form({ user_code: "BBBB-BBBB", decision: "deny" }), { status: 404 }),
  ],
  "`/oauth/token`, `/oauth/revoke`": [
    post(
      "/oauth/token",
      form({ grant_type: "refresh_token", client_id: "x", refresh_token: "x" }),
      { status: 400 },
    ),
    post("/oauth/revoke", form({ client_id: "x", token: "x" }), { status: 200 }),
  ],
  "`/oauth/device`": [post("/oauth/device", form({ client_id: "errata-cli" }), { status: 200 })],
  "changes on `/profile`; signing in with a code": [
    post("/profile", form({ do: "rename-person", name: "Ada" })),
    post("/sign-in", form({ code: "not one" }), { status: 403 }),
  ],
  "`/import`": [
    post("/import", exported.map((line) => JSON.stringify(line)).join("\n"), { status: 200 }),
  ],
  "erasing an issue": [postToIssue("erase", erased, form({ confirm: erased }))],
  "erasing a person or everything; rebuilding": [post("/rebuild", "")],
  "the preview of an erasure": [
    get(`/erase/${toReportId(7)}`, { route: "GET /erase/:id", status: 404 }),
  ],
  "previewing an erasure; confirming one whose preview has expired": [
    post("/erase/preview", form({ text: "ada@example.com" })),
    post("/erase", form({ preview: toReportId(7), confirm: "ada@example.com" })),
  ],
  "erasing a report": [postToIssue("erase", known, form({ report: toReportId(1) }))],
  "uploading a source map, as a member": [
    put("/source-maps?url=~/app.js.map", "PUT /source-maps"),
    put("/source-maps/app.js.map", "PUT /source-maps/:name{.+}"),
  ],
  "signing out": [post("/sign-out", "")],
};

/** All requests, by row. */
export const PAGE_REQUESTS: Readonly<Record<string, readonly PageRequest[]>> = {
  ...READ_REQUESTS,
  ...WRITE_REQUESTS,
};
