/**
 * Every way into Errata whose calls are counted: by the row of `src/README.md` § What a page costs that says what it costs, and by
 * the route of the router. Ways of one row cost the same.
 */
import { digestFromHash } from "../../src/core/digest.ts";
import { aReport, reportId } from "./reports.ts";

/** One request, by somebody who is signed in. */
export interface Way {
  /** Of the router: `GET /d/:digest`. */
  readonly route: string;
  readonly path: string;
  readonly status: number;
  /** What is posted: a text as a form, anything else as JSON. */
  readonly body?: string | object;
  readonly accept?: string;
  /** So much later than its report came. */
  readonly laterMs?: number;
}

const digestOf = (n: number) => digestFromHash(Uint8Array.of(n, 0, 0, 0, 0));
/** The issues that there are, and two that there are not. */
export const DIGESTS = {
  known: digestOf(1),
  twoSides: digestOf(2),
  uncopied: digestOf(3),
  into: digestOf(4),
  merged: digestOf(5),
  violation: digestOf(6),
  erased: digestOf(7),
  many: digestOf(8),
  unknown: digestOf(9),
} as const;
/** What a framework showed in the place of a digest: it leads to `DIGESTS.known` alone. */
export const ALIAS = "2338823894";

const { known, twoSides, uncopied, into, merged, erased, many, unknown } = DIGESTS;
/** One character is another; it may have been any of the eight. */
const misread = `${known.slice(0, -1)}Z`;
const LATER_MS = 7_200_000;
const form = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`;
const exported = [
  { errata: 1, project: "1", exportedAt: "2026-11-21T00:00:00.000Z" },
  aReport(80),
  { end: 1, lines: 1 },
];
const envelope = (id: number, type: "event" | "feedback", item: object) =>
  [{ event_id: reportId(id) }, { type }, item].map((line) => JSON.stringify(line)).join("\n");
const event = (n: number) => ({ exception: { values: [{ type: "TypeError", value: `no ${n}` }] } });
const words = (n: number) => ({
  contexts: { feedback: { message: "It broke.", associated_event_id: reportId(n) } },
});

function get(path: string, over: Partial<Way> = {}): Way {
  return { route: `GET ${path}`, path, status: 200, ...over };
}

function post(path: string, body: string | object, over: Partial<Way> = {}): Way {
  return { route: `POST ${path}`, path, body, status: 303, ...over };
}

const issue = (code: string, over: Partial<Way> = {}) =>
  get(`/d/${code}`, { route: "GET /d/:digest", ...over });
const receipt = (code: string, over: Partial<Way> = {}) =>
  get(`/e/${code}`, { route: "GET /e/:digest", ...over });
const lookup = (q: string, status: number) =>
  get(`/lookup?${form({ q })}`, { route: "GET /lookup", status });
const release = (name: string, status: number) =>
  get(`/releases/${name}`, { route: "GET /releases/:name{.+}", status });
const ofIssue = (what: string, digest: string, body: string) =>
  post(`/d/${digest}/${what}`, body, { route: `POST /d/:digest/${what}` });
const comment = (digest: string) =>
  post(`/e/${digest}`, form({ comment: "It broke." }), { route: "POST /e/:digest" });

/** What reads: in whatever order, it costs the same. */
const READING: Readonly<Record<string, readonly Way[]>> = {
  "`/`": [get("/")],
  "`/live`, `/releases`, `/self-test`": [get("/live"), get("/releases"), get("/self-test")],
  "`/issues`": [get("/issues")],
  "`/issues` where nothing matches": [get("/issues?q=nowhere", { route: "GET /issues" })],
  "`/issues` by a tag that no issue has": [get("/issues?q=tag.no:1", { route: "GET /issues" })],
  "`/`, `/issues`, `/live`, `/releases` as JSON": [
    get("/", { accept: "application/json" }),
    get("/issues.json"),
    get("/live.json"),
    get("/releases.json"),
  ],
  "`/d/<digest>`": [issue(known)],
  "… when the hour of its report ended ten minutes ago": [issue(known, { laterMs: LATER_MS })],
  "… with reports of server and browser": [issue(twoSides)],
  "… that is not copied yet": [issue(uncopied)],
  "… that was merged": [issue(merged, { status: 302 })],
  "… that is unknown": [issue(unknown, { status: 404 })],
  "… that was misread": [issue(misread, { status: 404 }), lookup(misread, 404)],
  "`/d/<digest>` as JSON": [issue(`${known}.json`)],
  "… with ten reports of hours that ended ten minutes ago": [
    issue(`${many}.json`, { laterMs: LATER_MS }),
  ],
  "`/d/<digest>` as Markdown; a file of it": [
    issue(`${known}.md`),
    get(`/d/${known}/files/0`, { route: "GET /d/:digest/files/:n" }),
  ],
  "a code that leads to an issue": [issue(ALIAS, { status: 302 })],
  "`/lookup` of a digest or of a code": [
    lookup(known, 303),
    lookup(ALIAS, 303),
    get(`/lookup.json?q=${known}`, { route: "GET /lookup.json" }),
  ],
  "`/lookup` of a report's id": [lookup(reportId(1), 303)],
  "`/lookup` of words that six issues have": [lookup("missing of the cart", 200)],
  "`/lookup` of an address": [lookup("https://shop.example/cart", 303)],
  "`/releases/<name>`": [release("1.4.0", 200)],
  "… that is not listed": [release("9", 404)],
  "`/policies`": [get("/policies")],
  "… with a trial": [get("/policies?policy=img-src", { route: "GET /policies" })],
  "`/policies` as JSON": [get("/policies.json"), post("/policies.json", {}, { status: 200 })],
  "`/live/socket`": [get("/live/socket", { status: 101 })],
  "`/connect`": [get("/connect")],
  "… while nothing has come": [get("/p/2/connect", { route: "GET /connect" })],
  "`/connect` as JSON": [get("/connect.json")],
  "`/status`": [get("/status")],
  "`/status` as JSON": [get("/status.json")],
  "`/me`, `/settings`, `/settings/audit`": [get("/me"), get("/settings"), get("/settings/audit")],
  "`/me`, `/settings/audit` as JSON": [get("/me.json"), get("/settings/audit.json")],
  "`/e/<digest>`": [receipt(known)],
  "… whose snapshot is not there": [receipt(uncopied)],
  "… that nobody has reported": [receipt(unknown)],
  "… that counts elsewhere": [receipt(merged)],
  "`/e/<digest>` as JSON": [receipt(`${known}.json`)],
  "`/e/<code>` of another framework": [receipt(ALIAS, { status: 302 })],
  "`/export`": [get("/export")],
  "a render that fails": [
    get("/self-test/shell", { route: "GET /self-test/:kind", status: 500 }),
    get("/self-test/after-flush", { route: "GET /self-test/:kind" }),
  ],
  "`/enter`, `/projects`, `/noise`, `/settings` as JSON; to try a policy; to choose colours": [
    get("/enter"),
    get("/projects"),
    get("/projects.json"),
    get("/noise", { status: 301 }),
    get("/settings.json"),
    post("/theme", form({ theme: "dark" })),
    post("/policies", form({ policy: "img-src" })),
    post("/me/passkeys/options", {}, { status: 200 }),
    get("/lookup", { status: 303 }),
  ],
};

/** What changes something, in an order in which each finds what it needs. */
const CHANGING: Readonly<Record<string, readonly Way[]>> = {
  "reports in": [
    post("/monitoring", event(1), { status: 200 }),
    post("/api/1/envelope/", envelope(91, "event", event(2)), { status: 200 }),
  ],
  "what somebody wrote about an event": [
    post("/api/1/envelope/", envelope(92, "feedback", words(91)), { status: 200 }),
  ],
  "a comment on a receipt": [comment(known)],
  "a decision, a comment, a merge, a saved view": [
    ofIssue("state", known, form({ state: "muted" })),
    ofIssue("notes", known, form({ comment: "Since Monday." })),
    post("/issues/state", form({ digest: known, do: "mute" })),
    post("/issues/state", `digest=${known}&digest=${into}&do=merge`),
    post("/views", form({ name: "Mine", query: "cart", sort: "last" })),
  ],
  "what `/projects` and `/settings` change": [
    post("/projects", form({ name: "Third" })),
    post("/settings", form({ do: "add-key", name: "web" })),
  ],
  "… with something to be shown once": [
    post("/settings", form({ do: "add-token", name: "ci", role: "viewer" }), { status: 200 }),
  ],
  "to begin with a passkey": [post("/enter/options", {}, { status: 200 })],
  "what `/me` changes; to enter by a code": [
    post("/me", form({ do: "rename-me", name: "Ada" })),
    post("/enter", form({ code: "not one" }), { status: 403 }),
  ],
  "`/import`": [
    post("/import", exported.map((line) => JSON.stringify(line)).join("\n"), { status: 200 }),
  ],
  "to erase an issue, a person or everything; to rebuild": [
    ofIssue("erase", erased, form({ confirm: erased })),
    post("/erase", form({ person: "ada@example.com" })),
    post("/rebuild", ""),
  ],
  "to erase a report": [ofIssue("erase", known, form({ report: reportId(1) }))],
  "to leave": [post("/leave", "")],
};

/** All of them, by row. */
export const WAYS: Readonly<Record<string, readonly Way[]>> = { ...READING, ...CHANGING };
