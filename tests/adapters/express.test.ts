import { describe, expect, it, onTestFinished, vi } from "vitest";
import { describeRequest, type ExpressRequest, handleErrors } from "#src/adapters/express.ts";

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
