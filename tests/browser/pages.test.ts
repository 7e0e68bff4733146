import { request } from "node:http";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations, LAYOUT_RULES } from "#support/browser/axe.ts";
import { readCopiedText } from "#support/browser/clipboard.ts";
import { measureOverflow } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { reportSampleIssues } from "#support/browser/sample-issues.ts";
import { DRY_RUN_PATH, reportViolations } from "#support/browser/sample-violations.ts";
import { eventually } from "#support/eventually.ts";
import { PAGES } from "#support/http/pages.ts";
import { reportMinifiedError, uploadMap } from "#support/source-maps/mapped-issue.ts";

const product = openProduct();

const nextError = JSON.stringify({
  error: {
    name: "TypeError",
    message: "no price for this cart",
    digest: "2338823894",
    stack: "TypeError: no price\n    at total (/srv/shop/cart.ts:4:9)",
  },
  request: { path: "/cart", method: "GET", headers: { host: "shop.example" } },
  context: { routerKind: "App Router", routePath: "/cart", routeType: "render" },
});

const sendReport = async (body: string) =>
  (await (await fetch(`${product.url}/monitoring`, { method: "POST", body })).json()) as {
    digest: string;
  };

/**
 * Data for the operator's pages: sessions of two releases, discarded items, noise and a broken
 * body.
 */
const reportSessionsAndNoise = async () => {
  const attrs = { release: "web@2.1.0-beta.1+3f2a1b9c", environment: "production" };
  const items = [
    ["session", { init: true, status: "crashed", attrs }],
    ["session", { init: true, status: "ok", attrs: { release: "web@1.9.3" } }],
    [
      "client_report",
      { discarded_events: [{ reason: "sample_rate", category: "span", quantity: 4_100 }] },
    ],
    ["invention", {}],
  ];
  const lines = items.map(([type, payload]) => `{"type":"${type}"}\n${JSON.stringify(payload)}\n`);
  const noise = {
    errata: 1,
    how: "uncaught",
    type: "Error",
    message: "Extension context invalidated.",
  };
  for (const body of [`{}\n${lines.join("")}`, JSON.stringify(noise), "no format"]) {
    await fetch(`${product.url}/monitoring`, { method: "POST", body });
  }
};

describe("streaming", () => {
  it("sends the shell before the data, also to a client that accepts gzip", async () => {
    const chunks: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const headers = { "accept-encoding": "gzip, deflate, br, zstd", accept: "text/html" };
      request(`${product.url}/self-test/after-flush`, { headers }, (response) => {
        expect(response.headers["content-encoding"]).toBeUndefined();
        response.on("data", (chunk) => chunks.push(String(chunk))).on("end", resolve);
      })
        .on("error", reject)
        .end();
    });
    const shell = chunks.findIndex((chunk) => chunk.includes("<h1"));
    const late = chunks.findIndex((chunk) => chunk.includes('$RX("'));
    expect(shell).toBeGreaterThanOrEqual(0);
    expect(late).toBeGreaterThan(shell);
  });
});

