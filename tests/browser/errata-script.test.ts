// The script of the browser reporter on the page of a team, in Chromium: what arrives, and how often.

import { chromium, type Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { createLaunchOptions } from "#support/browser/chromium.ts";
import { openProduct } from "#support/browser/product.ts";
import { openShop } from "#support/browser/reporting-shop.ts";
import { eventually } from "#support/eventually.ts";
import { bundleReporterScript } from "../../.tools/build/reporter-script.ts";

const product = openProduct();
const shop = openShop(product);

/** Opens a page of the shop whose head begins with the reporter. */
async function openPage(
  path: string,
  {
    attributes = "",
    headers = {},
    body = "",
  }: {
    attributes?: string;
    headers?: Record<string, string>;
    body?: string;
  } = {},
): Promise<Page> {
  const html = `<!doctype html><title>Shop</title>${shop.tag(attributes)}${body}`;
  shop.serve(path, { headers, body: html });
  const page = await product.open();
  await page.goto(shop.url + path, { waitUntil: "load" });
  return page;
}

const throwLater = (message: string) =>
  setTimeout(() => {
    throw new Error(message);
  });

/** Reports of the kinds that a page has without a framework. */
const FAILURES: Record<string, string | (() => unknown)> = {
  uncaught: () =>
    setTimeout(() => {
      throw new TypeError("no cart");
    }),
  rejection: () => void Promise.reject(new RangeError("no price")),
  // As text: the test runner would rewrite the import.
  chunk: "void import('/missing-chunk.js')",
  resource: () => {
    new Image().src = "/missing.png";
    document.head.append(
      Object.assign(document.createElement("img"), { src: "/missing-cart.png?v=3" }),
    );
  },
};

describe("each failure of a page", () => {
  it.each(Object.entries(FAILURES))("arrives exactly once: %s", async (how, fail) => {
    const page = await openPage(`/once-${how}`, { attributes: `data-release="once-${how}"` });
    await page.evaluate(fail);
    await eventually(async () => {
      const query = encodeURIComponent(`release:once-${how}`);
      const { issues } = await product.json(`/issues?q=${query}`);
      expect(issues).toEqual([expect.objectContaining({ count: 1 })]);
      const [{ digest }] = issues as { digest: string }[] as [{ digest: string }];
      const { reports } = await product.json(`/d/${digest}`);
      expect((reports as { tags: string[][] }[])[0]?.tags).toContainEqual(["how", how]);
    });
    expect(shop.reports()).toHaveLength(1);
  });

  it.each(Object.entries(FAILURES))(
    "arrives exactly once although the page is closed at once: %s",
    async (how, fail) => {
      const page = await openPage(`/closed-${how}`);
      const isCaptured = page.evaluate(
        () =>
          new Promise((resolve) => {
            for (const type of ["error", "unhandledrejection"])
              addEventListener(type, () => setTimeout(resolve), true);
          }),
      );
      await page.evaluate(fail);
      await isCaptured;
      await page.close({ runBeforeUnload: true });
      await eventually(() => expect(shop.reports()).toHaveLength(1));
    },
  );
});

describe("a batch", () => {
  it("is one body for all errors of a second, with the members of the page at the top", async () => {
    const page = await openPage("/batch", {
      attributes: 'data-release="shop@2" data-environment="staging" data-token="a-token"',
    });
    await page.evaluate(() => {
      for (const message of ["first", "second", "third"])
        setTimeout(() => {
          throw new Error(message);
        });
    });
    await eventually(() => expect(shop.reports()).toHaveLength(3));
    expect(shop.bodies()).toEqual([
      expect.objectContaining({
        errata: 1,
        release: "shop@2",
        environment: "staging",
        token: "a-token",
        dropped: 0,
      }),
    ]);
  });

  it("has ten reports of a view, and the number of those that were dropped", async () => {
    const page = await openPage("/ten");
    await page.evaluate(() => {
      for (let n = 0; n < 1_000; n++)
        dispatchEvent(new ErrorEvent("error", { error: new Error(`number ${n}`) }));
    });
    await eventually(() => expect(shop.bodies()).toHaveLength(1));
    expect(shop.reports()).toHaveLength(10);
    expect(shop.bodies()[0]?.dropped).toBe(990);
  });

  it("leaves room for errors on a page with many missing images", async () => {
    const images = Array.from({ length: 20 }, (_, n) => `<img src="/missing-${n}.png">`).join("");
    const page = await openPage("/images", { body: images });
    await page.evaluate(throwLater, "an error");
    await eventually(() => expect(shop.reports().map(({ how }) => how)).toContain("uncaught"));
    expect(shop.reports().filter(({ how }) => how === "resource")).toHaveLength(5);
  });

  it("costs less than 5 ms for 1,000 errors", async () => {
    const page = await openPage("/loop");
    // The fastest of several views: the load of the machine is unknown.
    const costs = await page.evaluate(() => {
      const measure = (type: string) => {
        const errors = Array.from({ length: 1_000 }, (_, n) => new Error(`number ${n}`));
        const events = errors.map((error) => new ErrorEvent(type, { error }));
        const start = performance.now();
        for (const event of events) dispatchEvent(event);
        return performance.now() - start;
      };
      return Array.from({ length: 9 }, () => {
        dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        return measure("error") - measure("unheard");
      });
    });
    expect(Math.min(...costs)).toBeLessThan(5);
  });
});

describe("a page without a connection", () => {
  it("sends its reports when it is online again, each once", async () => {
    const page = await openPage("/offline");
    await page.context().setOffline(true);
    const tried = page.waitForRequest((request) => request.method() === "POST");
    for (const message of ["in the tunnel", "still in it"])
      await page.evaluate(throwLater, message);
    await tried;
    expect(shop.reports()).toEqual([]);
    await page.context().setOffline(false);
    await eventually(() =>
      expect(shop.reports().map(({ message }) => message)).toEqual([
        "in the tunnel",
        "still in it",
      ]),
    );
  });
});

describe("a page from the back-forward cache", () => {
  it("sends what it has when it is left, and is a new view of ten reports when it returns", async () => {
    // Playwright switches the cache off.
    const browser = await chromium.launch({
      ...(await createLaunchOptions()),
      ignoreDefaultArgs: ["--disable-back-forward-cache"],
    });
    try {
      shop.serve("/restored", { body: `<!doctype html><title>Shop</title>${shop.tag()}` });
      shop.serve("/other", { body: "<!doctype html><title>Other</title>" });
      const page = await browser.newPage();
      const fail = (view: string) => {
        Reflect.set(window, "isRestored", true);
        for (let n = 0; n < 30; n++)
          dispatchEvent(new ErrorEvent("error", { error: new Error(`${view} view, ${n}`) }));
      };
      await page.goto(`${shop.url}/restored`);
      await page.evaluate(fail, "first");
      await page.goto(`${shop.url}/other`);
      await eventually(() => expect(shop.reports()).toHaveLength(10));
      await page.goBack({ waitUntil: "commit" });
      expect(await page.evaluate(() => Reflect.get(window, "isRestored"))).toBe(true);
      await page.evaluate(fail, "second");
      await eventually(() => expect(shop.reports()).toHaveLength(20));
      expect(new Set(shop.reports().map(({ id }) => id)).size).toBe(20);
    } finally {
      await browser.close();
    }
  });
});

describe("a page token", () => {
  it("belongs to its page: two pages send two tokens", async () => {
    const pages = [];
    for (const name of ["left", "right"])
      pages.push(
        await openPage(`/${name}`, {
          headers: {
            "server-timing": `db;dur=3, errata-token;desc="token-of-${name}", errata-trace;desc="${"ab".repeat(16)}"`,
          },
        }),
      );
    for (const page of pages) await page.evaluate(throwLater, "on a page");
    await eventually(() => expect(shop.bodies()).toHaveLength(2));
    for (const { token, trace, reports } of shop.bodies()) {
      expect(String(reports[0]?.url)).toBe(`${shop.url}/${String(token).replace("token-of-", "")}`);
      expect(trace).toBe("ab".repeat(16));
    }
    expect(new Set(shop.bodies().map(({ token }) => token)).size).toBe(2);
  });
});

describe("a page that loads the script from Errata itself", () => {
  it("checks its contents, and reports to the other origin", async () => {
    const { path, integrity } = await bundleReporterScript();
    const to = `${product.url}/monitoring?sentry_key=0123456789abcdef0123456789abcdef`;
    const tag = `<script src="${product.url}/${path}" integrity="${integrity}" crossorigin
      data-errata="${to}" data-release="other-origin"></script>`;
    shop.serve("/other-origin", { body: `<!doctype html><title>Shop</title>${tag}` });
    const page = await product.open();
    await page.goto(`${shop.url}/other-origin`);
    await page.evaluate(throwLater, "from the shop");
    await eventually(async () => {
      const { issues } = await product.json("/issues?q=release:other-origin");
      expect(issues).toEqual([expect.objectContaining({ message: "from the shop", count: 1 })]);
    });
  });

  it("reports to the folder of the script by default", async () => {
    const tag = `<script src="/monitoring/errata.js"></script>`;
    shop.serve("/by-default", { body: `<!doctype html><title>Shop</title>${tag}` });
    const page = await product.open();
    await page.goto(`${shop.url}/by-default`);
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.evaluate(throwLater, "from the shop");
    expect((await sent).url()).toBe(`${shop.url}/monitoring`);
  });
});

describe("a page with a strict policy", () => {
  it("reports with its nonce, and the reporter violates nothing", async () => {
    const page = await product.open();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    const policy = [
      "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self'",
      "img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
    ].join("; ");
    const fail = `<script nonce="abc">setTimeout(() => { throw new Error("strict") })</script>`;
    shop.serve("/strict", {
      headers: { "content-security-policy": policy },
      body: `<!doctype html><title>Shop</title>${shop.tag('nonce="abc" data-fetches')}${fail}`,
    });
    await page.goto(`${shop.url}/strict`);
    await eventually(() => expect(shop.reports()).toHaveLength(1));
    expect(problems).toEqual([]);
  });
});

/** What the reporter uses. Playwright needs `setTimeout` to be readable. */
const USED = [
  ...["fetch", "navigator.sendBeacon", "JSON.stringify", "crypto", "crypto.getRandomValues"],
  ...["performance.getEntriesByType", "document.querySelector", "document.querySelectorAll"],
  ...["Math.random", "Set.prototype.has", "Object.assign", "String.prototype.split"],
];

function breakEach(names: readonly string[], kind: "functions" | "getters"): string {
  return names
    .map((path) => {
      const owner = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "window";
      const thrower = `function () { throw new Error("broken ${path}") }`;
      const descriptor = kind === "getters" ? `get: ${thrower}` : `value: ${thrower}`;
      return `Object.defineProperty(${owner}, "${path.slice(path.lastIndexOf(".") + 1)}", { ${descriptor}, configurable: true });`;
    })
    .reverse()
    .join("\n");
}

describe("a page that broke what browsers have", () => {
  it.each([
    ["functions", "before"],
    ["functions", "after"],
    ["getters", "before"],
    ["getters", "after"],
  ] as const)("stays unharmed by throwing %s, %s the reporter starts", async (kind, when) => {
    const page = await product.open();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    const path = `/broken-${kind}-${when}`;
    const names = kind === "functions" ? [...USED, "setTimeout"] : USED;
    const parts = [shop.tag("data-fetches"), `<script>${breakEach(names, kind)}</script>`];
    if (when === "before") parts.reverse();
    const html = `<!doctype html><title>Shop</title>
      <script>heard = []; addEventListener("error", ({ message }) => heard.push(message));</script>
      ${parts.join("")}
      <script>throw new Error("of the page")</script>
      <script>Promise.reject(new Error("also of the page"))</script>
      <img src="/missing.png">`;
    shop.serve(path, { body: html });
    await page.goto(shop.url + path, { waitUntil: "load" });
    const heard = await page.evaluate(async () => {
      for (const type of ["online", "pagehide", "visibilitychange"]) dispatchEvent(new Event(type));
      await new Promise(requestAnimationFrame);
      return Reflect.get(window, "heard");
    });
    expect(heard).toEqual(["Uncaught Error: of the page"]);
    expect(errors.sort()).toEqual(["also of the page", "of the page"]);
  });
});
