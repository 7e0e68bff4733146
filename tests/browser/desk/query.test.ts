// The query field of the issue list: chips, completion, reasons, and the menus of environments and
// periods.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { findRows } from "#support/browser/issue-rows.ts";
import { readFocus } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

const readChips = (page: Page) =>
  page
    .locator("[data-query-parts] input[type=hidden]")
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
const readQuery = (page: Page) => new URL(page.url()).searchParams.getAll("q");
const readSay = (page: Page) => page.locator("[data-query-say]").textContent();
const readOptions = (page: Page) => page.locator("[role=option] bdi").allTextContents();

beforeAll(async () => {
  for (const [n, environment, release] of [
    [1, "production", "shop@2.5.0"],
    [2, "production", "shop@2.5.0"],
    [3, "staging", "shop@2.4.1"],
    [4, "staging", "api@3.2.1"],
  ] as const) {
    const message = { how: "uncaught", type: "QueryError", message: `no. ${"x".repeat(n)}` };
    const body = JSON.stringify({ errata: 1, ...message, release, environment });
    await fetch(`${product.url}/monitoring`, { method: "POST", body });
  }
});

describe("the query field", () => {
  it("completes keys and values with the keyboard, and shows them as chips", async () => {
    const page = await product.open();
    await page.goto("/issues");
    await page.locator("#query").focus();
    await page.keyboard.type("rel");
    await eventually(async () => expect(await readOptions(page)).toEqual(["release:"]));
    expect(await page.locator("#query").getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("Tab");
    expect(await page.locator("#query").inputValue()).toBe("release:");
    await page.keyboard.type("shop");
    await eventually(async () =>
      expect(await readOptions(page)).toEqual(["shop@2.5.0", "shop@2.4.1", "shop*"]),
    );
    expect(await page.locator(".completion-count").allTextContents()).toEqual([
      "2 issues",
      "1 issues",
    ]);
    expect(await findAxeViolations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    const active = await page.locator("#query").getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active}`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await findRows(page).count()).toBe(2));
    expect(readQuery(page)).toEqual(['is:open release:"shop@2.5.0"']);
    expect(await readChips(page)).toEqual(["is:open", 'release:"shop@2.5.0"']);
  });

  it.each(["no", "a OR b", "", "env:sta"])(
    "hands the keyboard to the list after Enter in %j, and does not cover it",
    async (typed) => {
      const page = await product.open();
      await page.goto("/issues");
      await page.locator("#query").focus();
      await page.keyboard.type(typed);
      await page.locator(typed === "no" ? "#query" : ".completion").waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(typed === "" ? /issues/ : /\?q=/);
      await eventually(async () => expect(await readFocus(page)).toBe("list"));
      await page.keyboard.press("j");
      expect(await page.locator(".completion:visible").count()).toBe(0);
      expect(await page.locator("#query").inputValue()).not.toContain("j");
    },
  );

  it("turns typed parts into chips, and the last chip into text again", async () => {
    const page = await product.open();
    await page.goto("/issues");
    await page.locator("#query").focus();
    await page.keyboard.type("env:staging -release:api no");
    await eventually(async () =>
      expect(await readChips(page)).toEqual(["is:open", "env:staging", "-release:api"]),
    );
    expect(await page.locator("#query").inputValue()).toBe("no");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await findRows(page).count()).toBe(1));
    expect(readQuery(page)).toEqual(["is:open env:staging -release:api no"]);
    await page.locator("#query").press("Home");
    await page.keyboard.press("Backspace");
    expect(await page.locator("#query").inputValue()).toBe("-release:api no");
    expect(await readChips(page)).toEqual(["is:open", "env:staging"]);
  });

  it("says at once what is not understood, and the list does not move", async () => {
    const page = await product.open({ viewport: { width: 1440, height: 900 } });
    await page.goto("/issues");
    const before = await findRows(page).first().boundingBox();
    await page.locator("#query").focus();
    await page.keyboard.type("users:many ");
    await eventually(async () => expect(await readSay(page)).toContain("users: takes a number"));
    expect(await page.locator(".chip[data-wrong]").textContent()).toContain("users:many");
    expect(await findRows(page).first().boundingBox()).toEqual(before);
    await page.keyboard.press("Enter");
    await eventually(async () => expect(readQuery(page)).toEqual(["is:open users:many"]));
    expect(await findRows(page).count()).toBe(4);
    expect(await findRows(page).first().boundingBox()).toEqual(before);
  });

  it("is used by touch on a phone", async () => {
    const page = await product.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.goto("/issues?q=is:open+no");
    await page.locator("#query").tap();
    await page.locator("#query").fill("env:");
    await page.locator("[role=option]", { hasText: "staging" }).tap();
    await eventually(async () => expect(await findRows(page).count()).toBe(2));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it("works without scripts: its chips are removed by links, and its form adds to them", async () => {
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto("/issues?q=is:open+env:staging");
    await page.locator("#query").fill("release:api*");
    await page.locator(".query button[type=submit]").click();
    expect(readQuery(page)).toEqual(["is:open env:staging release:api*"]);
    expect(await findRows(page).count()).toBe(1);
    await page.locator('[aria-label="Remove env:staging"]').click();
    expect(readQuery(page)).toEqual(["is:open release:api*"]);
  });
});

describe("the environment and the period", () => {
  it("are chosen in menus, stay on all pages, and filter the list", async () => {
    const page = await product.open();
    await page.goto("/issues");
    await page.locator("main .scope-buttons button", { hasText: "Env" }).click();
    await page.locator("#scope-environment button", { hasText: "staging" }).click();
    await eventually(async () => expect(await findRows(page).count()).toBe(2));
    await page.locator("main .scope-buttons button", { hasText: "24 hours" }).click();
    await page.locator("#scope-period button", { hasText: "30 days" }).click();
    await page.locator("th.sparkline-cell", { hasText: "30 days" }).waitFor();
    await page.goto("/live");
    expect(await page.locator(".site-header .scope > button bdi").textContent()).toBe("staging");
  });

  it("work without scripts", async () => {
    const page = await product.open({ javaScriptEnabled: false });
    await page.goto("/scope");
    await page.locator("main button", { hasText: "production" }).click();
    expect(new URL(page.url()).pathname).toBe("/issues");
    expect(await findRows(page).count()).toBe(2);
  });
});
