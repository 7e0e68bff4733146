import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createPageTokens, type SignedPage } from "#src/auth/page-tokens.ts";
import type { RegistryState } from "#src/core/accounts/registry.ts";
import { decodePageToken, toPolicyHash } from "#src/core/trust/page-token-format.ts";
import type { Services } from "#src/http/context.ts";
import { toSha256 } from "#support/accounts/memory-registry.ts";
import { createTestPageTokens, emptyRegistry, pageTokens } from "#support/accounts/page-tokens.ts";
import {
  openLimiters,
  TEST_SERVER_KEY as SERVER_KEY,
  testConfig,
  visit,
} from "#support/http/visit.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { bindings, NOW_MS } from "#support/store/store.ts";

const ORIGIN = "http://localhost:8787";
const PAGE: SignedPage = { traceId: "e44a7a5c00112233445566778899aabb", origin: ORIGIN };
const MINUTE_MS = 60_000;

const sign = async (page: Partial<SignedPage> = {}, tokens = pageTokens) =>
  (await tokens.sign({ ...PAGE, ...page })) ?? "";

interface Sent {
  readonly token?: string;
  readonly body?: unknown;
  /** The header; null for none. */
  readonly origin?: string | null;
  readonly path?: string;
  /** The address of the visitor. */
  readonly from?: string;
  readonly userAgent?: string;
  readonly services?: Partial<Services>;
}

const reporterBody = { errata: 1, how: "uncaught", type: "TypeError", message: "no total" };

/** Sends a body as the browser of a page does. The trust of each stored report, in order. */
async function send({ token, body = reporterBody, origin = ORIGIN, ...more }: Sent) {
  const log = createMemoryLog();
  const { path = "/monitoring" } = more;
  const query = token === undefined ? "" : `${path.includes("?") ? "&" : "?"}t=${token}`;
  const { response } = await visit(`${path}${query}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      ...(origin !== null && { origin }),
      ...(more.from !== undefined && { "cf-connecting-ip": more.from }),
      ...(more.userAgent !== undefined && { "user-agent": more.userAgent }),
    },
    services: { pageTokens, reportWriter: log, ...more.services },
  });
  const reports = [...log.reports.values()];
  return { status: response.status, trust: reports.map(({ trust }) => trust), reports };
}

const violation = (n: number, origin = ORIGIN) => ({
  type: "csp-violation",
  age: n,
  url: `${origin}/cart`,
  body: {
    effectiveDirective: "img-src",
    blockedURL: `https://cdn${n}.example/`,
    documentURL: `${origin}/cart`,
  },
});

describe("the time of a page report", () => {
  it.each([
    ["two hours ago", -120 * MINUTE_MS, 0],
    ["29 days ago", -29 * 24 * 60 * MINUTE_MS, 0],
    ["half an hour ago", -30 * MINUTE_MS, -30 * MINUTE_MS],
  ])("that says %s is at most an hour before its receipt", async (_, at, expected) => {
    const body = { ...reporterBody, at: NOW_MS + at };
    const { trust, reports } = await send({ token: await sign(), body });
    expect(trust).toEqual(["page"]);
    expect(reports.map(({ occurredAtMs }) => occurredAtMs - NOW_MS)).toEqual([expected]);
  });
});

const requireKeys = (keylessOrigins: readonly string[]): Partial<Services> => {
  const copy = { keys: [], projects: [{ id: "1", keylessOrigins }] };
  const readCopy = async () => copy as unknown as RegistryState;
  const getLastCopy = () => copy;
  return { registry: { readCopy, getLastCopy } as unknown as Services["registry"] };
};

