// Failed pages behind the front, with the built Errata: what the visitor gets, and what the team
// finds with it.

import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "#src/core/report.ts";
import { decodePageToken } from "#src/core/trust/page-token-format.ts";
import { eventually } from "#support/eventually.ts";
import { FRONT_KEY, type FrontInTest, openFront } from "#support/front/front.ts";
import {
  type ExactSite,
  getExactly,
  NAVIGATION,
  openExactSite,
  type SiteAnswer,
} from "#support/front/site.ts";
import { serve } from "../../../.tools/local/serve.ts";

const HTML = "text/html; charset=utf-8";
const ERROR_PAGE = "<html><head><title>500</title></head><body><h1>Sorry</h1></body></html>";
const DIGEST = /[\dA-HJKMNP-TV-Z]{4}-[\dA-HJKMNP-TV-Z]{4}/;

const answers = new Map<string, SiteAnswer>();
let site: ExactSite;
let front: FrontInTest;
let desk: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  desk = await serve({ serverKey: FRONT_KEY, isLocalOpen: true });
  site = await openExactSite((path) => answers.get(path.replace(/\?.*/, "")));
  const { host, port } = new URL(desk.url);
  const dsn = `http://${FRONT_KEY}@${host}/1`;
  const vars = { ERRATA_DSN: dsn, ERRATA_SEARCHED_SHARE: "1", ERRATA_RELEASE: "shop@3" };
  front = await openFront(site, { deskPort: Number(port), vars });
}, 120_000);
afterAll(async () => {
  await front?.stop();
  await site?.close();
  await desk?.stop();
});

/** Serves an answer at a path. */
function publish(path: string, answer: Partial<SiteAnswer> & { page?: string }) {
  const { page = ERROR_PAGE, headers = {}, ...rest } = answer;
  const chunks = [Buffer.from(page)];
  answers.set(path, { chunks, ...rest, headers: { "content-type": HTML, ...headers } });
}

const visit = (path: string, headers: Record<string, string> = {}) =>
  getExactly(front.url + path, { headers: { ...NAVIGATION, ...headers } });

/** The digest in `Server-Timing`. */
function readDigest(headers: Record<string, unknown>): string | undefined {
  return /errata-digest;desc="([^"]+)"/.exec(String(headers["server-timing"]))?.[1];
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of Errata
async function json(path: string): Promise<any> {
  const response = await fetch(desk.url + path, { headers: { accept: "application/json" } });
  return response.json();
}

/** The reports of an issue, as soon as there are so many. */
function findReports(digest: string | undefined, count = 1): Promise<readonly Report[]> {
  return eventually(async () => {
    const issue = await json(`/d/${digest}`);
    expect(issue.count).toBe(count);
    return issue.reports;
  });
}

