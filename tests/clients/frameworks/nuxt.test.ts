/** Every way in which a Nuxt app can fail, with the adapter. */
import { describe, expect, it } from "vitest";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp, readHeaderDigest } from "./app.ts";
import {
  expectNamedFailure,
  expectNoDelay,
  expectNoDigest,
  expectOneReportEach,
  type FailingRequest,
  fetchTraced,
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
  folder: "nuxt",
  build: ["nuxt", "build"],
  start: ["node", ".output/server/index.mjs"],
} as const;

const errata = openErrata();
const chromium = openChromium();
const app = openApp(APP, errata);
const seen: SeenDigests = new Map();

const json = { headers: { accept: "application/json" } };

const REQUESTS: readonly FailingRequest[] = [
  {
    fails: "setup of a page",
    path: "/teas/7?from=mail",
    status: 500,
    type: "TypeError",
    message: "no price",
    route: "/teas/:tea",
    shown: "both",
  },
  {
    fails: "setup of a page, for a program",
    path: "/teas/7",
    init: json,
    status: 500,
    type: "TypeError",
    message: "no price",
    route: "/teas/:tea",
    shown: "both",
  },
  {
    fails: "template of a component",
    path: "/component",
    status: 500,
    type: "TypeError",
    message: "Cannot read properties of undefined (reading 'water')",
    route: "/component",
    shown: "both",
  },
  {
    fails: "middleware of a page",
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
    fails: "createError with 503, of a page",
    path: "/closed",
    status: 503,
    type: "Error",
    message: "The tea house is closed",
    route: "/closed",
    shown: "both",
  },
  {
    fails: "useAsyncData",
    path: "/data",
    status: 200,
    type: "RangeError",
    message: "no stock",
    route: "/data",
    shown: "both",
  },
  {
    fails: "API, for a page",
    path: "/api/pour",
    status: 500,
    type: "Error",
    message: "no kettle",
    route: "/api/pour",
    shown: "both",
  },
  {
    fails: "API, for a program",
    path: "/api/pour",
    init: json,
    status: 500,
    type: "Error",
    message: "no kettle",
    route: "/api/pour",
    shown: "both",
  },
  {
    fails: "API, with an error that has a cause",
    path: "/api/heat",
    init: json,
    status: 500,
    type: "RangeError",
    message: "no heat",
    route: "/api/heat",
    shown: "both",
  },
  {
    fails: "createError with 503, of an API",
    path: "/api/closed",
    init: json,
    status: 503,
    type: "Error",
    message: "The tea house is closed",
    route: "/api/closed",
    shown: "both",
  },
  {
    fails: "middleware of the server",
    path: "/door",
    status: 500,
    type: "Error",
    message: "no key",
    route: "/door",
    shown: "both",
  },
];

describe("a request that Nuxt cannot answer", () => {
  it.each(REQUESTS)("gets the digest of its one report: $fails", async (failing) => {
    await expectNamedFailure(app, errata, failing, seen);
  });

  it("gets the digest of the API that its page called with useFetch", async () => {
    const { trace, response, text } = await fetchTraced(app, "/fetched");
    expect(response.status).toBe(200);
    const digest = readHeaderDigest(response) ?? "";
    expect(text).toContain(`<p id="digest">${digest}</p>`);
    expect(await findReport(errata, digest, trace)).toMatchObject({
      type: "Error",
      request: { route: "/api/pour" },
    });
    seen.set(trace, digest);
  });

  it("is answered with a problem, if it is one of an API", async () => {
    const { trace, response, text } = await fetchTraced(app, "/api/pour", json);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const { digest, ...problem } = JSON.parse(text);
    expect(problem).toMatchObject({
      status: 500,
      title: "Internal Server Error",
      instance: `${errata.url}/e/${digest}`,
      statusCode: 500,
      message: "Server Error",
    });
    seen.set(trace, digest);
  });
});

describe("a visitor of a Nuxt app", () => {
  it("sees the notice of a failed page, with a link to the receipt", async () => {
    const page = await chromium.open();
    const { digest, trace } = await readTiming(await page.goto(`${app.url}/teas/7`));
    seen.set(trace, "");
    expect(await readNotice(page)).toBe(digest);
    expect(await readReceiptLink(page)).toBe(`${errata.url}/e/${digest}`);
    seen.set(trace, digest);
  });

  it("reads the digest of an API that fails in a soft navigation", async () => {
    const page = await chromium.open();
    await openHydrated(page, app.url);
    const answer = page.waitForResponse(/api\/pour/);
    await page.getByRole("link", { name: "Fetched" }).click();
    const { digest, trace } = await readTiming(await answer);
    seen.set(trace, "");
    await page.getByText(digest).waitFor();
    await findReport(errata, digest, trace);
    seen.set(trace, digest);
  });

  it.each([
    ["component", "TypeError", "link", "Component"],
    ["rejection of useAsyncData", "RangeError", "link", "Data"],
    ["event handler", "Error", "button", "Pour"],
  ] as const)(
    "meets a failed %s: the one report of the browser has the page's trace",
    async (_, type, role, name) => {
      const page = await chromium.open();
      const { trace } = await readTiming(await openHydrated(page, app.url));
      await page.getByRole(role, { name }).click();
      await page.waitForRequest(`${errata.url}/monitoring`);
      await page.close();
      const reports = await readBrowserReports(errata, trace, 1);
      expect(reports).toMatchObject([{ type, side: "browser" }]);
    },
  );
});

describe("an Errata that does not answer", () => {
  const away = openApp({ ...APP, of: app });
  const silent = openApp({ ...APP, of: app, env: { ERRATA_DSN: "" } });

  it("delays no response and stops no process", () => expectNoDelay(away, silent, "/teas/7"));
});

describe("what is no failure", () => {
  it.each([
    ["a redirect", "/old", 302],
    ["createError with 404", "/gone", 404],
    ["an unknown address", "/missing", 404],
    ["a page", "/", 200],
  ])("has no digest and no report: %s", (_, path, status) => expectNoDigest(app, path, status));

  it("is a request that the visitor has left", () => leaveEarly(app, "/api/slow"));

  it("adds no report to those of the failures", () => expectOneReportEach(errata, seen));
});