describe("a project that requires keys", () => {
  const createUpload = (count: number) => Array.from({ length: count }, (_, n) => violation(n));

  it.each([
    ["in the URL", async () => ({ token: await sign() })],
    ["in the body", async () => ({ body: { ...reporterBody, token: await sign() } })],
  ])("accepts reports with a page token %s", async (_, createRequest) => {
    for (const origins of [[], ["https://shop.example"]]) {
      const { trust } = await send({ ...(await createRequest()), services: requireKeys(origins) });
      expect(trust).toEqual(["page"]);
    }
  });

  it("refuses reports without a token, and reports beyond the rate of the token", async () => {
    const services = requireKeys([]);
    const foreign = await sign({}, createTestPageTokens(`errata_server_${"0".repeat(32)}`));
    expect(await send({ services })).toMatchObject({ status: 401, trust: [] });
    expect(await send({ services, body: "nonsense" })).toMatchObject({ status: 401 });
    expect(await send({ services, token: foreign })).toMatchObject({ status: 401, trust: [] });
    let granted = 3;
    const limiters = { ...openLimiters, pageToken: async () => granted-- > 0 };
    const result = await send({
      body: createUpload(5),
      token: await sign(),
      services: { ...services, limiters },
    });
    expect(result.trust).toEqual(["page", "page", "page"]);
  });

  it("counts reports with a page token separately from reports without one", async () => {
    const charges: unknown[] = [];
    const limiters = {
      ...openLimiters,
      key: async (key: string) => charges.push(key) > 0,
      global: async (trust: string) => charges.push(trust) > 0,
    };
    await send({ token: await sign(), services: { limiters } });
    await send({ services: { limiters } });
    expect(charges).toEqual(["page tokens", "page", "", "public"]);
  });
});

describe("a report with the token of its page", () => {
  it.each([
    ["an error of the reporter", reporterBody],
    ["an upload of the Reporting API", [violation(1)]],
    [
      "a legacy CSP report",
      { "csp-report": { "effective-directive": "img-src", "document-uri": `${ORIGIN}/cart` } },
    ],
    ["a crash", [{ type: "crash", age: 1, url: `${ORIGIN}/`, body: { reason: "oom" } }]],
    [
      "a Sentry event of a browser",
      '{}\n{"type":"event"}\n{"platform":"javascript","message":"no total"}',
    ],
  ])("has trust `page`: %s", async (_what, body) => {
    const { status, trust } = await send({ token: await sign(), body });
    expect(trust).toEqual(["page"]);
    expect(status).toBeLessThan(300);
    expect((await send({ body })).trust).toEqual(["public"]);
  });

  it("has trust `page` if the token is in the body of the reporter", async () => {
    const body = { ...reporterBody, token: await sign() };
    expect((await send({ body })).trust).toEqual(["page"]);
  });

  it("has trust `page` with a public key too", async () => {
    const path = "/api/1/store/0123456789abcdef0123456789abcdef";
    const body = { platform: "javascript", message: "no total" };
    expect((await send({ path, body, token: await sign() })).trust).toEqual(["page"]);
  });

  it("stays `public` if it claims to come from a server", async () => {
    const body = '{}\n{"type":"event"}\n{"platform":"python","message":"no total"}';
    expect((await send({ token: await sign(), body })).trust).toEqual(["public"]);
  });

  it("is stored without the token that the browser repeats in the policy", async () => {
    const token = await sign();
    const policy = (address: string) => `img-src 'self'; report-uri ${address}`;
    const [one] = [violation(1)];
    const body = { ...one.body, originalPolicy: policy(`/monitoring?t=${token}`) };
    const { reports } = await send({ token, body: [{ ...one, body }] });
    expect(JSON.stringify(reports)).not.toContain(token);
    expect(reports[0]?.detail).toMatchObject({ originalPolicy: policy("/monitoring") });
    const legacy = { "effective-directive": "img-src", "original-policy": body.originalPolicy };
    const old = await send({ token, body: { "csp-report": legacy } });
    expect(old.reports[0]?.detail).toMatchObject({ "original-policy": policy("/monitoring") });
  });
});

