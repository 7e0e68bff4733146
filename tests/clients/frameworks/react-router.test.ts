/** Every way in which an app of React Router can fail, with the adapter. */

import type { Page, Response as PageResponse } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { type App, openApp, readHeaderDigest, SECRET } from "./app.ts";
import { measureDelay, ReportCounts } from "./report-counts.ts";

const errata = openErrata();
const chromium = openChromium();
const APP = {
  folder: "react-router",
  build: ["react-router", "build"],
  start: ["react-router-serve", "build/server/index.js"],
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

/** React Router sends a page to programs, such as Node.js, when it is whole. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/156";
const DIGEST = /[\dA-Z]{4}-[\dA-Z]{4}/g;

async function ask(path: string, init: RequestInit = {}) {
  const headers = { "user-agent": userAgent, ...(init.headers as Record<string, string>) };
  const response = await fetch(`${app.url}${path}`, { redirect: "manual", ...init, headers });
  return { response, body: await response.text(), digest: readHeaderDigest(response) };
}

/** A failing address: what fails, and where the digest is. */
interface Failure {
  readonly fails: string;
  readonly path: string;
  readonly method?: string;
  readonly status?: number;
  readonly message: string;
  readonly how: string;
  readonly route: string;
  readonly seen?: readonly ("header" | "body")[];
}

const LOADER = { message: "loader", how: "loader", route: "/cart/:id" };
const ACTION = { method: "POST", message: "action", how: "action", route: "/order" };
const MIDDLEWARE = { message: "middleware", how: "loader", route: "/account" };
const FAILURES: readonly Failure[] = [
  { fails: "a loader, for a document", path: "/cart/7", ...LOADER },
  { fails: "a loader, for a soft navigation", path: "/cart/7.data", ...LOADER },
  { fails: "an action, for a document", path: "/order", ...ACTION },
  { fails: "an action, for a soft navigation", path: "/order.data", ...ACTION },
  { fails: "a middleware, for a document", path: "/account", ...MIDDLEWARE },
  { fails: "a middleware, for a soft navigation", path: "/account.data", ...MIDDLEWARE },
  {
    fails: "a component in the shell",
    path: "/menu",
    message: "component",
    how: "render",
    route: "/menu",
  },
  {
    fails: "a component behind Suspense",
    path: "/reviews",
    status: 200,
    message: "late component",
    how: "render",
    route: "/reviews",
    seen: ["body"],
  },
  {
    fails: "a promise of a loader",
    path: "/stock",
    status: 200,
    message: "deferred",
    how: "deferred",
    route: "/stock",
    seen: ["body"],
  },
  {
    fails: "a resource route",
    path: "/feed/rss",
    message: "resource",
    how: "loader",
    route: "/feed/:format",
    seen: ["header"],
  },
  { fails: "a loader, for HEAD", path: "/cart/7", method: "HEAD", ...LOADER, seen: ["header"] },
];

describe("a failure of React Router", () => {
  it.each(FAILURES)("has one digest and one report: $fails", async (failure) => {
    const { path, method = "GET", status = 500, message, how, route } = failure;
    const { seen = ["header", "body"] } = failure;
    const { response, body, digest } = await ask(path, { method });
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
      request: { method, url: `${app.url}${path}`, route },
      response: { status },
      traceId: /errata-trace;desc="(\w+)"/.exec(timing)?.[1],
      release: "react-router@1",
      tags: expect.arrayContaining([["how", how]]),
    });
  });

  it.each(["/text", "/text.data"])(
    "has the digest in the header if a text was thrown, which React Router shows: %s",
    async (path) => {
      const { response, body, digest } = await ask(path);
      expect(response.status).toBe(500);
      expect(body).toContain("no table is free");
      expect(await counts.readNext(digest)).toMatchObject({ message: "no table is free" });
    },
  );

  it("is in the element that stands for a promise, of which React tells nobody", async () => {
    const { response, body } = await ask("/prices");
    expect(response.status).toBe(200);
    expect(body).not.toContain(SECRET);
    const digests = [...body.matchAll(/<code>([^<]+)/g)].map(([, digest]) => digest);
    expect(digests).toHaveLength(2);
    for (const [place, name] of ["tea", "cake"].entries())
      expect(await counts.readNext(digests[place])).toMatchObject({
        message: `no price of ${name}: ${SECRET}`,
        request: { route: "/prices" },
        tags: expect.arrayContaining([["how", "deferred"]]),
      });
  });

  it("is shown by a boundary that knows nothing of Errata", async () => {
    const { body, digest } = await ask("/order", { method: "POST" });
    expect(body).toContain(`<p role="alert">Internal Error. Digest: ${digest}</p>`);
    await counts.readNext(digest);
  });

  it("is in the header for search engines, which wait for the whole page", async () => {
    const { response, body, digest } = await ask("/stock", { headers: { "user-agent": "Bot/1" } });
    expect(response.status).toBe(500);
    expect(body).toContain(digest);
    await counts.readNext(digest);
  });
});

