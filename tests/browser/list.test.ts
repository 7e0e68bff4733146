import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { eventually } from "../support/eventually.ts";
import { MARKUP } from "../support/hostile-markup.ts";
import { openProduct } from "../support/product.ts";

const product = openProduct();

/** Reports one error each, of one release; their digests. A fault is told from others by its words alone. */
async function faults(release: string, words: readonly string[]): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const message of words) {
    const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message, release });
    const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
    digests.push(((await response.json()) as { digest: string }).digest);
  }
  return digests;
}

/** Words that no grouping takes for a number. */
const WORDS = ["cart", "voucher", "address", "currency"];
const wordsOf = (one: string) => WORDS.map((word) => `no ${word} in ${one}`);

const rows = (page: Page) => page.locator(".issue-row");
const mark = (page: Page) =>
  page.evaluate(() => {
    (globalThis as { stayed?: boolean }).stayed = true;
  });
const stayed = (page: Page) =>
  page.evaluate(() => (globalThis as { stayed?: boolean }).stayed === true);
const digestsIn = (page: Page) => page.locator(".issue-row .issue-context code").allTextContents();

const WIDTHS = [
  { name: "a phone", viewport: { width: 360, height: 800 } },
  { name: "a wide screen", viewport: { width: 1440, height: 900 } },
];
const READERS = WIDTHS.flatMap(({ name, viewport }, at) => [
  { name: `${name} with scripts`, release: `${"ab"[at]}-with`, viewport, javaScriptEnabled: true },
  { name: `${name} without`, release: `${"ab"[at]}-without`, viewport, javaScriptEnabled: false },
]);

describe.each(READERS)("on $name", ({ release, viewport, javaScriptEnabled }) => {
  it("a filter narrows the list down, two are resolved, and are gone", async () => {
    const digests = await faults(release, wordsOf(release));
    const page = await product.open({ viewport, javaScriptEnabled });
    await page.goto("/issues");
    if (javaScriptEnabled) await mark(page);
    await page.locator(".facet a", { hasText: release }).first().click();
    await eventually(async () => expect(await rows(page).count()).toBe(WORDS.length));
    const [first = "", second = ""] = digests;
    for (const digest of [first, second])
      await page.locator(`input[name=digest][value="${digest}"]`).check();
    await page.locator("button[name=do][value=resolve]").click();
    await eventually(async () => expect(await rows(page).count()).toBe(WORDS.length - 2));
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, [...searchParams]]).toEqual([
      "/issues",
      [["q", `is:open release:"${release}"`]],
    ]);
    const done = page.locator("main > [role=status]");
    expect(await done.textContent()).toBe("2 issues resolved.");
    expect(await page.title()).toBe("2 issues resolved. Issues");
    if (javaScriptEnabled) {
      expect(await done.evaluate((it) => it === document.activeElement)).toBe(true);
      expect(await axeViolations(page)).toEqual([]);
    }
    await page.locator("#tab-resolved").click();
    await eventually(async () => expect(await done.count()).toBe(0));
    await eventually(async () => {
      expect([...(await digestsIn(page))].sort()).toEqual([first, second].sort());
    });
    if (javaScriptEnabled) expect(await stayed(page)).toBe(true);
  });
});

const TABLET = { name: "a tablet", viewport: { width: 768, height: 1024 } };

