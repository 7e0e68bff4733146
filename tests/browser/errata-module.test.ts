// `errata/browser` as a module of an application, in Chromium.

import type { Page } from "playwright-core";
import { createElement } from "react";
import { renderToReadableStream } from "react-dom/server.browser";
import { beforeAll, describe, expect, it } from "vitest";
import type { BrowserReport } from "#src/adapters/browser.ts";
import { type FailingKind, HydratedShop } from "#support/browser/hydrated-shop.tsx";
import { openProduct } from "#support/browser/product.ts";
import { bundleForPage, openShop } from "#support/browser/reporting-shop.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();
const shop = openShop(product);
const TO = "/monitoring?sentry_key=0123456789abcdef0123456789abcdef";

/** Opens a page with the module as the global `errata`, and starts it with the source of options. */
async function openPage(
  path: string,
  options: string | undefined = "",
  { headers = {}, head = "", body = "" } = {},
): Promise<Page> {
  const start =
    options === undefined ? "" : `errata.startErrata({ to: ${JSON.stringify(TO)}, ${options} })`;
  const html = `<!doctype html><title>Shop</title>${head}<script src="/errata.js"></script>
    <script>${start}</script>${body}`;
  shop.serve(path, { headers, body: html });
  const page = await product.open();
  await page.goto(shop.url + path, { waitUntil: "load" });
  return page;
}

/** Captures errors in the page, in order, and returns the reports that were sent. */
async function capture(page: Page, count: number, code: string) {
  await page.evaluate(code);
  await eventually(() => expect(shop.reports()).toHaveLength(count));
  return shop.reports();
}

describe("the options", () => {
  it("ignore errors by texts and patterns of type and message", async () => {
    const options = 'ignore: ["Error: noise (a", /^RangeError: [0-9]+$/g]';
    const page = await openPage("/ignore", options);
    const reports = await capture(
      page,
      2,
      `for (const error of [
        new Error("noise (a"), new RangeError("12"), new RangeError("13"),
        new RangeError("12 apples"), new Error("music"),
      ]) errata.captureException(error)`,
    );
    expect(reports.map(({ message }) => message)).toEqual(["12 apples", "music"]);
  });

  it("let a function change and drop reports; one that throws drops them", async () => {
    const options = `beforeSend(report) {
      if (report.message === "drop") return null;
      if (report.message === "throw") throw new Error("in the function");
      if (report.message === "cycle") { report.self = report; return report; }
      return { ...report, message: report.message.toUpperCase(), tags: { plan: "gold" } };
    }`;
    const page = await openPage("/before-send", options);
    const reports = await capture(
      page,
      1,
      `for (const message of ["drop", "throw", "cycle", "keep"])
        errata.captureException(new Error(message))`,
    );
    expect(reports).toEqual([expect.objectContaining({ message: "KEEP", tags: { plan: "gold" } })]);
  });

  it("report a share of page views: none, or each", async () => {
    const silent = await openPage("/sample-0", "sample: 0");
    const loud = await openPage("/sample-1", "sample: 1");
    for (const page of [silent, loud])
      await page.evaluate("errata.captureException(new Error('sampled'))");
    await eventually(() => expect(shop.reports()).toHaveLength(1));
    expect(shop.reports()[0]?.url).toBe(`${shop.url}/sample-1`);
    expect(await silent.evaluate("errata.captureException(new Error('sampled'))")).toBeUndefined();
  });

  it("of the first start decide, also those of the script beside the module", async () => {
    const head = shop.tag('data-release="script@1"');
    const page = await openPage("/twice", 'release: "module@1"', { head });
    const [report] = await capture(page, 1, "errata.captureException(new Error('of the module'))");
    expect(report).toMatchObject({ how: "caught", message: "of the module" });
    await page.evaluate("setTimeout(() => { throw new Error('of both') })");
    await eventually(() => expect(shop.reports()).toHaveLength(2));
    expect(shop.bodies().map(({ release }) => release)).toEqual(["script@1", "script@1"]);
  });
});

