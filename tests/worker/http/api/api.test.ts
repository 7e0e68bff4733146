import { describe, expect, it } from "vitest";
import { API_PATH } from "#src/core/accounts/project-path.ts";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import { OPERATIONS } from "#src/operations/operations.ts";
import { createTestServices, openLimiters, type VisitOptions, visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { log, NOW_MS, projectStore } from "#support/store/store.ts";

const SAME_ORIGIN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };

async function call(path: string, init: VisitOptions = {}) {
  const { response, body } = await visit(API_PATH + path, {
    ...init,
    headers: { accept: "text/html", ...SAME_ORIGIN, ...init.headers },
  });
  return { response, status: response.status, json: body === "" ? null : JSON.parse(body) };
}

const send = (path: string, method: string, body?: object, headers: HeadersInit = {}) =>
  call(path, {
    method,
    body: body && JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

describe("the API", () => {
  it("has a route for each operation, and no two have the same", () => {
    expect(new Set(OPERATIONS.map(({ route }) => route)).size).toBe(OPERATIONS.length);
  });

  it("reads an issue with times in ISO 8601, whatever the client accepts", async () => {
    const { digest } = createReport(1);
    await log.append([createReport(1)]);
    const { response, json } = await call(`/issues/${digest}`);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(json).toMatchObject({ digest, firstSeen: expect.stringMatching(/^2026-\S+Z$/) });
    expect(JSON.stringify(json)).not.toMatch(/"\w+(?:Seen|At|asOf)Ms":/);
    expect(json.reports[0].occurredAt).toMatch(/Z$/);
  });

  it("answers the same read with 304", async () => {
    await log.append([createReport(1)]);
    const path = `/issues/${createReport(1).digest}`;
    const first = await call(path);
    const tag = first.response.headers.get("etag") ?? "";
    const again = await call(path, { headers: { "if-none-match": `"other", ${tag}` } });
    expect(again.status).toBe(304);
    expect(again.json).toBeNull();
    await log.append([createReport(2)]);
    expect((await call(path, { headers: { "if-none-match": tag } })).status).toBe(200);
  });

  it("answers the same list with 304, although the index answers later", async () => {
    await log.append([createReport(1)]);
    const later = NOW_MS + 5_000;
    const listIssues: typeof projectStore.listIssues = async (...asked) => {
      return { ...(await projectStore.listIssues(...asked)), asOfMs: later };
    };
    const first = await call("/issues");
    const tag = first.response.headers.get("etag") ?? "";
    const services = { projectStore: { ...projectStore, listIssues } };
    expect((await call("/issues", { services })).json.asOf).toBe(new Date(later).toISOString());
    const headers = { "if-none-match": tag };
    expect((await call("/issues", { services, headers })).status).toBe(304);
    expect((await call("/issues?sort=first", { services, headers })).status).toBe(200);
  });

  it("links the next page of a list", async () => {
    const reports = Array.from({ length: 60 }, (_, n) => {
      return {
        ...createReport(n + 100),
        message: `fault ${n}`,
        digest: digestFromHash(new Uint8Array(32).fill(n)),
      };
    });
    await log.append(reports);
    const seen = new Set<string>();
    let path: string | undefined = "/issues";
    for (let pages = 0; path !== undefined && pages < 10; pages++) {
      const { response, json }: Awaited<ReturnType<typeof call>> = await call(path);
      for (const { digest } of json.issues) {
        expect(seen.has(digest)).toBe(false);
        seen.add(digest);
      }
      const link: string = response.headers.get("link") ?? "";
      path = /<\/api\/v1([^>]+)>; rel="next"/.exec(link)?.[1];
    }
    expect([...seen]).toEqual(expect.arrayContaining(reports.map(({ digest }) => digest)));
  });

  it("changes an issue, and undoes the change", async () => {
    const { digest } = createReport(1);
    await log.append([createReport(1)]);
    const resolved = await send(`/issues/${digest}/decision`, "PUT", { state: "resolved" });
    expect(resolved).toMatchObject({ status: 200, json: { digest, state: "resolved" } });
    const undone = await send(`/changes/${resolved.json.change}/undo`, "POST");
    expect(undone.status).toBe(200);
    expect((await call(`/issues/${digest}`)).json.state).toBe("open");
  });

  it("adds a comment once, however often it is sent with the same key", async () => {
    const { digest } = createReport(1);
    await log.append([createReport(1)]);
    for (const key of ["a", "a", "b"]) {
      const body = { comment: `the price is missing: ${key}` };
      await send(`/issues/${digest}/comments`, "POST", body, { "idempotency-key": key });
    }
    const { json } = await call(`/issues/${digest}`);
    const { activity }: { activity: { action: string }[] } = json.annotations;
    expect(activity.filter(({ action }) => action === "commented")).toHaveLength(2);
  });
});

describe("a failure of the API", () => {
  it.each([
    ["GET", "/nothing", 404, "not-found"],
    ["GET", "/issues/AAAA-AAAA", 400, "bad-request"],
    ["GET", `/issues/${digestFromHash(new Uint8Array(32).fill(250))}`, 404, "unknown-digest"],
    ["DELETE", "/issues", 405, "method-not-allowed"],
    ["GET", "/issues?sort=colour", 400, "bad-request"],
    ["GET", "/issues?qery=is:open", 400, "unknown-parameter"],
    ["GET", "/issues?sort=last&sort=first", 400, "bad-request"],
    ["GET", "/issues?__proto__=1", 400, "unknown-parameter"],
    ["GET", "/issues?constructor=1", 400, "unknown-parameter"],
  ])("is problem details: %s %s", async (method, path, status, reason) => {
    const { response, json } = await call(path, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(json).toMatchObject({ type: `urn:errata:${reason}`, status, reason });
    expect(json.detail).toMatch(/\.$/);
  });

  it("names the methods that a resource has", async () => {
    const { response } = await call("/issues", { method: "DELETE" });
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  it.each([
    [{ state: "resolved", colour: "red" }, "unknown-parameter"],
    [{ state: "vanished" }, "bad-request"],
    [{ state: "resolved", release: "" }, "bad-request"],
    [{ state: "resolved", release: " " }, "bad-request"],
    [[], "bad-request"],
  ])("says what the body should be, and quotes nothing of it: %o", async (body, reason) => {
    const { digest } = createReport(1);
    await log.append([createReport(1)]);
    const { status, json } = await send(`/issues/${digest}/decision`, "PUT", body);
    expect(status).toBe(400);
    expect(json.reason).toBe(reason);
    expect(JSON.stringify(json)).not.toMatch(/colour|vanished/);
  });

  it("is a body of another media type", async () => {
    const headers = { "content-type": "text/plain" };
    const { status } = await send("/issues/7F3K-Q2M9/decision", "PUT", { state: "open" }, headers);
    expect(status).toBe(415);
  });

  it("is a limit of requests, with the time to wait", async () => {
    const limiters = { ...openLimiters, api: async () => false };
    const { response } = await call("/issues", { services: { limiters } });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
  });

  it("is a request of another site, even with local access", async () => {
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const { status, json } = await call("/issues", { headers });
    expect(status).toBe(403);
    expect(json.reason).toBe("cross-site");
  });
});

describe("a request that is not as documented", () => {
  it.each([
    ["OPTIONS", "/issues", 405, "GET, HEAD"],
    ["POST", "/issues", 405, "GET, HEAD"],
    ["GET", "/policies/trials", 405, "POST"],
    ["PATCH", "/alerts/rules/a", 405, "PUT, DELETE"],
    ["GET", "/issues/", 404, null],
    ["GET", "/unknown", 404, null],
    ["GET", "/", 404, null],
  ])("%s %s: %i, and the methods that it has", async (method, path, status, allow) => {
    const { response, json } = await call(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([status, allow]);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(json.type).toBe(`urn:errata:${json.reason}`);
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });

  it("HEAD has the headers of GET", async () => {
    const [head, get] = [await call("/issues", { method: "HEAD" }), await call("/issues")];
    expect([head.status, head.response.headers.get("etag")]).toEqual([
      200,
      get.response.headers.get("etag"),
    ]);
  });

  it("any answer is the one that If-None-Match: * names", async () => {
    expect((await call("/issues", { headers: { "if-none-match": "*" } })).status).toBe(304);
  });

  it.each([
    ["shop%401.4.2", "shop@1.4.2"],
    ["web%2F1.4", "web/1.4"],
    ["web/1.4", "web/1.4"],
    ["50%25", "50%"],
    ["%zz", "%zz"],
  ])("the name %s in a path is %s", async (path, name) => {
    const { status, json } = await send(`/releases/${path}`, "PUT", { commits: [] });
    expect([status, json.facts?.version]).toEqual([200, name]);
  });

  it("a parameter twice is refused", async () => {
    const { status, json } = await call("/issues?sort=last&sort=first");
    expect([status, json.reason]).toEqual([400, "bad-request"]);
  });
});

it("the audit log has its pages as a cursor and as a link", async () => {
  const { registry } = createTestServices({ waitUntil: () => undefined });
  const count = limits.auditEntriesPerPage;
  const entries = Array.from({ length: count }, (_, n) => {
    return { sequence: 1_000 - n, atMs: NOW_MS, action: "add-key" };
  });
  const listAuditEntries = async (_: string, before?: number) =>
    before === undefined ? entries : [];
  const services = { registry: { ...registry, listAuditEntries } };
  const { response, json } = await call("/audit", { services });
  expect(json.next).toBe(`${1_001 - count}`);
  const [, next = ""] =
    /^<\/api\/v1([^>]*)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  const second = await call(next, { services });
  expect([second.json.entries, second.json.next]).toEqual([[], undefined]);
});
