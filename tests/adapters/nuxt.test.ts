import { afterEach, describe, expect, it, vi } from "vitest";
import errata from "#src/adapters/nuxt.ts";
import handleError from "#src/adapters/nuxt-error-handler.ts";
import type { NuxtEvent } from "#src/adapters/nuxt-event.ts";
import installNitroPlugin from "#src/adapters/nuxt-nitro.ts";
import { watchRejections } from "#src/adapters/nuxt-rejections.ts";
import installVuePlugin from "#src/adapters/nuxt-server.ts";
import { sha256 } from "#src/adapters/sha256.ts";
import { decodePageToken, toPolicyHash } from "#src/core/trust/page-token-format.ts";
import { collectReports } from "#support/adapters/sent-reports.ts";
import { expectConsoleError } from "#support/console.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

afterEach(() => vi.unstubAllEnvs());

/** Nitro as the plugin uses it. */
function createNitro() {
  const hooks: Record<string, (...words: never[]) => unknown> = {};
  const hook = (name: string, run: (...words: never[]) => unknown) => {
    hooks[name] = run;
  };
  installNitroPlugin({ hooks: { hook } } as never);
  return {
    request: (event: unknown) => hooks.request?.(event as never) as Promise<void>,
    respond: (event: unknown) => hooks.beforeResponse?.(event as never) as Promise<void>,
    fail: (error: unknown, context: object) => hooks.error?.(error as never, context as never),
  };
}

/** An event of h3, and the headers of its response. */
function createEvent(headers: Record<string, string> = {}) {
  const sent: Record<string, string> = {};
  const traceparent = `00-${TRACE}-b7ad6b7169203331-01`;
  const event: NuxtEvent = {
    method: "GET",
    path: "/api/pour?cup=1",
    context: { matchedRoute: { path: "/api/pour" } },
    node: {
      req: { headers: { traceparent, host: "shop.example", ...headers } },
      res: {
        headersSent: false,
        getHeader: (name) => sent[name],
        setHeader: (name, value) => {
          sent[name] = value;
        },
      },
    },
  };
  return { event, sent };
}

/** What h3 makes of an error that a handler throws. */
function wrapError(cause: unknown, members: object = {}) {
  const message = cause instanceof Error ? cause.message : String(cause);
  const defaults = { statusCode: 500, data: undefined as unknown, ...members };
  return Object.assign(new Error(message, { cause }), defaults);
}

describe("the token of a page of Nuxt", () => {
  const readToken = (timing = "") =>
    decodePageToken(/errata-token;desc="([^"]+)"/.exec(timing)?.[1] ?? "");

  it.each([
    ["proves the policy of the page", "script-src 'self'", true],
    ["proves none if there are several", "script-src 'self', img-src *", false],
  ])("%s", async (_, policy, isProven) => {
    collectReports();
    const nitro = createNitro();
    const { event, sent } = createEvent({ accept: "text/html" });
    await nitro.request(event);
    expect(readToken(sent["Server-Timing"])).toMatchObject({ policyHash: undefined });
    Object.assign(sent, { "content-type": "text/html", "content-security-policy": policy });
    await nitro.respond(event);
    const policyHash = isProven ? toPolicyHash(policy, sha256) : undefined;
    expect(readToken(sent["Server-Timing"])).toMatchObject({ policyHash });
  });

  it("is in the address to which browsers report", async () => {
    collectReports();
    const nitro = createNitro();
    const { event, sent } = createEvent({ accept: "text/html" });
    await nitro.request(event);
    const policy = "script-src 'self'; report-uri /monitoring";
    Object.assign(sent, { "content-type": "text/html", "content-security-policy": policy });
    await nitro.respond(event);
    const [, token] = /errata-token;desc="([^"]+)"/.exec(sent["Server-Timing"] ?? "") ?? [];
    expect(sent["content-security-policy"]).toBe(`${policy}?t=${token}`);
    expect(readToken(sent["Server-Timing"])).toMatchObject({
      policyHash: toPolicyHash(policy, sha256),
    });
  });
});

