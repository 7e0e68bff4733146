// The calls of each tracker, over HTTP to services that refuse what the real ones refuse.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { toProofText, toTrackerDraft } from "#src/core/trackers/draft.ts";
import type { Exchange } from "#src/core/trackers/tracker-kind.ts";
import {
  toAtlassianDocument,
  toTrackerMarkdown,
  toWikiMarkup,
} from "#src/core/trackers/tracker-text.ts";
import { getTrackerKind } from "#src/core/trackers/trackers.ts";
import { runExchange } from "#src/store/alerts/trackers/run-exchange.ts";
import { createTracker, FakeTrackers, KINDS, TOKEN } from "#support/trackers/fake-trackers.ts";
import { serveTrackers, type TrackerServer } from "#support/trackers/tracker-server.ts";

const NOW_MS = Date.UTC(2026, 10, 30);
const ID = "5f1c1d3e-7b3a-4a51-9f0e-2d1c3b4a5f60";
const HOSTILE =
  '@all Fixes #1 closes acme/shop#2 ```\n/close\n![x](https://evil.example/x.png) {noformat} <img src=x> \u202e "}) { teams } [link](https://evil.example)';

const ISSUE = {
  digest: "7F3K-Q2M9",
  type: "TypeError",
  message: HOSTILE,
  culprit: "pay · src/`cart`.ts",
  release: "1.4.2",
  firstRelease: "1.4.0",
  count: 12,
};
const draft = toTrackerDraft(ISSUE, "https://errata.example/d/7F3K-Q2M9", ID);
const comment = toProofText(
  "7F3K-Q2M9",
  {
    release: "`1.4.2` @all",
    since: { reports: 0, sessions: 4_102 },
    before: { reports: 31, sessions: 1_000 },
  },
  "https://errata.example/d/7F3K-Q2M9",
  ID,
);

let trackers = new FakeTrackers();
let server: TrackerServer;
const current = { respond: (request: Request) => trackers.respond(request) } as FakeTrackers;

beforeAll(async () => {
  server = await serveTrackers(current);
});
afterAll(() => server.stop());
beforeEach(() => {
  trackers = new FakeTrackers();
});

function call<T>(kind: (typeof KINDS)[number], exchange: Exchange<T>, over = {}) {
  return runExchange(createTracker(kind, server.origin, over), exchange, {
    allowedTargets: [server.target],
    fetch,
    nowMs: () => NOW_MS,
  });
}

