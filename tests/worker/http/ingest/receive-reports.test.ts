import { afterEach, describe, expect, it, vi } from "vitest";
import { limits } from "#src/core/limits.ts";
import { openLimiters, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { projectStore } from "#support/store/store.ts";

afterEach(() => emptyStore());

const post = (body: BodyInit, init: RequestInit = {}, path = "/monitoring") =>
  visit(path, { method: "POST", body, ...init });

const EVENT_ID = "5aaeee40d56b46ecbfb342d868e140ef";
const event = JSON.stringify({
  event_id: EVENT_ID,
  platform: "javascript",
  exception: { values: [{ type: "TypeError", value: "click handler exploded" }] },
});
const envelope = `{"event_id":"${EVENT_ID}"}\n{"type":"event"}\n${event}\n`;
const next = JSON.stringify({
  error: {
    name: "Error",
    message: "no price for 42",
    digest: "2338823894",
    stack: "Error: no price for 42",
  },
  request: { path: "/cart", method: "GET", headers: {} },
  context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
});
const csp = {
  type: "csp-violation",
  age: 10,
  url: "https://shop.example/",
  user_agent: "Mozilla/5.0",
  body: {
    effectiveDirective: "script-src-elem",
    blockedURL: "inline",
    documentURL: "https://shop.example/",
  },
};
const reporter = JSON.stringify({
  errata: 1,
  id: "00000000000000000000000000000abc",
  how: "uncaught",
  type: "TypeError",
  message: "x is undefined",
  url: "https://shop.example/",
  at: Date.UTC(2026, 10, 21, 17, 29, 0),
});

describe("every kind of report gets its own 2xx status and is stored", () => {
  const CASES = [
    { name: "a Sentry envelope", body: envelope, status: 200, json: { id: EVENT_ID } },
    { name: "a Next.js onRequestError body", body: next, status: 202 },
    { name: "an upload of the Reporting API", body: JSON.stringify([csp]), status: 204 },
    { name: "a single report of the Reporting API", body: JSON.stringify(csp), status: 204 },
    {
      name: "a legacy CSP report",
      body: JSON.stringify({
        "csp-report": {
          "effective-directive": "img-src",
          "blocked-uri": "https://cdn.example/a.png",
        },
      }),
      status: 204,
    },
    { name: "a report of Errata's own reporter", body: reporter, status: 202 },
  ];

  it.each(CASES)("$name", async ({ body, status, json }) => {
    const { response, body: responseBody } = await post(body, {
      headers: { "content-type": "text/plain" },
    });
    expect(response.status).toBe(status);
    if (json) expect(JSON.parse(responseBody)).toEqual(json);
    const digest = /digest="([^"]+)"/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
    expect(await projectStore.getFreshIssue(digest)).toMatchObject({ count: 1 });
  });

  it("a report that is sent again gets the same status and counts once", async () => {
    // These have neither an id nor a time: two of them may be two failures.
    const withoutId = ["a Next.js onRequestError body", "a legacy CSP report"];
    for (const { body, status } of CASES.filter(({ name }) => !withoutId.includes(name))) {
      expect((await post(body)).response.status).toBe(status);
      expect((await post(body)).response.headers.get("errata-outcome")).toContain(";duplicate");
    }
    const { issues } = await projectStore.listNewestIssues();
    expect(issues.map(({ count }) => count)).toEqual(issues.map(() => 1));
  });

  it("a retry in the next time interval gets the id of the stored report", async () => {
    // The test's clock is on a border of every interval.
    const send = (age: number) => post(JSON.stringify({ ...csp, age }));
    const firstOutcome = (await send(300)).response.headers.get("errata-outcome") ?? "";
    const secondOutcome = (await send(-300)).response.headers.get("errata-outcome") ?? "";
    const findId = (outcome: string) => /id="([0-9a-f]{32})"/.exec(outcome)?.[1] ?? "";
    expect(secondOutcome).toContain(";duplicate");
    expect(findId(secondOutcome)).toBe(findId(firstOutcome));
    expect(await projectStore.locateReport(findId(secondOutcome))).not.toBeNull();
  });

  it("a session envelope, the first request of a browser SDK, is counted and not stored", async () => {
    const { response } = await post('{}\n{"type":"session"}\n{"sid":"1"}\n');
    expect(response.status).toBe(200);
    expect(response.headers.get("errata-outcome")).toContain('counted;item="session"');
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });
});

describe("a report of a removed security feature", () => {
  it.each(["expect-ct-report", "expect-staple-report"])(
    "is counted, at Sentry’s path: %s",
    async (name) => {
      const { response } = await post(
        JSON.stringify({ [name]: { hostname: "shop.example", port: 443 } }),
        { headers: { "content-type": `application/${name}+json` } },
        `/api/1/security/?sentry_key=${testConfig.ingestKey}`,
      );
      expect(response.status).toBe(204);
      expect(response.headers.get("errata-outcome")).toBe(`counted;item="${name}"`);
    },
  );
});

