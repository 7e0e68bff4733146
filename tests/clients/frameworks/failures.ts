/**
 * Fetches the failing addresses of an app, and follows the digest that a visitor gets to the report
 * behind it.
 */

import { randomBytes } from "node:crypto";
import type { Page, Response as PageResponse } from "playwright-core";
import { expect } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../../support/eventually.ts";
import type { Errata } from "../errata.ts";
import { type App, readHeaderDigest, SECRET } from "./app.ts";

/** A request that fails: what the visitor gets, and what the report says. */
export interface FailingRequest {
  readonly fails: string;
  readonly path: string;
  readonly init?: RequestInit;
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly route: string | undefined;
  /** Where the digest is: headers are out before what fails in a stream. */
  readonly shown: "both" | "header" | "body";
  /** Unless it is that of the path. */
  readonly url?: string;
}

/**
 * The digest of each trace that the tests of a file made; "" until it is known. A repeated test made
 * two.
 */
export type SeenDigests = Map<string, string>;

const DIGEST = /\b[\dA-HJ-KM-NP-TV-Z]{4}-[\dA-HJ-KM-NP-TV-Z]{4}\b/;

/** Fetches a page as a browser does, with a trace of its own. */
export async function fetchTraced(app: App, path: string, init: RequestInit = {}) {
  const trace = randomBytes(16).toString("hex");
  const headers = new Headers({ accept: "text/html", ...init.headers });
  headers.set("traceparent", `00-${trace}-00000000000000aa-01`);
  const response = await fetch(`${app.url}${path}`, { ...init, headers, redirect: "manual" });
  return { trace, response, text: await response.text() };
}

/** Asks for a page that has not failed: its status is as without the adapter, without a digest. */
export async function expectNoDigest(app: App, path: string, status: number): Promise<void> {
  const { response, text } = await fetchTraced(app, path);
  expect(response.status).toBe(status);
  expect(`${response.headers.get("server-timing")}${text}`).not.toMatch(/digest["']?[;:]/);
}

/** Fetches a failing address. Everything that the tests promise of a failure holds. */
export async function expectNamedFailure(
  app: App,
  errata: Errata,
  failing: FailingRequest,
  seen: SeenDigests,
): Promise<void> {
  const { path, init, status, type, message, route, shown, url = path } = failing;
  const { trace, response, text } = await fetchTraced(app, path, init);
  expect(response.status).toBe(status);
  expect(text).not.toContain(SECRET);
  const sent = readHeaderDigest(response);
  const read = DIGEST.exec(text)?.[0];
  if (shown !== "body") expect(sent).toMatch(DIGEST);
  if (shown !== "header") expect(read).toMatch(DIGEST);
  if (shown === "both") expect(read).toBe(sent);
  const digest = sent ?? read ?? "";
  seen.set(trace, digest);
  const report = await findReport(errata, digest, trace);
  expect(report).toMatchObject({
    side: "server",
    type,
    message: expect.stringContaining(message),
    request: { method: init?.method ?? "GET", url: expect.stringContaining(url) },
    response: { status, isSilent200: status < 400 },
  });
  expect(report.request?.route).toBe(route);
}

/** Requests an address that answers only after the visitor has left, and leaves. */
export async function leaveEarly(app: App, path: string): Promise<void> {
  const leaving = new AbortController();
  const left = fetch(`${app.url}${path}`, { signal: leaving.signal }).catch(() => "left");
  await eventually(() => expect(app.output()).toContain("The kettle is on"));
  leaving.abort();
  expect(await left).toBe("left");
  await eventually(() => expect(app.output()).toContain("The visitor has left"));
}

/** Opens a page, and waits until its scripts are loaded and links work without a new document. */
export function openHydrated(page: Page, url: string): Promise<PageResponse | null> {
  return page.goto(url, { waitUntil: "networkidle" });
}

/** What `Server-Timing` of a response in the browser says. */
export async function readTiming(response: PageResponse | null) {
  const timing = (await response?.headerValue("server-timing")) ?? "";
  const [, digest = ""] = /errata-digest;desc="([^"]+)"/.exec(timing) ?? [];
  const [, trace = ""] = /errata-trace;desc="([^"]+)"/.exec(timing) ?? [];
  return { digest, trace };
}

