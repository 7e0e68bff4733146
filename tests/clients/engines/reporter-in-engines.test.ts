/** The script of the browser reporter in Firefox and WebKit: what a page sends when it is left. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openErrata } from "../errata.ts";
import { openSite, type Site } from "../site.ts";
import { findDrivenEngines } from "./drive-engines.ts";

const errata = openErrata();
const engines = findDrivenEngines();
const KEY = "0123456789abcdef0123456789abcdef";

// A file without tests is a failure.
if (engines.length === 0) {
  it("neither Firefox nor WebKit can be driven on this machine", () => {
    expect(engines).toEqual([]);
  });
}

describe.each(engines)("the script in $name", ({ open }) => {
  let shop: Site;
  let page: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    shop = await openSite((path) => {
      if (path.startsWith("/monitoring")) return { forwardTo: `${errata.url}${path}` };
      if (path !== "/cart" && path !== "/left") return { status: 404, body: "" };
      const tag = `<script src="/monitoring/errata.js" data-fetches
        data-errata="/monitoring?sentry_key=${KEY}"></script>`;
      return {
        headers: { "server-timing": `errata-token;desc="a-token"` },
        body: `<!doctype html><title>Shop</title>${path === "/cart" ? tag : ""}`,
      };
    });
    page = await open();
  });
  afterAll(async () => {
    await page?.close();
    await shop?.close();
  });

  it("sends each failure once, with the token of Server-Timing, although the page is left", async () => {
    const url = `http://127.0.0.1:${shop.port}`;
    await page.goto(`${url}/cart`);
    await page.evaluate(`
      const failures = [];
      for (const type of ["error", "unhandledrejection"])
        addEventListener(type, () => failures.push(type), true);
      setTimeout(() => { throw new TypeError("no cart") });
      Promise.reject(new RangeError("no price"));
      document.body.append(Object.assign(document.createElement("img"), { src: "/missing.png" }));
      await fetch("http://127.0.0.1:1/").catch(() => {});
      while (failures.length < 3) await new Promise(requestAnimationFrame);`);
    await page.goto(`${url}/left`);
    const bodies = () =>
      shop.forwarded
        .filter(({ method }) => method === "POST")
        .map(({ body }) => JSON.parse(body.toString()));
    await eventually(() =>
      expect(
        bodies()
          .flatMap(({ reports }) => reports as { how: string }[])
          .map(({ how }) => how)
          .sort(),
      ).toEqual(["fetch", "rejection", "resource", "uncaught"]),
    );
    expect(bodies().map(({ token }) => token)).toEqual(bodies().map(() => "a-token"));
  });
});
