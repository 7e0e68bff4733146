/** What `npm run deploy:front` makes of its command line. */
import { describe, expect, it } from "vitest";
import {
  findFrontUrl,
  formatFrontConfig,
  parseFrontArguments,
} from "../../../.tools/deploy/front-request.ts";

describe("the command line of the front", () => {
  it("needs the routes of the site alone", () => {
    expect(parseFrontArguments(["shop.example/*"])).toEqual({
      routes: ["shop.example/*"],
      name: "errata-front-shop-example",
      errata: { worker: "errata" },
      path: "/monitoring",
      isDryRun: false,
      account: [],
    });
  });

  it.each([
    [["shop.example/*"], ["shop.example/*"]],
    [["*.shop.example/*"], ["*.shop.example/*"]],
    [["https://shop.example/*"], ["https://shop.example/*"]],
    [["shop.example/app/*"], ["shop.example/app/*", "shop.example/monitoring*"]],
    [["shop.example/"], ["shop.example/", "shop.example/monitoring*"]],
    [
      ["a.example/*", "b.example/x*"],
      ["a.example/*", "b.example/x*", "b.example/monitoring*"],
    ],
    [
      ["shop.example/app/*", "shop.example/m*"],
      ["shop.example/app/*", "shop.example/m*"],
    ],
  ])("adds a route for the reports where there is none: %j", (args, routes) => {
    expect(parseFrontArguments([...args]).routes).toEqual(routes);
  });

  it.each([
    [["shop.example/*", "--errata", "errata-2"], { worker: "errata-2" }],
    [["shop.example/*", "--errata=https://e.example/x"], { url: "https://e.example" }],
  ])("names Errata by its Worker or its URL: %j", (args, errata) => {
    expect(parseFrontArguments([...args]).errata).toEqual(errata);
  });

  it.each([
    [[], /Name the routes/],
    [["shop.example"], /no route/],
    [["shop/*"], /no route/],
    [["shop.example/*/x"], /no route/],
    [["shop.example/*", "--path", "monitoring"], /--path must be/],
    [["shop.example/*", "--errata", "ftp://x"], /--errata must be/],
    [["shop.example/*", "--nope"], /--nope/],
  ])("is refused with a sentence: %j", (args, message) => {
    expect(() => parseFrontArguments([...args])).toThrow(message);
  });

  it("names the Worker after the host, in the characters of names", () => {
    const name = (route: string) => parseFrontArguments([route]).name;
    expect(name("*.Shop.example/*")).toBe("errata-front-shop-example");
    expect(name(`${"long".repeat(30)}.example/*`)).toHaveLength(63);
  });

  it("knows where the front must answer", () => {
    const find = (...routes: string[]) => findFrontUrl(parseFrontArguments(routes));
    expect(find("shop.example/*")).toBe("https://shop.example/monitoring/errata.js");
    expect(find("*.shop.example/*")).toBeUndefined();
  });
});

it("the configuration has no address of its own, and no secret", () => {
  const request = parseFrontArguments(["shop.example/*", "--path", "/_e"]);
  const options = { main: "/dist/worker.js", compatibilityDate: "2026-10-01", service: "errata" };
  expect(JSON.parse(formatFrontConfig(request, options))).toMatchObject({
    name: "errata-front-shop-example",
    routes: ["shop.example/*"],
    workers_dev: false,
    preview_urls: false,
    services: [{ binding: "ERRATA", service: "errata" }],
    vars: { ERRATA_PATH: "/_e" },
    keep_vars: true,
  });
});