describe("an invalid or oversized body gets a 4xx that states the expected format", () => {
  const tooLarge = "x".repeat(limits.maxBodyBytes + 1);
  it.each([
    { name: "an empty body", body: "", status: 400, says: "empty" },
    { name: "text", body: "hello", status: 400, says: "Sentry envelope" },
    { name: "JSON of an unknown format", body: '{"a":1}', status: 400, says: "Sentry envelope" },
    { name: "broken JSON", body: '{"csp-report":', status: 400, says: "Expected" },
    {
      name: "more bytes than the limit",
      body: tooLarge,
      status: 413,
      says: `${limits.maxBodyBytes} bytes`,
    },
  ])("$name", async ({ body, status, says: text }) => {
    const { response, body: responseBody } = await post(body);
    expect(response.status).toBe(status);
    expect(JSON.parse(responseBody).detail).toContain(text);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("the valid reports of an invalid body are stored", async () => {
    const { response, body } = await post(JSON.stringify([csp, "no report"]));
    expect(response.status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ acceptedCount: 1 });
    expect((await projectStore.listNewestIssues()).total).toBe(1);
  });

  it("no response echoes the body", async () => {
    for (const body of ['{"a":"s3cret"}', "s3cret", '{}\n{"type":"event","length":5}\ns3cret']) {
      expect((await post(body)).body).not.toContain("s3cret");
    }
  });
});

describe("the ingest endpoint does not harm the page that sends reports", () => {
  it("an unavailable log causes 503 with Retry-After, and other responses have no Retry-After", async () => {
    const unavailableWriter = { append: () => Promise.reject(new Error("down")) };
    const { response } = await visit("/monitoring", {
      method: "POST",
      body: envelope,
      services: { reportWriter: unavailableWriter },
    });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect((await post("nonsense")).response.headers.get("retry-after")).toBeNull();
    expect((await post(envelope)).response.headers.get("retry-after")).toBeNull();
  });

  it.each(["GET", "HEAD", "PUT", "DELETE", "PATCH"])(
    "%s is a 405 with the allowed methods",
    async (method) => {
      const { response } = await visit("/monitoring", { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    },
  );

  it("the script of an older deployment is that of this one, also on other origins", async () => {
    const { response } = await visit("/monitoring/errata-3f9c0a51b2d4.js");
    expect([response.status, response.headers.get("location")]).toEqual([302, "errata.js"]);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect((await visit("/monitoring/shop.js")).response.status).toBe(405);
  });

  it("a preflight allows cross-origin uploads", async () => {
    const { response } = await visit("/monitoring", { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toContain("content-type");
  });

  it("it is open on any host, unlike the desk", async () => {
    const { response } = await visit("/monitoring", {
      method: "POST",
      body: envelope,
      origin: "https://errata.example",
    });
    expect(response.status).toBe(200);
  });
});

describe("an envelope for a DSN: /api/<project>/envelope/ with the project's key", () => {
  const withKey = (key: string, project = "1") =>
    post(envelope, {}, `/api/${project}/envelope/?sentry_version=7&sentry_key=${key}`);

  it("is accepted with the key in the query or in X-Sentry-Auth", async () => {
    const key = testConfig.ingestKey ?? "";
    expect((await withKey(key)).response.status).toBe(200);
    const headers = { "x-sentry-auth": `Sentry sentry_version=7, sentry_key=${key}` };
    expect((await post(envelope, { headers }, "/api/1/envelope/")).response.status).toBe(200);
  });

  it("is refused with 401 for a wrong key and for another project", async () => {
    expect((await withKey("0".repeat(32))).response.status).toBe(401);
    expect((await withKey(testConfig.ingestKey ?? "", "2")).response.status).toBe(401);
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });
});

describe("an SDK learns which categories are not stored", () => {
  it("from X-Sentry-Rate-Limits on the 200; errors and sessions are not among them", async () => {
    const { response } = await post(envelope);
    const limited = response.headers.get("x-sentry-rate-limits") ?? "";
    expect(limited).toMatch(/^3600:[a-z_;]+:organization:not_kept$/);
    const categories = limited.split(":")[1]?.split(";");
    expect(categories).toEqual(
      expect.arrayContaining(["transaction", "span", "replay", "profile"]),
    );
    for (const kept of ["error", "session", "feedback", "attachment"]) {
      expect(categories).not.toContain(kept);
    }
  });
});

describe("the path, the project and the key of a request", () => {
  const key = testConfig.ingestKey ?? "";

  it.each([
    { name: "the project in the path", path: "/monitoring/1", status: 200 },
    { name: "another project", path: "/monitoring/2", status: 401 },
    { name: "a project that is not a number", path: "/api/shop/envelope/", status: 401 },
    { name: "a DSN with a path", path: `/_errata/api/1/envelope/?sentry_key=${key}`, status: 200 },
    { name: "doubled slashes", path: `/api//1//envelope//?sentry_key=${key}`, status: 200 },
    { name: "no key if one is required", path: "/api/1/envelope/", status: 401 },
    {
      name: "a wrong key if none is required",
      path: "/monitoring?sentry_key=wrong_key",
      status: 401,
    },
  ])("$name", async ({ path, status }) => {
    expect((await post(envelope, {}, path)).response.status).toBe(status);
  });

  const sendThroughTunnel = (dsn: string) => post(envelope.replace("{", `{"dsn":"${dsn}",`));

  it("the header of an envelope through the tunnel is parsed once", async () => {
    const parse = vi.spyOn(JSON, "parse");
    await sendThroughTunnel(`http://${key}@localhost:8787/1`);
    const lines = parse.mock.calls.filter(([text]) => text.includes('"dsn"'));
    parse.mockRestore();
    expect(lines).toHaveLength(1);
  });

  it("an envelope through the tunnel has its key in its header", async () => {
    expect((await sendThroughTunnel(`http://${key}@localhost:8787/1`)).response.status).toBe(200);
    expect((await sendThroughTunnel("http://wrong_key@localhost:8787/1")).response.status).toBe(
      401,
    );
  });

  it("a DSN of another service in the header is ignored", async () => {
    const { response } = await sendThroughTunnel("https://public@o1.ingest.sentry.io/2");
    expect(response.status).toBe(200);
  });
});

describe("a request over a rate limit is refused before anything is written", () => {
  const refuse = async () => false;
  it.each([
    { name: "from one address", limiters: { ...openLimiters, address: refuse } },
    { name: "for one key", limiters: { ...openLimiters, key: refuse } },
    { name: "for all senders", limiters: { ...openLimiters, global: refuse } },
  ])("$name", async ({ limiters }) => {
    const { response } = await visit("/monitoring", {
      method: "POST",
      body: envelope,
      headers: { "cf-connecting-ip": "203.0.113.7" },
      services: { limiters },
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("60");
    expect(response.headers.get("x-sentry-rate-limits")).toBe("60::key");
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });
});

describe("a webhook of Cloudflare, whose secret is the ingest key", () => {
  const notify = (body: object, secret: string) =>
    post(JSON.stringify(body), { headers: { "cf-webhook-auth": secret } });
  const alert = { text: "14 errors", alert_type: "workers_observability_alert", policy_id: "p" };

  it("gets 200, and its notification is stored", async () => {
    const { response } = await notify(alert, testConfig.ingestKey ?? "");
    expect(response.status).toBe(200);
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { kind: "message", type: "Notification", message: "14 errors" },
    ]);
  });

  it("gets 200 for its test, and nothing is stored", async () => {
    const { response } = await notify({ text: "Hello World!" }, testConfig.ingestKey ?? "");
    expect(response.status).toBe(200);
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });

  it("is refused with another secret", async () => {
    const { response } = await notify(alert, "f".repeat(32));
    expect(response.status).toBe(401);
  });
});

describe("an OTLP/HTTP response has the encoding of the request", () => {
  const key = testConfig.ingestKey ?? "";
  const attributes = [
    { key: "exception.type", value: { stringValue: "TypeError" } },
    { key: "exception.message", value: { stringValue: "no price in otlp" } },
  ];
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] };
  const send = (body: BodyInit, headers: Record<string, string>) =>
    post(body, { headers: { authorization: `Bearer ${key}`, ...headers } }, "/v1/logs");

  it("JSON: 200 with an empty object, and the exception is stored", async () => {
    const { response, body } = await send(JSON.stringify(logs), {
      "content-type": "application/json",
    });
    expect(response.status).toBe(200);
    expect(JSON.parse(body)).toEqual({});
    expect((await projectStore.listNewestIssues()).issues).toMatchObject([
      { message: "no price in otlp" },
    ]);
  });

  it("protobuf: an empty body is an empty export", async () => {
    const { response } = await send(new Uint8Array(), { "content-type": "application/x-protobuf" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/x-protobuf");
  });

  // What Cloudflare and Logpush send to test a destination.
  it.each(["", "{}", '{"content":"tests"}'])("JSON: %j is an empty export", async (body) => {
    const { response, body: answer } = await send(body, { "content-type": "application/json" });
    expect(response.status).toBe(200);
    expect(JSON.parse(answer)).toEqual({});
    expect((await projectStore.listNewestIssues()).total).toBe(0);
  });

  it("an error is a Status in the same encoding", async () => {
    const json = await send("{", { "content-type": "application/json" });
    expect(json.response.status).toBe(400);
    expect(JSON.parse(json.body).message).toContain("Expected");
    const binary = await send(new Uint8Array([0xff]), { "content-type": "application/x-protobuf" });
    expect(binary.response.status).toBe(400);
    expect(binary.response.headers.get("content-type")).toBe("application/x-protobuf");
  });

  it("the key is required", async () => {
    const { response } = await post(JSON.stringify(logs), {}, "/v1/logs");
    expect(response.status).toBe(401);
  });
});
