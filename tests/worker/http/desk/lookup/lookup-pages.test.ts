import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "../../../../../src/core/grouping/encode-digest.ts";
import { limits } from "../../../../../src/core/limits.ts";
import type { Report } from "../../../../../src/core/report.ts";
import { skipPauses } from "../../../../support/http/skip-pauses.ts";
import { visit } from "../../../../support/http/visit.ts";
import { createReport, toReportId } from "../../../../support/reports/reports.ts";
import { emptyStore } from "../../../../support/store/empty-store.ts";
import { log, projectStore, uploadChunk } from "../../../../support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const json = async (path: string) => JSON.parse((await visit(path, asJson)).body);
const lookUpJson = async (q: string): Promise<{ digest: string; url: string }[]> =>
  (await json(`/lookup?q=${encodeURIComponent(q)}`)).hits;

it.each([
  ["an issue", "/d/7F3K-Q2M9.json"],
  ["an issue as Markdown", "/d/7F3K-Q2M9.md"],
  ["a lookup", "/lookup.json?q=5aaeee40d56b46ecbfb342d868e140ef"],
  ["a receipt", "/e/7F3K-Q2M9.json"],
])(
  "%s is 503 for API clients while the store is unavailable, and creates no report of its own",
  async (_, path) => {
    const reject = () => Promise.reject(new Error("unavailable"));
    const unavailable = {
      ...projectStore,
      getIssue: reject,
      getFreshIssue: reject,
      locateReport: reject,
      findIssuesByAlias: reject,
    };
    const { response, body } = await visit(path, { services: { projectStore: unavailable } });
    expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
    expect((await projectStore.listNewestIssues()).issues).toEqual([]);
  },
);

it("the start page as JSON is 503 while the index is unavailable", async () => {
  const unavailable = {
    ...projectStore,
    listNewestIssues: () => Promise.reject(new Error("unavailable")),
  };
  const { response, body } = await visit("/", {
    ...asJson,
    services: { projectStore: unavailable },
  });
  expect([response.status, JSON.parse(body).reason]).toEqual([503, "index-unavailable"]);
});

