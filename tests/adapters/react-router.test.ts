import { describe, expect, it } from "vitest";
import { findRoute, isRefusedPost, recordRoute } from "#src/adapters/react-router-requests.ts";

const request = (path: string, headers: HeadersInit = {}) =>
  new Request(`https://shop.example${path}`, { method: "POST", headers });

describe("the route of a request", () => {
  it.each([
    ["/cart/7", { id: "7" }, "/cart/:id"],
    ["/cart/7.data", { id: "7" }, "/cart/:id"],
    ["/cart/7/items/7", { id: "7", item: "7" }, "/cart/:id/items/:item"],
    ["/files/a/b%20c", { "*": "a/b c" }, "/files/*"],
    ["/en/caf%C3%A9", { lang: "en", name: "café" }, "/:lang/:name"],
    ["/cart/77", { id: "7" }, "/cart/77"],
    ["/cart", { id: undefined, "*": "" }, "/cart"],
    ["/", {}, "/"],
  ])("is made of the parameters where nothing else tells it: %s", (path, params, route) => {
    expect(findRoute(request(path), params)).toBe(route);
  });

  it.each([
    [{ pattern: "/cart/:id" }, "/cart/:id"],
    [{ unstable_pattern: "/cart/:id" }, "/cart/:id"],
    [
      { matches: [{ route: {} }, { route: { path: "cart" } }, { route: { path: ":id" } }] },
      "/cart/:id",
    ],
    [{ matches: [{ route: { path: "" } }] }, "/"],
  ])("is what the middleware or the render knows: %j", (known, route) => {
    const asked = request("/cart/7");
    recordRoute({ request: asked, ...known });
    expect(findRoute(asked, { id: "7" })).toBe(route);
  });
});

describe("a form of another site", () => {
  const refused = new Error("The origin does not match. Aborting the action.");
  const foreign = { origin: "https://other.example" };

  it("is refused without fault", () => {
    expect(isRefusedPost(refused, request("/cart", foreign))).toBe(true);
    expect(isRefusedPost(new Error("Bad Request"), request("/cart.data", foreign))).toBe(true);
  });

  it("is the only one: the same message of an application is a failure", () => {
    const own = { origin: "https://shop.example" };
    expect(isRefusedPost(new Error("Bad Request"), request("/cart", own))).toBe(false);
    expect(isRefusedPost(new Error("Bad Request"), request("/cart"))).toBe(false);
    expect(isRefusedPost(new Error("no price"), request("/cart", foreign))).toBe(false);
  });
});