describe("a report about a page of Errata itself", () => {
  const flags = (token: string) => Buffer.from(token, "base64url")[0];

  it.each<[string, boolean, string]>([
    ["that a member opened", false, "page"],
    ["that a stranger opened", true, "public"],
  ])("%s is noise of its own, whatever the browser sends", async (_, isForVisitor, trust) => {
    const { body: blocked, ...one } = violation(1);
    const bodies = [
      reporterBody,
      [{ ...one, body: { ...blocked, blockedURL: `${ORIGIN}/a.png` } }],
      { "csp-report": { "effective-directive": "img-src", "document-uri": `${ORIGIN}/cart` } },
    ];
    for (const body of bodies) {
      const { reports } = await send({ token: await sign({ isForVisitor }), body });
      expect(reports).toMatchObject([{ noise: "errata", trust }]);
      expect(reports[0]?.tags).toContainEqual(["from", "errata"]);
      const [other] = (await send({ body })).reports;
      expect(other?.noise).toBeUndefined();
      expect(reports[0]?.digest).not.toBe(other?.digest);
    }
  });

  it("is noise beyond the rate of its token, with trust `public`", async () => {
    const limiters = { ...openLimiters, pageToken: async () => false };
    const { reports } = await send({ token: await sign(), services: { limiters } });
    expect(reports).toMatchObject([{ noise: "errata", trust: "public" }]);
  });

  it("has a tag if a self-test caused it", async () => {
    for (const path of ["/self-test/uncaught", "/p/2/self-test/uncaught"]) {
      const body = { ...reporterBody, url: `${ORIGIN}${path}` };
      const { reports } = await send({ token: await sign(), body });
      expect(reports[0]?.tags).toContainEqual(["self-test", "true"]);
    }
    const { reports } = await send({ body: { ...reporterBody, url: `${ORIGIN}/self-test/a` } });
    expect(reports[0]?.tags).not.toContainEqual(["self-test", "true"]);
  });

  it("is not noise if the notice has shown it the digest of an issue", async () => {
    const body = { ...reporterBody, digest: "7F3K-Q2M9" };
    const { reports } = await send({ token: await sign(), body });
    expect(reports).toMatchObject([{ digest: "7F3K-Q2M9", isLinked: true }]);
    expect(reports[0]?.noise).toBeUndefined();
  });

  it("is the only one that a stranger's token marks: no server report, no other origin", async () => {
    const token = await sign({ isForVisitor: true });
    const server = '{}\n{"type":"event"}\n{"platform":"python","message":"no total"}';
    const body = [violation(1, "https://shop.example")];
    for (const sent of [
      { token, body: server },
      { token, body, origin: null },
      { token, path: `/monitoring?sentry_key=${SERVER_KEY}`, body: server, origin: null },
    ]) {
      const { reports } = await send(sent);
      expect(reports).toHaveLength(1);
      expect(reports[0]?.noise).toBeUndefined();
    }
  });

  it("cannot be made by changing the flags of another token", async () => {
    const own = await sign();
    for (const change of [0x02, 0x04, 0x06]) {
      const bytes = Buffer.from(own, "base64url");
      bytes[0] = (bytes[0] ?? 0) ^ change;
      const token = bytes.toString("base64url");
      expect(flags(token)).not.toBe(flags(own));
      const { reports } = await send({ token });
      expect(reports).toMatchObject([{ trust: "public" }]);
      expect(reports[0]?.noise).toBeUndefined();
    }
  });

  it("is not admitted by a stranger's token if the project requires keys", async () => {
    const token = await sign({ isForVisitor: true });
    const sent = await send({ token, services: requireKeys([]) });
    expect(sent).toMatchObject({ status: 401, trust: [] });
  });
});