describe("a report", () => {
  it("has four causes and members, each once, also of a cycle", async () => {
    const page = await openPage("/causes");
    const [cycle, group] = await capture(
      page,
      2,
      `const first = new Error("first"), second = new TypeError("second", { cause: first });
      first.cause = second;
      errata.captureException(first);
      const members = ["a", "b", "c", "d", "e"].map((message) => new RangeError(message));
      members[0].cause = "a text";
      errata.captureException(new AggregateError(members, "all failed", { cause: second }));`,
    );
    expect(cycle?.causes).toEqual([
      { type: "TypeError", message: "second", stack: expect.any(String), parent: 0 },
    ]);
    expect(group).toMatchObject({ type: "AggregateError", isGroup: true });
    expect(
      (group as { causes: BrowserReport[] } | undefined)?.causes?.map(({ message, parent }) => [
        message,
        parent,
      ]),
    ).toEqual([
      ["second", 0],
      ["a", 0],
      ["b", 0],
      ["c", 0],
    ]);
  });

  it("describes thrown values of every type as a server does", async () => {
    const page = await openPage("/values");
    const reports = await capture(
      page,
      8,
      `const unreadable = new Proxy(new Error("hidden"), { get() { throw new Error("a trap") } });
      for (const value of [
        "a text", null, undefined, 42, { name: "Anna", code: 7 }, Symbol("s"), () => 1, unreadable,
      ]) errata.captureException(value)`,
    );
    expect(reports.map(({ type, message }) => [type, message])).toEqual([
      ["String", "a text"],
      ["Null", ""],
      ["Undefined", ""],
      ["Number", "42"],
      ["Object", '{"name":"Anna","code":7}'],
      ["Symbol", "Symbol(s)"],
      ["Function", ""],
      [undefined, ""],
    ]);
  });

  it("has the debug ids of the scripts in its stack alone", async () => {
    const page = await openPage("/debug-ids");
    const [report] = await capture(
      page,
      1,
      `const [own, other] = ["85314830-023f-4cf1-a267-535f4e37bb17", "b5f2d3a0-1c1e-4f0e-8f3a-0123456789ab"];
      window._sentryDebugIds = {
        ["Error\\n    at https://shop.example/assets/cart.js:1:25\\n    at https://shop.example/loader.js:1:2"]: own,
        ["Error\\n    at https://shop.example/assets/order.js:1:25"]: other,
      };
      window._debugIds = { ["@https://shop.example/chunk.js:3:4"]: other };
      const error = new Error("built");
      error.stack = "Error: built\\n    at pay (https://shop.example/assets/cart.js:7:1)\\n    at https://shop.example/chunk.js:9:9";
      errata.captureException(error);`,
    );
    expect(Object.values(report?.debugIds as object)).toEqual([
      "85314830-023f-4cf1-a267-535f4e37bb17",
      "b5f2d3a0-1c1e-4f0e-8f3a-0123456789ab",
    ]);
    expect(Object.keys(report?.debugIds as object).join()).not.toContain("order.js");
  });

  it("has the digest of the error, else of the markup, else of Server-Timing, each once", async () => {
    const page = await openPage("/digests", "", {
      headers: { "server-timing": 'errata-digest;desc="TIMED-1"' },
      body: `<div><!--$!--><template data-dgst="MARKED-1"></template><!--/$--></div>`,
    });
    const reports = await capture(
      page,
      4,
      `document.querySelector("template").remove();
      errata.captureException(Object.assign(new Error("own"), { digest: "OWN-1" }));
      for (const message of ["first", "second", "third"])
        errata.captureException(new Error(message));`,
    );
    expect(reports.map(({ message, digest }) => [message, digest])).toEqual([
      ["own", "OWN-1"],
      ["first", "MARKED-1"],
      ["second", "TIMED-1"],
      ["third", undefined],
    ]);
  });

  it("of an error that no boundary caught has no digest but its own", async () => {
    const page = await openPage("/digest-uncaught", "", {
      headers: { "server-timing": 'errata-digest;desc="TIMED-1"' },
    });
    const [report] = await capture(page, 1, "setTimeout(() => { throw new Error('a click') })");
    expect(report).not.toHaveProperty("digest");
  });
});

