import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { readFocus } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { DRY_RUN_PATH, reportViolations } from "#support/browser/sample-violations.ts";
import { readNowMs } from "#support/clock/clock.ts";

const serverKey = `errata_server_${"fedcba9876543210".repeat(2)}`;
const product = openProduct({ serverKey });

beforeAll(async () => {
  for (const [release, crashed] of [
    ["shop@1.0.0", 1],
    ["shop@1.1.0", 1],
    ["shop@1.2.0", 3],
  ] as const) {
    const error = { exception: { values: [{ type: "Error", value: `no cart in ${release}` }] } };
    const attrs = { release, environment: "production" };
    const started = new Date(readNowMs()).toISOString();
    await sendEnvelope([
      [{ type: "event" }, { ...error, release, platform: "node" }],
      [{ type: "sessions" }, { aggregates: [{ started, exited: 100 - crashed, crashed }], attrs }],
    ]);
  }
  await reportViolations(product.url);
});

async function sendEnvelope(items: readonly (readonly [object, object])[]) {
  const lines = [{}, ...items.flat()].map((line) => JSON.stringify(line));
  const url = `${product.url}/api/1/envelope/?sentry_key=${serverKey}`;
  await fetch(url, { method: "POST", body: lines.join("\n") });
}

const LISTS = [
  { name: "releases", path: "/releases", rows: 3, opens: /\/releases\/shop%401/ },
  { name: "violations", path: "/csp", rows: 14, opens: /\/d\/[0-9A-Z-]{9}$/ },
  {
    name: "the violations of a dry run",
    path: DRY_RUN_PATH,
    rows: 14,
    opens: /\/d\/[0-9A-Z-]{9}$/,
  },
];

const measureRow = async (page: Page) =>
  (await page.locator(".list-row").first().boundingBox())?.height ?? 0;

describe.each(LISTS)("the list of $name", ({ path, rows, opens }) => {
  it("has rows as high as those of issues, and keys move through the rows and open them", async () => {
    const page = await product.open({ viewport: { width: 1440, height: 900 } });
    await page.goto("/issues", { waitUntil: "load" });
    const height = await measureRow(page);
    await page.goto(path, { waitUntil: "load" });
    const links = page.locator("[data-row-link]");
    await links.nth(rows - 1).waitFor();
    expect(Math.abs((await measureRow(page)) - height)).toBeLessThan(2);
    const ids = await links.evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(rows);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await readFocus(page)).toBe(ids[1]);
    await page.keyboard.press("k");
    expect(await readFocus(page)).toBe(ids[0]);
    await page.keyboard.press("?");
    // The list is loaded first, and the text of a hidden one includes its hidden rows.
    await page.locator("#shortcuts:popover-open").waitFor();
    const shortcuts = await page.locator("#shortcuts").innerText();
    expect(shortcuts).toContain("Open row");
    expect(shortcuts).not.toContain("Select issue");
    await page.keyboard.press("Escape");
    await page.locator(`[id="${ids[0]}"]`).press("Enter");
    await page.waitForURL(opens);
    await page.goBack();
    await page.locator(`[id="${ids[0]}"]:focus`).waitFor();
  });

  it.each(["light", "dark"] as const)(
    "has no axe violation and fits on a phone: %s",
    async (colorScheme) => {
      const page = await product.open({ viewport: { width: 360, height: 780 }, colorScheme });
      await page.goto(path, { waitUntil: "load" });
      await page.locator("[data-row-link]").first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThan(361);
      expect(await findAxeViolations(page)).toEqual([]);
    },
  );
});

it("the sessions of releases have a period, and rates that fell much are marked", async () => {
  const page = await product.open();
  await page.goto("/releases", { waitUntil: "load" });
  const table = page.locator("table.releases");
  await table.waitFor();
  const headers = await table.locator("thead").innerText();
  expect(headers).toContain("Sessions, today");
  expect(headers).toContain("Crash-free, 30 days");
  const rate = table.locator(".crash-free-rate").first();
  expect(await rate.innerText()).toMatch(/^97.00\u00a0%/);
  expect(await rate.getAttribute("data-much")).toBe("");
  expect(await page.locator(".release-group").first().innerText()).toMatch(
    /\d+ sessions in 7 days/,
  );
});