describe("an invalid token makes the report `public` and causes no error", () => {
  const flip = (token: string, at: number) => {
    const bytes = Buffer.from(token, "base64url");
    bytes[at] = (bytes[at] ?? 0) ^ 0x04;
    return bytes.toString("base64url");
  };

  it.each(Array.from({ length: 26 }, (_, at) => at))("because byte %i was changed", async (at) => {
    const token = await sign();
    expect(await send({ token: flip(token, at) })).toMatchObject({
      status: 202,
      trust: ["public"],
    });
  });

  it("because the token of a page was changed to a shared one", async () => {
    const bytes = Buffer.from(await sign(), "base64url");
    bytes[0] = (bytes[0] ?? 0) | 1;
    const token = bytes.toString("base64url");
    expect(decodePageToken(token)?.isShared).toBe(true);
    expect(await send({ token })).toMatchObject({ status: 202, trust: ["public"] });
  });

  it.each([
    ["it was signed a day and a minute ago", -24 * 60 * MINUTE_MS - MINUTE_MS, "public"],
    ["it was signed a day ago (valid)", -24 * 60 * MINUTE_MS, "page"],
    ["it will be signed in six minutes", 6 * MINUTE_MS, "public"],
    ["it will be signed in five minutes (valid: clocks differ)", 5 * MINUTE_MS, "page"],
  ])("because %s", async (_what, offsetMs, expected) => {
    const token = await sign({}, createTestPageTokens(SERVER_KEY, offsetMs));
    expect(await send({ token })).toMatchObject({ status: 202, trust: [expected] });
  });

  it("because the key was replaced", async () => {
    const token = await sign({}, createTestPageTokens(`errata_server_${"6".repeat(32)}`));
    expect(await send({ token })).toMatchObject({ status: 202, trust: ["public"] });
  });

  it("because another key has the same key id", async () => {
    const hash = toSha256(SERVER_KEY).slice(0, 2) + "0".repeat(62);
    const other = createPageTokens({
      configuredKeyHash: hash,
      registry: emptyRegistry,
      nowMs: () => NOW_MS,
    });
    expect(await send({ token: await sign({}, other) })).toMatchObject({ trust: ["public"] });
  });

  it("because there is no server key", async () => {
    const none = createPageTokens({ registry: emptyRegistry, nowMs: () => NOW_MS });
    expect(await none.sign(PAGE)).toBeUndefined();
    const sent = await send({ token: await sign(), services: { pageTokens: none } });
    expect(sent).toMatchObject({ status: 202, trust: ["public"] });
  });

  it("because it belongs to another project", async () => {
    const verified = await pageTokens.verify(await sign(), { project: "2", origin: ORIGIN });
    expect(verified).toEqual({ ok: false, reason: "wrong-signature" });
  });

  it.each([
    ["empty", ""],
    ["35 characters", "a".repeat(35)],
    ["long", "a".repeat(5_000)],
    ["a control character", "%00"],
    ["a path", "../../"],
  ])("because it is forged: %s", async (_what, token) => {
    expect(await send({ token })).toMatchObject({ status: 202, trust: ["public"] });
    const body = { ...reporterBody, token };
    expect(await send({ body })).toMatchObject({ status: 202, trust: ["public"] });
  });

  it("because it is not text", async () => {
    const body = { ...reporterBody, token: { a: 1 } };
    expect(await send({ body })).toMatchObject({ status: 202, trust: ["public"] });
  });

  it("because the verification fails", async () => {
    const failing = { ...pageTokens, verify: () => Promise.reject(new Error("unavailable")) };
    const sent = await send({ token: await sign(), services: { pageTokens: failing } });
    expect(sent).toMatchObject({ status: 202, trust: ["public"] });
  });
});

describe("the origin of a token", () => {
  const url = `${ORIGIN}/cart?x=1`;
  const other = "https://other.example";
  it.each<[string, Sent, string]>([
    ["equals the header", { origin: ORIGIN }, "page"],
    ["equals the header and the page", { body: { ...reporterBody, url } }, "page"],
    ["differs from the header", { origin: other }, "public"],
    [
      "differs from the header, and equals the page",
      { origin: other, body: { ...reporterBody, url } },
      "public",
    ],
    [
      "equals the header, and differs from the page",
      { body: { ...reporterBody, url: `${other}/` } },
      "public",
    ],
    ["equals the page, without a header", { origin: null, body: { ...reporterBody, url } }, "page"],
    [
      "equals the page, with the header `null`",
      { origin: "null", body: { ...reporterBody, url } },
      "page",
    ],
    [
      "differs from the page, without a header",
      { origin: null, body: { ...reporterBody, url: other } },
      "public",
    ],
    ["is unknown: no header and no page", { origin: null }, "public"],
    ["is too long", { origin: `https://${"a".repeat(5_000)}` }, "public"],
    [
      "equals the document of a CSP report, without a header",
      { origin: null, body: [violation(1)] },
      "page",
    ],
  ])("%s", async (_what, sent, expected) => {
    const { status, trust } = await send({ token: await sign(), ...sent });
    expect(status).toBeLessThan(300);
    expect(trust).toEqual([expected]);
  });

  it("covers only the reports of an upload that are about its pages", async () => {
    const body = [violation(1), violation(2, other), violation(3)];
    const { trust } = await send({ token: await sign(), origin: null, body });
    expect(trust).toEqual(["page", "public", "page"]);
  });
});

