import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { holdRequests } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

const report = (message: string) =>
  fetch(`${product.url}/monitoring`, {
    method: "POST",
    body: JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message }),
  });

/** As a browser does when another tab is shown, which a test cannot do. */
const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);

it("the title of a hidden tab counts the reports that arrive, until the tab is shown", async () => {
  await report("no cart in the first report");
  const page = await product.open();
  await page.goto("/issues", { waitUntil: "load" });
  await waitForSocket(page);
  await setHidden(page, true);
  await report("no voucher in a later report");
  await eventually(async () => {
    expect(await page.title()).toMatch(/^\(\d+\) Issues · First project · Errata$/);
  });
  await setHidden(page, false);
  expect(await page.title()).toBe("Issues · First project · Errata");
  await page.getByText("no voucher in a later report").waitFor();
});

describe("while a page is being fetched", () => {
  it("a line at the top shows progress after 150 ms, and disappears when the page has arrived", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    const release = await holdRequests(page, "**/releases");
    await page.getByRole("link", { name: "Releases" }).click();
    await page.locator("main[aria-busy=true]").waitFor();
    expect(await readProgress(page, 149)).toBe(0);
    expect(await readProgress(page, 400)).toBeGreaterThan(0);
    release();
    await page.getByRole("heading", { name: "Releases" }).waitFor();
    expect(await page.locator("main[aria-busy]").count()).toBe(0);
  });
});

/** The drawn part of the line at a time after the click. */
const readProgress = (page: Page, atMs: number) =>
  page.evaluate((ms) => {
    const [line] = document.getAnimations().filter(({ effect }) => {
      return (effect as KeyframeEffect).pseudoElement === "::before";
    });
    if (line === undefined) return undefined;
    line.pause();
    line.currentTime = ms;
    const main = document.querySelector("main") as Element;
    const { transform } = getComputedStyle(main, "::before");
    return new DOMMatrix(transform).a;
  }, atMs);

it("everything that folds is at least 24 px high, a target for fingers (WCAG 2.5.8)", async () => {
  const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message: "no stock" });
  const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
  const { digest } = (await response.json()) as { digest: string };
  const page = await product.open({ viewport: { width: 390, height: 844 } });
  for (const path of [`/d/${digest}`, "/settings", "/settings/alerts"]) {
    await page.goto(path, { waitUntil: "load" });
    const folds = page.locator("main summary:visible");
    await folds.first().waitFor();
    const heights = await folds.evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.min(...heights), path).toBeGreaterThanOrEqual(24);
  }
});