describe("a page with the status 500", () => {
  it("shows a digest, which leads to the status, the route, the request and the Ray ID", async () => {
    publish("/cart/7", { status: 500, headers: { server: "nginx/1.29" } });
    const ray = "8f1e2d3c4b5a6978";
    const { status, body, headers } = await visit("/cart/7?step=2", { "cf-ray": `${ray}-FRA` });
    const digest = readDigest(headers);
    expect(status).toBe(500);
    expect(digest).toMatch(DIGEST);
    const text = body.toString();
    expect(text).toContain(`<code>${digest}</code>`);
    expect(text).toContain(`href="${desk.url}/e/${digest}"`);
    expect(text).toMatch(/^<html><head><script [^>]*data-errata><\/script><title>500<\/title>/);
    expect(text).toMatch(/<h1>Sorry<\/h1><style>.*<\/div><\/body><\/html>$/s);

    const [report] = await findReports(digest);
    expect(report).toMatchObject({
      side: "server",
      trust: "server",
      isLinked: false,
      type: "HTTP 500",
      message: "The request failed with status 500",
      request: { method: "GET", url: `${front.url}/cart/7?step=2`, route: "/cart/*" },
      response: { status: 500, isSilent200: false },
      rayId: `${ray}-FRA`,
      release: "shop@3",
    });
    expect(report?.tags).toContainEqual(["server", "nginx/1.29"]);
    const trace = /errata-trace;desc="([\da-f]{32})"/.exec(String(headers["server-timing"]))?.[1];
    expect(report?.traceId).toBe(trace);
    for (const pasted of [ray, `${ray}-FRA`, trace]) {
      const { hits } = await json(`/lookup?q=${pasted}`);
      expect(hits).toMatchObject([{ url: expect.stringContaining(`/d/${digest}`) }]);
    }
  });

  it("is one issue for a route, and another for each other route", async () => {
    for (const path of ["/shop/1", "/shop/2", "/blog/1"]) publish(path, { status: 500 });
    const digests: (string | undefined)[] = [];
    for (const path of answers.keys()) {
      if (!/shop|blog/.test(path)) continue;
      digests.push(readDigest((await visit(path)).headers));
    }
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
    await findReports(digests[0], 2);
    await findReports(digests[2]);
  });

  it("is one issue for the site if a gateway answers", async () => {
    publish("/gate/a", { status: 502 });
    publish("/gateway", { status: 502 });
    const one = readDigest((await visit("/gate/a")).headers);
    expect(readDigest((await visit("/gateway")).headers)).toBe(one);
    const reports = await findReports(one, 2);
    expect(reports[0]?.request?.route).toBe("/*");
  });

  it("of more than 16 KB has the digest in its header alone", async () => {
    const page = ERROR_PAGE.replace("Sorry", "Sorry ".repeat(3_000));
    publish("/long", { status: 500, page });
    const { body, headers } = await visit("/long");
    expect(readDigest(headers)).toMatch(DIGEST);
    expect(body.toString().replace(/<script [^>]*data-errata><\/script>/, "")).toBe(page);
    await findReports(readDigest(headers));
  });

  it("gets a plain notice where a policy would block its style and its script", async () => {
    publish("/strict", {
      status: 500,
      headers: { "content-security-policy": "default-src 'self'" },
    });
    const { body, headers } = await visit("/strict");
    expect(body.toString()).toContain(
      `<h1>Sorry</h1><div class="errata-notice" role="alert"><p>Application error`,
    );
    expect(body.toString()).toContain(`<code>${readDigest(headers)}</code>`);
    expect(body.toString()).not.toMatch(/<style|<svg|<script>/);
  });

  it("gets the notice although it is compressed", async () => {
    publish("/packed", {
      status: 500,
      headers: { "content-encoding": "gzip" },
      chunks: [gzipSync(ERROR_PAGE)],
    });
    const { body, headers } = await visit("/packed");
    expect(gunzipSync(body).toString()).toContain(`<code>${readDigest(headers)}</code>`);
  });

  it("gets the notice at its end if it has no end tag, and not if it is data", async () => {
    publish("/words", { status: 500, page: "Internal Server Error" });
    publish("/data", { status: 500, page: '{"error":true}' });
    const words = await visit("/words");
    expect(words.body.toString()).toMatch(/^Internal Server Error<style>/);
    const data = await visit("/data");
    expect(data.body.toString()).toBe('{"error":true}');
    expect(readDigest(data.headers)).toMatch(DIGEST);
  });

  it("is found by the code of the framework that it shows", async () => {
    publish("/next", {
      status: 500,
      page: `<html id="__next_error__"><body><template data-dgst="2338823894"></template></body></html>`,
    });
    const digest = readDigest((await visit("/next")).headers);
    await findReports(digest);
    const { hits } = await json("/lookup?q=2338823894");
    expect(hits).toMatchObject([{ url: expect.stringContaining(`/d/${digest}`) }]);
  });

  it("is left to the application that has named it", async () => {
    publish("/named", {
      status: 500,
      headers: { "server-timing": 'errata-digest;desc="7F3K-Q2M9"' },
    });
    const page = ERROR_PAGE.replace("Sorry", "<code>7F3K-Q2M9</code>");
    publish("/shown", { status: 500, page });
    for (const path of ["/named", "/shown"]) {
      const { body } = await visit(path);
      expect(body.toString()).not.toContain("errata-notice");
      expect(body.toString()).toContain("data-errata></script>");
    }
    publish("/last", { status: 500 });
    await findReports(readDigest((await visit("/last")).headers));
    const { issues } = await json("/issues?q=route:/named");
    expect(issues).toEqual([]);
  });

  it("is reported and not touched if a script shows it as a part", async () => {
    publish("/part", { status: 500 });
    const { body, headers } = await visit("/part", { "hx-request": "true" });
    expect([body.toString(), readDigest(headers)]).toEqual([ERROR_PAGE, undefined]);
    publish("/part/whole", { status: 500 });
    await eventually(async () => {
      const { issues } = await json(`/issues?q=${encodeURIComponent("route:/part")}`);
      expect(issues).toHaveLength(1);
    });
  });
});