describe("one token counts for 20 reports a minute", () => {
  /** Counts like the binding, for a minute that does not end. */
  const createLimiters = () => {
    const counts = new Map<string, number>();
    const pageToken = async (pageId: string) => {
      const count = (counts.get(pageId) ?? 0) + 1;
      counts.set(pageId, count);
      return count <= 20;
    };
    return { ...openLimiters, pageToken };
  };

  it("the 21st report is `public`, and the token of another page has its own count", async () => {
    const services = { limiters: createLimiters() };
    const token = await sign();
    const trust: string[] = [];
    for (let n = 0; n < 21; n++) trust.push(...(await send({ token, services })).trust);
    expect(trust).toEqual([...Array.from({ length: 20 }, () => "page"), "public"]);
    const other = await sign({ traceId: "e44a7a5c99999999445566778899aabb" });
    expect((await send({ token: other, services })).trust).toEqual(["page"]);
  });

  it("one visitor does not use up the token of a cached page for the others", async () => {
    const services = { limiters: createLimiters() };
    const token = await sign();
    const one = Array.from({ length: 30 }, (_, n) => `2001:db8::${n}`);
    const trust: string[] = [];
    for (const from of one) trust.push(...(await send({ token, from, services })).trust);
    expect(trust.filter((level) => level === "page")).toHaveLength(20);
    for (const from of ["2001:db8:0:1::1", "192.0.2.7"])
      expect((await send({ token, from, services })).trust).toEqual(["page"]);
  });

  it("each report of an upload is counted", async () => {
    const body = Array.from({ length: 30 }, (_, n) => violation(n));
    const services = { limiters: createLimiters() };
    // Without a key, a body has no more than 20 reports.
    const path = `/monitoring?sentry_key=${testConfig.ingestKey}`;
    const { trust } = await send({ path, token: await sign(), body, services });
    expect(trust.map((one) => one === "page")).toEqual(body.map((_, n) => n < 20));
    expect((await send({ token: await sign(), services })).trust).toEqual(["public"]);
  });

  it("an upload calls the rate-limit binding at most 20 times", async () => {
    let calls = 0;
    const pageToken = async () => ++calls > 0;
    const body = Array.from({ length: 100 }, (_, n) => violation(n));
    await send({
      token: await sign(),
      body,
      services: { limiters: { ...openLimiters, pageToken } },
    });
    expect(calls).toBe(20);
  });

  it("the binding counts reliably: 60 concurrent reports are not all trusted", async () => {
    const pageToken = async (key: string) =>
      (await bindings.PAGE_TOKEN_LIMIT.limit({ key })).success;
    const services = { limiters: { ...openLimiters, pageToken } };
    const token = await sign({ traceId: "e44a7a5c77777777445566778899aabb" });
    const body = Array.from({ length: 20 }, (_, n) => violation(n));
    const trust: string[] = [];
    for (let n = 0; n < 3; n++) trust.push(...(await send({ token, body, services })).trust);
    const pageCount = trust.filter((one) => one === "page").length;
    expect(pageCount).toBeGreaterThanOrEqual(20);
    // The platform's minute may end once.
    expect(pageCount).toBeLessThanOrEqual(40);
  });

  it("an invalid token, and a report without one, do not call it", async () => {
    let calls = 0;
    const pageToken = async () => ++calls > 0;
    const services = { limiters: { ...openLimiters, pageToken } };
    await send({ token: "a".repeat(35), services });
    await send({ services });
    expect(calls).toBe(0);
  });
});

