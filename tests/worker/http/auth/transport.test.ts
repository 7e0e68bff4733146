/** Credentials over plain HTTP, and requests without any from this machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMembers, ORIGIN, type Proof, type TestMembers } from "#support/accounts/members.ts";
import { visit } from "#support/http/visit.ts";
import { emptyStore } from "#support/store/empty-store.ts";

const HTTP = ORIGIN.replace("https", "http");
const LOCAL = "http://localhost:8787";
const JSON_TYPE = { accept: "application/json" };

let members: TestMembers;
let token: Proof;

beforeAll(async () => {
  members = await createMembers();
  token = (await members.token("owner")).proof;
});
afterAll(() => emptyStore());

describe("an API token over plain HTTP", () => {
  const visitWithToken = (
    path: string,
    origin: string,
    init: RequestInit = {},
    headers: Proof = token,
  ) =>
    visit(path, {
      ...init,
      origin,
      headers: { ...JSON_TYPE, ...headers },
      services: members.services,
    });

  it.each([
    ["GET", "/issues.json"],
    ["GET", "/issues"],
    ["GET", "/projects.json"],
    ["GET", "/live/socket"],
    ["POST", "/rebuild"],
    ["POST", "/settings"],
  ])("is refused, valid or not: %s %s", async (method, path) => {
    for (const headers of [token, { authorization: `Bearer errata_${"A".repeat(43)}` }]) {
      const { response, body } = await visitWithToken(path, HTTP, { method }, headers);
      expect([response.status, JSON.parse(body).reason]).toEqual([403, "https-required"]);
    }
  });

  it("is accepted over HTTPS and on this machine", async () => {
    expect((await visitWithToken("/issues.json", ORIGIN)).response.status).toBe(200);
    expect((await visitWithToken("/issues.json", LOCAL)).response.status).toBe(200);
  });
});

it("the code of an invitation is refused over HTTP, valid or not", async () => {
  const init = { method: "POST", body: `code=${"A".repeat(22)}` };
  for (const [origin, reason] of [
    [HTTP, "https-required"],
    [ORIGIN, "bad-code"],
  ] as const) {
    const type = "application/x-www-form-urlencoded";
    const headers = { ...JSON_TYPE, "content-type": type, "sec-fetch-site": "same-origin", origin };
    const { response, body } = await visit("/sign-in/invitation", { ...init, origin, headers });
    expect([response.status, JSON.parse(body).reason]).toEqual([403, reason]);
  }
});

describe("ERRATA_LOCAL=open", () => {
  const visitLocally = (path: string, headers: Proof, init: RequestInit = {}) =>
    visit(path, { ...init, origin: LOCAL, headers: { ...JSON_TYPE, ...headers } });

  it.each([
    ["forwarded", "for=192.0.2.7"],
    ["via", "1.1 proxy"],
    ["x-real-ip", "192.0.2.7"],
    ["true-client-ip", "192.0.2.7"],
    ["x-client-ip", "192.0.2.7"],
    ["x-cluster-client-ip", "192.0.2.7"],
    ["x-original-forwarded-for", "192.0.2.7"],
    ["x-envoy-external-address", "192.0.2.7"],
    ["fastly-client-ip", "192.0.2.7"],
    ["cdn-loop", "cloudflare"],
    ["cf-ray", "8f1e2d3c4b5a6978-FRA"],
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-host", "errata.example"],
    ["x-forwarded-proto", "https"],
    ["x-forwarded-port", "443"],
    ["X-Forwarded-Server", "proxy"],
    ["cf-connecting-ip", "192.0.2.7"],
  ])("does not admit a request through a proxy: %s", async (name, value) => {
    const { response } = await visitLocally("/issues.json", { [name]: value });
    expect(response.status).not.toBe(200);
    expect(
      JSON.parse((await visitLocally("/issues.json", { [name]: value })).body).issues,
    ).toBeUndefined();
  });

  it.each<[string, string, Proof]>([
    ["an image", "GET", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
    ["a fetch", "GET", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }],
    ["another port", "GET", { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" }],
    ["an older browser", "GET", { origin: "https://evil.example" }],
    ["a search", "POST", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }],
  ])("refuses a subresource request of another site: %s", async (_, method, headers) => {
    const { response, body } = await visitLocally("/csp.json", headers, { method });
    expect([response.status, JSON.parse(body).reason]).toEqual([403, "cross-site"]);
  });

  it.each<[string, Proof]>([
    ["a link of another site", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
    ["the address bar", { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" }],
    ["its own page", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }],
    ["an API client", {}],
  ])("admits %s", async (_, headers) => {
    expect((await visitLocally("/issues.json", headers)).response.status).toBe(200);
  });
});