/** The digest in the notice that a page shows. */
export async function readNotice(page: Page): Promise<string> {
  return page.locator(".errata-notice code").innerText();
}

/** The link from the notice to the receipt. */
export function readReceiptLink(page: Page): Promise<string | null> {
  const link = page.getByRole("link", { name: "Check the status of this error" });
  return link.getAttribute("href");
}

/**
 * An app whose Errata does not answer responds as fast as one that sends nothing, and goes on. The
 * limit is for the median of 30 responses. Other work of the machine only adds to it, so the best
 * of three series counts.
 */
export async function expectNoDelay(away: App, silent: App, path: string): Promise<void> {
  const delays = [];
  for (let series = 0; series < 3; series++) {
    delays.push(await measureDelay(away, silent, path));
    if (Math.min(...delays) < MAX_DELAY_MS) break;
  }
  expect(Math.min(...delays)).toBeLessThan(MAX_DELAY_MS);
  expect((await fetchTraced(away, "/")).response.status).toBe(200);
}

const WARM_UP_ROUNDS = 10;
const ROUNDS = 30;
const MAX_DELAY_MS = 5;

/** How much longer the first app takes, ms. The requests to the two alternate. */
async function measureDelay(away: App, silent: App, path: string): Promise<number> {
  const times: { readonly away: number; readonly silent: number }[] = [];
  const measure = async (app: App) => {
    const start = performance.now();
    expect((await fetchTraced(app, path)).response.status).toBe(500);
    return performance.now() - start;
  };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++)
    times.push({ away: await measure(away), silent: await measure(silent) });
  const median = (name: "away" | "silent") =>
    times
      .slice(WARM_UP_ROUNDS)
      .map((time) => time[name])
      .sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
  return median("away") - median("silent");
}

/** The report of a trace on a side, as soon as the issue of the digest has it. */
export function findReport(
  errata: Errata,
  digest: string,
  trace: string,
  side: Report["side"] = "server",
): Promise<Report> {
  return eventually(async () => {
    const reports = await readIssue(errata, digest);
    const [report] = reports.filter((one) => one.traceId === trace && one.side === side);
    if (report === undefined) throw new Error(`No ${side} report of ${trace} in ${digest}.`);
    return report;
  });
}

/** The reports of a page in the browser, as soon as there are as many. */
export async function readBrowserReports(
  errata: Errata,
  trace: string,
  count: number,
): Promise<readonly Report[]> {
  return eventually(async () => {
    const reports = await readAllReports(errata);
    const found = reports.filter((one) => one.traceId === trace && one.side === "browser");
    expect(found).toHaveLength(count);
    return found;
  });
}

/** Every report of the server belongs to a failure of `seen`, and each failure has one. */
export async function expectOneReportEach(errata: Errata, seen: SeenDigests): Promise<void> {
  const reports = await readAllReports(errata);
  const ofServer = reports.filter(({ side }) => side === "server");
  const traces = ofServer.map(({ traceId }) => traceId ?? "").sort();
  expect(traces).toEqual([...seen.keys()].sort());
}

async function readAllReports(errata: Errata): Promise<readonly Report[]> {
  const { issues } = (await errata.json("/issues?q=is:open")) as { issues: { digest: string }[] };
  const reports = await Promise.all(issues.map(({ digest }) => readIssue(errata, digest)));
  return reports.flat();
}

async function readIssue(errata: Errata, digest: string): Promise<readonly Report[]> {
  const { reports } = (await errata.json(`/d/${digest}`)) as { reports: readonly Report[] };
  return reports;
}
