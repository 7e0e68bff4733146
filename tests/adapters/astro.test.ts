import { afterEach, describe, expect, it, vi } from "vitest";
import { errata } from "#src/adapters/astro.ts";
import { wrapDefineAction } from "#src/adapters/astro-actions.ts";
import { onRequest } from "#src/adapters/astro-middleware.ts";
import { collectReports } from "#support/adapters/sent-reports.ts";
import { expectConsoleError } from "#support/console.ts";

afterEach(() => vi.unstubAllEnvs());

/** The part of Astro's context that the middleware reads. */
function createContext(init?: RequestInit) {
  return {
    request: new Request("https://shop.example/cart/7", init),
    locals: {} as { digest?: string },
    props: {} as { error?: unknown },
    routePattern: "/cart/[id]",
    isPrerendered: false,
  };
}

const fail = (error: unknown) => () => Promise.reject(error);
const isPage = { headers: { "content-type": "text/html" } };

describe("the middleware of Astro", () => {
  it("answers a failure with an empty 500, which Astro makes the error page", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const context = createContext();
    const response = await onRequest(context, fail(new TypeError("no price")));
    const [report] = await readReports();
    expect(report).toMatchObject({ type: "TypeError", route: "/cart/[id]", status: 500 });
    expect(response.status).toBe(500);
    expect(response.body).toBeNull();
    expect(response.headers.get("server-timing")).toContain(`desc="${report?.digest}"`);
    expect(context.locals.digest).toBe(report?.digest);
  });

  it("gives the error page an error that names the digest, and nothing of the failure", async () => {
    expectConsoleError();
    const context = createContext();
    await onRequest(context, fail(new TypeError("no price")));
    const { digest } = context.locals;
    const errorPage = { ...context, locals: {}, props: { error: null }, routePattern: "/500" };
    await onRequest(errorPage, async () => new Response(null));
    expect(errorPage.locals).toEqual({ digest });
    expect(errorPage.props.error).toEqual(new Error(`Internal Error. Digest: ${digest}`));
  });

  it("reports middleware once that fails for the error page, too", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const context = createContext();
    await onRequest(context, fail(new Error("no door")));
    const again = new Error("no door");
    const errorPage = { ...context, routePattern: "/500" };
    await expect(onRequest(errorPage, fail(again))).rejects.toBe(again);
    expect(await readReports()).toHaveLength(1);
    const other = new Error("no error page");
    await expect(onRequest(errorPage, fail(other))).rejects.toBe(other);
    expect(await readReports()).toHaveLength(2);
  });

  it("leaves the error to the development server", async () => {
    vi.stubEnv("NODE_ENV", "development");
    const error = new Error("no price");
    await expect(onRequest(createContext(), fail(error))).rejects.toBe(error);
  });

  it("leaves a page that is rendered during the build as it is", async () => {
    const response = new Response("<p>", isPage);
    const context = { ...createContext(), isPrerendered: true };
    expect(await onRequest(context, async () => response)).toBe(response);
    expect(response.headers.has("server-timing")).toBe(false);
  });

  it("reports nothing of a request that the visitor has left", async () => {
    const readReports = collectReports();
    const signal = AbortSignal.abort();
    await expect(onRequest(createContext({ signal }), fail(signal.reason))).rejects.toThrow();
    expect(await readReports()).toEqual([]);
  });

  it("stops a page that nobody reads any more", async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(1)), cancel });
    const response = await onRequest(createContext(), async () => new Response(body, isPage));
    await response.body?.cancel("left");
    expect(cancel).toHaveBeenCalledWith("left");
  });
});

describe("an action of Astro", () => {
  /** As Astro: the handler with its context. */
  const define = wrapDefineAction(
    (options: { handler: (input: string, context: object) => unknown }) => options.handler,
  );

  it("returns what its handler returns", async () => {
    const action = define({ handler: (cup) => `${cup} of tea` });
    expect(await action("a cup", createContext())).toBe("a cup of tea");
  });

  it("fails with an error that names the digest, which a page may throw again", async () => {
    const readReports = collectReports();
    expectConsoleError();
    const context = createContext();
    const action = define({ handler: () => Promise.reject(new RangeError("no cup")) });
    const shown = await Promise.resolve(action("", context)).catch((error: unknown) => error);
    await onRequest(context, fail(shown));
    const reports = await readReports();
    expect(reports).toMatchObject([{ type: "RangeError", how: "action" }]);
    expect(shown).toEqual(new Error(`Internal Error. Digest: ${reports[0]?.digest}`));
  });

  it.each([
    [400, 0],
    [500, 1],
  ])("passes on an ActionError with status %i, with %i reports", async (status, count) => {
    const readReports = collectReports();
    if (count > 0) expectConsoleError();
    const error = Object.assign(new Error("no cup"), { type: "AstroActionError", status });
    const action = define({ handler: () => Promise.reject(error) });
    await expect(action("", createContext())).rejects.toBe(error);
    expect(await readReports()).toHaveLength(count);
  });
});

describe("the integration of Astro", () => {
  it("adds the middleware first, and the reporter if it has options", () => {
    const addMiddleware = vi.fn();
    const injectScript = vi.fn();
    errata().hooks["astro:config:setup"]({ addMiddleware, injectScript });
    expect(addMiddleware).toHaveBeenCalledWith({
      order: "pre",
      entrypoint: "errata/astro/middleware",
    });
    expect(injectScript).not.toHaveBeenCalled();
    const { hooks } = errata({ browser: { to: "https://errata.example/monitoring" } });
    hooks["astro:config:setup"]({ addMiddleware, injectScript });
    expect(injectScript).toHaveBeenCalledWith(
      "page",
      'import { startErrata } from "errata/browser"; startErrata({"to":"https://errata.example/monitoring"});',
    );
  });
});