describe("the lookup finds an issue by any pasted text with its code", () => {
  it.each([
    "7F3K-Q2M9",
    "7f3kq2m9",
    "Digest: 7F3K-Q2M9",
    "Application error: a client-side exception has occurred (see the browser console for more information)\n\nDigest: 7F3K-Q2M9",
    "https://shop.example/e/7f3k-q2m9",
    "2338823894",
    "2338823894@E394",
    "ERROR 2338823894",
    toReportId(1),
    "00000000-0000-0000-0000-000000000001",
  ])("%s", async (pasted) => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    expect((await lookUpJson(pasted)).map(({ digest }) => digest)).toEqual(["7F3K-Q2M9"]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(pasted)}`);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toMatch(/^\/d\/7F3K-Q2M9/);
  });

  it("responds in JSON with digest, title, counts, first and last seen, and URL", async () => {
    await log.append([createReport(0), createReport(1000)]);
    expect(await lookUpJson("7F3K-Q2M9")).toEqual([
      {
        digest: "7F3K-Q2M9",
        title: "TypeError: the price of the cart is missing",
        trust: "server",
        count: 2,
        publicCount: 0,
        firstSeen: "2026-11-21T17:00:00.000Z",
        lastSeen: "2026-11-21T17:00:01.000Z",
        url: "/d/7F3K-Q2M9",
      },
    ]);
  });

  it("lists all issues of a code that has several", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    await log.append([createReport(2, { digest: "0000-0000", aliases: ["2338823894"] })]);
    expect(await lookUpJson("2338823894")).toHaveLength(2);
    const { response, body } = await visit("/lookup?q=2338823894");
    expect(response.status).toBe(200);
    expect(body).toContain("7F3K-Q2M9");
    expect(body).toContain("0000-0000");
  });
});

describe("a lookup with more matches than it shows", () => {
  const createReports = (count: number, over: Partial<Report> = {}) =>
    Array.from({ length: count }, (_, n) => {
      const digest = digestFromHash(new Uint8Array(32).fill(n));
      return createReport(n, { digest, message: "no price for this cart", ...over });
    });
  const lookUpList = async (q: string) => {
    const path = `/lookup?q=${encodeURIComponent(q)}`;
    const { body } = await visit(path);
    const [, note = ""] = /<header class="page-header">.*?<p>(.*?)<\/p>/s.exec(body) ?? [];
    return { note: note.replaceAll("<!-- -->", ""), list: (await json(path)).list };
  };

  it("links to the issue list with the same words", async () => {
    await log.append(createReports(limits.maxSearchResults - 1));
    expect(await lookUpList("price cart")).toEqual({ note: "", list: undefined });
    await log.append([createReport(99, { message: "no price for that cart" })]);
    const { note, list } = await lookUpList("price  cart");
    expect(note).toBe(
      'The 20 best matches. <a href="/issues?q=price+cart">All issues with this text</a>',
    );
    expect((await json(list)).total).toBe(limits.maxSearchResults);
  });

  it.each([
    ["is:open price", "/issues?q=%22is%3Aopen+price%22"],
    [`price ${"x".repeat(limits.maxIssueQueryChars)}`, undefined],
  ])("links to a list only if a list query can express the same: %.20s", async (text, list) => {
    const all = createReports(limits.maxSearchResults, { message: text });
    await log.append(all);
    expect((await lookUpList(text)).list).toBe(list);
  });

  it("states the limit of issues per code", async () => {
    const aliases = ["2338823894"];
    await log.append(createReports(limits.maxIssuesPerAlias - 1, { aliases }));
    expect(await lookUpList("2338823894")).toEqual({ note: "", list: undefined });
    await log.append([createReport(99, { aliases })]);
    expect(await lookUpList("2338823894")).toEqual({
      note: "The 20 newest issues per code.",
      list: undefined,
    });
  });
});

it.each(["/lookup", "/lookup?q=", "/lookup?q=%20"])(
  "%s redirects to the start page without a read",
  async (path) => {
    const { response } = await visit(path);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
    expect(await json(path)).toEqual({ hits: [] });
  },
);

describe("an issue", () => {
  it("as JSON contains its newest reports in full, by Accept and by .json", async () => {
    await log.append([createReport(1, { stack: "TypeError: a\n    at b (c.js:1:2)" })]);
    const byAccept = JSON.parse((await visit("/d/7F3K-Q2M9", asJson)).body);
    expect(byAccept).toMatchObject({
      digest: "7F3K-Q2M9",
      count: 1,
      reports: [{ id: toReportId(1) }],
    });
    const bySuffix = JSON.parse((await visit("/d/7F3K-Q2M9.json")).body);
    expect(bySuffix.reports).toEqual(byAccept.reports);
  });

  it("as JSON is a single report if one is requested", async () => {
    await log.append([createReport(1), createReport(2)]);
    const { body } = await visit(`/d/7F3K-Q2M9?report=${toReportId(1)}`, asJson);
    expect(JSON.parse(body)).toEqual(createReport(1));
    const { response } = await visit(`/d/7F3K-Q2M9?report=${toReportId(9)}`, asJson);
    expect(response.status).toBe(404);
  });

  it("shows the requested report, also if it is only in the archive", async () => {
    await log.append([
      createReport(1, { message: "the first" }),
      createReport(2, { message: "the second" }),
    ]);
    await uploadChunk();
    expect((await visit(`/d/7F3K-Q2M9?report=${toReportId(1)}`)).body).toContain("the first");
    expect((await visit(`/d/7F3K-Q2M9?report=${toReportId(2)}`)).body).toContain("the second");
  });

  it("has one URL, to which other spellings redirect", async () => {
    await log.append([createReport(1, { aliases: ["2338823894"] })]);
    for (const spelling of ["7f3kq2m9", "7F3KQ2M9", "2338823894"]) {
      const { response } = await visit(`/d/${spelling}`);
      expect(response.headers.get("location")).toBe("/d/7F3K-Q2M9");
    }
  });

  it("renders hostile values as text", async () => {
    const hostile = '<img src=x onerror="alert(1)"></script><script>alert(1)</script>';
    await log.append([
      createReport(1, {
        type: hostile,
        message: hostile,
        componentStack: hostile,
        release: hostile,
        environment: hostile,
        request: {
          url: "javascript:alert(1)",
          route: hostile,
          method: hostile,
          headers: [["referer", "javascript:alert(1)"]],
        },
        tags: [[hostile, hostile]],
        breadcrumbs: [{ message: hostile, category: hostile }],
        frames: [{ function: hostile, file: "javascript:alert(1)", inApp: true, source: hostile }],
        detail: { [hostile]: hostile },
      }),
    ]);
    const { body } = await visit("/d/7F3K-Q2M9");
    expect(body).not.toContain("<img");
    expect(body).not.toContain("<script>alert");
    expect(body).not.toMatch(/(href|src)="javascript:/);
    expect((await visit("/")).body).not.toContain("<img");
  });
});

describe("an unknown code gets a page that explains it, with status 404", () => {
  it.each([
    { code: "/d/0000-0000", text: "The report could not be stored" },
    {
      code: "/lookup?q=NEXT_REDIRECT;replace;/login;307;",
      text: "redirect the visitor",
    },
    { code: "/lookup?q=1234567890", text: "It comes from another build" },
    { code: `/lookup?q=${toReportId(77)}`, text: "It was not sent" },
    { code: "/lookup?q=hello+world+what+is+this", text: "A digest looks like" },
  ])("$code", async ({ code, text }) => {
    const { response, body } = await visit(`${code}${code.includes("?") ? "&" : "?"}whole=1`);
    expect(response.status).toBe(404);
    expect(body).toContain(text);
  });

  it("a wrong check character leads to suggestions of likely digests, with links", async () => {
    await log.append([createReport(1)]);
    const { response, body } = await visit("/d/7F3K-Q2MG");
    expect(response.status).toBe(404);
    expect(body).toContain('href="/d/7F3K-Q2M9"');
  });

  it("a digest that is being stored is streamed into its page as soon as it is available", async () => {
    const visiting = visit("/d/7F3K-Q2M9");
    await log.append([createReport(1)]);
    const { response, body } = await visiting;
    expect([200, 404]).toContain(response.status);
    expect(body).toContain("the price of the cart is missing");
  });

  it("the JSON of a misread digest lists the likely digests", async () => {
    const { body } = await visit("/d/7F3K-Q2N9", asJson);
    expect(JSON.parse(body).likely).toContain("7F3K-Q2M9");
    const looked = await visit("/lookup?q=7F3K-Q2N9", asJson);
    expect(JSON.parse(looked.body)).toMatchObject({ hits: [], likely: ["7F3K-Q2M9", "2F3K-Q2N9"] });
  });

  it("the JSON of an unknown digest has the reason", async () => {
    const { response, body } = await visit("/d/0000-0000", asJson);
    expect(response.status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ reason: "unknown-digest" });
  });
});

describe("without sign-in", () => {
  const DESK = [
    "/",
    "/lookup?q=a",
    "/d/7F3K-Q2M9",
    "/d/7F3K-Q2M9.json",
    "/d/7F3K-Q2M9/files/0",
    "/status",
    "/issues",
    "/self-test",
    "/self-test/shell",
  ];
  const remoteRequests = [
    { name: "another host", origin: "https://errata.example", headers: {} },
    { name: "a look-alike host", origin: "http://localhost.example", headers: {} },
    { name: "an address of the local network", origin: "http://192.168.1.2:8787", headers: {} },
    {
      name: "a proxy in front of a local server",
      origin: "http://localhost:8787",
      headers: { "x-forwarded-for": "203.0.113.7" },
    },
    {
      name: "a client on another machine",
      origin: "http://localhost:8787",
      headers: { "cf-connecting-ip": "203.0.113.7" },
    },
  ];

  it.each(remoteRequests)(
    "the desk is closed to $name: 503 with one sentence",
    async ({ origin, headers }) => {
      await log.append([createReport(1)]);
      for (const path of DESK) {
        for (const accept of ["text/html", "application/json"]) {
          const { response, body } = await visit(path, { origin, headers: { ...headers, accept } });
          expect(response.status, path).toBe(503);
          expect(body).toContain("Setup required");
          expect(body).not.toContain("price");
        }
      }
    },
  );

  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "http://errata.localhost",
  ])("the desk is open at %s", async (origin) => {
    expect((await visit("/", { origin })).response.status).toBe(200);
  });
});

describe("a receipt", () => {
  it("is public, and contains no detail of the error", async () => {
    await log.append([createReport(1), createReport(2)]);
    const { response, body } = await visit("/e/7F3K-Q2M9", { origin: "https://errata.example" });
    expect(response.status).toBe(200);
    expect(body).toContain("7F3K-Q2M9");
    expect(body).not.toMatch(/TypeError|price|cart|\/d\//);
  });

  it("is unknown for a digest that only a browser has reported", async () => {
    const notice = { isLinked: true, side: "browser", kind: "notice", type: "Notice" } as const;
    await log.append([createReport(1, notice)]);
    const { body } = await visit("/e/7F3K-Q2M9", { origin: "https://errata.example" });
    expect(body).toContain("not known yet");
    expect((await visit("/d/7F3K-Q2M9")).body).toContain("Only browsers have reported this digest");
  });

  it("of an unknown digest has the same status", async () => {
    const { response } = await visit("/e/0000-0000", { origin: "https://errata.example" });
    expect(response.status).toBe(200);
  });
});

it("a path that does not exist is a 404 page", async () => {
  const { response, body } = await visit("/nothing/here");
  expect(response.status).toBe(404);
  expect(body).toContain("Page not found");
});

it.each(["https://shop.example/cart/7?coupon=x", "/cart/7"])(
  "the URL of a page, %s, finds the issues on it, by its path or by the text of their reports",
  async (pasted) => {
    await log.append([
      createReport(1, { request: { route: "/cart/[id]", url: "https://shop.example/cart/7" } }),
    ]);
    const { response } = await visit(`/lookup?q=${encodeURIComponent(pasted)}`);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/d/7F3K-Q2M9"]);
  },
);
