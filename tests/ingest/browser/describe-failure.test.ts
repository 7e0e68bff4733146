// What the failures of pages mean: their kind, level, message and grouping.

import { describe, expect, it } from "vitest";
import { groupReport } from "#src/core/grouping/grouping.ts";
import { parseReporterBody } from "#src/ingest/browser/errata-reporter.ts";
import { getReport, listOutcomes } from "#support/reports/parsed-items.ts";

const PAGE = "https://www.shop.example/cart/17?step=2";

const read = (body: object) =>
  getReport(parseReporterBody({ errata: 1, type: "Error", url: PAGE, ...body })[0]);

const readResource = (resource: string, url = PAGE) =>
  read({ how: "resource", type: "String", message: resource, url });

const toKey = (body: object) => groupReport(read(body)).key;

describe("an error that React recovered from", () => {
  it.each([
    ["the callback", { how: "recovered", message: "no cart" }],
    ["the callback of a mismatch", { how: "mismatch", message: "no cart" }],
    ["window", { message: "Minified React error #418; visit https://react.dev/errors/418" }],
  ])("has its own kind and is a warning: from %s", (_, body: { how?: string; message: string }) => {
    const { how = "uncaught" } = body;
    expect(read({ how, ...body })).toMatchObject({
      kind: "recovered",
      level: "warning",
      tags: [["how", how === "mismatch" ? how : "recovered"]],
    });
  });

  it.each([
    "Minified React error #31; visit https://react.dev/errors/31",
    "The page says: Minified React error #418; and fails",
  ])("is not taken for any error of React: %s", (message) => {
    expect(read({ how: "uncaught", message })).toMatchObject({ kind: "error", level: "error" });
  });

  it("is not an occurrence of the same error that nobody recovered from", () => {
    const error = { type: "TypeError", message: "no cart" };
    expect(toKey({ ...error, how: "recovered" })).not.toBe(toKey({ ...error, how: "uncaught" }));
  });
});

describe("a failed resource", () => {
  it("is a network failure with the URL, without its query", () => {
    expect(readResource("script https://cdn.shop.example/assets/cart.js?v=3")).toMatchObject({
      kind: "network",
      type: "resource",
      message: "script https://cdn.shop.example/assets/cart.js",
      request: { url: PAGE, route: "/cart/17" },
      tags: [["how", "resource"]],
    });
  });

  it.each([
    ["a script of the page's site", "script https://cdn.shop.example/cart.js", "error"],
    ["a style sheet of the page's site", "link https://www.shop.example/cart.css", "error"],
    ["an image", "img https://www.shop.example/cart.png", "warning"],
    ["a script of another site", "script https://ads.example/ads.js", "warning"],
  ])("is an error or a warning: %s", (_, resource, level) => {
    expect(readResource(resource).level).toBe(level);
  });

  it.each([
    [
      "a query",
      ["https://shop.example/cart.js?v=1", "https://shop.example/cart.js?v=2"],
      "https://shop.example/cart.js",
    ],
    [
      "a hash in its name",
      [
        "https://shop.example/assets/cart-Cepvnn19.js",
        "https://shop.example/assets/cart-DxYzAbCd.js",
      ],
      "https://shop.example/assets/cart-*.js",
    ],
    [
      "a hash with hyphens in its name",
      [
        "https://shop.example/assets/cart-aB-x_9Qz.js",
        "https://shop.example/assets/cart-Cepvnn19.js",
      ],
      "https://shop.example/assets/cart-*.js",
    ],
    [
      "a name that is a hash",
      ["https://shop.example/c/0tdkx0c8v5b1q.js", "https://shop.example/c/1a2b3c4d5e6f7890.js"],
      "https://shop.example/c/*.js",
    ],
    [
      "an id in its path",
      ["https://shop.example/products/17/a.js", "https://shop.example/products/4711/a.js"],
      "https://shop.example/products/*/a.js",
    ],
  ])("is one issue, whatever the build: %s", (_, urls, stable) => {
    for (const url of urls)
      expect(readResource(`script ${url}`).fingerprint).toEqual(
        expect.arrayContaining(["script", stable]),
      );
  });

  it("is another issue for another file, and on pages of another site", () => {
    const script = { how: "resource", message: "script https://shop.example/assets/cart.js" };
    const keys = [
      toKey(script),
      toKey({ ...script, message: "script https://shop.example/assets/order.js" }),
      toKey({ ...script, url: "https://partner.example/" }),
    ];
    expect(new Set(keys).size).toBe(3);
  });

  it.each(["script", "", "script not a url", "<b> https://shop.example/"])(
    "never fails to parse: %s",
    (message) => {
      expect(readResource(message)).toMatchObject({ kind: "network", type: "resource" });
    },
  );
});

describe("a failed request", () => {
  const fetched = { how: "fetch", type: "TypeError" };

  it("names method, URL and status", () => {
    const message = "POST /api/cart/17?token=x";
    expect(read({ ...fetched, message, status: 503 })).toMatchObject({
      kind: "network",
      type: "fetch",
      message: "POST https://www.shop.example/api/cart/17: 503",
      level: "error",
      response: { status: 503, isSilent200: false },
      request: { url: PAGE },
    });
  });

  it("is a warning without a response: the visitor may be offline", () => {
    expect(read({ ...fetched, message: "GET https://api.example/cart" })).toMatchObject({
      message: "GET https://api.example/cart",
      level: "warning",
    });
  });

  it("is one issue for all ids and statuses, and another one without a response", () => {
    const keys = [
      toKey({ ...fetched, message: "GET /api/cart/17?a=1", status: 500 }),
      toKey({ ...fetched, message: "GET /api/cart/18", status: 503 }),
      toKey({ ...fetched, message: "GET /api/cart/18" }),
    ];
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe("a report of a page", () => {
  it.each(["uncaught", "rejection", "caught"])(
    "of a script that a deployment removed is a chunk error: %s",
    (how) => {
      const message = "Failed to fetch dynamically imported module: https://shop.example/a.js";
      expect(read({ how, message })).toMatchObject({ kind: "error", tags: [["how", "chunk"]] });
    },
  );

  it.each([
    ["Script error.", "script-error → counted"],
    ["Script error", "script-error → counted"],
    ["ResizeObserver loop completed with undelivered notifications.", "resize-loop → counted"],
  ])("without details is counted and not stored: %s", (message, outcome) => {
    const body = { errata: 1, how: "uncaught", type: "String", message };
    expect(listOutcomes(parseReporterBody(body))).toEqual([outcome]);
    const withStack = { ...body, stack: "Error: x\n    at f (https://shop.example/a.js:1:2)" };
    expect(listOutcomes(parseReporterBody(withStack))).toEqual(["uncaught → error"]);
  });

  it("with web vitals is counted and not stored", () => {
    const body = { errata: 1, reports: [{ how: "vitals", vitals: { lcp: 1200 } }] };
    expect(listOutcomes(parseReporterBody(body))).toEqual(["vitals → counted"]);
  });

  it("of a server keeps the word of its framework", () => {
    const report = read({ how: "fetch", side: "server", message: "Script error." });
    expect(report).toMatchObject({ kind: "error", side: "server", tags: [["how", "fetch"]] });
  });
});