describe("the plugin of Vue on the server", () => {
  it("names a server component as the route of its failure", () => {
    const { event } = createEvent();
    const hooks: Record<string, (thrown: unknown) => void> = {};
    const path = "/__nuxt_island/Stock_Zm9vYmFy.json?props=%7B%7D";
    installVuePlugin({
      ssrContext: { event: Object.assign(event, { path }), url: "/" },
      payload: {},
      hook: (name, run) => {
        hooks[name] = run;
      },
      $router: { resolve: () => ({ matched: [{ path: "/" }] }) },
    });
    hooks["vue:error"]?.(new Error("no stock"));
    expect(event.context.errata?.route).toBe("/__nuxt_island/Stock");
  });
});

describe("the plugin of Nitro", () => {
  it("reports what a handler threw, and shows its digest", async () => {
    const readReports = collectReports();
    const { event, sent } = createEvent();
    const error = wrapError(new TypeError("no kettle"), { unhandled: true });
    createNitro().fail(error, { event, tags: ["request"] });
    const [report] = await readReports();
    expect(report).toMatchObject({
      type: "TypeError",
      route: "/api/pour",
      status: 500,
      trace: TRACE,
      request: { method: "GET", url: "/api/pour?cup=1" },
    });
    expect(error).toMatchObject({ data: { digest: report?.digest } });
    expect(sent["Server-Timing"]).toBe(
      `errata-digest;desc="${report?.digest}", errata-trace;desc="${TRACE}"`,
    );
  });

  it("hides the message of an error that Nuxt would show, but not in development", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const error = wrapError(new TypeError("no kettle"));
    createNitro().fail(error, { event: createEvent().event });
    const [report] = await readReports();
    expect(error.message).toBe(`Internal Error. Digest: ${report?.digest}`);
    vi.stubEnv("NODE_ENV", "development");
    const shown = wrapError(new TypeError("no kettle"));
    createNitro().fail(shown, { event: createEvent().event });
    expect(shown.message).toBe("no kettle");
  });

  it("keeps message and data of an error that the application created", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const error = Object.assign(new Error("closed"), { statusCode: 503, data: { until: "9:00" } });
    createNitro().fail(error, { event: createEvent().event });
    const [report] = await readReports();
    expect(report).toMatchObject({ message: "closed", status: 503 });
    expect(error).toMatchObject({
      message: "closed",
      data: { until: "9:00", digest: report?.digest },
    });
  });

  it("reports nothing of a failure that an API has reported", async () => {
    const readReports = collectReports();
    const { event, sent } = createEvent();
    const data = { digest: "7F3K-Q2M9", instance: "https://errata.example/e/7F3K-Q2M9" };
    createNitro().fail(wrapError(new Error("500 Server Error"), { data }), { event });
    expect(await readReports()).toEqual([]);
    expect(sent["Server-Timing"]).toContain('errata-digest;desc="7F3K-Q2M9"');
  });

  it.each([
    ["another service named", { digest: "7F3K-Q2M9", instance: "https://other.example/e/1" }],
    ["has the digest of a file", { digest: "sha256:2c26b46b" }],
    ["has a text", "closed"],
  ])("reports an error whose data %s", async (_, data) => {
    const readReports = collectReports();
    expectConsoleError();
    const { event, sent } = createEvent();
    const error = wrapError(new Error("no kettle"), { data });
    createNitro().fail(error, { event });
    const [report] = await readReports();
    expect(sent["Server-Timing"]).toContain(`errata-digest;desc="${report?.digest}"`);
    expect(error.data).toEqual(
      typeof data === "string" ? data : { ...data, digest: report?.digest },
    );
  });

  it.each([
    ["a 404", { statusCode: 404 }, {}],
    ["a request that the visitor has left", { statusCode: 500 }, { closed: true }],
  ])("reports nothing of %s", async (_, members, response) => {
    const readReports = collectReports();
    const { event } = createEvent();
    Object.assign(event.node.res, response);
    createNitro().fail(Object.assign(new Error("x"), members), { event });
    expect(await readReports()).toEqual([]);
  });

  it("reports what fails outside of requests", async () => {
    const readReports = collectReports();
    expectConsoleError();
    createNitro().fail(new Error("no pot"), { tags: ["unhandledRejection"] });
    expect(await readReports()).toMatchObject([{ message: "no pot", how: "unhandledRejection" }]);
  });

  it("reports the failures of an unknown version, and says once that no page shows them", async () => {
    const readReports = collectReports();
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    expectConsoleError();
    const nitro = createNitro();
    const event = { req: new Request("https://shop.example/") };
    await nitro.request(event);
    nitro.fail(wrapError(new Error("no kettle")), { event });
    expect(await readReports()).toHaveLength(1);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("tells a page its trace and token besides the timings of the application", async () => {
    collectReports();
    const { event, sent } = createEvent({ accept: "text/html" });
    sent["Server-Timing"] = "db;dur=5";
    await createNitro().request(event);
    expect(sent["Server-Timing"]).toMatch(
      new RegExp(`^db;dur=5, errata-trace;desc="${TRACE}", errata-token;desc="[\\w-]{35}"$`),
    );
  });
});

