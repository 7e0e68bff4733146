import { afterEach, describe, expect, it, vi } from "vitest";
import type { Report } from "#src/core/report.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { createTestServices, visit } from "#support/http/visit.ts";
import { replaceMethods } from "#support/replace-methods.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const RAY_ID = "8f1e2d3c4b5a6978";
const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A code of each kind, and the report that it leads to. */
const CODES: Readonly<Record<string, readonly [code: string, report: Partial<Report>]>> = {
  digest: ["7F3K-Q2M9", {}],
  "Next.js digest": ["2338823894", { aliases: ["2338823894"] }],
  "Next.js digest with its code": ["2338823894@E394", { aliases: ["2338823894"] }],
  "event id": [toReportId(1), {}],
  "trace id": [TRACE_ID, { traceId: TRACE_ID }],
  "Ray ID": [RAY_ID, { rayId: RAY_ID }],
};
const GIVEN_UP = /did not arrive|is not in any report|is not among/;
const withoutScripts = { headers: { cookie: "errata-no-streaming=1" } };
const swapped = { headers: { "errata-navigation": "1" } };

const toLookup = (code: string) => `/lookup?q=${encodeURIComponent(code)}`;
const askAgain = async (code: string, scope = "here") => {
  const path = `/lookup.json?codes=${scope}&q=${encodeURIComponent(code)}`;
  const { response, body } = await visit(path);
  return { status: response.status, ...JSON.parse(body) };
};

describe.each(Object.entries(CODES))("a %s that is unknown", (_name, [code, over]) => {
  it("gets a page that listens, whether it is loaded or swapped", async () => {
    for (const init of [{}, swapped]) {
      const { response, body } = await visit(toLookup(code), init);
      expect(response.status).toBe(404);
      expect(body).toContain("Waiting for ");
      expect(body).toContain(`data-awaits="${code}"`);
      expect(body).not.toMatch(GIVEN_UP);
    }
  });

  it("gets a page without scripts that says that it is not here yet, and a link", async () => {
    const { response, body } = await visit(toLookup(code), withoutScripts);
    expect(response.status).toBe(404);
    expect(body).toContain("is not here yet");
    expect(body).toMatch(/<a href="">Look again<\/a>/);
    expect(body).not.toMatch(GIVEN_UP);
  });

  it("is found by the next lookup of the page when its report has arrived", async () => {
    expect(await askAgain(code)).toEqual({ status: 200, hits: [] });
    await log.append([createReport(1, over)]);
    const { hits } = await askAgain(code);
    expect(hits).toMatchObject([
      { digest: "7F3K-Q2M9", title: "TypeError: the price of the cart is missing" },
    ]);
    const { response } = await visit(toLookup(code));
    expect(response.headers.get("location")).toMatch(/^\/d\/7F3K-Q2M9/);
  });

  it("that arrives while a page without scripts waits leads to its issue", async () => {
    const visiting = visit(toLookup(code), withoutScripts);
    await log.append([createReport(1, over)]);
    const { response } = await visiting;
    expect([302, 303]).toContain(response.status);
  });
});

it("a word, an address or a path is not awaited", async () => {
  for (const text of ["teapot", "grace@example.org", "user:42", "/nowhere/7"]) {
    const { body } = await visit(toLookup(text));
    expect(body).not.toContain("Waiting for ");
    expect(body).not.toMatch(GIVEN_UP);
  }
});

it("the lookup of a waiting page searches no text", async () => {
  await log.append([createReport(1, { message: "the order 4711aa is lost" })]);
  expect(await askAgain("4711aa")).toEqual({ status: 200, hits: [] });
  expect(JSON.parse((await visit("/lookup.json?q=4711aa")).body).hits).toHaveLength(1);
});

it("the lookup of a waiting page reads no copies while the index is unavailable", async () => {
  const services = createTestServices({ waitUntil: () => undefined });
  const getFreshIssue = vi.fn();
  const findIssuesByAlias = vi.fn();
  const findMatches = () => Promise.reject(new Error("overloaded"));
  const projectStore = replaceMethods(services.projectStore, {
    findMatches,
    getFreshIssue,
    findIssuesByAlias,
  });
  const { response } = await visit("/lookup.json?codes=here&q=7F3K-Q2M9", {
    services: { projectStore },
  });
  expect(response.status).toBe(503);
  expect(getFreshIssue).not.toHaveBeenCalled();
  expect(findIssuesByAlias).not.toHaveBeenCalled();
});
