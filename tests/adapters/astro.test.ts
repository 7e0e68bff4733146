import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { errata } from "#src/adapters/astro.ts";
import { ALL } from "#src/adapters/astro-500.ts";
import { wrapDefineAction } from "#src/adapters/astro-actions.ts";
import { onRequest } from "#src/adapters/astro-middleware.ts";
import { collectReports } from "#support/adapters/sent-reports.ts";
import { expectConsoleError } from "#support/console.ts";

afterEach(() => vi.unstubAllEnvs());

/** The part of Astro's context that the middleware reads. */
function createContext(init?: RequestInit) {
  return {
    request: new Request("https://shop.example/cart/7", {
      ...init,
      headers: { accept: "text/html", ...init?.headers },
    }),
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

describe("a page with a policy that fails behind its first bytes", () => {
  it.each([
    ["script-src 'self'; style-src 'self'", []],
    ["default-src 'nonce-r4n'", ['<style nonce="r4n">', '<script nonce="r4n">']],
  ])("ends with a notice that keeps to it: %s", async (policy, tags) => {
    collectReports();
    expectConsoleError();
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("late")) });
    const headers = { ...isPage.headers, "content-security-policy": policy };
    const response = await onRequest(createContext(), async () => new Response(body, { headers }));
    const html = await response.text();
    expect(html).toContain("errata-notice");
    expect(html.match(/<(?:style|script)[^>]*>/g) ?? []).toEqual(tags);
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

describe("a failure that a program asked for", () => {
  it("is answered with problem details", async () => {
    expectConsoleError();
    const context = createContext({ headers: { accept: "application/json" } });
    const response = await onRequest(context, fail(new Error("secret")));
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ status: 500, digest: context.locals.digest });
  });
});

describe("a server island that fails", () => {
  it("is answered with an empty 500, although its script accepts anything", async () => {
    expectConsoleError();
    const context = createContext({ headers: { accept: "*/*" } });
    const island = { ...context, routePattern: "/_server-islands/[name]" };
    expect((await onRequest(island, fail(new Error("secret")))).body).toBeNull();
  });
});

describe("the error page of an application without one", () => {
  it("is the notice for a visitor, and problem details for a program", async () => {
    const ask = (accept: string, locals: { digest?: string } = { digest: "7F3K-Q2M9" }) =>
      ALL({ request: new Request("https://shop.example/", { headers: { accept } }), locals });
    expect(ask("text/html").status).toBe(500);
    expect(await ask("text/html").text()).toContain("<code>7F3K-Q2M9</code>");
    expect(await ask("*/*").json()).toMatchObject({ status: 500, digest: "7F3K-Q2M9" });
    // Opened by its address.
    const opened = ask("text/html", {});
    expect([opened.status, await opened.text()]).toEqual([404, ""]);
  });
});

describe("the integration of Astro", () => {
  /** What the integration adds to an application with these pages. */
  function setUp(
    pages: readonly string[],
    { browser, ...setup }: { browser?: { to: string }; command?: string; output?: string } = {},
  ) {
    const { command = "build", output = "server" } = setup;
    const folder = mkdtempSync(join(tmpdir(), "errata-astro-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "pages"));
    for (const page of pages) writeFileSync(join(folder, "pages", page), "");
    const added = { addMiddleware: vi.fn(), injectRoute: vi.fn(), injectScript: vi.fn() };
    const config = { srcDir: pathToFileURL(`${folder}/`), output };
    errata({ browser }).hooks["astro:config:setup"]({ command, config, ...added });
    return added;
  }

  it("adds the middleware first, and the reporter if it has options", () => {
    const { addMiddleware, injectScript } = setUp([]);
    expect(addMiddleware).toHaveBeenCalledWith({
      order: "pre",
      entrypoint: "errata/astro/middleware",
    });
    expect(injectScript).not.toHaveBeenCalled();
    const browser = { to: "https://errata.example/monitoring" };
    expect(setUp([], { browser }).injectScript).toHaveBeenCalledWith(
      "page",
      'import { startErrata } from "errata/browser"; startErrata({"to":"https://errata.example/monitoring"});',
    );
  });

  it("adds an error page to an application without one", () => {
    expect(setUp(["index.astro", "5000.astro"]).injectRoute).toHaveBeenCalledWith({
      pattern: "/500",
      entrypoint: "errata/astro/500",
      prerender: false,
    });
  });

  it.each<[string, Parameters<typeof setUp>]>([
    ["with one", [["500.astro"]]],
    ["with one in a folder", [["500"]]],
    ["whose pages are rendered during the build", [[], { output: "static" }]],
    ["of the development server, which shows errors itself", [[], { command: "dev" }]],
  ])("adds none to an application %s", (_, args) => {
    expect(setUp(...args).injectRoute).not.toHaveBeenCalled();
  });
});
