import { describe, expect, it } from "vitest";
import { createPageFacts, isSharedPage, readOrigin } from "#src/adapters/page-headers.ts";

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
    const origin = "https://shop.example";
    expect(await createPageFacts({ trace, digest }, origin, { contentType })).toBe(facts);
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