describe("a page that fails behind the status 200", () => {
  const row = "<p>a row of words</p>";
  it.each([
    [
      "in its first bytes",
      "the error page of Next.js",
      "/silent/first",
      `<html id="__next_error__"><head></head><body></body></html>`,
    ],
    [
      "far behind them",
      "a part that failed on the server",
      "/silent/late",
      `<html><head></head><body>${row.repeat(5_000)}<script>$RX("B:0","123456")</script>${row.repeat(5_000)}`,
    ],
  ])("is reported, and not changed: %s", async (_, seen, path, page) => {
    publish(path, { page });
    const { status, body } = await visit(path);
    expect(status).toBe(200);
    expect(body.toString().replace(/<script [^>]*data-errata><\/script>/, "")).toBe(page);
    await eventually(async () => {
      const { issues } = await json(`/issues?q=${encodeURIComponent(`route:${path}`)}`);
      expect(issues).toMatchObject([{ type: "Silent 200", count: 1 }]);
      const [report] = await findReports(issues[0].digest);
      expect(report?.response).toEqual({ status: 200, isSilent200: true });
      expect(report?.tags).toContainEqual(["seen", seen]);
    });
  });

  it("is reported to the issue whose digest a cache keeps", async () => {
    publish("/origin", { status: 500 });
    const digest = readDigest((await visit("/origin")).headers);
    await findReports(digest);
    publish("/kept", {
      page: `<html><head></head><body><div class="errata-notice"><code>${digest}</code></div></body></html>`,
      headers: { "cf-cache-status": "HIT", age: "240" },
    });
    await visit("/kept");
    await eventually(async () => {
      const { count, linkedCount, reports } = await json(`/d/${digest}`);
      expect([count, linkedCount]).toEqual([1, 1]);
      const kept = reports.find(({ type }: Report) => type === "Cached failure");
      expect(kept?.tags).toEqual(
        expect.arrayContaining([
          ["cache", "HIT"],
          ["age", "240"],
        ]),
      );
    });
  });
});

describe("the token of a page", () => {
  const PAGE = "<html><head><title>x</title></head><body></body></html>";
  const readToken = (body: Buffer) =>
    /data-token="([\w-]{35,40})"/.exec(body.toString())?.[1] ?? "";

  it.each([
    [undefined, false],
    ["private, max-age=600", false],
    ["no-store", false],
    ["max-age=0", false],
    ["public, max-age=600", true],
    ["s-maxage=60", true],
  ])(
    "is new for each view, and that of many visitors with Cache-Control: %s",
    async (control, isShared) => {
      publish("/page", {
        page: PAGE,
        headers: control === undefined ? {} : { "cache-control": control },
      });
      const views = [await visit("/page"), await visit("/page")];
      const [one = "", two = ""] = views.map(({ body }) => readToken(body));
      expect(one).not.toBe(two);
      expect(decodePageToken(one)).toMatchObject({ isShared, isOwn: false });
      expect(views[0]?.headers["server-timing"]).toContain(`errata-token;desc="${one}"`);
    },
  );

  it("proves the reports of its page, which come through the site", async () => {
    publish("/proved", { page: PAGE });
    const token = readToken((await visit("/proved")).body);
    const report = { errata: 1, how: "uncaught", type: "TypeError", message: "no price of tea" };
    const sent = await getExactly(`${front.url}/monitoring`, {
      method: "POST",
      headers: { origin: front.url, "content-type": "text/plain", cookie: "session=secret" },
      body: JSON.stringify({ ...report, token, url: `${front.url}/proved` }),
    });
    expect([sent.status, sent.headers["set-cookie"]]).toEqual([202, undefined]);
    const found = /digest="([^"]+)"/.exec(String(sent.headers["errata-outcome"]))?.[1];
    const [stored] = await findReports(found);
    expect(stored).toMatchObject({ trust: "page", side: "browser" });
  });
});
