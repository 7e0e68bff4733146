/** What a policy would have blocked, for programs. */
import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import type { Report } from "#src/core/report.ts";
import { visit } from "#support/http/visit.ts";
import { createReport } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { getIndex, getShard, log } from "#support/store/store.ts";

afterEach(() => emptyStore());

const HEADERS = {
  origin: "http://localhost:8787",
  "sec-fetch-site": "same-origin",
  "content-type": "application/json",
};
const PAGE = "https://shop.example/cart";

async function tryPolicy(policy: string, path = "") {
  const { response, body } = await visit(`/api/v1/policies/trials${path}`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify({ policy }),
  });
  return { status: response.status, json: JSON.parse(body) };
}

async function violate(n: number, type: string, blockedUri: string, over: Partial<Report> = {}) {
  const digest = digestFromHash(new Uint8Array(32).fill(n));
  const facts = { kind: "csp", side: "browser", trust: "page", type, blockedUri };
  await log.append([
    createReport(n, { digest, request: { url: PAGE }, ...facts, ...over } as never),
  ]);
  // The pages are in the snapshots of KV.
  await getShard().flush();
  await getIndex().waitUntilIdle();
}

describe("a policy", () => {
  it("is tried against the stored violations, and says which are of the site itself", async () => {
    await violate(1, "script-src-elem", "https://shop.example/own.js");
    await violate(2, "script-src-elem", "https://cdn.example/lib.js");
    await violate(3, "script-src-elem", "inline");
    const { status, json } = await tryPolicy("script-src https://cdn.example");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      counts: { blocked: { violationCount: 2 }, allowed: { violationCount: 1 } },
      blockedOwnCount: 2,
      addedSources: [{ directive: "script-src", source: "'self'", violationCount: 1 }],
      stillBlocked: [{ requirement: "nonce-or-hash" }],
      origins: ["https://shop.example"],
    });
    const find = (uri: string) =>
      json.violations.find((one: { blockedUri: string }) => one.blockedUri === uri);
    expect(find("https://shop.example/own.js")).toMatchObject({ verdict: "blocked", isOwn: true });
    expect(find("https://cdn.example/lib.js")).toMatchObject({ verdict: "allowed", trust: "page" });
    expect(find("https://cdn.example/lib.js")).not.toHaveProperty("isOwn");
  });

  it("is not failed by strangers who invent a violation of the site", async () => {
    await violate(1, "script-src-elem", "https://cdn.example/lib.js");
    await violate(2, "script-src-elem", "https://shop.example/own.js", { trust: "public" });
    const { json } = await tryPolicy("script-src https://cdn.example");
    expect(json.counts.blocked.violationCount).toBe(1);
    expect(json.blockedOwnCount).toBe(0);
  });

  it("withholds what browsers reported from a program that reads only text of servers", async () => {
    await violate(1, "img-src", "https://cdn.example/PRIVATE.png");
    const { json } = await tryPolicy("img-src 'self'", "?trust=server");
    expect(json.counts.blocked.violationCount).toBe(1);
    expect(json.violations[0].blockedUri).toEqual({
      withheld: true,
      writtenBy: "page",
      ask: "trust=page",
    });
    expect(JSON.stringify(json)).not.toContain("cdn.example");
  });

  it.each([["no directive at all"], ["x".repeat(9_000)]])("is refused: %#", async (policy) => {
    const { status, json } = await tryPolicy(policy);
    expect([status, json.reason]).toEqual([400, "bad-request"]);
    expect(json.detail).not.toContain("xx");
  });
});

it("the newest violation names the current policy", async () => {
  const detail = { "original-policy": "default-src 'self'" };
  await violate(1, "img-src", "https://cdn.example/a.png", { detail } as never);
  const { body } = await visit("/api/v1/policies", { headers: HEADERS });
  expect(JSON.parse(body)).toMatchObject({ total: 1, currentPolicy: "default-src 'self'" });
});
