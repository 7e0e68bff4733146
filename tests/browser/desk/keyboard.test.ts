import { describe, expect, it } from "vitest";
import {
  createMessages,
  findRows,
  readDigests,
  reportErrors,
} from "#support/browser/issue-rows.ts";
import { holdRequests, readFocus } from "#support/browser/page-state.ts";
import { openProduct } from "#support/browser/product.ts";
import { eventually } from "#support/eventually.ts";

const product = openProduct();

describe("keyboard shortcuts", () => {
  it("move between rows, select an issue and open it", async () => {
    const digests = await reportErrors(product.url, "keys-1", createMessages("keys"));
    const page = await product.open();
    await page.goto('/issues?q=release:"keys-1"', { waitUntil: "load" });
    await findRows(page).first().waitFor();
    const [newest, second] = await readDigests(page);
    expect(digests).toContain(newest);
    await page.keyboard.press("j");
    expect(await readFocus(page)).toBe(`issue-${newest}`);
    await page.keyboard.press("j");
    expect(await readFocus(page)).toBe(`issue-${second}`);
    await page.keyboard.press("x");
    expect(await page.locator(":checked[name=digest]").getAttribute("value")).toBe(second);
    await page.keyboard.press("k");
    expect(await readFocus(page)).toBe(`issue-${newest}`);
    await page.keyboard.press("e");
    await page.locator(`.issue-row[data-state="archived"] #issue-${second}`).waitFor();
    await page.locator(`#issue-${newest}`).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/d/${newest}?list=*`);
  });

  it("focus the search, are ignored while typing, and open the command palette", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await page.keyboard.press("/");
    expect(await readFocus(page)).toBe("query");
    await page.keyboard.type("j?x/");
    expect(await page.locator("#query").inputValue()).toBe("j?x/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search, go/ }).fill("releases");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/releases");
  });

  it("are listed together with those of the page", async () => {
    await reportErrors(product.url, "keys-2", createMessages("listed"));
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await findRows(page).first().waitFor();
    await page.keyboard.press("?");
    const keys = await page.locator("#shortcuts:popover-open").innerText();
    for (const word of ["Command palette", "Next and previous row", "Resolve", "Undo"])
      expect(keys).toContain(word);
    await page.keyboard.press("Escape");
    await page.locator("#shortcuts:popover-open").waitFor({ state: "detached" });
  });

  it("are listed on the settings page, which also has ingest keys", async () => {
    const page = await product.open();
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    await page.goto("/settings", { waitUntil: "load" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard" }).waitFor();
    expect(errors).toEqual([]);
  });

  it("Ctrl+K focuses the lookup if the command palette could not be loaded", async () => {
    // A page of its own: another one may have the script in its cache.
    const page = await product.openForFile();
    await page.route("**/assets/palette-*.js", (route) => route.abort());
    await page.goto("/issues", { waitUntil: "load" });
    await page.keyboard.press("Control+k");
    await eventually(async () =>
      expect(await page.locator("[data-lookup-input]:focus").count()).toBe(1),
    );
    expect(await page.locator("[data-toast]").count()).toBe(0);
  });
});

describe("triage by keyboard", () => {
  it("keeps its place: each action leads to the row that moved up", async () => {
    await reportErrors(product.url, "triage-1", createMessages("triage"));
    const page = await product.open();
    // Not as Errata spells it.
    await page.goto('/issues?sort=last&q=release:"triage-1"+is:open', { waitUntil: "load" });
    await findRows(page).first().waitFor();
    const [first, second, third, fourth] = await readDigests(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.locator(`#issue-${second}`).waitFor({ state: "detached" });
    expect(await readFocus(page)).toBe(`issue-${third}`);
    await page.keyboard.press("e");
    await page.locator(`#issue-${third}`).waitFor({ state: "detached" });
    expect(await readFocus(page)).toBe(`issue-${fourth}`);
    await page.keyboard.press("z");
    await page.locator(`#issue-${third}`).waitFor();
    expect(await readFocus(page)).toBe(`issue-${third}`);
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("X");
    expect(await page.locator("[name=digest]:checked").count()).toBe(3);
    await page.locator(`#select-${first}`).click({ modifiers: ["Shift"] });
    expect(await page.locator("[name=digest]:checked").count()).toBe(0);
    await page.locator(`#select-${fourth}`).click();
    await page.locator(`#select-${first}`).click({ modifiers: ["Shift"] });
    expect(await page.locator("[name=digest]:checked").count()).toBe(3);
    for (const key of ["s", "Enter"]) await page.keyboard.press(key);
    await page.getByText("No matching issues.").waitFor();
    await page.locator(".flash button").click();
    await page.locator(`#issue-${fourth}`).waitFor();
  });

  it("handles keys that are pressed while an action is being sent, in their order", async () => {
    await reportErrors(product.url, "triage-3", createMessages("fast"));
    const page = await product.open();
    await page.goto('/issues?q=is:open+release:"triage-3"', { waitUntil: "load" });
    await findRows(page).first().waitFor();
    const [, , third, fourth] = await readDigests(page);
    for (const key of "jrejr") await page.keyboard.press(key);
    await page.locator(`#issue-${fourth}`).waitFor({ state: "detached" });
    expect(await readDigests(page)).toEqual([third]);
    expect(await readFocus(page)).toBe(`issue-${third}`);
  });

  it("goes from an issue to the next one and back to its row in the list", async () => {
    await reportErrors(product.url, "triage-2", createMessages("walk"));
    const page = await product.open();
    await page.goto('/issues?q=is:open+release:"triage-2"', { waitUntil: "load" });
    await findRows(page).first().waitFor();
    const [first, second, third] = await readDigests(page);
    await page.locator(`#issue-${first}`).press("Enter");
    await page.getByText("1 of 4", { exact: true }).waitFor();
    await page.keyboard.press("]");
    await page.waitForURL(`**/d/${second}?*`);
    await page.keyboard.press("r");
    await page.getByText("3 in the list", { exact: true }).waitFor();
    await page.keyboard.press("u");
    await page.locator(`#issue-${third}`).waitFor();
    expect(await readFocus(page)).toBe(`issue-${third}`);
  });

  it("moves in menus by arrow keys, and letters are not shortcuts there", async () => {
    const [digest] = await reportErrors(product.url, "triage-6", ["no arrow"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await page.keyboard.press("s");
    const option = (name: string) => page.locator("#snooze-menu button", { hasText: name });
    const isFocused = (name: string) =>
      option(name).evaluate((one) => one === document.activeElement);
    await eventually(async () => expect(await isFocused("Until it escalates")).toBe(true));
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowDown");
    expect(await isFocused("For 1 hour")).toBe(true);
    await page.keyboard.press("Enter");
    await page.locator(".decision", { hasText: "Snoozed until" }).waitFor();
  });

  it("snoozes a row, and a selection, until they escalate by s and Enter", async () => {
    const digests = await reportErrors(product.url, "triage-7", createMessages("snoozed"));
    const page = await product.open();
    await page.goto('/issues?q=release:"triage-7"', { waitUntil: "load" });
    const rows = await readDigests(page);
    expect(digests).toContain(rows[0]);
    for (const key of ["j", "s", "Enter"]) await page.keyboard.press(key);
    await page.locator(".flash", { hasText: `${rows[0]} snoozed until it escalates.` }).waitFor();
    await page.locator(`.issue-row[data-state="snoozed"] #issue-${rows[0]}`).waitFor();
    await page.locator(".row-status", { hasText: "until it escalates" }).first().waitFor();
    await page.locator(`#select-${rows[1]}`).check();
    await page.locator(`#select-${rows[2]}`).check();
    expect(await page.locator("#selected-issues").innerText()).toBe("2 selected");
    for (const key of ["s", "Enter"]) await page.keyboard.press(key);
    await page.locator(".flash", { hasText: "2 issues snoozed until they escalate." }).waitFor();
    await page.keyboard.press("z");
    await page.locator(".flash", { hasText: "Undone. 2 issues restored." }).waitFor();
  });

  it("archives from the menu of a row by e, and the menu stays with its row", async () => {
    const [digest = "", other] = await reportErrors(product.url, "triage-8", [
      "no box",
      "no shelf",
    ]);
    const page = await product.open();
    await page.goto('/issues?q=release:"triage-8"', { waitUntil: "load" });
    await page.locator(`#issue-${digest}`).focus();
    await page.keyboard.press("s");
    await page.locator("#row-snooze-menu:popover-open").waitFor();
    await page.locator(`#issue-${other}`).hover({ force: true });
    await page.keyboard.press("e");
    await page.locator(`.issue-row[data-state="archived"] #issue-${digest}`).waitFor();
  });

  it("reaches the first row by the first link and two Tabs, and switches the density by v", async () => {
    await reportErrors(product.url, "keys-3", createMessages("dense"));
    const page = await product.open();
    await page.goto('/issues?q=release:"keys-3"', { waitUntil: "load" });
    const [first] = await readDigests(page);
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to the issues" });
    expect((await skip.boundingBox())?.width).toBeGreaterThan(100);
    for (const key of ["Enter", "Tab", "Tab"]) await page.keyboard.press(key);
    expect(await readFocus(page)).toBe(`issue-${first}`);
    const readHeight = async () => (await findRows(page).first().boundingBox())?.height;
    expect(await readHeight()).toBe(52);
    await page.keyboard.press("v");
    expect(await readHeight()).toBe(36);
    await page.reload({ waitUntil: "load" });
    await findRows(page).first().waitFor();
    expect(await readHeight()).toBe(36);
  });

  it("opens the next row by Enter while the action on the row before it is being sent", async () => {
    const [first, second] = await reportErrors(product.url, "triage-4", [
      "no early enter",
      "no late enter",
    ]);
    const page = await product.open();
    await page.goto('/issues?q=is:open release:"triage-4"', { waitUntil: "load" });
    const [top] = await readDigests(page);
    const respond = await holdRequests(page, "**/issues/state");
    for (const key of ["j", "r", "Enter"]) await page.keyboard.press(key);
    respond();
    await page.waitForURL("**/d/**");
    expect(new URL(page.url()).pathname).toBe(`/d/${top === first ? second : first}`);
  });

  it("shows the previous state of a row whose action could not be sent", async () => {
    const [digest] = await reportErrors(product.url, "triage-5", ["no signal"]);
    const page = await product.open();
    await page.goto('/issues?q=is:open release:"triage-5"', { waitUntil: "load" });
    await page.context().setOffline(true);
    for (const key of ["j", "r"]) await page.keyboard.press(key);
    await page.locator("[data-announcer]", { hasText: "nothing was sent" }).waitFor();
    // The browser announces that it is offline before the request fails.
    await findRows(page).and(page.locator('[data-state="open"]')).waitFor();
    const state = findRows(page).first().locator(".state");
    const shown = [await state.getAttribute("data-state"), await state.textContent()];
    expect([...shown, await state.getAttribute("title")]).toEqual(["new", "New", "New"]);
    await page.context().setOffline(false);
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
  });
});
