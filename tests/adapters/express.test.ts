import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  describeRequest,
  type ExpressRequest,
  errata,
  handleErrors,
  nameFailure,
} from "#src/adapters/express.ts";
import { configureErrata } from "#src/adapters/server.ts";

const DSN = `https://errata_server_${"0".repeat(32)}@errata.example/1`;

function createRequest(url: string, route?: unknown, app?: unknown): ExpressRequest {
  const [path = "/"] = url.split("?", 1);
  return {
    method: "GET",
    originalUrl: url,
    path,
    protocol: "http",
    headers: { host: "shop.example", "x-forwarded-proto": "https", accept: "text/html" },
    socket: {},
    route: { path: route },
    app,
  };
}

describe("the route of a request", () => {
  it.each([
    ["a route of the application", "/cart/7", "/cart/:id", "/cart/:id"],
    ["a route of a router", "/admin/orders/7", "/orders/:id", "/admin/orders/:id"],
    ["the root of a router", "/admin/red", "/", "/admin/red"],
    ["the root of the application", "/", "/", "/"],
    ["a route with a query", "/cart/7?id=/a/b", "/cart/:id", "/cart/:id"],
    ["a route with a part of any length", "/files/a/b", "/files/*path", "/files/*path"],
    ["a route with an optional part", "/cart", "/cart{/:id}", "/cart{/:id}"],
    ["a route that is no pattern", "/cart/7", /^\/cart/, undefined],
    ["several patterns", "/cart/7", ["/cart/:id", "/basket/:id"], undefined],
    ["no route, because middleware failed", "/cart/7", undefined, undefined],
  ])("is, for %s", (_, url, pattern, route) => {
    const facts = describeRequest(createRequest(url, pattern));
    expect(facts.route).toBe(route);
    expect(facts.request).toMatchObject({ method: "GET", url: `https://shop.example${url}` });
  });
});

describe("error middleware in an unknown version of Express", () => {
  it("leaves the answer to the application, and says so once", () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const handle = handleErrors();
    const error = new Error("no tea");
    const response = { statusCode: 200, headersSent: false };
    for (const app of [{}, undefined, { router: "new" }]) {
      const next = vi.fn();
      const request = createRequest("/", "/", app);
      handle(error, request, response as unknown as Parameters<typeof handle>[2], next);
      expect(next.mock.calls).toEqual([[error]]);
    }
    expect(warn).toHaveBeenCalledOnce();
  });
});

describe("the headers of a response of Node.js", () => {
  /** The headers that are sent after the middleware has run, as Node.js writes them. */
  function writeHead(
    write: (res: ServerResponse, req: ExpressRequest) => void,
  ): Readonly<Record<string, string>> {
    configureErrata({ dsn: DSN, fetch: async () => new Response("{}") });
    const req = createRequest("/cart/7", "/cart/:id");
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    errata()(req, res, () => write(res, req));
    const [, ...lines] = String(Reflect.get(res, "_header")).trim().split("\r\n");
    return Object.fromEntries(lines.map((line) => line.toLowerCase().split(/: (.*)/)));
  }

  const TOKEN = /^errata-trace;desc="\w{32}", errata-token;desc="[\w-]{35}"$/;
  const page = ["content-type", "text/html"] as const;

  it.each<[string, (res: ServerResponse) => void]>([
    ["are set", (res) => res.setHeader(...page).writeHead(200)],
    ["are given as an object", (res) => res.writeHead(200, { "Content-Type": "text/html" })],
    ["are given as a list", (res) => res.writeHead(200, ["Content-Type", "text/html", "x-a", "1"])],
    ["are given behind a reason", (res) => res.writeHead(200, "Fine", Object.fromEntries([page]))],
  ])("have the facts of a page if they %s", (_, write) => {
    expect(writeHead(write)["server-timing"]).toMatch(TOKEN);
  });

  it.each<[string, (res: ServerResponse) => void]>([
    [
      "set",
      (res) =>
        res
          .setHeader(...page)
          .setHeader("Server-Timing", "db;dur=5")
          .writeHead(200),
    ],
    [
      "given",
      (res) => res.writeHead(200, { "server-timing": "db;dur=5", "content-type": page[1] }),
    ],
    ["given in a list", (res) => res.writeHead(200, [...page, "Server-Timing", "db;dur=5"])],
  ])("keep the timings of the application that are %s", (_, write) => {
    const [own, ...facts] = (writeHead(write)["server-timing"] ?? "").split(", ");
    expect([own, facts.join(", ")]).toEqual(["db;dur=5", expect.stringMatching(TOKEN)]);
  });

  it("have the digest of data that failed, and no token", () => {
    let digest = "";
    const headers = writeHead((res, req) => {
      ({ digest } = nameFailure(new Error("no tea"), req));
      res.writeHead(500, { "content-type": "application/json" });
    });
    const timing = `^errata-digest;desc="${digest}", errata-trace;desc="\\w{32}"$`;
    expect(headers["server-timing"]).toMatch(new RegExp(timing, "i"));
  });
});

describe("the notice of Express", () => {
  it("is not judged by a policy of pages that only reports", () => {
    configureErrata({ dsn: DSN, fetch: async () => new Response("{}") });
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const handle = handleErrors();
    const request = createRequest("/", "/", { router: { stack: [{ handle }] } });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader("Content-Security-Policy-Report-Only", "script-src 'none'");
    handle(new Error("no tea"), request, response, () => {});
    expect(response.getHeaderNames()).toContain("content-security-policy");
    expect(response.getHeaderNames()).not.toContain("content-security-policy-report-only");
  });
});

describe("a failure before the headers, on a closed connection", () => {
  const error = new Error("no tea");

  it.each<[string, number, (res: ServerResponse) => unknown, middleware?: unknown]>([
    [
      "is reported also if the application has error middleware of its own",
      1,
      (res) => res.destroy(error),
      (_error: unknown, _req: unknown, _res: unknown, _next: unknown) => {},
    ],
    [
      "is reported if it has closed the connection, as pipeline does",
      1,
      (res) => res.destroy(error),
    ],
    ["is not if the visitor has gone", 0, () => undefined],
    ["is not if another error has closed it", 0, (res) => res.destroy(new Error("gone"))],
  ])("%s", async (_, count, close, own) => {
    const send = vi.fn(async () => new Response("{}"));
    const { flush } = configureErrata({ dsn: DSN, fetch: send });
    vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const handle = handleErrors();
    const app = { router: { stack: [{ handle }, { handle: own }] } };
    const request = { ...createRequest("/", "/", app), socket: { destroyed: true } };
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    close(response);
    handle(error, request, response, () => {});
    await flush();
    expect(send).toHaveBeenCalledTimes(count);
  });
});
