import { describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openChromium } from "../browser.ts";
import { openErrata } from "../errata.ts";
import { openApp } from "./app.ts";
import { WITHOUT_ADAPTER } from "./bare.ts";
import {
  ask,
  type Control,
  expectReportCount,
  type Failure,
  findReports,
  leave,
  listReports,
  readTrace,
  testControls,
  testFailures,
  testUnreachable,
} from "./failing-app.ts";

const errata = openErrata();
const chromium = openChromium();
const commands = {
  folder: "express",
  build: ["npm", "run", "build"],
  start: ["node", "dist/server/server.js"],
};
const app = openApp(commands, errata);
const bare = openApp({ ...commands, of: app, env: WITHOUT_ADAPTER });
const away = openApp({ ...commands, of: app });

const secret = (text: string) => `secret-of-the-kitchen: ${text}`;
const program = { accept: "application/json" };
const json = { "content-type": "application/json" };

const FAILURES: readonly Failure[] = [
  {
    fails: "a handler throws",
    path: "/price/7?from=mail",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart 7 has no price"),
    route: "/price/:id",
  },
  {
    fails: "an async handler throws",
    path: "/async/8",
    status: 500,
    shown: "notice",
    type: "RangeError",
    message: secret("cart 8 has no total"),
    route: "/async/:id",
  },
  {
    fails: "middleware throws before a route is known",
    path: "/middleware/9",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart m has no price"),
    route: "/middleware/9",
  },
  {
    fails: "a handler passes an error to next",
    path: "/next",
    status: 500,
    shown: "notice",
    type: "Error",
    message: secret("cart n is refused"),
    route: "/next",
  },
  {
    fails: "a handler throws a text",
    path: "/text",
    status: 500,
    shown: "notice",
    type: "String",
    message: secret("no tea"),
    route: "/text",
  },
  {
    fails: "a handler rejects with nothing",
    path: "/rejected",
    status: 500,
    shown: "notice",
    type: "Error",
    message: "Rejected promise",
    route: "/rejected",
  },
  {
    fails: "an error has a status of its own",
    path: "/unavailable",
    status: 503,
    shown: "notice",
    type: "Error",
    message: secret("cart u is refused"),
    route: "/unavailable",
  },
  {
    fails: "a handler of a router with parameters throws",
    path: "/admin/red/orders/7",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("cart 7 has no price"),
    route: "/admin/red/orders/:id",
  },
  {
    fails: "a program gets no page",
    path: "/api/orders/9",
    method: "POST",
    headers: { ...program, ...json },
    body: "{}",
    status: 500,
    shown: "problem",
    type: "RangeError",
    message: secret("cart 9 has no total"),
    route: "/api/orders/:id",
  },
  {
    fails: "a page of the application's own shows the digest",
    path: "/own/page",
    status: 500,
    shown: "text",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/page",
  },
  {
    fails: "the application's own error middleware answers",
    path: "/own/hidden",
    status: 500,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/hidden",
  },
  {
    fails: "the application's own error middleware answers with a good status",
    path: "/own/silent",
    status: 200,
    shown: "header",
    type: "TypeError",
    message: secret("cart own has no price"),
    route: "/own/silent",
  },
  {
    fails: "a handler throws after the headers",
    path: "/late/next",
    status: 200,
    shown: "nowhere",
    type: "RangeError",
    message: secret("cart l has no total"),
    route: "/late/next",
  },
  {
    fails: "a stream breaks after the headers",
    path: "/late/pipeline",
    status: 200,
    shown: "nowhere",
    type: "Error",
    message: secret("cart p has no second line"),
    route: "/late/pipeline",
  },
  {
    fails: "the shell of a React page",
    path: "/react/shell",
    status: 500,
    shown: "notice",
    type: "TypeError",
    message: secret("shell"),
    route: "/react/:page",
    how: "render",
  },
  {
    fails: "a boundary of a React page, while it streams",
    path: "/react/late",
    status: 200,
    shown: "markup",
    type: "TypeError",
    message: secret("late"),
    route: "/react/:page",
    how: "render",
  },
];

const CONTROLS: readonly Control[] = [
  { does: "a page", path: "/", status: 200 },
  { does: "a redirect", path: "/redirect", status: 302 },
  { does: "not found", path: "/missing", status: 404 },
  { does: "an error with a status below 500", path: "/forbidden", status: 403 },
  { does: "own error middleware with a status below 500", path: "/own/refused", status: 404 },
  {
    does: "a body that cannot be parsed",
    path: "/api/orders/9",
    method: "POST",
    headers: { ...program, ...json },
    body: "{bad",
    status: 400,
  },
];

describe("a failure in Express", () => {
  testFailures(FAILURES, { app, bare, errata });
  testUnreachable({ path: "/price/7" }, { away, bare });
});

describe("a failure in Express, in a browser", () => {
  it("shows the visitor the digest of a handler that throws", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/price/browser`);
    const [report] = await findReports(errata, await readTrace(page));
    expect(await page.locator(".errata-notice code").innerText()).toBe(report?.digest);
    const receipt = page.getByRole("link", { name: "Check the status of this error" });
    expect(await receipt.getAttribute("href")).toBe(`${errata.url}/e/${report?.digest}`);
  });

  it("is repaired by React, which reports it for the same issue: a boundary", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/react/late`);
    await page.getByText("Price").waitFor();
    const reports = await findReports(errata, await readTrace(page), 2);
    expect(reports.map(({ side, trust }) => `${side} ${trust}`).sort()).toEqual([
      "browser page",
      "server server",
    ]);
    expect(await page.locator(".errata-notice").count()).toBe(0);
  });

  it("is shown with the server's digest if the browser fails too", async () => {
    const page = await chromium.open();
    await page.goto(`${app.url}/react/both`);
    const digest = await page.locator(".errata-notice code").innerText();
    const reports = await findReports(errata, await readTrace(page), 2);
    expect(
      reports.map((report) => `${report.side} ${report.type} ${report.digest}`).sort(),
    ).toEqual([`browser RangeError ${digest}`, `server RangeError ${digest}`]);
  });
});

describe("what is no failure in Express", () => {
  testControls(CONTROLS, { app, bare, errata });

  it("is not reported, nor what fails because the visitor left", async () => {
    await leave(app, "/slow", "A slow visitor waits.");
    await leave(app, "/react/hanging", "Counting");
    await ask(app, { path: "/price/7" });
    // Three pages in a browser.
    await expectReportCount(errata, FAILURES.length + 1 + 3);
  });
});

describe("an error that ends the process", () => {
  const crashing = openApp({ ...commands, of: app }, errata);
  const rejecting = openApp({ ...commands, of: app }, errata);

  it.each([
    { how: "uncaught", of: crashing, path: "/late/timer", type: "TypeError" },
    { how: "rejection", of: rejecting, path: "/late/rejection", type: "RangeError" },
  ])("ends it as before, and is reported: $how", async ({ how, of, path, type }) => {
    expect((await ask(of, { path })).status).toBe(200);
    await eventually(async () => expect((await ask(of, { path: "/" })).status).toBe(0));
    expect(of.output()).toMatch(new RegExp(`^${type}: .*\\n +at `, "m"));
    await eventually(async () => {
      const reports = await listReports(errata);
      const found = reports.filter(({ tags }) => tags?.some(([, value]) => value === how));
      expect(found.map((report) => report.type)).toEqual([type]);
    });
  });
});
