/**
 * The failures of the app in `next`, which vinext serves too: what is thrown, what the visitor sees,
 * and what Errata has of it.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import type { Chromium } from "../browser.ts";
import type { Errata } from "../errata.ts";
import { type App, readHeaderDigest, readReports, SECRET } from "./app.ts";

/** What a test uses. */
interface Services {
  readonly errata: Errata;
  readonly chromium: Chromium;
  readonly app: App;
}

/** A page that fails when a visitor opens it. */
export interface FailingPage {
  readonly path: string;
  readonly fails: string;
  readonly status: number;
  readonly type?: string;
  readonly message: string;
  /** Unless it is the path. */
  readonly route?: string;
  /** The route was unknown when the digest was shown: it is a tag of the report. */
  readonly isRouteTag?: boolean;
  /** Where the visitor's browser finds the digest. */
  readonly digestIn: readonly ("page" | "header")[];
  /** Reports of the browser about the same issue. */
  readonly browser: number;
}

/** The pages, with what Next.js does. */
export const PAGES: readonly FailingPage[] = [
  {
    path: "/shell",
    fails: "in a server component, before the first byte",
    status: 500,
    type: "TypeError",
    message: "no menu today",
    digestIn: ["page", "header"],
    browser: 1,
  },
  {
    path: "/dish/tea",
    fails: "in a server component, with a message of the engine",
    status: 500,
    type: "TypeError",
    message: "Cannot read properties of undefined (reading '0')",
    route: "/dish/[name]",
    digestIn: ["page", "header"],
    browser: 1,
  },
  {
    path: "/late",
    fails: "in a server component behind Suspense",
    status: 200,
    type: "RangeError",
    message: "the stock was counted too late",
    digestIn: ["page"],
    browser: 1,
  },
  {
    path: "/text",
    fails: "with a thrown text",
    status: 500,
    message: "no error object",
    digestIn: ["page", "header"],
    browser: 1,
  },
  {
    path: "/cached",
    fails: "in the callback of unstable_cache",
    status: 500,
    message: "the price list is gone",
    digestIn: ["page", "header"],
    browser: 1,
  },
  {
    path: "/server-alone",
    fails: "in a client component, on the server alone",
    status: 500,
    message: "no window",
    digestIn: ["header"],
    browser: 0,
  },
  {
    path: "/both-sides",
    fails: "in a client component, on both sides",
    status: 500,
    message: "no chart on either side",
    digestIn: ["page", "header"],
    browser: 1,
  },
  {
    path: "/edge",
    fails: "in the Edge runtime",
    status: 500,
    message: "the edge has no kettle",
    digestIn: ["page"],
    browser: 1,
  },
  {
    path: "/edge/tea",
    fails: "in the Edge runtime, with a message of the engine",
    status: 500,
    type: "TypeError",
    message: "Cannot read properties of undefined (reading '0')",
    route: "/edge/[name]",
    isRouteTag: true,
    digestIn: ["page"],
    browser: 1,
  },
  {
    path: "/legacy/props",
    fails: "in getServerSideProps",
    status: 500,
    message: "no props for the old page",
    digestIn: ["page", "header"],
    browser: 0,
  },
  {
    path: "/legacy/render",
    fails: "in a page of the Pages Router",
    status: 500,
    message: "the old page does not render",
    digestIn: ["page", "header"],
    browser: 1,
  },
];

/** Opens a page, and compares what the visitor's browser has with what Errata has. */
export async function checkPage(services: Services, failing: FailingPage): Promise<void> {
  const { errata, chromium, app } = services;
  const { path, status, type = "Error", message, route = path, digestIn, browser } = failing;
  const page = await chromium.open();
  const response = await page.goto(`${app.url}${path}?from=mail`);
  const timing = (await response?.headerValue("server-timing")) ?? "";
  const inHeader = /errata-digest;desc="([^"]+)"/.exec(timing)?.[1];
  const inPage = digestIn.includes("page") ? await readShownDigest(page) : undefined;
  expect(response?.status()).toBe(status);
  expect(await response?.text()).not.toContain(SECRET);
  expect(inHeader !== undefined).toBe(digestIn.includes("header"));
  if (inHeader && inPage) expect(inPage).toBe(inHeader);

  const reports = await readReports(errata, inPage ?? inHeader ?? "", { server: 1, browser });
  expect(findServerReport(reports)).toMatchObject({
    type,
    message: expect.stringContaining(message),
    traceId: /errata-trace;desc="(\w+)"/.exec(timing)?.[1],
    request: { method: "GET", url: expect.stringContaining(`${path}?from=mail`) },
    ...(failing.isRouteTag
      ? { tags: expect.arrayContaining([["route", route]]) }
      : { request: { route } }),
  });
}

/** A link or a form that makes the server fail. */
export interface FailingAction {
  readonly page: string;
  readonly fails: string;
  readonly role: "link" | "button";
  readonly name: string;
  readonly message: string;
  readonly route: string;
  readonly method: string;
  readonly browser: number;
}

/** What a visitor does on a page. */
export const ACTIONS: readonly FailingAction[] = [
  {
    page: "/",
    fails: "a soft navigation",
    role: "link",
    name: "Menu",
    message: "the menu did not come",
    route: "/soft",
    method: "GET",
    browser: 1,
  },
  {
    page: "/action",
    fails: "a server action whose caller handles the failure",
    role: "button",
    name: "Order",
    message: "the kitchen is closed",
    route: "/action",
    method: "POST",
    browser: 0,
  },
  {
    page: "/form",
    fails: "the action of a form",
    role: "button",
    name: "Pay",
    message: "the till is empty",
    route: "/form",
    method: "POST",
    browser: 1,
  },
];

