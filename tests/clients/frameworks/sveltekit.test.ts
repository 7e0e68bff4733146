/** Every way in which a SvelteKit app can fail, with the adapter. */

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp } from "./app.ts";
import {
  expectNamedFailure,
  expectNoDelay,
  expectNoDigest,
  expectOneReportEach,
  type FailingRequest,
  findReport,
  leaveEarly,
  openHydrated,
  readBrowserReports,
  readNotice,
  readReceiptLink,
  readTiming,
  type SeenDigests,
} from "./failures.ts";

const APP = { folder: "sveltekit", build: ["vite", "build"], start: ["node", "build"] } as const;

const errata = openErrata();
const chromium = openChromium();
const app = openApp(APP, errata);
const seen: SeenDigests = new Map();

const form = (headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  body: new URLSearchParams({ cup: "1" }),
  headers: { origin: app.url, ...headers },
});
const json = { headers: { accept: "application/json" } };

const REQUESTS: readonly (FailingRequest & { readonly post?: Record<string, string> })[] = [
  {
    fails: "load on the server",
    path: "/load?from=mail",
    status: 500,
    type: "TypeError",
    message: "no price",
    route: "/load",
    shown: "both",
  },
  {
    fails: "load on the server, in a soft navigation",
    path: "/load/__data.json",
    url: "/load",
    status: 200,
    type: "TypeError",
    message: "no price",
    route: "/load",
    shown: "both",
  },
  {
    fails: "universal load",
    path: "/universal",
    status: 500,
    type: "RangeError",
    message: "no steps",
    route: "/universal",
    shown: "both",
  },
  {
    fails: "component",
    path: "/component",
    status: 500,
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'name')",
    route: "/component",
    shown: "both",
  },
  {
    fails: "form action",
    path: "/teas/7?/pour",
    post: {},
    status: 500,
    type: "Error",
    message: "no cup",
    route: "/teas/[tea]",
    shown: "both",
  },
  {
    fails: "form action of use:enhance",
    path: "/teas/7?/pour",
    post: { accept: "application/json", "x-sveltekit-action": "true" },
    status: 500,
    type: "Error",
    message: "no cup",
    route: "/teas/[tea]",
    shown: "both",
  },
  {
    fails: "endpoint, for a page",
    path: "/api/pour",
    status: 500,
    type: "Error",
    message: "no kettle",
    route: "/api/pour",
    shown: "both",
  },
  {
    fails: "endpoint, for a program",
    path: "/api/pour",
    init: json,
    status: 500,
    type: "Error",
    message: "no kettle",
    route: "/api/pour",
    shown: "both",
  },
  {
    fails: "handle, for a page",
    path: "/hook",
    status: 500,
    type: "Error",
    message: "no door",
    route: "/hook",
    shown: "body",
  },
  {
    fails: "handle, for a program",
    path: "/hook",
    init: json,
    status: 500,
    type: "Error",
    message: "no door",
    route: "/hook",
    shown: "body",
  },
  {
    fails: "promise of load, in the stream",
    path: "/stream",
    status: 200,
    type: "Error",
    message: "no stock",
    route: "/stream",
    shown: "body",
  },
  {
    fails: "promise of load, in a soft navigation",
    path: "/stream/__data.json",
    url: "/stream",
    status: 200,
    type: "Error",
    message: "no stock",
    route: "/stream",
    shown: "body",
  },
  {
    fails: "thrown text",
    path: "/text",
    status: 500,
    type: "String",
    message: "no tea",
    route: "/text",
    shown: "both",
  },
  {
    fails: "error(503)",
    path: "/expected",
    status: 503,
    type: "HttpError",
    message: "The tea house is closed",
    route: "/expected",
    shown: "both",
  },
];

describe("a request that SvelteKit cannot answer", () => {
  it.each(REQUESTS)("gets the digest of its one report: $fails", async ({ post, ...failing }) => {
    const request = post === undefined ? failing : { ...failing, init: form(post) };
    await expectNamedFailure(app, errata, request, seen);
  });
});

