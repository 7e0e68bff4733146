// The paths of a site that the front answers, and `errata/front` around a site's own Worker.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FrontInTest, openFront } from "#support/front/front.ts";
import { type ExactSite, getExactly, openExactSite } from "#support/front/site.ts";
import { buildFront } from "../../../.tools/build/front.ts";
import { createTemporaryFolder } from "../../../.tools/command/command-line.ts";

const PAGE = "<html><head><title>x</title></head><body></body></html>";
const HTML = { "content-type": "text/html; charset=utf-8" };
let fronts: FrontInTest[] = [];
let site: ExactSite;
let desk: ExactSite;
const bodies: string[] = [];

beforeAll(async () => {
  site = await openExactSite(() => ({ headers: HTML, chunks: [Buffer.from(PAGE)] }));
  desk = await openExactSite((_, request) => {
    request.on("data", (chunk) => bodies.push(String(chunk)));
    const headers = { "set-cookie": "a=1", "errata-outcome": "x" };
    return { status: 202, headers, chunks: [Buffer.from("{}")] };
  });
});
afterAll(async () => {
  await site?.close();
  await desk?.close();
});

/** Opens a front until the end of the tests around it. */
async function open(options: Parameters<typeof openFront>[1]) {
  const front = await openFront(site, { deskPort: desk.port, ...options });
  fronts.push(front);
  return front;
}

async function closeFronts() {
  await Promise.all(fronts.map((front) => front.stop()));
  fronts = [];
}

describe("the reporter's script", () => {
  afterAll(closeFronts);
  let front: FrontInTest;
  beforeAll(async () => {
    front = await open({});
  });

  it("is served by the front, and kept by browsers as long as its bytes are the same", async () => {
    const page = await getExactly(front.url);
    const src = /src="([^"]+)"/.exec(page.body.toString())?.[1] ?? "";
    expect(src).toMatch(/^\/monitoring\/errata-[\da-f]{12}\.js$/);
    const script = await getExactly(front.url + src, { headers: {} });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(src).toContain(createHash("sha256").update(script.body).digest("hex").slice(0, 12));

    for (const path of ["/monitoring/errata.js", "/monitoring/errata-0123456789ab.js"]) {
      const other = await getExactly(front.url + path, { headers: {} });
      expect(other.body.equals(script.body)).toBe(true);
      expect(other.headers["cache-control"]).toBe("public, max-age=300");
    }
    const headers = { "if-none-match": `W/${script.headers.etag}` };
    expect(await getExactly(front.url + src, { headers })).toMatchObject({ status: 304 });
    const head = await getExactly(front.url + src, { method: "HEAD", headers: {} });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(desk.requests).toEqual([]);
  });
});

describe.each([
  ["a service binding", {}],
  ["its URL", { deskHost: "errata.example" }],
])("a report to Errata by %s", (_, options) => {
  afterAll(closeFronts);
  let front: FrontInTest;
  beforeAll(async () => {
    front = await open(options);
  });

  it("goes to its project without the secrets of the site, and sets no cookie", async () => {
    desk.requests.length = 0;
    bodies.length = 0;
    const { status, headers, body } = await getExactly(`${front.url}/monitoring?t=abc`, {
      method: "POST",
      headers: {
        ...{ cookie: "session=secret", authorization: "Basic dXNlcjpwYXNz" },
        ...{ origin: "https://shop.example", "cf-connecting-ip": "203.0.113.7" },
        "content-type": "application/reports+json",
      },
      body: "[]",
    });
    expect([status, body.toString(), headers["errata-outcome"]]).toEqual([202, "{}", "x"]);
    expect(headers).not.toHaveProperty("set-cookie");
    const [got] = desk.requests;
    expect(got).toMatchObject({ method: "POST", url: "/monitoring/1?t=abc" });
    expect(got?.headers).toMatchObject({
      host: "errata.example",
      origin: "https://shop.example",
      "cf-connecting-ip": "203.0.113.7",
      "content-type": "application/reports+json",
    });
    expect(got?.headers).not.toHaveProperty("cookie");
    expect(got?.headers).not.toHaveProperty("authorization");
    expect(bodies.join("")).toBe("[]");
  });

  it("keeps the path and the key of an SDK", async () => {
    desk.requests.length = 0;
    await getExactly(`${front.url}/monitoring/api/2/envelope/?sentry_key=k`, {
      method: "POST",
      headers: { "x-sentry-auth": "Sentry sentry_key=k", authorization: "Bearer k" },
      body: "{}",
    });
    expect(desk.requests[0]?.url).toBe("/monitoring/api/2/envelope/?sentry_key=k");
    expect(desk.requests[0]?.headers).toMatchObject({ authorization: "Bearer k" });
  });
});

