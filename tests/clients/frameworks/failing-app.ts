/** What holds for every failure of every framework, whatever the adapter does for it. */

import { randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { Report } from "../../../src/core/report.ts";
import { eventually } from "../../support/eventually.ts";
import type { Errata } from "../errata.ts";
import { type App, readHeaderDigest, SECRET } from "./app.ts";

/** A request that fails. */
export interface Failure {
  readonly fails: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number;
  /** Where the digest is, besides the header, which it is in unless the response had begun. */
  readonly shown: "notice" | "problem" | "markup" | "text" | "header" | "nowhere";
  readonly type: string;
  readonly message: string;
  readonly route: string;
  readonly how?: string;
}

/** The answer to one request. */
export interface Answer {
  /** 0 if the connection broke before an answer. */
  readonly status: number;
  readonly headers: Headers;
  /** As much as arrived. */
  readonly body: string;
  /** The trace id that the request had. */
  readonly trace: string;
}

/** Asks as a browser does that follows a link, unless headers say something else. */
export async function ask(
  app: App,
  { path, method, headers, body }: Pick<Failure, "path" | "method" | "headers" | "body">,
): Promise<Answer> {
  const trace = randomBytes(16).toString("hex");
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
  const init = { method, body, headers: { accept, traceparent, ...headers } };
  try {
    const response = await fetch(`${app.url}${path}`, { ...init, redirect: "manual" });
    const text = await readText(response);
    return { status: response.status, headers: response.headers, body: text, trace };
  } catch {
    return { status: 0, headers: new Headers(), body: "", trace };
  }
}

/** The text of a body, also of one that breaks off. */
async function readText({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    // The server closed the connection.
  }
  return text;
}

/** All reports of a trace, as soon as there are so many. They belong to one issue. */
export async function findReports(
  errata: Errata,
  trace: string,
  count = 1,
): Promise<readonly Report[]> {
  const { report } = await errata.find(trace);
  return eventually(async () => {
    const { reports } = (await errata.json(`/d/${report.digest}`)) as { reports: Report[] };
    const found = reports.filter(({ traceId }) => traceId === trace);
    expect(found).toHaveLength(count);
    return found;
  });
}

/** The trace id of a page, which the server sent with it. */
export function readTrace(page: Page): Promise<string> {
  return page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    const { serverTiming } = navigation as PerformanceNavigationTiming;
    return serverTiming.find(({ name }) => name === "errata-trace")?.description ?? "";
  });
}

/** Tests each failure. `bare` is the same app without the adapter. */
export function testFailures(
  failures: readonly Failure[],
  { app, bare, errata }: { readonly app: App; readonly bare: App; readonly errata: Errata },
): void {
  it.each(failures)("is shown and reported once: $fails", async (failure) => {
    const answer = await ask(app, failure);
    expect(answer.status).toBe(failure.status);
    expect((await ask(bare, failure)).status, "without the adapter").toBe(failure.status);
    expect(answer.body).not.toContain(SECRET);
    expect(JSON.stringify([...answer.headers])).not.toContain(SECRET);

    const [report] = await findReports(errata, answer.trace);
    const { type, message, route, method = "GET", path, how = "handler" } = failure;
    const request = { method, route, url: `${app.url}${path}` };
    expect(report).toMatchObject({ side: "server", type, message, request, trust: "server" });
    expect(report?.tags).toContainEqual(["how", how]);
    expectDigest(answer, failure.shown, report?.digest ?? "");
  });
}

function expectDigest(answer: Answer, shown: Failure["shown"], digest: string): void {
  const { body, headers } = answer;
  const isInHeader = shown !== "nowhere" && shown !== "markup";
  const response = new Response(null, { headers });
  expect(readHeaderDigest(response)).toBe(isInHeader ? digest : undefined);
  if (shown === "notice") expect(body).toContain(`<code>${digest}</code>`);
  if (shown === "problem")
    expect(JSON.parse(body)).toMatchObject({ digest, status: answer.status });
  if (shown === "markup" || shown === "text") expect(body).toContain(digest);
  if (shown === "header" || shown === "nowhere") expect(body).not.toContain(digest);
}

/** A request that is no failure, and what both apps answer. */
export interface Control {
  readonly does: string;
  readonly path: string;
  readonly status: number;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Tests that these requests are answered as without the adapter, and that nothing is reported. */
export function testControls(
  controls: readonly Control[],
  { app, bare, errata }: { readonly app: App; readonly bare: App; readonly errata: Errata },
): void {
  it.each(controls)("is answered as without the adapter: $does", async (control) => {
    const answer = await ask(app, control);
    const expected = await ask(bare, control);
    expect(answer).toMatchObject({ status: control.status, body: expected.body });
    expect(expected.status).toBe(control.status);
    expect(readHeaderDigest(new Response(null, { headers: answer.headers }))).toBeUndefined();
    expect(await errata.json(`/lookup?q=${answer.trace}`)).toMatchObject({ hits: [] });
  });
}

/** Both apps answer a failure equally fast if Errata cannot be reached, and the process lives. */
export function testUnreachable(
  failure: Pick<Failure, "path">,
  { away, bare }: { readonly away: App; readonly bare: App },
): void {
  it("costs at most 5 ms and harms nothing while Errata cannot be reached", async () => {
    const times: Record<"away" | "bare", number[]> = { away: [], bare: [] };
    for (let round = 0; round < 40; round++) {
      for (const [name, app] of Object.entries({ away, bare })) {
        const start = performance.now();
        await ask(app, failure);
        // The first ten warm up.
        if (round >= 10) times[name as "away" | "bare"].push(performance.now() - start);
      }
    }
    expect(median(times.away) - median(times.bare)).toBeLessThan(5);
    expect((await ask(away, { path: "/" })).status).toBe(200);
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** Leaves a page as soon as its body or the output of the server contains a text. */
export async function leave(app: App, path: string, text: string): Promise<void> {
  const leaving = new AbortController();
  const init = { headers: { accept: "text/html" }, signal: leaving.signal };
  let body = "";
  const reading = fetch(`${app.url}${path}`, init).then(async (response) => {
    for await (const bytes of response.body ?? []) body += new TextDecoder().decode(bytes);
  });
  await eventually(() => expect(body + app.output()).toContain(text));
  leaving.abort();
  await expect(reading).rejects.toThrow();
}

/** All reports that Errata has. */
export async function listReports(errata: Errata): Promise<readonly Report[]> {
  const { issues } = (await errata.json("/issues?q=")) as { issues: { digest: string }[] };
  const found = await Promise.all(issues.map(({ digest }) => errata.json(`/d/${digest}`)));
  return found.flatMap((issue) => (issue as { reports: Report[] }).reports);
}

/** Waits until Errata has this many reports, and no more. */
export async function expectReportCount(errata: Errata, count: number): Promise<void> {
  await eventually(async () => {
    const { issues } = (await errata.json("/issues?q=")) as {
      issues: { type: string; message: string; count: number }[];
    };
    const list = issues.map((issue) => `${issue.count} × ${issue.type}: ${issue.message}`);
    const sum = issues.reduce((total, issue) => total + issue.count, 0);
    expect(sum, list.join("\n")).toBe(count);
  });
}