describe.each([...WIDTHS, TABLET])("on $name", ({ viewport }) => {
  it("nothing that axe finds, and no sideways scrolling", async () => {
    await faults("axe-1", wordsOf("axe"));
    const page = await product.open({ viewport });
    for (const path of ["/", "/issues", "/issues?q=nothing+release:9", "/issues?sort=users&q="]) {
      await page.goto(path, { waitUntil: "load" });
      if (path === "/issues") await page.locator("input[name=digest]").first().check();
      expect([path, ...(await axeViolations(page))]).toEqual([path]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
    await page.locator("input[name=digest]").first().focus();
    await page.keyboard.press("?");
    await page.locator("#shortcuts:popover-open").waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe("without leaving the document", () => {
  it("an issue is opened, and back is where one was", async () => {
    await faults(
      "back-1",
      Array.from({ length: 26 }, (_, n) => `lost ${"abcdefghijklmnopqrstuvwxyz"[n]}x`),
    );
    const page = await product.open({ viewport: { width: 1000, height: 500 } });
    await page.goto('/issues?q=release:"back-1"', { waitUntil: "load" });
    await mark(page);
    const row = rows(page).nth(20).locator("[data-row-link]");
    await row.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const id = await row.getAttribute("id");
    await row.click();
    await page.locator(".issue-page").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.title()).not.toBe("Issues");
    await page.goBack();
    await eventually(async () => {
      expect(await rows(page).count()).toBe(26);
      expect(await page.evaluate(() => scrollY)).toBe(before);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);
    });
    expect(await stayed(page)).toBe(true);
    expect(await page.locator("[data-announcer]").textContent()).toBe("Issues");
  });

  it("the focus stays on what was pressed, and the order is another", async () => {
    await faults("order-1", wordsOf("order"));
    const page = await product.open({ viewport: { width: 1440, height: 900 } });
    await page.goto("/issues", { waitUntil: "load" });
    await mark(page);
    await page.locator("#sort-count").click();
    await page.locator("th[aria-sort] #sort-count").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("by-count");
    expect(await stayed(page)).toBe(true);
  });

  it("what was done is said, and the focus stays in its row where that is still there", async () => {
    const [digest] = await faults("done-1", ["no lost focus"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"done-1"', { waitUntil: "load" });
    await page.locator(`#select-${digest}`).check();
    await page.keyboard.press("r");
    await page.getByText("1 issue resolved.", { exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`select-${digest}`);
    expect(await page.locator("[data-announcer]").textContent()).toBe("1 issue resolved. Issues");
    await page.reload();
    await rows(page).first().waitFor();
    expect(await page.getByText("1 issue resolved.", { exact: true }).count()).toBe(0);
  });

  it("a decision is shown before it is answered, and put right by the answer", async () => {
    const [digest] = await faults("early-1", ["no early fault"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"early-1"', { waitUntil: "load" });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/issues/state", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator(`input[value="${digest}"]`).check();
    await page.locator("button[value=mute]").click();
    await page.locator('.issue-row[data-state="muted"]').waitFor();
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
    answer();
    await eventually(async () => expect((await product.json(`/d/${digest}`)).state).toBe("muted"));
    await page.locator('.issue-row[data-state="muted"]').waitFor();
  });

  it("a decision on an issue's page is shown before it is answered as well", async () => {
    const [digest] = await faults("early-2", ["no fault for long"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await mark(page);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/state", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator("button[name=state][value=resolved]").first().click();
    await page.locator("main .state", { hasText: "Resolved" }).first().waitFor();
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
    answer();
    await page.locator("button[name=state][value=open]").waitFor();
    expect(await stayed(page)).toBe(true);
  });

  it.each([
    ["is broken", 503],
    ["does not come", 0],
  ])(
    "what is sent and whose answer %s is not sent again, and stays where it was written",
    async (how, status) => {
      const [digest] = await faults(`unsure-${status}`, [`no answer that ${how}`]);
      const page = await product.open();
      await page.goto(`/d/${digest}`, { waitUntil: "load" });
      await mark(page);
      let sent = 0;
      await page.route("**/annotations", async (route) => {
        sent++;
        if (status === 0) return route.abort();
        await route.fetch();
        return route.fulfill({ status, contentType: "application/json", body: "{}" });
      });
      await page.locator("textarea[name=comment]").fill("since Monday");
      await page.getByRole("button", { name: "Comment", exact: true }).click();
      await page
        .locator("[data-announcer]:not(.visually-hidden)", { hasText: "may have been done" })
        .waitFor();
      expect(await page.locator("textarea[name=comment]").inputValue()).toBe("since Monday");
      expect(await stayed(page)).toBe(true);
      expect(sent).toBe(1);
    },
  );

  it("who presses twice sends once", async () => {
    const [digest] = await faults("twice-1", ["no double fault"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await page.locator("textarea[name=comment]").fill("since Monday");
    await page.getByRole("button", { name: "Comment", exact: true }).dblclick();
    await page.locator("main li", { hasText: "since Monday" }).first().waitFor();
    const { notes } = await product.json(`/d/${digest}`);
    expect(notes).toMatchObject({ activity: [{ text: "since Monday" }] });
  });

  it("what is not a page is left to the browser", async () => {
    const page = await product.open();
    await page.goto("/status", { waitUntil: "load" });
    await mark(page);
    await page.locator(".site-footer a", { hasText: "Self-test" }).click();
    await page.waitForURL("**/self-test");
    expect(await stayed(page)).toBe(false);
  });

  it("a page that cannot be had is asked for again by the browser itself", async () => {
    await faults("again-1", ["no answer at first"]);
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await mark(page);
    await page.route("**/status", (route) =>
      route.request().headers()["errata-navigation"] ? route.abort() : route.continue(),
    );
    await page.locator(".site-header a", { hasText: "Status" }).click();
    await page.locator("h1", { hasText: "Status" }).waitFor();
    expect(await stayed(page)).toBe(false);
  });
});

describe("keys", () => {
  it("walk through the rows, select and open one", async () => {
    const digests = await faults("keys-1", wordsOf("keys"));
    const page = await product.open();
    await page.goto('/issues?q=release:"keys-1"', { waitUntil: "load" });
    await rows(page).first().waitFor();
    const [newest, second] = await digestsIn(page);
    expect(digests).toContain(newest);
    const at = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press("j");
    expect(await at()).toBe(`to-${newest}`);
    await page.keyboard.press("j");
    expect(await at()).toBe(`to-${second}`);
    await page.keyboard.press("x");
    expect(await page.locator(":checked[name=digest]").getAttribute("value")).toBe(second);
    await page.keyboard.press("k");
    expect(await at()).toBe(`to-${newest}`);
    await page.keyboard.press("i");
    await page.locator(`.issue-row[data-state="ignored"] #issue-${second}`).waitFor();
    await page.locator(`#issue-${newest}`).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/d/${newest}`);
  });

  it("lead to the boxes, and do nothing to who types", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("query");
    await page.keyboard.type("j?x/");
    expect(await page.locator("#query").inputValue()).toBe("j?x/");
    await page.keyboard.press("Control+k");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("lookup-head");
  });

  it("are listed, with those of the page", async () => {
    await faults("keys-2", wordsOf("listed"));
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await rows(page).first().waitFor();
    await page.keyboard.press("?");
    const keys = await page.locator("#shortcuts:popover-open").innerText();
    for (const word of ["Look up a code", "Next and previous issue", "Resolve"])
      expect(keys).toContain(word);
    await page.keyboard.press("Escape");
    await page.locator("#shortcuts:popover-open").waitFor({ state: "detached" });
  });

  it("are listed on the settings page, beside its ingest keys", async () => {
    const page = await product.open();
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto("/settings", { waitUntil: "load" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    expect(errors).toEqual([]);
  });
});

describe("a list that somebody looks at", () => {
  it("shows what arrives, without a reload", async () => {
    await faults("live-1", ["no first one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-1"', { waitUntil: "load" });
    await mark(page);
    await eventually(async () => {
      await faults("live-1", ["no second one"]);
      expect(await page.getByText("no second one").count()).toBe(1);
    });
    expect(await stayed(page)).toBe(true);
  });

  it("waits while somebody selects, and says how much there is", async () => {
    await faults("live-2", ["no selected one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-2"', { waitUntil: "load" });
    await page.locator("input[name=digest]").first().check();
    await eventually(async () => {
      await faults("live-2", ["no late one"]);
      expect(await page.locator("[data-new-count]").isVisible()).toBe(true);
    });
    expect(await page.locator("[data-new-count]").textContent()).toMatch(/^\d+ new$/);
    expect(await page.getByText("no late one").count()).toBe(0);
    await page.locator("[data-new-count]").click();
    await page.getByText("no late one").waitFor();
  });

  it("shows markup as text, however it comes", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await eventually(async () => {
      const digests = new Set(await faults("live-3", Object.values(MARKUP)));
      expect(digests.size).toBeGreaterThan(1);
      expect(await rows(page).filter({ hasText: "live-3" }).count()).toBe(digests.size);
    });
    const ran = await page.evaluate(() => (globalThis as { __xss?: string }).__xss);
    expect(ran).toBeUndefined();
    expect(await page.locator("main :is(img, iframe, svg[onload], [onerror])").count()).toBe(0);
  });
});
