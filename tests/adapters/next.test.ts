import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  onRequestError,
  proxy,
  register,
  withErrata,
  wrapApiHandler,
  wrapRouteHandler,
} from "#src/adapters/next.ts";
import { type Errata, getErrata } from "#src/adapters/server.ts";
import { expectConsoleError } from "#support/console.ts";

const DSN = "https://errata_server_00112233445566778899aabbccddeeff@errata.example/1";
const DIGEST = /^[\dA-Z]{4}-[\dA-Z]{4}$/;
const TRACE = "0af7651916cd43dd8448eb211c80319c";

type WithDigest = Error & { digest?: string };
type Reported = Readonly<Record<string, unknown>>;

/** The reports that Errata received. */
let reports: Reported[] = [];

/** Registers as Next.js does at the start of a server. */
function start(options: Parameters<typeof register>[0] = {}): Errata {
  const send = async (_url: unknown, init?: RequestInit) => {
    reports.push(...JSON.parse(String(init?.body)).reports);
    return new Response("{}");
  };
  register({ dsn: DSN, fetch: send as typeof fetch, ...options });
  return getErrata();
}

/** Calls the hook as Next.js does for a page, and returns what Errata received. */
async function fail(error: unknown, context: object = {}, request: object = {}) {
  const sent = { path: "/dish/tea?size=2", method: "GET", headers: {}, ...request };
  const page = { routerKind: "App Router", routePath: "/dish/[name]", routeType: "render" };
  onRequestError(error, sent, { ...page, renderSource: "react-server-components", ...context });
  await getErrata().flush();
  return reports;
}

beforeEach(() => {
  reports = [];
});

