import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import {
  createMessages,
  findRows,
  readDigests,
  reportErrors,
  TOPICS,
} from "#support/browser/issue-rows.ts";
import { isSameWindow, markWindow, readFocus } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";
import { eventually } from "#support/eventually.ts";
import { MARKUP } from "#support/hostile/hostile-markup.ts";

const product = openProduct();

const BROWSERS = [
  {
    name: "a wide screen with scripts",
    release: "a-with",
    viewport: { width: 1440, height: 900 },
    javaScriptEnabled: true,
  },
  {
    name: "a phone without scripts",
    release: "b-without",
    viewport: { width: 360, height: 800 },
    javaScriptEnabled: false,
  },
];

describe.each(BROWSERS)("on $name", ({ release, viewport, javaScriptEnabled }) => {
  it("a filter narrows the list, and issues resolved in bulk leave it", async () => {
    const digests = await reportErrors(product.url, release, createMessages(release));
    const page = await product.open({ viewport, javaScriptEnabled });
    await page.goto("/issues");
    if (javaScriptEnabled) await markWindow(page);
    await page.locator(".facet a", { hasText: release }).first().click();
    // The list without the filter may have as many rows.
    await eventually(async () => {
      expect(await page.locator("[data-query-parts]").textContent()).toContain(release);
      expect(await findRows(page).count()).toBe(TOPICS.length);
    });
    const [first = "", second = ""] = digests;
    for (const digest of [first, second])
      await page.locator(`input[name=digest][value="${digest}"]`).check();
    await page.locator("button[name=do][value=resolve]").click();
    await eventually(async () => expect(await findRows(page).count()).toBe(TOPICS.length - 2));
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, [...searchParams]]).toEqual([
      "/issues",
      [["q", `is:open release:"${release}"`]],
    ]);
    const done = page.locator("main .flash [role=status]");
    expect(await done.textContent()).toBe("2 issues resolved.");
    expect(await page.title()).toBe("2 issues resolved. Issues · First project · Errata");
    if (javaScriptEnabled) {
      // The selected issues were the last ones.
      expect(await readFocus(page)).toBe(`issue-${(await readDigests(page)).at(-1)}`);
      expect(await findAxeViolations(page)).toEqual([]);
    }
    await page.locator("#tab-resolved").click();
    await eventually(async () => expect(await done.count()).toBe(0));
    await eventually(async () => {
      expect([...(await readDigests(page))].sort()).toEqual([first, second].sort());
    });
    if (javaScriptEnabled) expect(await isSameWindow(page)).toBe(true);
  });
});

it.each([true, false])(
  "a phone shows how many issues are selected (scripts: %s)",
  async (javaScriptEnabled) => {
    await reportErrors(product.url, "count-1", createMessages("count"));
    const page = await product.open({ viewport: { width: 390, height: 844 }, javaScriptEnabled });
    await page.goto("/issues", { waitUntil: "load" });
    const boxes = page.locator("input[name=digest]");
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await eventually(async () => expect(await readCount(page)).toBe("2"));
    await boxes.last().check();
    await boxes.nth(0).uncheck();
    await boxes.nth(1).check();
    await eventually(async () => expect(await readCount(page)).toBe("3"));
  },
);

/** The number before "selected" that the style sheet counts, as Chromium shows it. */
async function readCount(page: Page): Promise<string | undefined> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send("Accessibility.getFullAXTree");
  await devtools.detach();
  const texts = nodes.flatMap(({ role, name }) =>
    role?.value === "StaticText" ? String(name?.value).trim() : [],
  );
  return texts[texts.indexOf("selected") - 1];
}