/** Clicks, and compares the digest that the visitor sees with what Errata has. */
export async function checkAction(services: Services, action: FailingAction): Promise<void> {
  const { errata, chromium, app } = services;
  const { role, name, message, method, route, browser } = action;
  const page = await chromium.open();
  await page.goto(`${app.url}${action.page}`);
  await page.getByRole(role, { name }).click();
  const digest = await readShownDigest(page);
  expect(await page.content()).not.toContain(SECRET);
  const reports = await readReports(errata, digest, { server: 1, browser });
  expect(findServerReport(reports)).toMatchObject({
    message: expect.stringContaining(message),
    request: { method, url: expect.stringMatching(new RegExp(`^${route}(?:\\?|$)`)), route },
  });
}

/** A handler that fails. A wrapped one answers with problem details. */
export interface FailingHandler {
  readonly path: string;
  readonly what: string;
  readonly message: string;
  /** Unless it is the path. */
  readonly route?: string;
  readonly isWrapped: boolean;
}

/** The handlers, with what Next.js does. */
export const HANDLERS: readonly FailingHandler[] = [
  {
    path: "/api/stock",
    what: "a route handler",
    message: "the stock room is locked",
    isWrapped: false,
  },
  {
    path: "/api/wrapped/tea",
    what: "a wrapped route handler",
    message: "no price of tea",
    route: "/api/wrapped/[name]",
    isWrapped: true,
  },
  {
    path: "/api/edge",
    what: "a wrapped route handler in the Edge runtime",
    message: "no kettle for the API",
    isWrapped: true,
  },
  {
    path: "/api/legacy",
    what: "an API route of the Pages Router",
    message: "the old API is broken",
    isWrapped: false,
  },
  {
    path: "/api/legacy-wrapped",
    what: "a wrapped API route of the Pages Router",
    message: "the wrapped API is broken",
    isWrapped: true,
  },
  {
    path: "/gate",
    what: "the proxy",
    message: "the gate is stuck",
    route: "/proxy",
    isWrapped: false,
  },
];

/** Calls a handler, and compares the digest in the header with what Errata has. */
export async function checkHandler(
  { errata, app }: Pick<Services, "errata" | "app">,
  { path, message, route = path, isWrapped }: FailingHandler,
): Promise<void> {
  const response = await fetch(`${app.url}${path}`);
  const digest = readHeaderDigest(response) ?? "";
  const body = await response.text();
  expect(response.status).toBe(500);
  expect(body).not.toContain(SECRET);
  expect(response.headers.get("content-type") === "application/problem+json").toBe(isWrapped);
  if (isWrapped)
    expect(JSON.parse(body)).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      digest,
      instance: `${errata.url}/e/${digest}`,
    });
  const reports = await readReports(errata, digest, { server: 1 });
  expect(findServerReport(reports)).toMatchObject({
    message: expect.stringContaining(message),
    request: { method: "GET", url: expect.stringContaining(path), route },
  });
}

/** Answers that are no failures: what happens, the path, and the status. */
export const SIGNALS: readonly (readonly [what: string, path: string, status: number])[] = [
  ["a redirect", "/moved", 307],
  ["a redirect of a wrapped route handler", "/api/wrapped/elsewhere", 307],
  ["a redirect of the proxy", "/old-home", 307],
  ["notFound()", "/missing", 404],
  ["an address without a page", "/nothing-here", 404],
];

/** Asks for a page that is no failure, and finds no digest in it. */
export async function checkSignal(app: App, path: string, status: number): Promise<void> {
  const response = await fetch(`${app.url}${path}`, { redirect: "manual" });
  expect(response.status).toBe(status);
  expect(readHeaderDigest(response)).toBeUndefined();
  expect(await response.text()).not.toMatch(/"digest\\?":\\?"[\dA-Z]{4}-[\dA-Z]{4}/);
}

/** Asks for everything that is no failure, leaves a page early, and finds no report. */
export async function checkSilence({ errata, app }: Pick<Services, "errata" | "app">) {
  const controller = new AbortController();
  const left = await fetch(`${app.url}/slow`, { signal: controller.signal });
  controller.abort();
  await expect(left.text()).rejects.toThrow("aborted");
  for (const [, path] of SIGNALS) await fetch(`${app.url}${path}`, { redirect: "manual" });
  // Reports arrive in the order of their failures.
  const response = await fetch(`${app.url}/api/wrapped/cake`);
  await readReports(errata, readHeaderDigest(response) ?? "", { server: 1 });
  const { issues } = (await errata.json("/issues")) as { issues: readonly { title: string }[] };
  expect(issues.map(({ title }) => title).join()).not.toMatch(/NEXT_|[Aa]bort|headers/);
}

/** The digest that the visitor sees. */
async function readShownDigest(page: Page): Promise<string> {
  await page.getByText("Digest").first().waitFor();
  const text = await page.locator("body").innerText();
  return /Digest:?\s+([\dA-Z]{4}-[\dA-Z]{4})/.exec(text)?.[1] ?? text;
}

function findServerReport(reports: readonly Report[]): Report | undefined {
  return reports.find(({ side }) => side === "server");
}