describe.each(KINDS)("%s", (name) => {
  const kind = getTrackerKind(name);
  const tracker = () => createTracker(name, server.origin);

  it("knows the project that the token can read", async () => {
    expect(await call(name, kind.check(tracker()))).toMatchObject({ ok: true });
    trackers.token = "another token";
    const refused = await call(name, kind.check(tracker()));
    expect(refused).toMatchObject({ ok: false, reason: "refused" });
    expect(JSON.stringify(refused)).toContain("(401)");
    expect(JSON.stringify(refused)).not.toContain(TOKEN);
  });

  it("creates an issue with the digest in its title, which is found again", async () => {
    expect(await call(name, kind.find(tracker(), draft))).toEqual({ ok: true, value: undefined });
    const created = await call(name, kind.create(tracker(), draft));
    expect(created).toMatchObject({ ok: true, value: { state: "open" } });
    const { title } = trackers.only(name);
    expect(title).toMatch(/^TypeError: .* \(7F3K-Q2M9\)$/);
    expect(await call(name, kind.find(tracker(), draft))).toEqual(created);
    const other = { ...draft, id: "00000000-0000-4000-8000-000000000000" };
    expect(await call(name, kind.find(tracker(), other))).toEqual({ ok: true, value: undefined });
  });

  it("closes and reopens it, also twice, and reads its state", async () => {
    const created = await call(name, kind.create(tracker(), draft));
    const item = created.ok ? created.value.item : "";
    for (const state of ["closed", "closed", "open"] as const) {
      expect(await call(name, kind.setState(tracker(), item, state))).toMatchObject({ ok: true });
      expect(trackers.only(name).isOpen).toBe(state === "open");
      expect(await call(name, kind.read(tracker(), item))).toEqual({ ok: true, value: state });
    }
  });

  it("adds a comment, which is found again", async () => {
    const created = await call(name, kind.create(tracker(), draft));
    const item = created.ok ? created.value.item : "";
    const sent = { ...comment, sinceMs: NOW_MS };
    expect(await call(name, kind.hasComment(tracker(), item, sent))).toEqual({
      ok: true,
      value: false,
    });
    expect(await call(name, kind.comment(tracker(), item, comment))).toMatchObject({ ok: true });
    expect(await call(name, kind.hasComment(tracker(), item, sent))).toEqual({
      ok: true,
      value: true,
    });
    expect(JSON.stringify(trackers.only(name).comments)).toContain("0 in 4,102 sessions of ");
    expect(JSON.stringify(trackers.only(name).comments)).toContain("before 3.1 %");
  });

  it("shows no part of a token that the service repeats, wherever the answer is cut", async () => {
    const credential = btoa(`ada@errata.example:${TOKEN}`);
    for (const n of [0, 170, 180, 190]) {
      const answer = (request: Request) => {
        const { authorization = "" } = Object.fromEntries(request.headers);
        const said = `${"x".repeat(n)} ${TOKEN} ${authorization}`;
        const errors = [{ message: said, extensions: { userPresentableMessage: said } }];
        return Response.json({ message: said, errors }, { status: name === "linear" ? 200 : 400 });
      };
      trackers.respond = async (request) => answer(request);
      const refused = await call(name, kind.check(tracker()), { email: "ada@errata.example" });
      expect(refused).toMatchObject({ ok: false });
      const detail = JSON.stringify(refused);
      expect(detail).not.toContain(TOKEN.slice(0, 4));
      expect(detail).not.toContain(credential.slice(0, 4));
    }
  });

  it("says that an issue does not exist", async () => {
    const missing = { github: "99", gitlab: "99", linear: "ENG-99", jira: "SHOP-99" }[name];
    expect(await call(name, kind.read(tracker(), missing))).toMatchObject({ reason: "refused" });
  });

  it.each([
    ["fails", new Response("", { status: 502 }), { reason: "unavailable" }],
    ["drops the connection", Response.error(), { reason: "unavailable" }],
    ["sends a page of a proxy", new Response("<html>", { status: 200 }), { reason: "unavailable" }],
    [
      "redirects",
      new Response("", { status: 302, headers: { location: "https://evil.example" } }),
      { reason: "refused" },
    ],
    [
      "asks to wait",
      new Response("{}", { status: 429, headers: { "retry-after": "90" } }),
      { reason: "unavailable", retryAfterMs: 90_000 },
    ],
    [
      "has reached a limit",
      new Response("{}", {
        status: 403,
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW_MS / 1_000 + 60) },
      }),
      { reason: "unavailable", retryAfterMs: 60_000 },
    ],
    ["refuses the text", new Response("{}", { status: 422 }), { reason: "refused" }],
  ])("that %s is told from one that refuses", async (_, response, expected) => {
    trackers.plan = () => response.clone();
    expect(await call(name, kind.create(tracker(), draft))).toMatchObject(expected);
    expect(trackers.received).toHaveLength(1);
  });

  it("is not called at an address that Errata may not call", async () => {
    const target = { allowedTargets: [], fetch, nowMs: () => NOW_MS };
    const result = await runExchange(tracker(), kind.check(tracker()), target);
    expect(result).toMatchObject({ ok: false, reason: "refused" });
    expect(trackers.received).toHaveLength(0);
  });

  it("gets no reported text outside of code", async () => {
    await call(name, kind.create(tracker(), draft));
    const { body, title } = trackers.only(name);
    // A title is plain text, in which nothing is a mention, a reference or a link.
    expect(title).not.toMatch(/@all|#1\b|https:\/\/evil|\u202e|`/);
    const text = typeof body === "string" ? body : "";
    if (name !== "jira") {
      const [fence = ""] = /^`{3,}/.exec(text) ?? [];
      const end = text.lastIndexOf(`\n${fence}\n`);
      expect(text.slice(end + fence.length + 2)).toBe(
        `\nErrata: [7F3K-Q2M9](https://errata.example/d/7F3K-Q2M9)\n\n<!-- errata 7F3K-Q2M9 ${ID} -->`,
      );
      expect(text.slice(fence.length, end)).not.toContain(fence);
    } else {
      const { content } = body as { content: { type: string; content: unknown[] }[] };
      expect(content.map(({ type }) => type)).toEqual(["codeBlock", "paragraph"]);
      expect(JSON.stringify(content[1])).not.toContain("evil");
    }
  });
});

describe("Jira Data Center", () => {
  const over = { email: undefined };
  const kind = getTrackerKind("jira");

  it("gets wiki markup in which reported text ends no block", async () => {
    const tracker = createTracker("jira", server.origin, over);
    expect(await call("jira", kind.create(tracker, draft), over)).toMatchObject({ ok: true });
    expect(trackers.received[0]?.path).toBe("/jira/rest/api/2/issue");
    const text = String(trackers.only("jira").body);
    expect(text.match(/\{noformat\}/g)).toHaveLength(2);
    expect(text.endsWith(`Errata: [7F3K-Q2M9|https://errata.example/d/7F3K-Q2M9#${ID}]`)).toBe(
      true,
    );
    expect(await call("jira", kind.find(tracker, draft), over)).toMatchObject({
      ok: true,
      value: { item: "SHOP-1" },
    });
  });
});

describe("the texts", () => {
  it("have a release only in code", () => {
    expect(toTrackerMarkdown(comment)).toContain("sessions of `` `1.4.2` @all ``; before 3.1 %.");
    expect(toWikiMarkup(comment)).toContain("sessions of {noformat}`1.4.2` @all{noformat};");
    expect(JSON.stringify(toAtlassianDocument(comment))).toContain(
      '{"type":"text","text":"`1.4.2` @all","marks":[{"type":"code"}]}',
    );
  });

  it("have no data of requests", () => {
    const route = { ...ISSUE, route: "POST /secret-route", environment: "secret-environment" };
    expect(JSON.stringify(toTrackerDraft(route, "", ID))).not.toContain("secret-");
  });
});

afterEach(() => {
  for (const { headers, path } of trackers.received) {
    expect(path).not.toContain(TOKEN);
    expect(headers.get("cookie")).toBeNull();
  }
});