describe("the desk", () => {
  it("finds a Next.js error by its digest within other pasted text", async () => {
    const { digest } = await sendReport(nextError);
    const page = await product.open();
    await page.goto("/");
    await page.keyboard.press("/");
    await page.keyboard.type("This page couldn’t load. ERROR 2338823894 please help");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/d/${digest}`);
    await page.getByText("no price for this cart").first().waitFor();
    await page.getByText("cart.ts").first().waitFor();
  });

  it("copies a digest and confirms it", async () => {
    const { digest } = await sendReport(nextError);
    const page = await product.open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`/e/${digest}`);
    await page.locator(`[data-copy="${digest}"]`).first().click();
    await page.getByText("Copied").first().waitFor();
    expect(await readCopiedText(page)).toBe(digest);
  });

  it("opens the issue from the page of its digest when the first report arrives", async () => {
    const body = nextError.replaceAll("no price for this cart", "a fault that comes late");
    const page = await product.open();
    // The digest depends only on the error, so the test knows it before the report is stored.
    await page.goto("/d/WVWZ-RRK5");
    await page.getByText("Listening for").waitFor();
    expect((await sendReport(body)).digest).toBe("WVWZ-RRK5");
    await page.getByRole("button", { name: "Resolve" }).first().waitFor();
    await page.locator("main").getByText("a fault that comes late").first().waitFor();
  });
});

/** Ids that more than one element has. */
async function findRepeatedIds(page: Page): Promise<readonly string[]> {
  // Until React has moved a late part to its place, its loading state is there as well.
  await page.waitForFunction(() => document.querySelector('[hidden][id^="S:"]') === null);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

describe("pages", () => {
  const PATHS = [
    "/",
    "/status",
    "/source-maps",
    "/source-maps?script=https%3A%2F%2Fshop.example%2Fapp.js%3A3%3A868&release=1.4.0",
    "/source-maps/unknown",
    "/source-maps/:upload",
    "/d/:mapped",
    "/issues?q=is:noise",
    "/self-test",
    "/self-test/shell",
    "/self-test/before-flush",
    "/self-test/component",
    "/e/0000-0000",
    "/e/:known",
    "/e/:known/confirm",
    "/d/0000-0000?streaming=off",
    "/d/7F3K-Q2MG",
    "/lookup?q=nothing+here",
    "/missing",
    "/d/2338823894",
    "/connect",
    "/alerts",
    "/alerts/preferences",
    "/alerts/act",
    "/alerts/confirm-email",
    "/settings/alerts",
    "/docs",
    "/docs/search?q=digest",
    "/scope",
    "/issues",
    "/issues?q=nothing+release:9",
    "/issues?sort=users&q=",
    "/d/:whole",
    "/d/:whole/tracker",
    "/d/:hostile",
    "/d/:bare",
    "/live",
    "/live?kind=feedback&q=nothing",
    "/all-issues",
    "/all-alerts",
    "/releases",
    "/releases/1.4.0",
    "/releases/unknown",
    "/csp",
    "/csp?policy=nonsense",
    DRY_RUN_PATH,
    "/sign-in",
    "/profile",
    "/projects",
    "/settings",
    "/settings/audit",
    "/settings/data",
    "/settings/trackers",
    "/settings/repositories",
    "/erase/none",
    "/self-test/after-flush",
    "/self-test/injection",
  ];
  /**
   * The widths and schemes of which each page is measured; the other tests use one of them. The
   * first one is checked by every rule of axe.
   */
  const VIEWS = [
    { width: 360, colorScheme: "light", rules: undefined },
    { width: 768, colorScheme: "dark", rules: null },
    { width: 1440, colorScheme: "dark", rules: LAYOUT_RULES },
  ] as const;
  let digests: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const { digest: known } = await sendReport(nextError);
    const issues = await reportSampleIssues(product.url);
    const mapped = await reportMinifiedError(product.url);
    digests = { known, mapped, upload: await uploadMap(product.url), ...issues };
    await reportViolations(product.url);
    const long = { message: "x".repeat(10_000), release: "a-release/".repeat(20) };
    await sendReport(JSON.stringify({ errata: 1, how: "uncaught", type: "Error", ...long }));
    await reportSessionsAndNoise();
  });

  describe.each([true, false])("with scripts: %s", (javaScriptEnabled) => {
    let page: Page;
    let violations: string[] = [];
    let views: readonly (typeof VIEWS)[number][] = VIEWS;
    beforeAll(async () => {
      page = await product.openForFile({ javaScriptEnabled });
      page.on("console", (message) => {
        if (/Content Security Policy/.test(message.text())) violations.push(message.text());
      });
    });

    it.each(PATHS)("%s is accessible, fits every width and keeps to its CSP", async (path) => {
      violations = [];
      const url = path.replace(/:(\w+)/, (_, name) => digests[name] ?? "");
      await page.goto(url, { waitUntil: "load" });
      if (javaScriptEnabled) expect(await findRepeatedIds(page)).toEqual([]);
      // In turns from the last view to the first one, so that a page begins in the view of the one
      // before it.
      views = views.toReversed();
      for (const { width, colorScheme, rules } of views) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        // The markup without scripts is the same, so only its layout is measured.
        if (javaScriptEnabled && rules !== null) {
          expect(await findAxeViolations(page, rules)).toEqual([]);
        }
        expect({ width, overflow: await measureOverflow(page) }).toEqual({ width, overflow: 0 });
      }
      expect(violations).toEqual([]);
    });
  });

  it("fit on a phone with text of twice the size", async () => {
    const page = await product.openForFile({ viewport: { width: 390, height: 844 } });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    const paths = [
      "/",
      "/issues",
      "/releases",
      "/csp",
      "/live",
      "/status",
      "/settings",
      "/sign-in",
    ];
    for (const path of [...paths, `/d/${digests.whole}`, `/e/${digests.whole}`]) {
      await page.goto(path, { waitUntil: "load" });
      expect({ path, overflow: await measureOverflow(page) }).toEqual({ path, overflow: 0 });
    }
  });

  it("are all measured, at least one per route", () => {
    const measured = PATHS.map((path) => path.replace(/:\w+/, ":digest").replace(/\?.*/, ""));
    const routes = Object.values(PAGES).map((path) => path.replace(/\?.*/, ""));
    expect(routes.filter((path) => !measured.includes(path))).toEqual([]);
  });

  it("without islands load no React", async () => {
    const page = await product.open();
    const scripts: string[] = [];
    page.on(
      "request",
      (request) => request.resourceType() === "script" && scripts.push(request.url()),
    );
    await page.goto("/", { waitUntil: "networkidle" });
    expect(scripts.filter((url) => url.includes("hydrate"))).toEqual([]);
    await eventually(() => expect(scripts.length).toBeGreaterThan(0));
  });
});
