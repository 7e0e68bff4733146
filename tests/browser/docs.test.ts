import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { openProduct } from "#support/browser/product.ts";
import { readDocs, toDocsUrl } from "../../.tools/build/docs-site.ts";

const product = openProduct();
const { pages } = readDocs("src/docs");

describe("the documentation", () => {
  let phone: Page;
  beforeAll(async () => {
    phone = await product.openForFile({ viewport: { width: 360, height: 740 } });
  });

  it.each(pages.map(({ slug }) => toDocsUrl(slug)))(
    "is accessible and fits on a phone: %s",
    async (path) => {
      await phone.goto(path);
      expect(await findAxeViolations(phone)).toEqual([]);
      const overflow = await phone.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      );
      expect(overflow).toBeLessThanOrEqual(0);
    },
  );

  it("shows the text of every list item in the color of the page", async () => {
    const page = await product.open();
    await page.goto("/docs/access-and-roles");
    const colors = await page
      .locator("article, article li")
      .evaluateAll((items) => items.map((item) => getComputedStyle(item).color));
    expect(colors.length).toBeGreaterThan(3);
    expect(new Set(colors).size).toBe(1);
  });

  it("is searched while one types, with keys, and the index is loaded at the first focus", async () => {
    const page = await product.open();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await page.goto("/docs/alerts", { waitUntil: "networkidle" });
    expect(requests).not.toContain("/docs/search.json");
    await page.keyboard.press("/");
    await page.keyboard.type("split by st");
    const link = page.getByRole("link", { name: /› Split by stack/ });
    await link.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${product.url}/docs/grouping#split-by-stack`);
  });

  it("is searched without scripts, too", async () => {
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto("/docs");
    await page.getByLabel("Search the documentation").fill("split by stack");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/\/docs\/search\?q=split\+by\+stack/);
    await page.getByRole("link", { name: /› Split by stack$/ }).click();
    await page.waitForURL(`${product.url}/docs/grouping#split-by-stack`);
  });

  it("is linked from the footer, and links back to the desk", async () => {
    const page = await product.open();
    await page.goto("/");
    await page.locator(".site-footer a", { hasText: "Documentation" }).click();
    await page.waitForURL(`${product.url}/docs`);
    await page.getByRole("link", { name: "Open Errata" }).click();
    await page.waitForURL(`${product.url}/`);
  });
});
