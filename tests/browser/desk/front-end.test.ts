// What the issue page says about errors of browsers: deploy skew, codes of React, component stacks,
// and what is different. The codes and stacks are those of a real production build in Chromium.

import { build } from "esbuild";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { createLaunchOptions } from "#support/browser/chromium.ts";
import { openProduct } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";

const MINUTE_MS = 60_000;
const SHOP = "https://shop.example";
const SCRIPT = `${SHOP}/app-4f1c.js`;
const product = openProduct();

/** A page whose cart fails in a component, and whose note is an object. */
const SOURCE = `
import { Component, memo } from "react";
import { createRoot } from "react-dom/client";
class Boundary extends Component {
  state = { failed: false };
  static getDerivedStateFromError() { return { failed: true }; }
  render() { return this.state.failed ? "failed" : this.props.children; }
}
const Price = ({ item }) => <b>{item.price.toFixed(2)}</b>;
const Row = memo(function CartRow({ item }) { return <li><Price item={item} /></li>; });
function Cart({ items }) { return <ul>{items.map((item) => <Row key={item.id} item={item} />)}</ul>; }
function Note({ text }) { return <p>{text}</p>; }
const caught = [];
globalThis.caught = caught;
const options = {
  onCaughtError: (error, { componentStack }) => caught.push({
    type: error.name, message: error.message, stack: error.stack, componentStack }),
};
for (const [id, page] of [["cart", <Cart items={[{ id: 1 }]} />], ["note", <Note text={{ price: 1 }} />]])
  createRoot(document.getElementById(id), options).render(<Boundary>{page}</Boundary>);
`;

interface Caught {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly componentStack: string;
}

/** The errors of the page in Chromium, and the map of its script. */
async function runShop(): Promise<{ readonly caught: readonly Caught[]; readonly map: string }> {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: process.cwd(), loader: "jsx", sourcefile: "shop.jsx" },
    ...{ bundle: true, minify: true, write: false, sourcemap: "external", outfile: "app.js" },
    ...{ jsx: "automatic", define: { "process.env.NODE_ENV": '"production"' } },
  });
  const [map = "", script = ""] = [".map", ".js"].map(
    (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
  );
  const browser = await chromium.launch(await createLaunchOptions());
  const page = await browser.newPage();
  await page.route(`${SHOP}/**`, (route) =>
    route.request().url() === SCRIPT
      ? route.fulfill({ body: script, contentType: "text/javascript" })
      : route.fulfill({
          body: `<div id="cart"></div><div id="note"></div><script src="${SCRIPT}"></script>`,
          contentType: "text/html",
        }),
  );
  await page.goto(SHOP);
  await page.waitForFunction(() => (globalThis as { caught?: unknown[] }).caught?.length === 2);
  const caught = await page.evaluate(() => (globalThis as { caught?: Caught[] }).caught ?? []);
  await browser.close();
  return { caught, map };
}

let ids = 0;
/** Sends a report of Errata's reporter from a browser. Resolves to the digest of its issue. */
async function report(over: object, userAgent?: string): Promise<string> {
  ids += 1;
  const body = JSON.stringify({
    ...{ errata: 1, id: ids.toString(16).padStart(32, "0"), how: "caught", at: readNowMs() },
    ...{ url: `${SHOP}/cart`, release: "shop@1.4.0", environment: "production", language: "en" },
    ...over,
  });
  const headers: Record<string, string> = userAgent ? { "user-agent": userAgent } : {};
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body, headers });
  return /digest="([^"]+)/.exec(response.headers.get("errata-outcome") ?? "")?.[1] ?? "";
}

const upload = (map: string) =>
  fetch(`${product.url}/source-maps?release=shop@1.4.0&url=~/app-4f1c.js.map`, {
    ...{ method: "PUT", body: map },
    headers: { origin: product.url, "sec-fetch-site": "same-origin" },
  });

const agent = (system: string, browser: string, n: number) =>
  `Mozilla/5.0 (${system}) AppleWebKit/605.1.15 (KHTML, like Gecko) ${browser} Safari/605.1.${n}`;
const IPHONE = ["iPhone; CPU iPhone OS 18_7 like Mac OS X", "Version/26.1 Mobile/15E148"] as const;
const WINDOWS = ["Windows NT 10.0; Win64; x64", "Chrome/143.0.0.0"] as const;

let shop: Awaited<ReturnType<typeof runShop>>;
beforeAll(async () => {
  shop = await runShop();
  expect((await upload(shop.map)).ok).toBe(true);
});

const open = async (digest: string, options: Parameters<typeof product.open>[0] = {}) => {
  const page = await product.open(options);
  await page.goto(`/d/${digest}`);
  await page.locator("#report-heading").waitFor();
  await page.locator(".timeline").last().waitFor();
  return page;
};
type OpenedPage = Awaited<ReturnType<typeof open>>;