it("a list with a selection and the list of shortcuts pass axe on a phone", async () => {
  await reportErrors(product.url, "axe-1", createMessages("axe"));
  const page = await product.open({ viewport: { width: 360, height: 800 } });
  await page.goto("/issues", { waitUntil: "load" });
  await page.locator("input[name=digest]").first().check();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("a");
  await page.locator("#bulk-assign-menu:popover-open").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Search, go/ }).waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.locator("input[name=digest]").first().focus();
  await page.keyboard.press("?");
  await page.locator("#shortcuts:popover-open").waitFor();
  expect(await findAxeViolations(page)).toEqual([]);
});

it("the result of an action does not cover the bar for the issues that are selected next", async () => {
  await reportErrors(product.url, "toast-1", createMessages("toast"));
  const page = await product.open({ viewport: { width: 1440, height: 360 } });
  await page.goto('/issues?q=is:open+release:"toast-1"', { waitUntil: "load" });
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await page.locator(".flash button").waitFor();
  await page.locator("input[name=digest]").first().check();
  const toast = await page.locator(".flash").boundingBox();
  const bar = await page.locator(".bulk-bar").boundingBox();
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
});

it("opening the form of a saved view focuses its field, so letters are no shortcuts", async () => {
  const [digest] = await reportErrors(product.url, "view-1", ["no view"]);
  const page = await product.open({ viewport: { width: 1440, height: 900 } });
  await page.goto('/issues?q=is:open release:"view-1"', { waitUntil: "load" });
  await page.locator("summary", { hasText: "Save this view" }).press("Enter");
  await eventually(async () => expect(await readFocus(page)).toBe("view-name"));
  await page.keyboard.type("jr");
  await page.keyboard.press("Enter");
  await page.locator(".flash", { hasText: "View saved." }).waitFor();
  expect(await page.locator(".facets a", { hasText: "jr" }).count()).toBe(1);
  expect((await product.json(`/d/${digest}`)).state).toBe("open");
});

it("marked words have enough contrast in both lines of a row and in both color schemes", async () => {
  await reportErrors(product.url, "contrast-1", createMessages("contrast"));
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await product.open({ viewport: { width: 1440, height: 900 }, colorScheme });
    await page.goto("/lookup?q=contrast", { waitUntil: "load" });
    await findRows(page).first().waitFor();
    expect(await page.locator(".row-context mark").count()).toBeGreaterThan(0);
    expect(await findAxeViolations(page, ["color-contrast"])).toEqual([]);
  }
});

describe("an open issue list", () => {
  it("shows new issues without a reload", async () => {
    await reportErrors(product.url, "live-1", ["no first one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-1"', { waitUntil: "load" });
    await markWindow(page);
    await waitForSocket(page);
    await reportErrors(product.url, "live-1", ["no second one"]);
    await page.getByText("no second one").waitFor();
    expect(await isSameWindow(page)).toBe(true);
  });

  it("does not change while issues are selected, and shows the number of new reports", async () => {
    await reportErrors(product.url, "live-2", ["no selected one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-2"', { waitUntil: "load" });
    await page.locator("input[name=digest]").first().check();
    await waitForSocket(page);
    await reportErrors(product.url, "live-2", ["no late one"]);
    await page.locator("[data-new-count]").waitFor();
    expect(await page.locator("[data-new-count]").textContent()).toMatch(/^\d+ new$/);
    expect(await page.getByText("no late one").count()).toBe(0);
    await page.locator("[data-new-count]").click();
    await page.getByText("no late one").waitFor();
  });

  it("shows reported markup as text in live updates", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await waitForSocket(page);
    const digests = new Set(await reportErrors(product.url, "live-3", Object.values(MARKUP)));
    expect(digests.size).toBeGreaterThan(1);
    await eventually(async () => {
      expect(await findRows(page).filter({ hasText: "live-3" }).count()).toBe(digests.size);
    });
    const ran = await page.evaluate(() => (globalThis as { __xss?: string }).__xss);
    expect(ran).toBeUndefined();
    expect(await page.locator("main :is(img, iframe, svg[onload], [onerror])").count()).toBe(0);
  });
});
