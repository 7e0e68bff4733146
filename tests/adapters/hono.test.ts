import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { errata, nameFailure, reportErrors } from "#src/adapters/hono.ts";
import { configureErrata } from "#src/adapters/server.ts";
import { NOW_MS } from "#support/reports/processing-options.ts";

const dsn = `https://errata_server_${"0".repeat(32)}@errata.example/1`;
const page = { headers: { accept: "text/html" } };

let sent: { digest: string; route: string; message: string }[];
let flush: () => Promise<void>;
beforeEach(() => {
  sent = [];
  ({ flush } = configureErrata({
    dsn,
    nowMs: () => NOW_MS,
    fetch: async (_url, init) => {
      sent.push(...JSON.parse(String(init?.body)).reports);
      return new Response("{}");
    },
  }));
  vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const fail = () => {
  throw new Error("no tea");
};
const readDigest = (response: Response) =>
  /errata-digest;desc="([^"]+)"/.exec(response.headers.get("server-timing") ?? "")?.[1];

describe("an application with a handler of errors", () => {
  it.each([
    ["before the adapter", (app: Hono) => errata(app.onError((_, c) => c.text("Sorry", 502)))],
    ["behind the adapter", (app: Hono) => errata(app).onError((_, c) => c.text("Sorry", 502))],
  ])("answers itself, with the digest in the header: set %s", async (_, install) => {
    const app = install(new Hono());
    app.get("/cart/:id", fail);
    const response = await app.request("/cart/7", page);
    expect([response.status, await response.text()]).toEqual([502, "Sorry"]);
    await flush();
    expect(sent).toMatchObject([{ route: "/cart/:id", digest: readDigest(response) }]);
  });

  it("is asked about a thrown text too, and names what was thrown", async () => {
    const app = errata(new Hono());
    app.onError((error, c) => c.text(`${error.message} ${nameFailure(error, c).digest}`, 500));
    app.get("/", () => {
      throw "no tea";
    });
    const response = await app.request("/");
    await flush();
    const { digest = "" } = sent[0] ?? {};
    expect(sent).toMatchObject([{ type: "String", message: "no tea" }]);
    expect(await response.text()).toBe(`The thrown value is not an Error. ${digest}`);
    expect(readDigest(response)).toBe(digest);
  });
});

describe("an application with a handler of errors, which fails outside of its handlers", () => {
  it("is asked about what its handler of unknown addresses throws", async () => {
    const app = errata(new Hono()).onError((error, c) => c.text(`Sorry: ${error.message}`, 502));
    app.notFound(fail);
    const response = await app.request("/unknown", page);
    expect([response.status, await response.text()]).toEqual([502, "Sorry: no tea"]);
    await flush();
    expect(sent).toMatchObject([{ digest: readDigest(response) }]);
  });
});

describe("a failure that the application handles itself", () => {
  const create = (status: 422 | 500) =>
    errata(new Hono()).get("/", (c) => c.text(nameFailure(new Error("x"), c).digest, status));

  it("has its digest in the header if the answer is one to a failure", async () => {
    const response = await create(500).request("/");
    expect(await response.text()).toBe(readDigest(response));
  });

  it("has none there if it is not", async () => {
    expect(readDigest(await create(422).request("/"))).toBeUndefined();
  });
});

