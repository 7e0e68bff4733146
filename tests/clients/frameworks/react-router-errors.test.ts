/** What React Router makes of errors of every kind, with the hooks of the adapter. */

import { createElement, type FunctionComponent } from "react";
import { renderToReadableStream } from "react-dom/server";
import {
  createRequestHandler,
  type EntryContext,
  Outlet,
  type ServerBuild,
  ServerRouter,
  useRouteError,
} from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as adapter from "../../../src/adapters/react-router.ts";
import { configureErrata, getErrata } from "../../../src/adapters/server.ts";
import { readHeaderDigest, SECRET } from "./app.ts";

const DIGEST = /^[\dA-Z]{4}-[\dA-Z]{4}$/;

/** Everything that was sent to Errata. */
let sent: object[];

beforeEach(() => {
  sent = [];
  configureErrata({
    dsn: "https://errata_server_00112233445566778899aabbccddeeff@errata.example/1",
    fetch: async (_url, init) => {
      sent.push(...JSON.parse(String(init?.body)).reports);
      return new Response("{}");
    },
  });
  vi.spyOn(console, "error").mockReturnValue(undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await getErrata().flush();
});

/** Shows everything of an error that a page can show. */
function ErrorBoundary() {
  const error = useRouteError() as Error & { statusText?: string; data?: unknown };
  const { message, stack, statusText, data } = error;
  return createElement("p", null, JSON.stringify({ ...error, message, stack, statusText, data }));
}

const packages = {
  ServerRouter: ServerRouter as FunctionComponent<{ context: EntryContext; url: string }>,
  renderToReadableStream,
};

/** The server of an app, whose loader or page is `fail`. */
function createApp(
  fail: () => never,
  part: "loader" | "default" = "loader",
  handleRequest: object = adapter.createHandleRequest(packages),
) {
  const manifest = (id: string, path: string) => ({
    ...{ id, path, module: `/${id}.js`, imports: [], css: [] },
    hasLoader: id === "cart" && part === "loader",
  });
  const page = { default: () => null, [part]: fail };
  const { handleError, handleDataRequest } = adapter;
  const build = {
    entry: { module: { default: handleRequest, handleError, handleDataRequest } },
    routes: {
      root: { id: "root", path: "", module: { default: Outlet, ErrorBoundary } },
      cart: { id: "cart", parentId: "root", path: "cart/:id", module: page },
    },
    assets: {
      entry: { module: "/entry.js", imports: [] },
      routes: { root: manifest("root", ""), cart: manifest("cart", "cart/:id") },
      url: "/manifest.js",
      version: "1",
    },
    ...{ publicPath: "/", assetsBuildDirectory: "", basename: "/", future: {}, ssr: true },
    ...{ isSpaMode: false, prerender: [], routeDiscovery: { mode: "initial" } },
  };
  const handle = createRequestHandler(build as unknown as ServerBuild, "production");
  return async (path: string) => {
    const response = await handle(new Request(`https://shop.example${path}`));
    const digest = readHeaderDigest(response);
    return { status: response.status, body: await response.text(), digest };
  };
}

/** The reports of a turn are sent together. */
async function readReports(): Promise<readonly object[]> {
  await getErrata().flush();
  return sent;
}

class StockError extends RangeError {
  readonly shelf = { note: SECRET };
  readonly data = SECRET;
  readonly digest = SECRET;
}
const cyclic = Object.assign(new Error(SECRET), { self: {} });
cyclic.self = cyclic;

const no = () => false;

const ERRORS: readonly [what: string, create: () => unknown, isShown: boolean][] = [
  ["an error", () => new Error(SECRET), true],
  ["an error with members", () => new StockError(SECRET), true],
  ["an error with a cause", () => new Error(SECRET, { cause: new Error(SECRET) }), true],
  ["an error that contains itself", () => cyclic, true],
  ["an error without a stack", () => Object.assign(new Error(SECRET), { stack: undefined }), true],
  ["an aggregate", () => new AggregateError([new Error(SECRET)], SECRET), true],
  ["a frozen error", () => Object.freeze(new Error(SECRET)), false],
  ["a sealed error", () => Object.seal(new StockError(SECRET)), false],
  ["a proxy", () => new Proxy(new Error(SECRET), {}), true],
  ["a proxy that refuses", () => new Proxy(new Error(SECRET), { setPrototypeOf: no }), false],
  [
    "a proxy that refuses members",
    () => new Proxy(new StockError(SECRET), { defineProperty: no }),
    false,
  ],
];

describe.each(["/cart/7", "/cart/7.data"])("%s: the digest of a failed loader", (path) => {
  it.each(ERRORS)(
    "is what the page gets of %s, which does not change",
    async (_, create, isShown) => {
      const error = create() as Error;
      const [before, prototype] = [
        Object.getOwnPropertyDescriptors(error),
        Object.getPrototypeOf(error),
      ];
      const ask = createApp(() => {
        throw error;
      });
      const { status, body, digest } = await ask(path);
      expect(status).toBe(500);
      expect(digest).toMatch(DIGEST);
      expect(body).not.toContain(SECRET);
      expect(body.includes(`Internal Error. Digest: ${digest}`)).toBe(isShown);
      expect(body.includes("Unexpected Server Error")).toBe(!isShown);
      expect(Object.getOwnPropertyDescriptors(error)).toEqual(before);
      expect(Object.getPrototypeOf(error)).toBe(prototype);
      expect(await readReports()).toMatchObject([{ digest, route: "/cart/:id" }]);
    },
  );

  it("is the same for an error that is thrown again, which is reported once", async () => {
    const error = new Error(SECRET);
    const ask = createApp(() => {
      throw error;
    });
    const first = await ask(path);
    const second = await ask(path);
    expect(second.digest).toBe(first.digest);
    expect(second.body).toContain(`Internal Error. Digest: ${first.digest}`);
    expect(await readReports()).toHaveLength(1);
  });

  it("is in the header alone in development, where React Router shows errors", async () => {
    vi.stubEnv("NODE_ENV", "development");
    const ask = createApp(() => {
      throw new Error(SECRET);
    });
    const { body, digest } = await ask(path);
    expect(digest).toMatch(DIGEST);
    expect(body).not.toContain(digest);
  });

  it("is in the header alone if the application wants React Router's own errors", async () => {
    const fail = () => {
      throw new Error(SECRET);
    };
    const options = { digestInRouteError: false };
    const ask = createApp(fail, "loader", adapter.createHandleRequest(packages, options));
    const { body, digest } = await ask(path);
    expect(digest).toMatch(DIGEST);
    expect(body).toContain("Unexpected Server Error");
    expect(body).not.toContain(digest);
  });
});

describe("an application with a handleRequest of its own", () => {
  it("has the digest of a component that fails", async () => {
    const handleRequest = adapter.withErrata(
      async (request, status, headers, context: EntryContext) => {
        const page = createElement(packages.ServerRouter, { context, url: request.url });
        const body = await renderToReadableStream(page, {
          onError: (error, info) => adapter.nameRenderError(error, request, info as object),
        });
        return new Response(body, { status, headers });
      },
    );
    const fail = () => {
      throw new Error(SECRET);
    };
    const { status, body, digest } = await createApp(fail, "default", handleRequest)("/cart/7");
    expect(status).toBe(500);
    expect(body).toContain(`Internal Error. Digest: ${digest}`);
    expect(await readReports()).toMatchObject([{ digest, how: "render", route: "/cart/:id" }]);
  });
});
