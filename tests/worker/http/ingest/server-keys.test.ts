import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Trust } from "#src/core/trust/trust.ts";
import type { RegistryObject } from "#src/store/accounts/registry-object.ts";
import { createMembers, ORIGIN, OWN_PAGE, type TestMembers } from "#support/accounts/members.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { openLimiters, TEST_SERVER_KEY, testConfig, visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, projectStore } from "#support/store/store.ts";

const HOST = "errata.example";
const PAGE = "https://shop.example";
const EVENT_ID = "5aaeee40d56b46ecbfb342d868e140ef";
const event = JSON.stringify({ event_id: EVENT_ID, platform: "node", message: "no price" });
const envelope = (dsn?: string) =>
  `${JSON.stringify({ event_id: EVENT_ID, dsn })}\n{"type":"event"}\n${event}\n`;
const attributes = [{ key: "exception.type", value: { stringValue: "TypeError" } }];
const otlp = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{ attributes }] }] }] });

let members: TestMembers;

beforeEach(async () => {
  members = await createMembers();
});
afterEach(() => emptyStore());

/** Adds a server key. Returns the key and its id. */
async function addServerKey(project = "1"): Promise<{ key: string; id: string }> {
  const change = { do: "add-key", kind: "server", project, name: "api", origins: [] } as const;
  const { secrets: [key = ""] = [], createdId = "" } = await members.change(
    members.deployer,
    change,
  );
  return { key, id: createdId };
}

interface Sent {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly services?: object;
}

async function send({ path = "/monitoring", body = envelope(), headers = {}, services }: Sent) {
  const { response, body: text } = await visit(path, {
    method: "POST",
    body,
    headers,
    origin: ORIGIN,
    services: { ...members.services, ...services },
  });
  return { status: response.status, text, headers: response.headers };
}

/** The trust of the only report of the first project. */
async function readTrust(): Promise<Trust | undefined> {
  const [issue] = (await projectStore.listNewestIssues()).issues;
  const [latest] = (await projectStore.getFreshIssue(issue?.digest ?? ""))?.latestReports ?? [];
  return latest?.trust;
}

describe("a report with a server key has trust `server`, however the key is sent", () => {
  const KEY_LOCATIONS: readonly [string, (key: string) => Sent][] = [
    ["in the query", (key) => ({ path: `/api/1/envelope/?sentry_key=${key}` })],
    ["in the path", (key) => ({ path: `/api/1/security/${key}/` })],
    ["in the query of /monitoring", (key) => ({ path: `/monitoring?sentry_key=${key}` })],
    ["as X-Sentry-Auth", (key) => ({ headers: { "x-sentry-auth": `Sentry sentry_key=${key}` } })],
    ["as a bearer token", (key) => ({ headers: { authorization: `Bearer ${key}` } })],
    ["as a user name", (key) => ({ headers: { authorization: `Basic ${btoa(`${key}:`)}` } })],
    ["in the envelope's DSN", (key) => ({ body: envelope(`https://${key}@${HOST}/1`) })],
    [
      "in the headers of OTLP",
      (key) => ({ path: "/v1/logs", body: otlp, headers: { authorization: `Bearer ${key}` } }),
    ],
  ];

  it.each(KEY_LOCATIONS)("%s", async (_, toSent) => {
    const { key } = await addServerKey();
    expect((await send(toSent(key))).status).toBe(200);
    expect(await readTrust()).toBe("server");
  });

  it.each(KEY_LOCATIONS)("%s, with the configured key", async (_, toSent) => {
    expect((await send(toSent(TEST_SERVER_KEY))).status).toBe(200);
    expect(await readTrust()).toBe("server");
  });

  it("a report with a public key, and one without a key, stay public", async () => {
    await send({ path: `/monitoring?sentry_key=${testConfig.ingestKey}` });
    expect(await readTrust()).toBe("public");
  });

  it.each([
    ["an unknown one", () => `errata_server_${"0".repeat(32)}`],
    ["the hash of one", (key: string) => toSha256(key)],
    ["the start of one", (key: string) => key.slice(0, -1)],
  ])("%s is refused like any unknown key", async (_, toWrong) => {
    const { key } = await addServerKey();
    const { status, text } = await send({ path: `/monitoring?sentry_key=${toWrong(key)}` });
    expect([status, JSON.parse(text).reason]).toEqual([401, "unknown-key"]);
    const other = await send({ path: `/monitoring/2?sentry_key=${key}` });
    expect([other.status, JSON.parse(other.text).reason]).toEqual([401, "unknown-key"]);
  });

  it("servers that share one address are limited only by the other limits", async () => {
    const limiters = { ...openLimiters, address: async () => false };
    const { key } = await addServerKey();
    const headers = { "cf-connecting-ip": "203.0.113.7" };
    const sendWith = async (shown: string) =>
      (await send({ path: `/monitoring?sentry_key=${shown}`, headers, services: { limiters } }))
        .status;
    expect(await sendWith(key)).toBe(200);
    expect(await sendWith(testConfig.ingestKey ?? "")).toBe(429);
    // A key must be valid to exempt from the limit.
    expect(await sendWith(`errata_server_${"0".repeat(32)}`)).toBe(429);
  });

  it("no limiter receives the key itself", async () => {
    const { key } = await addServerKey();
    const seen: string[] = [];
    const limiters = { ...openLimiters, key: async (name: string) => seen.push(name) > 0 };
    await send({ path: `/monitoring?sentry_key=${key}`, services: { limiters } });
    expect(seen).toEqual([toSha256(key)]);
  });
});