describe("no report", () => {
  const foreign = { method: "POST", headers: { origin: "https://shop.example" } };

  it.each([
    ["an answer that was thrown", "/expected", {}, 500],
    ["an answer that was thrown, for a soft navigation", "/expected.data", {}, 500],
    ["a redirect", "/old", {}, 302],
    ["a page that does not exist", "/nowhere", {}, 404],
    ["a good page", "/", {}, 200],
    ["a form of another site", "/order", foreign, 400],
    ["a form of another site, for a soft navigation", "/order.data", foreign, 400],
  ])("comes from %s", async (_, path, init, status) => {
    const { response, digest } = await ask(path, init);
    expect(response.status).toBe(status);
    expect(digest).toBeUndefined();
  });

  it.each(["/slow", "/slow.data"])(
    "comes from a request that the visitor ends: %s",
    async (path) => {
      const countLines = (text: string) => app.output().split(`${text}\n`).length;
      const [waiting, left] = [countLines("waits"), countLines("left")];
      const visit = new AbortController();
      const headers = { "user-agent": userAgent };
      const answer = fetch(`${app.url}${path}`, { signal: visit.signal, headers });
      await expect.poll(() => countLines("waits")).toBe(waiting + 1);
      visit.abort();
      await expect(answer).rejects.toThrow("abort");
      await expect.poll(() => countLines("left")).toBe(left + 1);
    },
  );
});

describe("a visitor of React Router", () => {
  async function visit(path: string): Promise<{ page: Page; response: PageResponse | null }> {
    const page = await chromium.open({ userAgent });
    const response = await page.goto(`${app.url}${path}`);
    return { page, response };
  }

  const notice = (page: Page) => page.locator(".errata-notice code");

  it("sees the digest of a failed page, which hydration keeps", async () => {
    const { page, response } = await visit("/cart/7");
    const digest = await notice(page).textContent();
    expect(await response?.text()).toContain(`<code>${digest}</code>`);
    await page.waitForLoadState("networkidle");
    expect(await notice(page).textContent()).toBe(digest);
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees the digest after a soft navigation", async () => {
    const { page } = await visit("/");
    await page.getByRole("link", { name: "/cart/7" }).click();
    const digest = await notice(page).textContent();
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees the digest after a form", async () => {
    const { page } = await visit("/");
    await page.getByRole("button", { name: "Order" }).click();
    const alert = page.getByRole("alert");
    await alert.waitFor();
    const [digest] = (await alert.innerText()).match(DIGEST) ?? [];
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees a good page where only the server failed, and the browser's report joins", async () => {
    const { page, response } = await visit("/reviews");
    await page.locator("#shown").waitFor();
    const [digest] = (await response?.text())?.match(DIGEST) ?? [];
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees the digest of a promise", async () => {
    const { page } = await visit("/stock");
    const digest = await notice(page).textContent();
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it("sees the digest of a thrown text after hydration", async () => {
    const { page } = await visit("/text");
    const digest = await notice(page).textContent();
    await page.close();
    await counts.readNext(digest, { browser: 1 });
  });

  it.each([
    ["an effect that fails", "/clock"],
    ["a component that fails after a soft navigation", "/menu"],
  ])("sees no digest of %s: no server failed", async (_, path) => {
    const { page } = await visit("/");
    await page.getByRole("link", { name: path }).click();
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
