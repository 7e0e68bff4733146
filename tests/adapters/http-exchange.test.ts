import { describe, expect, it } from "vitest";
import {
  createFailureAnswer,
  createPageFacts,
  isFailureStatus,
  isPage,
  isSharedPage,
  readOrigin,
} from "#src/adapters/http-exchange.ts";

const named = {
  digest: "7F3K-Q2M9",
  id: "0123456789abcdef0123456789abcdef",
  receiptUrl: "https://errata.example/e/7F3K-Q2M9",
};
const reader = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name];

describe("the status of a response after an error", () => {
  it.each([
    [200, true],
    [204, true],
    [301, false],
    [307, false],
    [400, false],
    [404, false],
    [499, false],
    [500, true],
    [503, true],
  ])("%d: is a failure: %s", (status, isFailure) => {
    expect(isFailureStatus(status)).toBe(isFailure);
  });
});

describe("the answer to a failure", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  it.each([
    ["a browser", { accept: browser }, true],
    ["a browser that follows a link", { "sec-fetch-mode": "navigate" }, true],
    ["a program that accepts everything", { accept: "*/*" }, false],
    ["a program that accepts JSON", { accept: "application/json" }, false],
    ["a program that names nothing", {}, false],
  ])("is for %s", (_, headers, isForVisitor) => {
    const answer = createFailureAnswer(named, 503, reader(headers));
    expect(answer.body).toContain(named.digest);
    expect(answer.body).toContain(named.receiptUrl);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(isPage(answer.headers["content-type"])).toBe(isForVisitor);
    if (!isForVisitor)
      expect(JSON.parse(answer.body)).toMatchObject({ status: 503, title: "Service Unavailable" });
  });

  it("has a policy that allows its own style and script alone", () => {
    const { headers, body } = createFailureAnswer(named, 500, reader({ accept: "text/html" }));
    const [, nonce = ""] =
      /^default-src 'none'; style-src 'nonce-(\w{32})'; script-src 'nonce-\1'$/.exec(
        headers["content-security-policy"] ?? "",
      ) ?? [];
    expect(body.match(/<(?:style|script)[^>]*>/g)).toEqual([
      `<style nonce="${nonce}">`,
      `<script nonce="${nonce}">`,
    ]);
  });
});

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
