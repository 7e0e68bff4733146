import { describe, expect, it } from "vitest";
import { createMessages, findRows, reportErrors } from "#support/browser/issue-rows.ts";
import { holdRequests, isSameWindow, markWindow, readFocus } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

describe("navigation without a page load", () => {
  it("back from an issue restores scroll position and focus", async () => {
    await reportErrors(
      product.url,
      "back-1",
      Array.from({ length: 26 }, (_, n) => `lost ${"abcdefghijklmnopqrstuvwxyz"[n]}x`),
    );
    const page = await product.open({ viewport: { width: 1000, height: 500 } });
    await page.goto('/issues?q=release:"back-1"', { waitUntil: "load" });
    await markWindow(page);
    const row = findRows(page).nth(20).locator("[data-row-link]");
    await row.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const id = await row.getAttribute("id");
    await row.click();
    await page.locator(".issue-page").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.title()).not.toContain("Issues ·");
    await page.goBack();
    await eventually(async () => {
      expect(await findRows(page).count()).toBe(26);
      expect(await page.evaluate(() => scrollY)).toBe(before);
      expect(await readFocus(page)).toBe(id);
    });
    expect(await isSameWindow(page)).toBe(true);
    expect(await page.locator("[data-announcer]").textContent()).toMatch(/^Issues · /);
  });

  it("sorting keeps the focus on the sort link", async () => {
    await reportErrors(product.url, "order-1", createMessages("order"));
    const page = await product.open({ viewport: { width: 1440, height: 900 } });
    await page.goto("/issues", { waitUntil: "load" });
    await markWindow(page);
    await page.locator("#sort-count").click();
    await page.locator("#sort-count[aria-current]").waitFor();
    expect(await readFocus(page)).toBe("sort-count");
    expect(await isSameWindow(page)).toBe(true);
  });

  it("a link to a field focuses the field", async () => {
    const page = await product.open();
    await page.goto("/issues");
    await page.locator(".project-switch .menu-button").click();
    await page.getByRole("link", { name: "New project" }).click();
    await page.waitForFunction(() => document.activeElement?.id === "project-name");
  });

  it("a bulk action is announced once and keeps the focus in its row", async () => {
    const [digest] = await reportErrors(product.url, "done-1", ["no lost focus"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"done-1"', { waitUntil: "load" });
    await page.locator(`#select-${digest}`).check();
    await page.keyboard.press("r");
    await page.locator(".flash", { hasText: `${digest} resolved.` }).waitFor();
    expect(await readFocus(page)).toBe(`select-${digest}`);
    expect(await page.locator("[data-announcer]").textContent()).toMatch(
      new RegExp(`^${digest} resolved. Issues`),
    );
    await page.reload();
    await findRows(page).first().waitFor();
    expect(await page.locator(".flash").count()).toBe(0);
  });

  it("a bulk decision is shown before the response and is confirmed by it", async () => {
    const [digest] = await reportErrors(product.url, "early-1", ["no early fault"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"early-1"', { waitUntil: "load" });
    const respond = await holdRequests(page, "**/issues/state");
    await page.locator(`input[value="${digest}"]`).check();
    await page.locator(".bulk-bar > .wide-only > button[value=archive]").click();
    await page.locator('.issue-row[data-state="archived"]').waitFor();
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
    respond();
    await eventually(async () =>
      expect((await product.json(`/d/${digest}`)).state).toBe("archived"),
    );
    await page.locator('.issue-row[data-state="archived"]').waitFor();
  });

  it("a decision on an issue's page is shown before the response", async () => {
    const [digest] = await reportErrors(product.url, "early-2", ["no fault for long"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await markWindow(page);
    const respond = await holdRequests(page, "**/state");
    await page.locator("button[name=state][value=resolved]").first().click();
    await page.locator("main .state", { hasText: "Resolved" }).first().waitFor();
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
    respond();
    await page.locator("button[name=state][value=open]").waitFor();
    expect(await isSameWindow(page)).toBe(true);
  });

  it.each([
    ["fails", 503],
    ["never arrives", 0],
  ])(
    "a comment whose response %s is not sent again and stays in its field",
    async (how, status) => {
      const [digest] = await reportErrors(product.url, `unsure-${status}`, [
        `no response that ${how}`,
      ]);
      const page = await product.open();
      await page.goto(`/d/${digest}`, { waitUntil: "load" });
      await markWindow(page);
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
        .locator("[data-announcer]:not(.visually-hidden)", { hasText: "may have been saved" })
        .waitFor();
      expect(await page.locator("textarea[name=comment]").inputValue()).toBe("since Monday");
      expect(await isSameWindow(page)).toBe(true);
      expect(sent).toBe(1);
    },
  );

  it("after the session ended, a comment stays in its field and the state is the previous one", async () => {
    const [digest] = await reportErrors(product.url, "ended-1", ["no session"]);
    const page = await product.open();
    const body = JSON.stringify({ reason: "unauthenticated" });
    const contentType = "application/json";
    for (const path of ["**/state", "**/annotations"])
      await page.route(path, (route) => route.fulfill({ status: 401, contentType, body }));
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await markWindow(page);
    const signedOut = page.locator("[data-announcer]:not(.visually-hidden)", {
      hasText: "You are signed out.",
    });
    await page.keyboard.press("r");
    await signedOut.waitFor();
    expect(await page.locator("main [data-state]").first().getAttribute("data-state")).toBe("new");
    await page.locator("#comment").fill("since Monday");
    await page.keyboard.press("Control+Enter");
    await eventually(async () =>
      expect(await page.locator("form[aria-busy=true]").count()).toBe(0),
    );
    expect(await page.locator("#comment").inputValue()).toBe("since Monday");
    expect(await isSameWindow(page)).toBe(true);
  });

  it("Ctrl+Enter sends a comment; the button leaves the focus at the activity", async () => {
    const [digest] = await reportErrors(product.url, "comment-1", ["no remark"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await page.keyboard.press("c");
    await page.keyboard.type("since Monday");
    await page.keyboard.press("Control+Enter");
    await page.locator("main li", { hasText: "since Monday" }).first().waitFor();
    expect(await readFocus(page)).toBe("comment");
    await page.keyboard.type("since June");
    await page.getByRole("button", { name: "Comment", exact: true }).press("Enter");
    await page.locator("main li", { hasText: "since June" }).first().waitFor();
    expect(await readFocus(page)).toBe("activity");
  });

  it("a double click sends a form once", async () => {
    const [digest] = await reportErrors(product.url, "twice-1", ["no double fault"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await page.locator("textarea[name=comment]").fill("since Monday");
    await page.getByRole("button", { name: "Comment", exact: true }).dblclick();
    await page.locator("main li", { hasText: "since Monday" }).first().waitFor();
    const { annotations } = await product.json(`/d/${digest}`);
    expect(annotations).toMatchObject({ activity: [{ text: "since Monday" }] });
  });

  it("the browser itself loads URLs that are not pages of the desk", async () => {
    const page = await product.open();
    await page.goto("/status", { waitUntil: "load" });
    await markWindow(page);
    await page.locator(".site-footer a", { hasText: "Self-test" }).click();
    await page.waitForURL("**/self-test");
    expect(await isSameWindow(page)).toBe(false);
  });

  it("the browser itself loads a page that a script could not fetch", async () => {
    await reportErrors(product.url, "again-1", ["no response at first"]);
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await markWindow(page);
    await page.route("**/releases", (route) =>
      route.request().headers()["errata-navigation"] ? route.abort() : route.continue(),
    );
    await page.locator(".site-header a", { hasText: "Releases" }).click();
    await page.locator("h1", { hasText: "Releases" }).waitFor();
    expect(await isSameWindow(page)).toBe(false);
  });

  it("stays on the page while the browser is offline, and says so", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await page.context().setOffline(true);
    await page.locator(".site-header a", { hasText: "Releases" }).click();
    await page.locator("[data-announcer]", { hasText: "You are offline." }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/issues");
    await page.context().setOffline(false);
  });
});