afterEach(() => {
  Reflect.deleteProperty(Error.prototype, "digest");
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("the accessor of Errata's digests", () => {
  it.each([
    ["JSON.stringify", (error: Error) => JSON.stringify(error)],
    ["Object.keys", (error: Error) => Object.keys(error)],
    ["a spread", (error: Error) => ({ ...error })],
    ["for … in", (error: Error) => listInherited(error)],
    ["structuredClone", (error: Error) => Object.getOwnPropertyNames(structuredClone(error))],
    ["the output of the console", (error: Error) => inspect(error)],
    ["Object.assign", (error: Error) => Object.assign({}, error)],
    ["String", (error: Error) => String(error)],
  ])("does not change %s of an error", (_, read) => {
    const error = Object.assign(new TypeError("no tea"), { code: "EMPTY" });
    const before = read(error);
    start();
    expect(read(error)).toEqual(before);
  });

  it("makes the digest that was read a member of the error, which logs print", () => {
    start();
    const error: WithDigest = new Error("no tea");
    expect(Object.keys(error)).toEqual([]);
    const { digest } = error;
    expect(digest).toMatch(DIGEST);
    expect(JSON.stringify(error)).toBe(JSON.stringify({ digest }));
    expect(inspect(error)).toContain(`digest: '${digest}'`);
    expect("digest" in new Error("asked for presence only")).toBe(true);
  });

  it.each([
    ["assigned", () => Object.assign(new Error("x"), { digest: "TEA-1" })],
    ["of a class with a field", () => new FieldError("x")],
    ["of a class with an accessor", () => new AccessorError("x")],
    [
      "assigned to a sealed error",
      () => Object.seal(Object.assign(new Error(), { digest: "TEA-1" })),
    ],
  ])("lets the digest of the application win: %s", (_, create: () => WithDigest) => {
    start();
    expect(create().digest).toBe("TEA-1");
  });

  it("lets the digest of a framework's signal win", () => {
    start();
    const signal: WithDigest = new Error("NEXT_REDIRECT");
    signal.digest = "NEXT_REDIRECT;replace;/login;307;";
    expect(signal.digest).toBe("NEXT_REDIRECT;replace;/login;307;");
    expect(Object.keys(signal)).toEqual(["digest"]);
  });

  it.each([
    ["an error", (error: Error) => error],
    // Its digest cannot be kept while it is computed.
    ["a frozen error", (error: Error) => Object.freeze(error)],
  ])("ends when %s reads its own digest while it is described", (_, finish) => {
    start();
    const error: WithDigest = new Error("x");
    Object.defineProperty(error, "message", { get: () => `failed with ${error.digest}` });
    Object.defineProperty(error, "stack", { get: () => `Error: ${error.digest}\n    at a.js:1:1` });
    expect((finish(error) as WithDigest).digest).toMatch(DIGEST);
  });

  it("gives a frozen error the same digest each time, and no member", () => {
    start();
    const error: WithDigest = Object.freeze(new Error("frozen tea"));
    expect(error.digest).toMatch(DIGEST);
    expect(error.digest).toBe(error.digest);
    expect(Object.keys(error)).toEqual([]);
  });

  it("gives a digest to errors of all classes, and none to the prototype", () => {
    start();
    for (const error of [new DOMException("x"), new AggregateError([]), new FieldlessError("x")])
      expect((error as WithDigest).digest).toMatch(DIGEST);
    expect((Error.prototype as WithDigest).digest).toBeUndefined();
  });

  it.each([
    "Minified React error #441; visit https://react.dev/errors/441 for the full message",
    "An error occurred in the Server Components render. The specific message is omitted",
  ])("gives none to what React makes of an error of the server: %s", (message) => {
    start();
    expect((new Error(message) as WithDigest).digest).toBeUndefined();
  });

  it.each([
    ["without a DSN", { dsn: "" }, "production"],
    ["with ownDigests: false", { ownDigests: false }, "production"],
    ["in next dev", {}, "development"],
  ])("is not installed %s", (_, options, environment) => {
    vi.stubEnv("NODE_ENV", environment);
    start(options);
    expect("digest" in new Error("x")).toBe(false);
  });
});

describe("the hook of Next.js", () => {
  it.each([
    ["an error of the application", () => new TypeError("no tea")],
    ["an error with a cause", () => new Error("no tea", { cause: new RangeError("0") })],
    ["a message of the engine", () => catchError(() => (undefined as never as { a: 1 }).a)],
    ["an error without a stack", () => Object.assign(new Error("no tea"), { stack: undefined })],
  ])("reports the digest that Next.js has shown: %s", async (_, create) => {
    start();
    const error: WithDigest = create();
    const { digest } = error;
    expect(digest).toMatch(DIGEST);
    const [report, ...others] = await fail(error);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ digest, request: { url: "/dish/tea?size=2" } });
    expect(report).not.toHaveProperty("aliases");
  });

  it("names the route as a tag if the digest was shown before the route was known", async () => {
    start();
    // Compiled code has no file that would be the place of the error.
    const stack = "TypeError: x is not a function\n    at c (.next/server/chunks/a.js:1:2)";
    const error = Object.assign(new TypeError("x is not a function"), { stack });
    const { digest } = error as WithDigest;
    const [report] = await fail(error);
    expect(report).toMatchObject({ digest, route: "", tags: { route: "/dish/[name]" } });
  });

  it("reports the request, the route, the trace and the source", async () => {
    start();
    const headers = { "x-errata-trace": TRACE, "user-agent": "Test", cookie: "a=b" };
    const context = { routePath: "/(shop)/dish/[name]/page", revalidateReason: "stale" };
    const [report] = await fail(new Error("no tea"), context, { headers });
    expect(report).toMatchObject({
      how: "render",
      route: "/dish/[name]",
      trace: TRACE,
      request: { method: "GET", url: "/dish/tea?size=2", headers: [["user-agent", "Test"]] },
      tags: {
        routerKind: "App Router",
        renderSource: "react-server-components",
        revalidateReason: "stale",
      },
    });
  });

  it("reports the digest of the application as a code that a lookup finds", async () => {
    const errata = start();
    const error = Object.assign(new Error("no tea"), { digest: "TEA-1" });
    const [report] = await fail(error);
    expect(report).toMatchObject({ aliases: ["TEA-1"], digest: errata.find(error)?.digest });
  });

  it("reports the digest of Next.js as a code, and says so once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    start();
    for (const digest of ["1260811685", "2437810513@E394"])
      await fail(Object.assign(new Error(`no tea ${digest}`), { digest }));
    expect(reports.map(({ aliases }) => aliases)).toEqual([["1260811685"], ["2437810513@E394"]]);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("shows its own digests")]]);
  });

  it("reports the digest of Next.js as a code with ownDigests: false", async () => {
    start({ ownDigests: false });
    await fail(Object.assign(new Error("no tea"), { digest: "1260811685" }));
    expect(reports).toMatchObject([{ aliases: ["1260811685"] }]);
  });

  it.each([
    ["a page", "/(shop)/dish/[name]/page", "App Router", "/dish/tea", "/dish/[name]"],
    ["a page of this name", "/dish/page", "App Router", "/dish/page?size=2", "/dish/page"],
    ["a handler of the Edge runtime", "/api/tea/route", "Pages Router", "/api/tea", "/api/tea"],
    ["a handler of this name", "/api/route", "Pages Router", "/api/route", "/api/route"],
  ])("reports the route of %s", async (_, routePath, routerKind, path, route) => {
    start();
    const [report] = await fail(
      new Error("x"),
      { routePath, routerKind, routeType: "route" },
      { path },
    );
    expect(report).toMatchObject({ route });
  });

  it("reports what broke the body of a response, not the error around it", async () => {
    start();
    const cause = new RangeError("the tap ran dry");
    const [report] = await fail(new Error("failed to pipe response", { cause }));
    expect(report).toMatchObject({ type: "RangeError", message: "the tap ran dry" });
  });

  it("reports a thrown response, with which Next.js fails, and its status", async () => {
    start();
    const teapot = new Response("tea", { status: 418, statusText: "I'm a teapot" });
    const [report] = await fail(teapot, { routeType: "route" });
    expect(report).toMatchObject({ type: "Response", message: "418 I'm a teapot" });
  });

  it("reports the same error once", async () => {
    start();
    const error = new Error("no tea");
    await fail(error);
    await fail(error, { renderSource: "server-rendering" });
    expect(reports).toHaveLength(1);
  });

  it.each([
    ["a redirect", { digest: "NEXT_REDIRECT;replace;/login;307;" }, {}, {}],
    ["a page that is not found", { digest: "NEXT_HTTP_ERROR_FALLBACK;404" }, {}, {}],
    ["a client that left", { name: "ResponseAborted" }, {}, {}],
    [
      "the headers of data that failed before",
      {},
      { routerKind: "Pages Router" },
      { method: "HEAD", path: "/_next/data/j_h0/dish.json" },
    ],
    [
      "an error page behind a proxy that failed",
      { code: "ERR_HTTP_HEADERS_SENT" },
      { routePath: "/_not-found/page" },
      {},
    ],
  ])("does not report %s", async (_, members, context, request) => {
    start();
    expect(await fail(Object.assign(new Error("x"), members), context, request)).toEqual([]);
  });

  it("keeps the runtime alive until the report is sent, where the platform can", async () => {
    const waitUntil = vi.fn();
    vi.stubGlobal(Symbol.for("@next/request-context") as never, { get: () => ({ waitUntil }) });
    start();
    await fail(new Error("no tea"));
    vi.unstubAllGlobals();
    expect(waitUntil).toHaveBeenCalledWith(expect.any(Promise));
  });
});

