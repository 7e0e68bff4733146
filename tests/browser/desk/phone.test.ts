// A phone: the bar at the bottom, the search, gestures on rows, and an installed app.

import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import {
  createMessages,
  findRows,
  readDigests,
  reportErrors,
} from "#support/browser/issue-rows.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

beforeAll(async () => {
  await reportErrors(product.url, "phone-1", createMessages("phone"));
});

const openPhone = async (path: string, over: object = {}) => {
  const page = await product.open({ ...PHONE, ...over });
  await page.goto(path, { waitUntil: "load" });
  return page;
};

/** Moves a finger over the screen. Without `toX`, it stays for `heldMs`. */
async function touch(page: Page, fromX: number, y: number, toX = fromX, heldMs = 0) {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: x === undefined ? [] : [{ x, y }],
    });
  await send("touchStart", fromX);
  for (let n = 1; n <= 6 && toX !== fromX; n++)
    await send("touchMove", fromX + ((toX - fromX) * n) / 6);
  if (heldMs > 0) await page.locator("[name=digest]:checked").first().waitFor({ timeout: heldMs });
  await send("touchEnd");
  await devtools.detach();
}

/** The middle of a row. */
async function findMiddle(page: Page, n: number): Promise<number> {
  const box = await findRows(page).nth(n).boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0) / 2;
}

