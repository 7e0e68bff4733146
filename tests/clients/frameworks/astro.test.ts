/** Every way in which an Astro app can fail, with the adapter. */
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp, SECRET } from "./app.ts";
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

const APP = {
  folder: "astro",
  build: ["astro", "build"],
  start: ["node", "dist/server/entry.mjs"],
} as const;

const errata = openErrata();
const chromium = openChromium();
const app = openApp(APP, errata);
const seen: SeenDigests = new Map();

const REQUESTS: readonly (FailingRequest & { readonly isForm?: true })[] = [
  {
    fails: "page",
    path: "/teas/7?from=mail",
    status: 500,
    type: "TypeError",
    message: "no price",
    route: "/teas/[tea]",
    shown: "both",
  },
  {
    fails: "component, behind the first bytes",
    path: "/component",
    status: 200,
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'water')",
    route: "/component",
    shown: "body",
  },
  {
    fails: "component behind an await",
    path: "/late",
    status: 200,
    type: "RangeError",
    message: "no stock",
    route: "/late",
    shown: "body",
  },
  {
    fails: "endpoint",
    path: "/api/pour",
    status: 500,
    type: "Error",
    message: "no kettle",
    route: "/api/pour",
    shown: "both",
  },
  {
    fails: "middleware of the application",
    path: "/hook",
    status: 500,
    type: "Error",
    message: "no door",
    route: "/hook",
    shown: "both",
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
    fails: "action of a form",
    path: "/form?_action=pour",
    isForm: true,
    status: 500,
    type: "Error",
    message: "no cup",
    route: "/form",
    shown: "both",
  },
  {
    fails: "action that a script calls",
    path: "/_actions/pour",
    isForm: true,
    status: 500,
    type: "Error",
    message: "no cup",
    route: "/_actions/[...path]",
    shown: "both",
  },
];

describe("a request that Astro cannot answer", () => {
  it.each(REQUESTS)("gets the digest of its one report: $fails", async ({ isForm, ...failing }) => {
    const body = new FormData();
    body.set("cup", "1");
    const form = { method: "POST", body, headers: { origin: app.url } };
    const request = isForm ? { ...failing, init: form } : failing;
    await expectNamedFailure(app, errata, request, seen);
  });
});

describe("a visitor of an Astro app", () => {
  it("sees the notice of a failed page, with a link to the receipt", async () => {
    const page = await chromium.open();
    const { digest, trace } = await readTiming(await page.goto(`${app.url}/teas/7`));
    seen.set(trace, "");
    expect(await readNotice(page)).toBe(digest);
    expect(await readReceiptLink(page)).toBe(`${errata.url}/e/${digest}`);
    seen.set(trace, digest);
  });

  it("sees the notice where a page ends early", async () => {
    const page = await chromium.open();
    const { trace } = await readTiming(await page.goto(`${app.url}/late`));
    seen.set(trace, "");
    expect(await page.getByRole("heading").innerText()).toBe("Teas");
    const digest = await readNotice(page);
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it("sees the fallback of a server island that fails, whose response has the digest", async () => {
    const page = await chromium.open();
    const island = page.waitForResponse(/_server-islands/);
    await page.goto(`${app.url}/island`);
    const response = await island;
    expect(response.status()).toBe(500);
    expect(await response.text()).not.toContain(SECRET);
    const { digest, trace } = await readTiming(response);
    seen.set(trace, "");
    expect(await findReport(errata, digest, trace)).toMatchObject({
      type: "RangeError",
      request: { route: "/_server-islands/[name]" },
    });
    await page.getByText("Counting").waitFor();
    seen.set(trace, digest);
  });

  it("reads the digest in the message of an action that fails", async () => {
    const page = await chromium.open();
    await openHydrated(page, `${app.url}/form`);
    const action = page.waitForResponse(/_actions/);
    await page.getByRole("button", { name: "Pour without the page" }).click();
    const { digest, trace } = await readTiming(await action);
    seen.set(trace, "");
    await page.getByText(`Internal Error. Digest: ${digest}`).waitFor();
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it("fails in a script: the one report of the browser has the page's trace", async () => {
    const page = await chromium.open();
    const { trace } = await readTiming(await openHydrated(page, app.url));
    await page.getByRole("button", { name: "Pour" }).click();
    await page.waitForRequest(`${errata.url}/monitoring`);
    await page.close();
    const reports = await readBrowserReports(errata, trace, 1);
    expect(reports).toMatchObject([{ type: "Error", message: "the button is broken" }]);
  });
});

describe("an Errata that does not answer", () => {
  const away = openApp({ ...APP, of: app });
  const silent = openApp({ ...APP, of: app, env: { ERRATA_DSN: "" } });

  it("delays no response and stops no process", () => expectNoDelay(away, silent, "/teas/7"));
});

describe("what is no failure", () => {
  it.each([
    ["a redirect", "/old", 302],
    ["a response with 404", "/gone", 404],
    ["an unknown address", "/missing", 404],
    ["a page", "/", 200],
  ])("has no digest and no report: %s", (_, path, status) => expectNoDigest(app, path, status));

  it("is a request that the visitor has left", () => leaveEarly(app, "/slow"));

  it("adds no report to those of the failures", () => expectOneReportEach(errata, seen));
});
