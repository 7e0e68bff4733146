/** Every way in which an app of TanStack Start can fail, with the adapter. */

import type { Page, Response as PageResponse } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { type App, openApp, readHeaderDigest, SECRET } from "./app.ts";
import { measureDelay, ReportCounts } from "./report-counts.ts";

const errata = openErrata();
const chromium = openChromium();
const APP = {
  folder: "tanstack",
  build: ["vite", "build"],
  start: [
    ...["srvx", "serve", "--prod", "--static", "../client", "--entry", "dist/server/server.js"],
    ...["--port", "PORT", "--host", "127.0.0.1"],
  ],
  env: {
    get VITE_ERRATA_URL() {
      return `${errata.url}/monitoring`;
    },
  },
};
const app = openApp(APP, errata);
/** The same app, whose Errata does not answer. */
const lone = openApp({ ...APP, of: app });
const counts = new ReportCounts(errata);

const userAgent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/156";
const DIGEST = /[\dA-Z]{4}-[\dA-Z]{4}/g;

async function ask(path: string, headers: Record<string, string> = {}) {
  const init = { redirect: "manual", headers: { "user-agent": userAgent, ...headers } } as const;
  const response = await fetch(`${app.url}${path}`, init);
  return { response, body: await response.text(), digest: readHeaderDigest(response) };
}

/** A failing address: what fails, and where the digest is. */
interface Failure {
  readonly fails: string;
  readonly path: string;
  readonly status: number;
  readonly message: string;
  readonly how: string;
  /** Unless it is the path. */
  readonly route?: string;
  readonly seen: readonly ("header" | "body")[];
}

const FAILURES: readonly Failure[] = [
  {
    fails: "a loader",
    path: "/cart/7",
    status: 500,
    message: "loader",
    how: "loader",
    route: "/cart/$id",
    seen: ["header", "body"],
  },
  {
    fails: "beforeLoad",
    path: "/account",
    status: 500,
    message: "beforeLoad",
    how: "loader",
    seen: ["header", "body"],
  },
  {
    fails: "a server function that a loader calls",
    path: "/total",
    status: 500,
    message: "server function of a loader",
    how: "function",
    seen: ["header", "body"],
  },
  {
    fails: "a promise of a loader",
    path: "/stock",
    status: 200,
    message: "deferred",
    how: "data",
    seen: ["body"],
  },
  {
    fails: "a component, on both sides",
    path: "/menu",
    status: 200,
    message: "component",
    how: "render",
    seen: ["header", "body"],
  },
  {
    fails: "a component, on the server alone",
    path: "/reviews",
    status: 200,
    message: "component on the server",
    how: "render",
    seen: ["header", "body"],
  },
  {
    fails: "a component behind Suspense",
    path: "/late",
    status: 200,
    message: "late component",
    how: "render",
    seen: ["body"],
  },
  {
    fails: "a server route",
    path: "/feed/rss",
    status: 500,
    message: "server route",
    how: "request",
    route: "/feed/$format",
    seen: ["header"],
  },
];

describe("a failure of TanStack Start", () => {
  it.each(FAILURES)("has one digest and one report: $fails", async (failure) => {
    const { path, status, message, how, route = path, seen } = failure;
    const { response, body, digest } = await ask(path);
    expect(response.status).toBe(status);
    const [code = digest, ...others] = new Set(body.match(DIGEST));
    expect(others).toEqual([]);
    expect(body.includes(code ?? "none")).toBe(seen.includes("body"));
    if (seen.includes("header")) expect(digest).toBe(code);
    expect(body).not.toContain(SECRET);
    const timing = response.headers.get("server-timing") ?? "";
    expect(await counts.readNext(code)).toMatchObject({
      type: "PaymentError",
      message: `${message}: ${SECRET}`,
      request: { method: "GET", url: `${app.url}${path}`, route },
      response: { status },
      traceId: /errata-trace;desc="(\w+)"/.exec(timing)?.[1],
      release: "tanstack@1",
      tags: expect.arrayContaining([["how", how]]),
    });
  });

  it("has the digest in the header if a text was thrown, which TanStack Start sends", async () => {
    const { response, body, digest } = await ask("/text");
    expect(response.status).toBe(500);
    expect(body).toContain("no table is free");
    expect(await counts.readNext(digest)).toMatchObject({ message: "no table is free" });
  });

  it("is the message of the error that a page gets", async () => {
    const { body, digest } = await ask("/account");
    expect(body).toContain(`<p role="alert">Internal Error. Digest: ${digest}</p>`);
    await counts.readNext(digest);
  });

  it("is in the header for search engines, which wait for the whole page", async () => {
    const { response, body, digest } = await ask("/late", { "user-agent": "Googlebot/2.1" });
    expect(response.status).toBe(200);
    expect(body).toContain(digest);
    await counts.readNext(digest);
  });

  it("has the body of TanStack Start's own answer: a server route", async () => {
    const { body, digest } = await ask("/feed/rss");
    expect(JSON.parse(body)).toMatchObject({ status: 500, unhandled: true, message: "HTTPError" });
    await counts.readNext(digest);
  });
});

