import { afterEach, describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { limits } from "#src/core/limits.ts";
import type { Report } from "#src/core/report.ts";
import { skipPauses } from "#support/http/skip-pauses.ts";
import { visit } from "#support/http/visit.ts";
import { createReport, toReportId } from "#support/reports/reports.ts";
import { emptyStore } from "#support/store/empty-store.ts";
import { log } from "#support/store/store.ts";

skipPauses();

afterEach(() => emptyStore());

const asJson = { headers: { accept: "application/json" } };
const json = async (path: string) => JSON.parse((await visit(path, asJson)).body);
const lookUpJson = async (q: string): Promise<{ digest: string; url: string }[]> =>
  (await json(`/lookup?q=${encodeURIComponent(q)}`)).hits;

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
    "00000000 00000000 00000000 00000001",
    "the photo shows 7F3K Q2M9, i think",
    "エラーコードは７Ｆ３Ｋ－Ｑ２Ｍ９です",
    "seven foxtrot three kilo, quebec two mike niner",
    "Digest: 2,338,823,894",
    "Digest: 233882З894",
    "Digest: 23388238944",
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
    ["is:open price", "/issues?q=%22is%3Aopen%22+price"],
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

  it("the JSON of a misread digest lists the likely digests", async () => {
    const { body } = await visit("/d/7F3K-Q2N9", asJson);
    expect(JSON.parse(body).likely).toContain("7F3K-Q2M9");
    const looked = await visit("/lookup?q=7F3K-Q2N9", asJson);
    expect(JSON.parse(looked.body)).toMatchObject({ hits: [], likely: ["7F3K-Q2M9", "2F3K-Q2N9"] });
  });

  it("a digest with a character missing or too many leads to those that are right", async () => {
    await log.append([createReport(1)]);
    const missing = await visit("/lookup?q=7F3K-Q2M");
    expect([missing.response.status, missing.body]).toEqual([
      404,
      expect.stringMatching(/<ins>9<\/ins> is missing.*href="\/d\/7F3K-Q2M9"/s),
    ]);
    const extra = await visit("/lookup?q=the+code+is+7F3K-QQ2M9");
    expect(extra.body).toMatch(/<s>Q<\/s> is one too many.*href="\/d\/7F3K-Q2M9"/s);
  });

  it("the JSON has the issue that a wrong digest meant, if no other correction has one", async () => {
    await log.append([createReport(1)]);
    for (const pasted of ["7F3K-Q2N9", "7F3K-Q2M", "it says 7F3K Q2M99"])
      expect((await lookUpJson(pasted)).map(({ digest }) => digest)).toEqual(["7F3K-Q2M9"]);
  });

  it("the JSON of an unknown digest has the reason", async () => {
    const { response, body } = await visit("/d/0000-0000", asJson);
    expect(response.status).toBe(404);
    expect(JSON.parse(body)).toMatchObject({ reason: "unknown-digest" });
  });
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