describe("a visitor of a SvelteKit app", () => {
  it("sees the notice of a failed page, with a link to the receipt", async () => {
    const page = await chromium.open();
    const { digest, trace } = await readTiming(await page.goto(`${app.url}/load`));
    seen.set(trace, "");
    expect(await readNotice(page)).toBe(digest);
    expect(await readReceiptLink(page)).toBe(`${errata.url}/e/${digest}`);
    seen.set(trace, digest);
  });

  it("sees the notice in place of a page that fails in a soft navigation", async () => {
    const page = await chromium.open();
    await openHydrated(page, app.url);
    const data = page.waitForResponse(/__data\.json/);
    await page.getByRole("link", { name: "Load", exact: true }).click();
    const { digest, trace } = await readTiming(await data);
    seen.set(trace, "");
    expect(await readNotice(page)).toBe(digest);
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it("sees the notice in place of a form whose action fails", async () => {
    const page = await chromium.open();
    await openHydrated(page, `${app.url}/teas/7`);
    const action = page.waitForResponse((response) => response.request().method() === "POST");
    await page.getByRole("button", { name: "Pour enhanced" }).click();
    const { digest, trace } = await readTiming(await action);
    seen.set(trace, "");
    expect(await readNotice(page)).toBe(digest);
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it("sees the digest of a promise that fails behind the page", async () => {
    const page = await chromium.open();
    const { trace } = await readTiming(await page.goto(`${app.url}/stream`));
    seen.set(trace, "");
    const digest = await page.locator("#digest").innerText();
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it.each([
    // SvelteKit does not say which page calls a query.
    ["query", "RangeError", "#stock", /^\/_app\/remote\/\w+\/readStock$/],
    ["command", "Error", "#ordered", /^\/remote$/],
  ])("reads the digest of a remote function that fails: %s", async (name, type, place, route) => {
    const page = await chromium.open();
    const answer = page.waitForResponse(/_app\/remote/);
    await openHydrated(page, `${app.url}/remote?${name}`);
    if (name === "command") await page.getByRole("button", { name: "Order" }).click();
    const { digest, trace } = await readTiming(await answer);
    seen.set(trace, "");
    await page.locator(place, { hasText: digest }).waitFor();
    expect(await findReport(errata, digest, trace)).toMatchObject({
      type,
      request: { route: expect.stringMatching(route) },
      response: { status: 200 },
    });
    seen.set(trace, digest);
  });

  it.each([
    ["component", "TypeError", (page: Page) => page.getByRole("link", { name: "Component" })],
    ["universal load", "RangeError", (page: Page) => page.getByRole("link", { name: "Universal" })],
    ["event handler", "Error", (page: Page) => page.getByRole("button", { name: "Pour" })],
  ])("fails in a %s: the one report of the browser has the page's trace", async (_, type, find) => {
    const page = await chromium.open();
    const { trace } = await readTiming(await openHydrated(page, app.url));
    await find(page).click();
    await page.waitForRequest(`${errata.url}/monitoring`);
    await page.close();
    const reports = await readBrowserReports(errata, trace, 1);
    expect(reports).toMatchObject([{ type, side: "browser" }]);
  });
});

describe("an Errata that does not answer", () => {
  const away = openApp({ ...APP, of: app });
  const silent = openApp({ ...APP, of: app, env: { ERRATA_DSN: "" } });

  it("delays no response and stops no process", () => expectNoDelay(away, silent, "/load"));
});

describe("what is no failure", () => {
  it.each([
    ["a redirect", "/old", 307],
    ["error(404)", "/gone", 404],
    ["an unknown address", "/missing", 404],
    ["a page", "/", 200],
  ])("has no digest and no report: %s", (_, path, status) => expectNoDigest(app, path, status));

  it("shows its own message, and no notice", async () => {
    const page = await chromium.open();
    await openHydrated(page, `${app.url}/gone`);
    expect(await page.locator("body").innerText()).toContain("No such tea");
  });

  it("is a request that the visitor has left", () => leaveEarly(app, "/slow"));

  it("adds no report to those of the failures", () => expectOneReportEach(errata, seen));
});