describe.each([true, false])("a phone (scripts: %s)", (javaScriptEnabled) => {
  it("has one line of header, the first issue below it, and a bar of five", async () => {
    const page = await openPhone("/issues", { javaScriptEnabled });
    const box = (selector: string) => page.locator(selector).first().boundingBox();
    expect((await box(".site-header"))?.height).toBe(48);
    expect((await findRows(page).first().boundingBox())?.y).toBeLessThanOrEqual(132);
    const bar = await box(".site-header nav");
    expect([bar?.height, (bar?.y ?? 0) + (bar?.height ?? 0)]).toEqual([57, 844]);
    const items = page.locator(".site-header nav :is(a, button):visible");
    expect((await items.allInnerTexts()).map((text) => text.trim())).toEqual([
      "Issues",
      "Releases",
      "Live",
      expect.stringMatching(/^Inbox/),
      "Search",
    ]);
    for (const item of await items.all()) {
      const { width = 0, height = 0 } = (await item.boundingBox()) ?? {};
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  it("has the other pages under the person, and the search as a sheet", async () => {
    const page = await openPhone("/issues", { javaScriptEnabled });
    await page.locator(".account-menu > button").tap();
    for (const name of ["Policies", "Settings", "Profile"])
      expect(await page.locator("#account").getByText(name, { exact: true }).isVisible()).toBe(
        true,
      );
    await page.keyboard.press("Escape");
    const field = page.locator("#lookup-head");
    expect(await field.isVisible()).toBe(false);
    await page.locator(".site-header nav button").tap();
    await field.fill("phone");
    await field.press("Enter");
    await page.waitForURL(/\/lookup|\/d\/|\/issues\?/);
  });
});

describe.each([true, false])("an issue on a phone (scripts: %s)", (javaScriptEnabled) => {
  it("leads to the list and home, also if it was opened by its link", async () => {
    const { issues } = (await product.json("/issues.json")) as { issues: { digest: string }[] };
    const path = `/d/${issues[0]?.digest}`;
    for (const [url, name, leadsTo] of [
      [path, "All issues", "/issues"],
      [`${path}?list=is:open`, "Issues", "/issues"],
      [path, "Errata", "/"],
    ] as const) {
      const page = await openPhone(url, { javaScriptEnabled });
      const link = page.locator(".issue-bar").getByRole("link", { name });
      await link.first().waitFor();
      expect((await link.first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await link.first().tap();
      await page.waitForURL((to) => to.pathname === leadsTo);
    }
  });
});

it("the result of an action covers neither the header nor the bars of a phone", async () => {
  const [digest] = await reportErrors(product.url, "phone-3", createMessages("toast"));
  const page = await openPhone(`/d/${digest}`);
  await page.locator(".issue-bar [value=archived]").tap();
  const box = async (selector: string) => {
    await page.locator(selector).waitFor();
    return page.locator(selector).evaluate((one) => one.getBoundingClientRect().toJSON());
  };
  const ofIssue = await box(".flash");
  expect(ofIssue.top).toBeGreaterThan((await box(".issue-bar")).bottom);
  expect(ofIssue.bottom).toBeLessThanOrEqual((await box(".issue-bar .actions")).top);
  await page.goto("/issues");
  await page.locator("[name=digest]").first().check();
  await page.locator(".bulk-bar [value=resolve]").tap();
  const ofList = await box(".flash");
  expect(ofList.top).toBeGreaterThan((await box(".site-header")).bottom);
  expect(ofList.bottom).toBeLessThanOrEqual((await box(".site-header nav")).top);
});

describe.each([360, 375, 390])("a phone of %d pixels", (width) => {
  const over = { viewport: { width, height: 740 } };

  it("has the actions of an issue side by side", async () => {
    const { issues } = (await product.json("/issues.json")) as { issues: { digest: string }[] };
    const page = await openPhone(`/d/${issues[0]?.digest}`, over);
    const buttons = page.locator(".issue-bar .actions button:not(.menu button):visible");
    const boxes = await Promise.all((await buttons.all()).map((one) => one.boundingBox()));
    expect(boxes).toHaveLength(6);
    const ends = boxes.map((box) => (box?.x ?? 0) + (box?.width ?? 0));
    for (const [n, box] of boxes.slice(1).entries())
      expect(box?.x, `button ${n + 1}`).toBeGreaterThanOrEqual(ends[n] ?? 0);
    expect(ends.at(-1)).toBeLessThanOrEqual(width);
  });

  it("has all words about a query", async () => {
    const page = await openPhone("/issues?q=relese%3A1.4", over);
    const words = page.locator("[data-query-say] > span");
    const box = await words.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await words.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });
});

it.each([true, false])("Select shows the boxes of the rows (scripts: %s)", async (isScripted) => {
  const page = await openPhone("/issues", { javaScriptEnabled: isScripted });
  const box = page.locator("[name=digest]").first();
  const readOpacity = () => box.evaluate((one) => getComputedStyle(one).opacity);
  expect(await readOpacity()).toBe("0");
  await page.getByText("Select", { exact: true }).tap();
  expect(await readOpacity()).toBe("1");
  const rest = await findRows(page).nth(1).boundingBox();
  if (isScripted) {
    await page.touchscreen.tap(200, (rest?.y ?? 0) + 20);
    await eventually(async () =>
      expect(await page.locator("[name=digest]:checked").count()).toBe(1),
    );
    expect(new URL(page.url()).pathname).toBe("/issues");
  } else {
    await box.tap();
    expect(await box.isChecked()).toBe(true);
  }
});

it("a row says who has an issue, and how often it happened if people are not known", async () => {
  const [digest = ""] = await reportErrors(product.url, "phone-4", ["no gift card on the phone"]);
  const page = await openPhone(`/d/${digest}`);
  await page.locator("[popovertarget=assign-menu]").tap();
  await page.locator(".assignee-menu:popover-open [name=assign]").first().tap();
  await page.locator(".flash").waitFor();
  await page.goto("/issues");
  const row = findRows(page).filter({ hasText: digest });
  expect(await row.locator(".who").isVisible()).toBe(true);
  expect(await findRows(page).locator(".who:empty").first().isVisible()).toBe(false);
  expect(await row.locator(".by-count").isVisible()).toBe(false);
  // Every report of these tests has a person.
  await row.locator(".by-users").evaluate((cell) => cell.replaceChildren());
  expect(await row.locator(".by-count").isVisible()).toBe(true);
  expect(await row.locator(".by-count").innerText()).toMatch(/^\d+ times?$/);
});

describe("on the rows of a list", () => {
  it("a swipe to the right resolves, and one to the left snoozes", async () => {
    const page = await openPhone("/issues");
    const [first] = await readDigests(page);
    await touch(page, 60, await findMiddle(page, 0), 300);
    const done = page.locator(".flash [role=status]");
    await eventually(async () => expect(await done.textContent()).toBe(`${first} resolved.`));
    await eventually(async () =>
      expect((await readDigests(page)).includes(first ?? "")).toBe(false),
    );
    const [second] = await readDigests(page);
    await touch(page, 330, await findMiddle(page, 0), 90);
    await eventually(async () => expect(await done.textContent()).toContain(`${second} snoozed`));
    await eventually(async () =>
      expect((await readDigests(page)).includes(second ?? "")).toBe(false),
    );
    expect(new URL(page.url()).pathname).toBe("/issues");
  });

  it("a short swipe does nothing, and a tap opens the issue", async () => {
    const page = await openPhone("/issues");
    const [first] = await readDigests(page);
    await touch(page, 60, await findMiddle(page, 0), 100);
    expect((await readDigests(page))[0]).toBe(first);
    const { y = 0 } = (await findRows(page).first().boundingBox()) ?? {};
    // Chromium takes no tap for a moment after a swipe.
    await page.waitForTimeout(500);
    await page.touchscreen.tap(200, y + 24);
    await page.waitForURL(new RegExp(`/d/${first}`));
  });

  it("a long press selects, then taps select others", async () => {
    const page = await openPhone("/issues");
    await touch(page, 200, await findMiddle(page, 0), 200, 5_000);
    await touch(page, 200, await findMiddle(page, 1));
    await eventually(async () =>
      expect(await page.locator("[name=digest]:checked").count()).toBe(2),
    );
    expect(new URL(page.url()).pathname).toBe("/issues");
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

describe("an installed app", () => {
  it("has a manifest with icons that exist", async () => {
    const response = await fetch(`${product.url}/app.webmanifest`);
    expect(response.headers.get("content-type")).toContain("application/manifest+json");
    const { display, icons, shortcuts } = (await response.json()) as {
      display: string;
      icons: readonly { src: string; type: string; purpose?: string }[];
      shortcuts: readonly { url: string }[];
    };
    expect(display).toBe("standalone");
    expect(icons.some(({ purpose }) => purpose === "maskable")).toBe(true);
    for (const { src, type } of icons)
      expect((await fetch(product.url + src)).headers.get("content-type")).toBe(type);
    for (const { url } of shortcuts) expect((await fetch(product.url + url)).status).toBe(200);
  });

  it("is described by pages, which the browser accepts", async () => {
    const page = await openPhone("/issues");
    const devtools = await page.context().newCDPSession(page);
    const { url, errors } = await devtools.send("Page.getAppManifest");
    expect([new URL(url).pathname, errors]).toEqual(["/app.webmanifest", []]);
    const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
    // The pages of tests are in private contexts.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
  });
});

it("a comment completes the names of members after an @", async () => {
  const [digest] = await reportErrors(
    product.url,
    "phone-2",
    createMessages("mention").slice(0, 1),
  );
  const page = await product.open();
  await page.goto(`/d/${digest}`);
  const field = page.locator("#comment");
  await field.evaluate((one: HTMLTextAreaElement) => {
    one.dataset.mentions = JSON.stringify(["Ada Lovelace", "Bob", "Adam"]);
  });
  await field.focus();
  await page.locator("#mention-list").waitFor({ state: "attached" });
  await field.pressSequentially("see @ad");
  const options = page.locator("#mention-list [role=option]");
  await eventually(async () =>
    expect(await options.allTextContents()).toEqual(["Ada Lovelace", "Adam"]),
  );
  expect(await findAxeViolations(page)).toEqual([]);
  await field.press("ArrowDown");
  expect(await field.getAttribute("aria-activedescendant")).toBe("mention-1");
  await field.press("Enter");
  expect(await field.inputValue()).toBe("see @Adam ");
  await field.pressSequentially("mail@bo");
  expect(await options.first().isVisible()).toBe(false);
});