describe("no report", () => {
  it.each([
    ["a redirect", "/old", 307],
    ["a loader that finds nothing", "/gone", 404],
    ["a page that does not exist", "/nowhere", 404],
    ["an error that the application shows", "/closed", 500],
    ["a server route that refuses a request", "/feed/none", 403],
    ["a good page", "/", 200],
  ])("comes from %s", async (_, path, status) => {
    const { response, digest } = await ask(path);
    expect(response.status).toBe(status);
    expect(digest).toBeUndefined();
  });

  it("comes from an error that the application shows: the page has its message", async () => {
    expect((await ask("/closed")).body).toContain("closed on Mondays");
  });

  it("comes from a request that the visitor ends", async () => {
    const countLines = (text: string) => app.output().split(`${text}\n`).length;
    const visit = new AbortController();
    const answer = fetch(`${app.url}/slow`, { signal: visit.signal });
    await expect.poll(() => countLines("waits")).toBe(2);
    visit.abort();
    await expect(answer).rejects.toThrow("abort");
    await expect.poll(() => countLines("left")).toBe(2);
  });
});

describe("a visitor of TanStack Start", () => {
  async function visit(path: string): Promise<{ page: Page; response: PageResponse | null }> {
    const page = await chromium.open({ userAgent });
    const response = await page.goto(`${app.url}${path}`);
    return { page, response };
  }

  const notice = (page: Page) => page.locator(".errata-notice code");

  it.each([
    ["a loader", "/cart/7"],
    ["a server function that a loader calls", "/total"],
    ["a promise", "/stock"],
    ["a component that also fails in the browser", "/menu"],
    ["a thrown text", "/text"],
  ])("sees the digest of %s, and the browser's report joins", async (_, path) => {
    const { page } = await visit(path);
    const digest = await notice(page).textContent();
    await page.waitForLoadState("networkidle");
    expect(await notice(page).textContent()).toBe(digest);
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees the digest in the page without scripts", async () => {
    const page = await chromium.open({ userAgent, javaScriptEnabled: false });
    await page.goto(`${app.url}/cart/7`);
    await counts.readNext(await notice(page).textContent());
  });

  it.each(["/reviews", "/late"])(
    "sees a good page where only the server failed, and the browser's report joins: %s",
    async (path) => {
      const { page, response } = await visit(path);
      await page.locator("#shown").waitFor();
      const [digest] = (await response?.text())?.match(DIGEST) ?? [];
      await page.close();
      await counts.readNext(digest, { browser: 1 });
    },
  );

  it("gets the digest of a server function, and nothing else of its error", async () => {
    const { page } = await visit("/order");
    const answer = page.waitForResponse(/_serverFn/);
    await page.getByRole("button", { name: "Order" }).click();
    const response = await answer;
    expect(response.status()).toBe(200);
    expect(await response.text()).not.toContain(SECRET);
    const output = page.locator("output");
    await expect.poll(() => output.innerText()).not.toBe("");
    const { digest, message } = JSON.parse(await output.innerText());
    expect(message).toBe(`Internal Error. Digest: ${digest}`);
    await page.close();
    expect(await counts.readNext(digest)).toMatchObject({
      message: `server function: ${SECRET}`,
      request: { method: "POST", route: "placeOrder" },
      tags: expect.arrayContaining([
        ["how", "function"],
        ["function", "placeOrder"],
      ]),
    });
  });

  it("sees no digest of an effect after a soft navigation: no server failed", async () => {
    const { page } = await visit("/");
    await page.getByRole("link", { name: "Clock" }).click();
    await page.locator(".errata-notice").waitFor();
    expect(await notice(page).count()).toBe(0);
    await page.close();
    expect(await counts.readNew()).toMatchObject({ type: "PaymentError", side: "browser" });
  });
});

describe("the app", () => {
  it("made no other report", async () => {
    await counts.expectNoOthers();
  });

  it("answers as fast without Errata, with digests", async () => {
    const visit = ({ url }: App) =>
      fetch(`${url}/cart/7`, { headers: { "user-agent": userAgent } });
    expect(
      await measureDelay(
        () => visit(lone),
        () => visit(app),
      ),
    ).toBeLessThan(5);
    const response = await visit(lone);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain(readHeaderDigest(response));
  });
});
