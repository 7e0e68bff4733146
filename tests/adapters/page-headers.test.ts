import { describe, expect, it } from "vitest";
import { createPageHeaders, isSharedPage, readOrigin } from "#src/adapters/page-headers.ts";
import { configureErrata } from "#src/adapters/server.ts";
import { sha256 } from "#src/adapters/sha256.ts";
import { decodePageToken, toPolicyHash } from "#src/core/trust/page-token-format.ts";

const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

describe("the origin that a visitor's browser knows", () => {
  it.each([
    ["that of the connection", {}, "http://shop.example:8080"],
    ["with the scheme of a proxy", { "x-forwarded-proto": "https" }, "https://shop.example:8080"],
    [
      "that of the first of several proxies",
      { "x-forwarded-proto": "https, http", "x-forwarded-host": "www.shop.example, inner" },
      "https://www.shop.example",
    ],
    ["without empty headers", { "x-forwarded-proto": "" }, "http://shop.example:8080"],
  ])("is %s", (_, headers, origin) => {
    expect(readOrigin("http://shop.example:8080", reader(headers))).toBe(origin);
  });
});

describe("the facts of a response", () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

  it.each([
    ["a page", "text/html; charset=utf-8", undefined, `errata-trace;desc="${trace}"`],
    [
      "a page that failed",
      "text/html",
      "7F3K-Q2M9",
      `errata-digest;desc="7F3K-Q2M9", errata-trace;desc="${trace}"`,
    ],
    [
      "data that failed",
      "application/json",
      "7F3K-Q2M9",
      `errata-digest;desc="7F3K-Q2M9", errata-trace;desc="${trace}"`,
    ],
    ["other data", "application/json", undefined, undefined],
    ["a file", undefined, undefined, undefined],
  ])("are, without a DSN and so without a token: %s", async (_, contentType, digest, facts) => {
    const headers = reader(contentType === undefined ? {} : { "content-type": contentType });
    const added = await createPageHeaders({ trace, digest }, "https://shop.example", headers);
    expect(added).toEqual(facts === undefined ? [] : [["Server-Timing", facts]]);
  });

  it("are added to those of the application, and each is there once", async () => {
    const digest = "7F3K-Q2M9";
    const before = `db;dur=5, errata-trace;desc="${"1".repeat(32)}"`;
    const headers = reader({ "content-type": "text/html", "server-timing": before });
    expect(await createPageHeaders({ trace, digest }, "https://shop.example", headers)).toEqual([
      ["Server-Timing", `${before}, errata-digest;desc="${digest}"`],
    ]);
  });

  it.each([
    ["public, max-age=60", true],
    ["max-age=0, s-maxage=60", true],
    ["private, max-age=60", false],
    ["no-store", false],
    [undefined, false],
  ])("are shared by visitors with Cache-Control: %s: %s", (cacheControl, isShared) => {
    expect(isSharedPage(cacheControl)).toBe(isShared);
  });
});

describe("the token of a page with a policy", () => {
  const facts = { trace: "4bf92f3577b34da6a3ce929d0e0e4736" };
  const policy = "script-src 'nonce-r4nd0m'";
  const createHeaders = async (given: Readonly<Record<string, unknown>>) => {
    configureErrata({ dsn: `https://errata_server_${"0".repeat(32)}@errata.example/1` });
    const headers: Readonly<Record<string, unknown>> = { "content-type": "text/html", ...given };
    const read = (name: string) => headers[name];
    const added = await createPageHeaders(facts, "https://shop.example", read);
    const all = Object.fromEntries(added.map(([name, value]) => [name.toLowerCase(), value]));
    const [, token = ""] = /errata-token;desc="([^"]+)"/.exec(all["server-timing"] ?? "") ?? [];
    return { all, token, policyHash: decodePageToken(token)?.policyHash };
  };

  it.each([
    ["that is enforced", { "content-security-policy": policy }, policy],
    ["that only reports", { "content-security-policy-report-only": ` ${policy} ` }, policy],
    ["in a list of headers", { "content-security-policy": [policy] }, policy],
    ["beside another in the header", { "content-security-policy": `${policy}, img-src *` }, null],
    [
      "beside one that only reports",
      { "content-security-policy": policy, "content-security-policy-report-only": policy },
      null,
    ],
    ["that is missing", {}, null],
  ])("proves the only policy, one %s", async (_, headers, proven) => {
    const { policyHash } = await createHeaders(headers);
    expect(policyHash).toBe(proven === null ? undefined : toPolicyHash(proven, sha256));
  });

  it("is in the addresses to which browsers report to Errata, and in no other", async () => {
    const own = "https://errata.example/monitoring?sentry_key=k";
    const other = "https://other.example/monitoring";
    const sent = `${policy}; connect-src ${own} /monitoring; report-uri ${own} ${other} /monitoring`;
    const groups = `errata="${own}", default="${other}", old="/monitoring?t=x"`;
    const { all, token, policyHash } = await createHeaders({
      "content-security-policy": sent,
      "reporting-endpoints": groups,
    });
    expect(all["reporting-endpoints"]).toBe(groups.replace(own, `${own}&t=${token}`));
    const [start = "", addresses = ""] = sent.split("report-uri");
    const withToken = addresses
      .replace(own, `${own}&t=${token}`)
      .replace(/\/monitoring$/, `/monitoring?t=${token}`);
    expect(all["content-security-policy"]).toBe(`${start}report-uri${withToken}`);
    // Browsers repeat the policy with the token, which Errata removes.
    expect(policyHash).toBe(toPolicyHash(all["content-security-policy"] ?? "", sha256));
  });
});