describe("failed requests of fetch", () => {
  it("are not reported by default", async () => {
    const page = await openPage("/fetch-default");
    await page.evaluate("fetch('/api/fails').catch(() => {})");
    const [report] = await capture(page, 1, "errata.captureException(new Error('last'))");
    expect(report?.message).toBe("last");
  });

  it("are reported once, and the page gets what it would get", async () => {
    const page = await openPage("/fetch", "fetches: true");
    shop.serve("/api/fails", { status: 503, body: "out of tea" });
    shop.serve("/api/works", { body: "tea" });
    const seen = await page.evaluate(async () => {
      const stop = new AbortController();
      const aborted = fetch("/api/works", { signal: stop.signal }).catch(({ name }) => name);
      stop.abort();
      const unreachable = "http://127.0.0.1:1/cart?token=secret";
      return [
        await (await fetch("/api/works")).text(),
        await (await fetch(new Request("/api/fails", { method: "POST", body: "x" }))).text(),
        (await fetch("/api/missing")).status,
        await fetch(new URL(unreachable), { method: "PUT" }).catch((error) => error.name),
        await aborted,
      ];
    });
    expect(seen).toEqual(["tea", "out of tea", 404, "TypeError", "AbortError"]);
    await eventually(() => expect(shop.reports()).toHaveLength(2));
    expect(shop.reports()).toEqual([
      expect.objectContaining({ how: "fetch", message: `POST ${shop.url}/api/fails`, status: 503 }),
      expect.objectContaining({
        how: "fetch",
        message: "PUT http://127.0.0.1:1/cart?token=secret",
        type: "TypeError",
      }),
    ]);
  });

  it("that nobody handles are reported as the request alone", async () => {
    const page = await openPage("/fetch-unhandled", "fetches: true");
    const rejected = page.waitForEvent("pageerror");
    const reports = await capture(page, 1, "void fetch('http://127.0.0.1:1/cart')");
    await rejected;
    expect(reports.map(({ how }) => how)).toEqual(["fetch"]);
  });

  it("of the reporter itself are not reported", async () => {
    const page = await openPage("/fetch-own", "fetches: true");
    await page.route("**/monitoring?**", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.evaluate("errata.captureException(new Error('first'))");
    await failed;
    await page.unroute("**/monitoring?**");
    const reports = await capture(page, 2, "errata.captureException(new Error('second'))");
    expect(reports.map(({ message }) => message)).toEqual(["first", "second"]);
  });
});

describe("failed resources", () => {
  it.each([
    ["a script", `<script src="/missing.js?v=3"></script>`, "script", "/missing.js?v=3"],
    ["a style sheet", `<link rel="stylesheet" href="/missing.css">`, "link", "/missing.css"],
    ["an image", `<img src="/missing.png">`, "img", "/missing.png"],
  ])("are reported with their URL: %s", async (_, html, element, url) => {
    await openPage(`/resource-${element}`, "", { body: html });
    await eventually(() => expect(shop.reports()).toHaveLength(1));
    expect(shop.reports()[0]).toMatchObject({
      how: "resource",
      message: `${element} ${shop.url}${url}`,
    });
  });
});

describe("React's callbacks", () => {
  let script = "";
  beforeAll(async () => {
    script = await bundleForPage("hydrated-shop.tsx", "shopPage");
  });

  const DIGEST = "7F3K-Q2M9";
  const STACK = expect.stringMatching(/\S/);
  const CASES: readonly (readonly [FailingKind, readonly Partial<BrowserReport>[]])[] = [
    ["mismatch", [{ how: "recovered", componentStack: STACK }]],
    ["server alone", [{ how: "recovered", digest: DIGEST }]],
    ["both sides", [{ how: "caught", digest: DIGEST, componentStack: STACK }]],
    ["browser, in a boundary", [{ how: "caught", componentStack: STACK }]],
    ["browser, in no boundary", [{ how: "uncaught", componentStack: STACK }]],
  ];
  it.each(CASES)("report a failure once: %s", async (kind, expected) => {
    const stream = await renderToReadableStream(createElement(HydratedShop, { kind }), {
      onError: () => DIGEST,
    });
    await stream.allReady;
    const markup = await new Response(stream).text();
    const path = `/react-${CASES.findIndex(([one]) => one === kind)}`;
    shop.serve(`${path}.js`, { headers: { "content-type": "text/javascript" }, body: script });
    const page = await openPage(path, "", {
      body: `<div id="root">${markup}</div><script src="${path}.js"></script>
        <script>
          // Like a module, which runs after the page has arrived.
          addEventListener("DOMContentLoaded", () =>
            shopPage.hydrateShop(document.getElementById("root"), ${JSON.stringify(kind)}));
        </script>`,
    });
    await eventually(() => expect(shop.reports().length).toBeGreaterThan(0));
    expect(shop.reports()).toEqual(expected.map((report) => expect.objectContaining(report)));
    // What comes later would be in another batch.
    await page.evaluate("errata.captureException(new Error('last'))");
    await eventually(() => expect(shop.bodies()).toHaveLength(2));
    expect(shop.reports()).toHaveLength(expected.length + 1);
  });
});