describe("the error handler of Nitro", () => {
  const defaultHandler = () => ({
    status: 500,
    headers: { "content-type": "application/json" },
    body: { error: true, message: "Server Error" },
  });

  it("adds the problem to Nuxt's own answer", async () => {
    collectReports();
    const headers: Record<string, string> = {};
    const res = {
      statusCode: 200,
      setHeader: (n: string, v: string) => (headers[n] = v),
      end: vi.fn(),
    };
    const event = { node: { res }, context: { errata: { digest: "7F3K-Q2M9" } } };
    await handleError({ statusCode: 500 }, event, { defaultHandler });
    expect(res.statusCode).toBe(500);
    expect(headers["content-type"]).toBe("application/problem+json");
    expect(JSON.parse(res.end.mock.lastCall?.[0])).toEqual({
      error: true,
      message: "Server Error",
      type: "about:blank",
      title: "Internal Server Error",
      status: 500,
      instance: "https://errata.example/e/7F3K-Q2M9",
      digest: "7F3K-Q2M9",
    });
  });

  it.each([
    ["without a digest", { statusCode: 500 }, {}],
    ["that is no failure", { statusCode: 404 }, { errata: { digest: "7F3K-Q2M9" } }],
  ])("leaves an error %s to Nitro", async (_, error, context) => {
    const end = vi.fn();
    const res = { statusCode: 200, setHeader: vi.fn(), end };
    await handleError(error, { node: { res }, context }, { defaultHandler });
    expect(end).not.toHaveBeenCalled();
  });
});

describe("the rejections of useAsyncData", () => {
  it("are told before Nuxt keeps them, and a version that keeps none is left alone", () => {
    const payload: { _errors?: Record<string, unknown> } = { _errors: {} };
    const told: unknown[] = [];
    watchRejections(payload, (error) => told.push(error));
    const errors = payload._errors ?? {};
    errors.stock = undefined;
    errors.stock = "no stock";
    expect(told).toEqual(["no stock"]);
    expect(payload._errors).toEqual({ stock: "no stock" });
    const other = {};
    watchRejections(other, () => undefined);
    expect(other).toEqual({});
  });
});

describe("the module of Nuxt", () => {
  it("adds its plugins first and its error handler last", () => {
    const nuxt = { options: { plugins: ["own"], runtimeConfig: { public: {} } } };
    const config: Record<string, unknown> = { plugins: ["own"], errorHandler: "nuxt" };
    const hook = (_: string, run: (config: object) => void) => run(config);
    errata({ browser: { to: "/monitoring" } }, { ...nuxt, hook } as never);
    expect(nuxt.options.runtimeConfig.public).toEqual({ errata: { to: "/monitoring" } });
    expect(nuxt.options.plugins).toMatchObject([{ mode: "client" }, { mode: "server" }, "own"]);
    expect(config.plugins).toEqual([expect.stringMatching(/\/nuxt-nitro\.js$/), "own"]);
    expect(config.errorHandler).toEqual([
      "nuxt",
      expect.stringMatching(/\/nuxt-error-handler\.js$/),
    ]);
  });
});