describe("a violation with the policy of its page in the token", () => {
  const POLICY = "default-src 'none'; img-src 'self'; report-uri /monitoring";
  const CHROME =
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
  const signPolicy = () => sign({ policyHash: toPolicyHash(POLICY, sha256) });
  const sha256 = (text: string) => createHash("sha256").update(text).digest();
  const blockedBy = (originalPolicy: string | undefined, blockedURL = `${ORIGIN}/a.png`) => {
    const { body, ...upload } = violation(0);
    return [
      { ...upload, body: { ...body, blockedURL, ...(originalPolicy && { originalPolicy }) } },
    ];
  };
  const legacy = (policy: string) => ({
    "csp-report": {
      ...{ "document-uri": `${ORIGIN}/cart`, "blocked-uri": `${ORIGIN}/a.png` },
      ...{ "effective-directive": "img-src", "original-policy": policy },
    },
  });
  const sendPolicy = async (body: unknown, userAgent = CHROME) => {
    const { reports } = await send({ token: await signPolicy(), body, userAgent });
    return reports.map(({ noise, tags = [] }) => [
      noise,
      tags.find(([name]) => name === "injected")?.[1],
    ]);
  };

  it.each([
    [
      "is the page's own, with the token of the page in its address",
      `${POLICY}?t=TOKEN`,
      undefined,
    ],
    ["has another policy, that a proxy changed", POLICY.replace("'self'", "*"), "policy-changed"],
    ["has a policy that an extension added", "img-src 'none'", "policy-changed"],
  ])("%s", async (_, policy, reason) => {
    const text = policy.replace("TOKEN", await signPolicy());
    const expected = [[reason === undefined ? "errata" : "injected", reason]];
    expect(await sendPolicy(blockedBy(text))).toEqual(expected);
    expect(await sendPolicy(legacy(text))).toEqual(expected);
  });

  it("of any length is compared as a whole", async () => {
    const long = `${POLICY}; script-src ${"https://cdn.example/path/ ".repeat(800)}`;
    const token = await sign({ policyHash: toPolicyHash(long, sha256) });
    const sendLong = async (policy: string) =>
      (await send({ token, body: blockedBy(policy), userAgent: CHROME })).reports[0]?.noise;
    expect([await sendLong(long), await sendLong(`${long} https://x`)]).toEqual([
      "errata",
      "injected",
    ]);
  });

  it.each([
    ["without its policy", blockedBy(undefined), CHROME],
    [
      "of a browser that may write a policy in its own form",
      blockedBy("img-src 'none'"),
      "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
    ],
  ])("%s is not decided", async (_, body, userAgent) => {
    expect(await sendPolicy(body, userAgent)).toEqual([["errata", undefined]]);
  });

  it("with a token without a policy is not decided", async () => {
    const { reports } = await send({
      ...{ token: await sign(), body: blockedBy("img-src 'none'"), userAgent: CHROME },
    });
    expect(reports.map(({ noise }) => noise)).toEqual(["errata"]);
  });

  it("is noise with its reason if Errata's page was sent without what it blocked", async () => {
    expect(await sendPolicy(blockedBy(POLICY, "https://ads.example/a.png"))).toEqual([
      ["injected", "not-sent"],
    ]);
  });

  it("is stored, and its page states the reason", async () => {
    await visit(`/monitoring?t=${await signPolicy()}`, {
      method: "POST",
      body: JSON.stringify(blockedBy("img-src 'none'")),
      headers: { origin: ORIGIN, "user-agent": CHROME },
      services: { pageTokens },
    });
    const { body } = await visit("/issues?q=is:noise", { headers: { accept: "application/json" } });
    const [{ digest, noise }] = JSON.parse(body).issues;
    expect(noise).toBe("injected");
    const page = await visit(`/d/${digest}`);
    expect(page.body).toContain("The page was sent with another policy: an extension or a proxy");
    await emptyStore();
  });
});