async function expectFits(page: OpenedPage): Promise<void> {
  expect(await findAxeViolations(page)).toEqual([]);
  const excess = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(excess).toBeLessThanOrEqual(0);
}

const VIEWS = [
  ["a desktop in light colors", { viewport: { width: 1_280, height: 900 }, colorScheme: "light" }],
  ["a phone in dark colors", { viewport: { width: 360, height: 780 }, colorScheme: "dark" }],
] as const;

describe("an error of a component", () => {
  const cart = () => shop.caught.find(({ message }) => !message.startsWith("Minified"));
  const note = () => shop.caught.find(({ message }) => message.startsWith("Minified"));

  it("shows its components with their names and places in the source", async () => {
    const page = await open(await report({ ...cart() }));
    const text = await page.locator("[data-component-stack] pre").innerText();
    expect(text.split("\n")).toEqual([
      expect.stringMatching(/^at Price \(shop\.jsx:9:\d+\)$/),
      "at li (<anonymous>)",
      expect.stringMatching(/^at CartRow \(shop\.jsx:10:\d+\)$/),
      "at ul (<anonymous>)",
      expect.stringMatching(/^at Cart \(shop\.jsx:11:\d+\)$/),
      expect.stringMatching(/^at Boundary \(shop\.jsx:4:\d+\)$/),
    ]);
    await page.goto(`${new URL(page.url()).pathname}?raw=1`);
    expect(await page.locator("[data-component-stack] pre").innerText()).toContain(SCRIPT);
  });

  it.each(VIEWS)("has the text of React's code on %s", async (_, options) => {
    const page = await open(await report({ ...note() }), options);
    const section = page.locator(".react-error");
    expect(await section.locator("h2").innerText()).toMatch(
      /^React error 31 in the words of React \d/,
    );
    expect(await section.locator("p").innerText()).toBe(
      "Objects are not valid as a React child (found: object with keys {price}). If you meant to render a collection of children, use an array instead.",
    );
    await expectFits(page);
  });
});

describe("an error after a deploy", () => {
  const chunk = {
    ...{ how: "chunk", type: "ChunkLoadError" },
    message: `Loading chunk 5 failed.\n(missing: ${SHOP}/5.9f1c2aa.js)`,
  };
  const at = (minutes: number) => ({ at: readNowMs() + minutes * MINUTE_MS });

  it.each(VIEWS)("is called deploy skew, with both releases, on %s", async (_, options) => {
    await report({ type: "Error", message: "no price", ...at(-50) });
    await report({ type: "Error", message: "no price", release: "shop@1.5.0", ...at(-20) });
    const digest = await report({ ...chunk, ...at(-15) });
    await report({ ...chunk, release: "shop@1.5.0", ...at(-10) });
    const page = await open(digest, options);
    const verdict = page.locator(".verdict");
    expect(await verdict.innerText()).toMatch(
      /^Deploy skew\. \d of \d reports comes? from .* The last page is of shop@1\.4\.0; shop@1\.5\.0 was deployed before\. What to do$/,
    );
    await expectFits(page);
    await verdict.getByRole("link").click();
    await page.waitForURL("**/docs/issues#deploy-skew");
    expect(await page.locator("#deploy-skew").count()).toBe(1);
  });
});

describe("an error of some browsers", () => {
  it.each(VIEWS)(
    "says what is different, and in what it was compared, on %s",
    async (_, options) => {
      const send = (message: string, count: number, [system, browser]: readonly [string, string]) =>
        Promise.all(
          Array.from({ length: count }, (__, n) =>
            report({ type: "Error", message }, agent(system, browser, n)),
          ),
        );
      for (const message of ["no cart", "no address", "no order"]) {
        await send(message, 18, WINDOWS);
        await send(message, 2, IPHONE);
      }
      const [digest = ""] = await send("payment sheet is closed", 40, IPHONE);
      const page = await open(digest, options);
      const section = page.locator("section", { has: page.locator("#differences-heading") });
      await section.waitFor();
      const items = await section.locator(".tag-row[data-different] > summary").allInnerTexts();
      expect(items.map((text) => text.replace(/\s+/g, " ").trim()).sort()).toEqual([
        expect.stringMatching(/^Safari browser 100 % rare elsewhere$/),
        expect.stringMatching(/^iOS os 100 % rare elsewhere$/),
      ]);
      expect(await section.innerText()).toContain("by at most 100 reports of each.");
      await expectFits(page);
      await section.getByRole("link", { name: "The rule" }).click();
      await page.waitForURL("**/docs/issues#what-is-different");
    },
  );
});