describe("a browser that sends a server key is refused, and the owner sees the leak", () => {
  const readKeys = async () => (await members.registry.readFresh("a test")).keys;

  it.each([
    ["the query", (key: string) => ({ path: `/monitoring?sentry_key=${key}` })],
    ["the envelope", (key: string) => ({ body: envelope(`https://${key}@${HOST}/1`) })],
    [
      "a request to another project",
      (key: string) => ({ path: `/api/7/store/?sentry_key=${key}` }),
    ],
    [
      "the query, beside a public key in a header",
      (key: string) => ({
        path: `/monitoring?sentry_key=${key}`,
        headers: { "x-sentry-auth": `Sentry sentry_key=${testConfig.ingestKey}` },
      }),
    ],
    [
      "the envelope, beside a public key in the query",
      (key: string) => ({
        path: `/monitoring?sentry_key=${testConfig.ingestKey}`,
        body: envelope(`https://${key}@${HOST}/1`),
      }),
    ],
    [
      "a header, beside an unknown server key in the query",
      (key: string) => ({
        path: `/monitoring?sentry_key=errata_server_${"0".repeat(32)}`,
        headers: { authorization: `Bearer ${key}` },
      }),
    ],
  ] satisfies readonly (readonly [string, (key: string) => Sent])[])(
    "in %s: 403, readable by the page, with nothing stored",
    async (_, toSent) => {
      const { key } = await addServerKey();
      const sent: Sent = toSent(key);
      const { status, text, headers } = await send({
        ...sent,
        headers: { ...sent.headers, origin: PAGE },
      });
      expect([status, JSON.parse(text).reason]).toEqual([403, "server-key-in-browser"]);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(text).not.toContain(key);
      expect((await projectStore.listNewestIssues()).total).toBe(0);
      expect(await readKeys()).toMatchObject([{ leakedOrigin: PAGE }]);
    },
  );

  it.each<[string, Record<string, string>, string]>([
    [
      "and names the page in the referrer",
      { "sec-fetch-dest": "report", "sec-fetch-site": "cross-site", referer: `${PAGE}/cart` },
      PAGE,
    ],
    ["and names no page", { "sec-fetch-dest": "report" }, "null"],
  ])("in the address of a policy's reports, without an origin, %s", async (_, headers, page) => {
    const { key } = await addServerKey();
    const path = `/api/1/security/?sentry_key=${key}`;
    const body = '{"csp-report":{"effective-directive":"img-src","blocked-uri":"inline"}}';
    expect((await send({ path, body, headers })).status).toBe(403);
    expect(await readKeys()).toMatchObject([{ leakedOrigin: page }]);
  });

  it("a program that sends `Sec-Fetch-Mode`, as Node does, is not a browser", async () => {
    const { key } = await addServerKey();
    const headers = { "sec-fetch-mode": "cors" };
    expect((await send({ path: `/monitoring?sentry_key=${key}`, headers })).status).toBe(200);
  });

  it("several keys without an origin conflict, and record nothing", async () => {
    const { key } = await addServerKey();
    const headers = { authorization: `Bearer ${testConfig.ingestKey}` };
    const { status, text } = await send({ path: `/monitoring?sentry_key=${key}`, headers });
    expect([status, JSON.parse(text).reason]).toEqual([401, "conflicting-keys"]);
    expect((await readKeys())[0]).not.toHaveProperty("leakedMs");
  });

  it("the registry records the first page and time, once for each key", async () => {
    const { key } = await addServerKey();
    const object = bindings.REGISTRY.getByName("registry");
    await send({ path: `/monitoring?sentry_key=${key}`, headers: { origin: PAGE } });
    const before = await members.registry.readFresh("a test");
    // Another location whose copy does not contain the leak.
    await object.recordKeyLeak({ hash: toSha256(key), origin: "https://other.example" });
    await object.recordKeyLeak({ hash: toSha256("unknown"), origin: "https://other.example" });
    const after = await members.registry.readFresh("another test");
    expect(after).toEqual(before);
    expect(after.keys).toMatchObject([{ leakedOrigin: PAGE }]);
    const entries = await members.registry.listAuditEntries("1");
    expect(entries.filter(({ action }) => action === "leaked-key")).toMatchObject([
      { subject: `api from ${PAGE}` },
    ]);
  });

  it("a leak of the configured key is recorded until that key is replaced", async () => {
    const env = { ...bindings, ERRATA_SERVER_KEY: TEST_SERVER_KEY };
    await runInDurableObject(bindings.REGISTRY.getByName("registry"), (one: RegistryObject) => {
      Object.assign(one, { env });
    });
    const path = `/monitoring?sentry_key=${TEST_SERVER_KEY}`;
    expect((await send({ path, headers: { origin: PAGE } })).status).toBe(403);
    const { configuredKeyLeak } = await members.registry.readFresh("a test");
    expect(configuredKeyLeak).toMatchObject({
      hash: toSha256(TEST_SERVER_KEY),
      leakedOrigin: PAGE,
    });
    // The hash signs page tokens, so that it is a secret, too.
    const { proof } = await members.invite("owner");
    for (const accept of ["text/html", "application/json"]) {
      const headers = { ...proof, accept };
      const request = { headers, origin: ORIGIN, services: members.services };
      const { body } = await visit("/settings", request);
      expect(body).toContain(PAGE);
      expect(body).not.toContain(toSha256(TEST_SERVER_KEY));
    }
  });

  it("an unknown server key records nothing", async () => {
    await addServerKey();
    const path = `/monitoring?sentry_key=errata_server_${"0".repeat(32)}`;
    expect((await send({ path, headers: { origin: PAGE } })).status).toBe(401);
    const [key] = await readKeys();
    expect(key).not.toHaveProperty("leakedMs");
  });

  it("the preflight of such a request is allowed as usual", async () => {
    const { key } = await addServerKey();
    const { response } = await visit(`/monitoring?sentry_key=${key}`, {
      method: "OPTIONS",
      headers: { origin: PAGE, "access-control-request-method": "POST" },
      services: members.services,
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

describe("an owner creates, rotates and revokes server keys on /settings", () => {
  const submit = async (fields: Record<string, string>, accept = "text/html") => {
    const proof = await readOwnerProof();
    const { response, body } = await visit("/settings", {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { ...proof, ...OWN_PAGE, accept },
      origin: ORIGIN,
      services: members.services,
    });
    return { status: response.status, body };
  };
  const open = async (path: string, accept = "text/html") => {
    const headers = { ...(await readOwnerProof()), accept };
    return (await visit(path, { headers, origin: ORIGIN, services: members.services })).body;
  };
  let owner: Record<string, string> | undefined;
  const readOwnerProof = async () => {
    owner ??= { ...(await members.invite("owner")).proof };
    return owner;
  };
  beforeEach(() => {
    owner = undefined;
  });
  const DSN = /https:\/\/(errata_server_[0-9a-f]{32})@errata\.example\/1/;

  it("the DSN is shown once, and works", async () => {
    const { body } = await submit({ do: "add-key", kind: "server", name: "api" });
    const [, key = ""] = DSN.exec(body) ?? [];
    expect((await send({ path: `/monitoring?sentry_key=${key}` })).status).toBe(200);
    for (const page of [
      await open("/settings"),
      await open("/settings.json", "application/json"),
    ]) {
      expect(page).toContain("api");
      expect(page).not.toContain(key);
      expect(page).not.toContain(toSha256(key));
    }
  });

  it("rotation shows a new one; the old one works until it expires or is revoked", async () => {
    const { key, id } = await addServerKey();
    const { body } = await submit({ do: "rotate-key", key: id, overlapHours: "1" });
    const [, next = ""] = DSN.exec(body) ?? [];
    const requestStatus = async (one: string) =>
      (await send({ path: `/monitoring?sentry_key=${one}` })).status;
    expect(next).not.toBe(key);
    expect([await requestStatus(key), await requestStatus(next)]).toEqual([200, 200]);
    await submit({ do: "revoke-key", key: id });
    expect([await requestStatus(key), await requestStatus(next)]).toEqual([401, 200]);
  });

  it("a leaked key is shown with the page and the advice to rotate it", async () => {
    const { key } = await addServerKey();
    await send({ path: `/monitoring?sentry_key=${key}`, headers: { origin: PAGE } });
    const page = await open("/settings");
    expect(page).toMatch(/Leaked\..*https:\/\/shop\.example.*Rotate it/s);
    const audit = await open("/settings/audit");
    expect(audit).toMatch(/A visitor’s browser.*sent the server key/s);
    expect(audit).toContain(PAGE);
    expect(audit).not.toContain("local user");
  });

  it("a server key cannot be limited to origins", async () => {
    const fields = { do: "add-key", kind: "server", name: "api", origins: "https://a.example" };
    expect((await submit(fields)).status).toBe(400);
    expect((await submit({ do: "add-key", kind: "other", name: "api" })).status).toBe(400);
  });
});