describe("the header of a response of Node.js", () => {
  const PAGE = { routerKind: "App Router", routePath: "/dish/[name]", routeType: "render" };

  /** What a client gets whose request fails before `answer` sends the response. */
  async function ask(
    describeRequest: (request: IncomingMessage) => { path: string; headers: object },
    answer: (response: ServerResponse) => unknown,
  ) {
    start();
    const server = createServer((request, response) => {
      const { path, headers } = describeRequest(request);
      const sent = { path, method: "GET", headers: headers as Record<string, string> };
      onRequestError(new Error("no tea"), sent, PAGE);
      answer(response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/dish/tea?size=2`);
    await response.text();
    server.close();
    await getErrata().flush();
    return response.headers.get("server-timing");
  }

  const asNext = ({ url = "", headers }: IncomingMessage) => ({ path: url, headers });
  const asVinext = ({ url = "", headers }: IncomingMessage) => ({
    path: url.replace(/\?.*/, ""),
    headers: { ...headers },
  });

  it.each([
    ["next to those of the application", asNext, "app;dur=5, "],
    ["found by an equal request", asVinext, "app;dur=5, "],
  ])("has the digest of a failure, %s", async (_, describeRequest, before) => {
    const timing = await ask(describeRequest, (response) => {
      response.writeHead(500, { "Server-Timing": "app;dur=5" }).end();
    });
    expect(timing).toBe(`${before}errata-digest;desc="${reports[0]?.digest}"`);
    expect(reports).toMatchObject([{ status: 500, request: { url: "/dish/tea?size=2" } }]);
  });

  it("has the digest in a response without other headers", async () => {
    const timing = await ask(asNext, (response) => response.writeHead(500, "Broken").end());
    expect(timing).toBe(`errata-digest;desc="${reports[0]?.digest}"`);
  });

  it("stays as it is for the request of another client", async () => {
    const other = (request: IncomingMessage) => ({
      ...asVinext(request),
      headers: { ...request.headers, cookie: "user=2" },
    });
    expect(await ask(other, (response) => response.end())).toBeNull();
  });
});

describe("a server of vinext", () => {
  const storage = new AsyncLocalStorage<object>();
  const known = {
    [Symbol.for("vinext.unifiedRequestContext.als")]: storage,
    [Symbol.for("vinext.instrumentation.state")]: {},
  };

  afterEach(() => {
    for (const name of Object.getOwnPropertySymbols(known))
      Reflect.deleteProperty(globalThis, name);
  });

  it.each([
    ["/dish/tea", { name: "tea" }, "/dish/[name]"],
    ["/docs/a/b", { path: ["a", "b"] }, "/docs/[...path]"],
    ["/", {}, "/"],
  ])("has the route of the path %s and the trace of the proxy", async (path, params, route) => {
    Object.assign(globalThis, known);
    start();
    const stack = "TypeError: x is not a function\n    at c (dist/server/_next/a-12345678.js:1:2)";
    const error = Object.assign(new TypeError("x is not a function"), { stack });
    const headers = new Headers({ "x-errata-trace": TRACE });
    const context = { serverContext: { pathname: path, params }, headersContext: { headers } };
    await storage.run(context, async () => {
      const { digest } = error as WithDigest;
      expect(await fail(error, { routePath: route })).toMatchObject([
        { digest, route, trace: TRACE },
      ]);
    });
  });
});

const URL_OF_PAGE = "http://127.0.0.1:3000/dish/tea";
const FACTS = new RegExp(`^errata-trace;desc="${TRACE}", errata-token;desc="[\\w-]{35}"$`);
const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01`, host: "shop.example" };

describe("the proxy", () => {
  it("gives the page its trace and its token, and the server the trace", async () => {
    start();
    const response = await proxy(new Request(URL_OF_PAGE, { headers }));
    expect(response.headers.get("server-timing")).toMatch(FACTS);
    expect(response.headers.get("x-middleware-next")).toBe("1");
    expect(response.headers.get("x-middleware-request-x-errata-trace")).toBe(TRACE);
    const kept = response.headers.get("x-middleware-override-headers")?.split(",");
    expect(kept?.sort()).toEqual(["host", "traceparent", "x-errata-trace"]);
  });

  it("does not let a visitor choose the trace", async () => {
    start();
    const request = new Request(URL_OF_PAGE, { headers: { "x-errata-trace": TRACE } });
    const { headers: given } = await proxy(request);
    expect(given.get("x-middleware-request-x-errata-trace")).not.toBe(TRACE);
  });

  it("keeps the request headers that the application has chosen", async () => {
    start();
    const own = { "x-middleware-next": "1", "x-middleware-override-headers": "x-user" };
    const handler = withErrata(() => new Response(null, { headers: own }));
    const response = await handler(new Request(URL_OF_PAGE, { headers }));
    expect(response.headers.get("x-middleware-override-headers")).toBe("x-user,x-errata-trace");
    expect(response.headers.has("x-middleware-request-host")).toBe(false);
  });

  it.each([
    ["a redirect", () => Response.redirect("https://shop.example/"), 302],
    ["an answer of its own", () => Response.json({ tea: 1 }, { status: 418 }), 418],
    ["no answer", () => undefined, 200],
  ])("keeps the application's answer: %s", async (_, handler, status) => {
    start();
    const response = await withErrata(handler)(new Request(URL_OF_PAGE, { headers }));
    expect(response.status).toBe(status);
    expect(response.headers.get("server-timing")).toMatch(FACTS);
  });

  it("answers as without Errata if nothing can be added", async () => {
    start();
    const response = Response.error();
    const handler = withErrata(() => response);
    expect(await handler(new Request(URL_OF_PAGE))).toBe(response);
  });

  it("reports the application's failure once, and throws it again", async () => {
    const errata = start();
    const error = new Error("the gate is stuck");
    const handler = withErrata(() => {
      throw error;
    });
    await expect(handler(new Request(URL_OF_PAGE, { headers }))).rejects.toBe(error);
    await errata.flush();
    expect(reports).toMatchObject([{ how: "proxy", route: "/proxy", status: 500, trace: TRACE }]);
  });
});

describe("a wrapped handler", () => {
  it("answers a failure with problem details and the digest", async () => {
    const printed = expectConsoleError();
    const errata = start();
    const handler = wrapRouteHandler(() => {
      throw new Error("no tea");
    });
    const response = await handler(new Request(URL_OF_PAGE));
    const { digest, ...problem } = await response.json();
    expect(response.status).toBe(500);
    expect(response.headers.get("server-timing")).toBe(`errata-digest;desc="${digest}"`);
    expect(problem).toEqual({
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      instance: `https://errata.example/e/${digest}`,
    });
    await errata.flush();
    expect(reports).toMatchObject([{ digest, how: "route", request: { url: URL_OF_PAGE } }]);
    expect(printed.join()).toContain("no tea");
  });

  it("leaves redirects and answers alone", async () => {
    start();
    const signal = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;replace" });
    const redirecting = wrapRouteHandler(() => {
      throw signal;
    });
    await expect(redirecting(new Request(URL_OF_PAGE))).rejects.toBe(signal);
    const answer = Response.json({ tea: 1 });
    expect(await wrapRouteHandler(() => answer)(new Request(URL_OF_PAGE))).toBe(answer);
    expect(reports).toEqual([]);
  });

  it("of the Pages Router throws a failure again that comes after the first byte", async () => {
    const errata = start();
    const error = new Error("the tea is cold");
    const handler = wrapApiHandler(() => {
      throw error;
    }, "/api/dish/[name]");
    const response = { headersSent: true } as Parameters<typeof handler>[1];
    await expect(handler({ url: "/api/dish/tea", headers: {} }, response)).rejects.toBe(error);
    await errata.flush();
    expect(reports).toMatchObject([
      { route: "/api/dish/[name]", request: { url: "/api/dish/tea" } },
    ]);
  });
});

class FieldError extends Error {
  digest = "TEA-1";
}

class AccessorError extends Error {
  get digest(): string {
    return "TEA-1";
  }
}

class FieldlessError extends TypeError {}

function listInherited(error: object): readonly string[] {
  const names: string[] = [];
  for (const name in error) names.push(name);
  return names;
}

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}