describe("the path of the front", () => {
  beforeAll(async () => {
    await open({});
  });
  afterAll(closeFronts);
  it.each(["/monitoringx", "/monitoring-guide", "/a/monitoring", "/Monitoring"])(
    "is not %s, which belongs to the site",
    async (path) => {
      const front = fronts[0];
      const { body } = await getExactly(`${front?.url}${path}`);
      expect(body.toString()).toContain("<title>x</title>");
    },
  );

  it("may be another one, if the site uses it", async () => {
    const front = await open({ vars: { ERRATA_PATH: "/_errata/in" } });
    const { body } = await getExactly(front.url);
    expect(body.toString()).toContain(' src="/_errata/in/errata-');
    desk.requests.length = 0;
    await getExactly(`${front.url}/_errata/in`, { method: "POST", body: "{}", headers: {} });
    expect(desk.requests[0]?.url).toBe("/monitoring/1");
    expect((await getExactly(`${front.url}/monitoring`)).body.toString()).toContain("<title>");
  });
});

it("pages get headers and no tag if their application starts the reporter", async () => {
  const front = await open({ vars: { ERRATA_SAMPLE: "0" } });
  const { body, headers } = await getExactly(front.url);
  expect(body.toString()).toBe(PAGE);
  expect(headers["server-timing"]).toMatch(
    /errata-trace;desc="\w+", errata-token;desc="[\w-]{35,40}"/,
  );
  await closeFronts();
});

describe("a site's own Worker in `errata/front`", () => {
  afterAll(closeFronts);
  let front: FrontInTest;
  beforeAll(async () => {
    const outfile = join(createTemporaryFolder(), "site.js");
    const entry = fileURLToPath(new URL("../../support/front/handlers.ts", import.meta.url));
    await buildFront({ entryPoints: [entry], outfile });
    front = await open({ workerFile: outfile, vars: { GREETING: "world" } });
  });
  const visit = (path: string) => getExactly(front.url + path);

  it("gets its environment, its context and itself", async () => {
    expect((await visit("/own")).body.toString()).toBe('["hello","world"]');
  });

  it.each([
    ["/text", "<html><head>¦<title>x</title></head></html>"],
    ["/stream", "<html><head>¦<title>x</title></head><body></body></html>"],
  ])("gets the tag in its pages: %s", async (path, page) => {
    const { body, isComplete } = await visit(path);
    const text = body
      .toString()
      .replace(/<script [^>]*data-release="site@1" data-errata><\/script>/, "¦");
    expect([text, isComplete]).toEqual([page, true]);
  });

  it("gets a notice in its failed pages", async () => {
    const { status, body } = await visit("/failed");
    expect([status, body.includes("errata-notice")]).toEqual([500, true]);
  });

  it("keeps bytes that it has compressed itself", async () => {
    const { body, headers } = await visit("/packed");
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(body).toString()).toBe("<html><head><title>x</title>");
  });

  it("ends with its own failures", async () => {
    const { body, isComplete } = await visit("/failed-stream");
    expect([body.includes("<title>x"), isComplete]).toEqual([true, false]);
    const thrown = await visit("/throw");
    expect(thrown.status).toBe(500);
    expect(thrown.body.toString()).not.toContain("<title>x</title>");
  });

  it("keeps its data", async () => {
    expect((await visit("/json")).body.toString()).toBe('{"a":1}');
  });
});