describe("the notice and the policies of pages", () => {
  it("keeps its own policy behind middleware that sets one", async () => {
    const app = errata(new Hono());
    app.use(async (c, next) => {
      await next();
      c.header("content-security-policy", "script-src 'self'");
      c.header("content-security-policy-report-only", "script-src 'none'");
    });
    app.get("/", fail).get("/fine", (c) => c.html("<p>"));
    const { headers } = await app.request("/", page);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'nonce-/,
    );
    expect(headers.has("content-security-policy-report-only")).toBe(false);
    const fine = await app.request("/fine", page);
    expect(fine.headers.get("content-security-policy")).toBe("script-src 'self'");
  });

  it.each([
    [
      "has the nonce of the page",
      "script-src 'nonce-r4n'",
      [`<style nonce="r4n">`, `<script nonce="r4n">`],
    ],
    ["has neither style nor script where both are forbidden", "default-src 'self'", []],
    ["has a style where scripts are forbidden", "script-src 'self'", ["<style>"]],
    [
      "has both where inline code is allowed",
      "default-src 'unsafe-inline'",
      ["<style>", "<script>"],
    ],
    ["has both where no policy is about code", "frame-ancestors 'none'", ["<style>", "<script>"]],
  ])("%s at the end of a page", async (_, policy, tags) => {
    const app = errata(new Hono()).get("/", (c) => {
      reportErrors(c, { hasNotices: true })(new Error("late"));
      return c.html("<p>", { headers: { "content-security-policy": policy } });
    });
    const html = await (await app.request("/", page)).text();
    expect(html.match(/<(?:style|script)[^>]*>/g) ?? []).toEqual(tags);
  });
});

describe("the adapter", () => {
  it("leaves the answer to the application around, if that one answers itself", async () => {
    const inner = errata(new Hono()).get("/orders/:id", fail);
    const app = errata(new Hono()).onError((_, c) => c.text("Sorry", 502));
    const response = await app.route("/admin", inner as Hono).request("/admin/orders/7", page);
    expect([response.status, await response.text()]).toEqual([502, "Sorry"]);
    await flush();
    expect(sent).toMatchObject([{ digest: readDigest(response) }]);
  });

  it("adds each fact once if a mounted application has the adapter, too", async () => {
    const inner = errata(new Hono()).get("/orders/:id", fail);
    const app = errata(new Hono()).mount("/admin", inner.fetch);
    const { headers } = await app.request("/admin/orders/7", page);
    const names = headers.get("server-timing")?.match(/errata-\w+/g);
    expect(names?.sort()).toEqual(["errata-digest", "errata-token", "errata-trace"]);
  });

  it("reports once in an application inside of another one, which has the adapter too", async () => {
    const inner = errata(new Hono()).get("/orders/:id", fail);
    const app = errata(new Hono()).route("/admin", inner as Hono);
    const response = await app.request("/admin/orders/7", page);
    expect(response.headers.get("server-timing")?.match(/errata-digest/g)).toHaveLength(1);
    await flush();
    expect(sent).toHaveLength(1);
  });

  it("keeps the headers of middleware", async () => {
    const app = errata(new Hono());
    app.use(async (c, next) => {
      c.header("x-shop", "open");
      await next();
    });
    app.get("/", fail);
    expect((await app.request("/", page)).headers.get("x-shop")).toBe("open");
  });

  it("adds to the headers of a fetched page, which are immutable", async () => {
    const app = errata(new Hono()).get("/", () => fetch("data:text/html,<p>"));
    const response = await app.request("/");
    expect(response.headers.get("server-timing")).toMatch(/^errata-trace;desc="\w{32}"/);
    expect(await response.text()).toBe("<p>");
  });

  it("continues the trace of the request, and signs for the origin of the visitor", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const app = errata(new Hono()).get("/", (c) => c.html("<p>"));
    const headers = {
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
      "x-forwarded-proto": "https",
    };
    const facts = async (url: string, init = {}) =>
      (await app.request(url, init)).headers.get("server-timing");
    const proxied = await facts("http://shop.example/", { headers });
    expect(proxied).toContain(`errata-trace;desc="${trace}"`);
    expect(proxied).toBe(await facts("https://shop.example/", { headers }));
  });

  it("leaves other data alone", async () => {
    const app = errata(new Hono()).get("/data", (c) => c.json({}));
    const { headers } = await app.request("/data");
    expect([...headers.keys()]).toEqual(["content-type"]);
  });

  it("appends no notice to a compressed page", async () => {
    const app = errata(new Hono());
    app.get("/:encoding", (c) => {
      reportErrors(c, { hasNotices: true })(new Error("late"));
      return c.html("<p>", { headers: { "content-encoding": c.req.param("encoding") } });
    });
    expect(await (await app.request("/gzip")).text()).toBe("<p>");
    expect(await (await app.request("/identity")).text()).toContain("errata-notice");
  });
});
