import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { findAxeViolations } from "../../support/browser/axe.ts";
import { openProduct } from "../../support/browser/product.ts";
import { waitForSocket } from "../../support/browser/wait-for-socket.ts";
import { eventually } from "../../support/eventually.ts";
import { MARKUP } from "../../support/hostile/hostile-markup.ts";

const product = openProduct();

/** Reports one error per message, all of one release. Resolves to their digests. */
async function reportErrors(
  release: string,
  messages: readonly string[],
): Promise<readonly string[]> {
  const digests: string[] = [];
  for (const message of messages) {
    const body = JSON.stringify({ errata: 1, how: "uncaught", type: "Error", message, release });
    const response = await fetch(`${product.url}/monitoring`, { method: "POST", body });
    digests.push(((await response.json()) as { digest: string }).digest);
  }
  return digests;
}

/** Words that grouping does not treat as variable parts. */
const TOPICS = ["cart", "voucher", "address", "currency"];
const createMessages = (one: string) => TOPICS.map((topic) => `no ${topic} in ${one}`);

const rows = (page: Page) => page.locator(".issue-row");
const markWindow = (page: Page) =>
  page.evaluate(() => {
    (globalThis as { stayed?: boolean }).stayed = true;
  });
const isSameWindow = (page: Page) =>
  page.evaluate(() => (globalThis as { stayed?: boolean }).stayed === true);
const readFocus = (page: Page) => page.evaluate(() => document.activeElement?.id);
const readDigests = (page: Page) =>
  page.locator(".issue-row .issue-context code").allTextContents();

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
    const digests = await reportErrors(release, createMessages(release));
    const page = await product.open({ viewport, javaScriptEnabled });
    await page.goto("/issues");
    if (javaScriptEnabled) await markWindow(page);
    await page.locator(".facet a", { hasText: release }).first().click();
    await eventually(async () => expect(await rows(page).count()).toBe(TOPICS.length));
    const [first = "", second = ""] = digests;
    for (const digest of [first, second])
      await page.locator(`input[name=digest][value="${digest}"]`).check();
    await page.locator("button[name=do][value=resolve]").click();
    await eventually(async () => expect(await rows(page).count()).toBe(TOPICS.length - 2));
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

it("a list with a selection and the list of shortcuts pass axe on a phone", async () => {
  await reportErrors("axe-1", createMessages("axe"));
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

it("opening the form of a saved view focuses its field, so letters are no shortcuts", async () => {
  const [digest] = await reportErrors("view-1", ["no view"]);
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
  await reportErrors("contrast-1", createMessages("contrast"));
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await product.open({ viewport: { width: 1440, height: 900 }, colorScheme });
    await page.goto("/lookup?q=contrast", { waitUntil: "load" });
    await rows(page).first().waitFor();
    expect(await page.locator(".row-context mark").count()).toBeGreaterThan(0);
    expect(await findAxeViolations(page, ["color-contrast"])).toEqual([]);
  }
});

describe("navigation without a page load", () => {
  it("back from an issue restores scroll position and focus", async () => {
    await reportErrors(
      "back-1",
      Array.from({ length: 26 }, (_, n) => `lost ${"abcdefghijklmnopqrstuvwxyz"[n]}x`),
    );
    const page = await product.open({ viewport: { width: 1000, height: 500 } });
    await page.goto('/issues?q=release:"back-1"', { waitUntil: "load" });
    await markWindow(page);
    const row = rows(page).nth(20).locator("[data-row-link]");
    await row.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    const id = await row.getAttribute("id");
    await row.click();
    await page.locator(".issue-page").waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await page.title()).not.toContain("Issues ·");
    await page.goBack();
    await eventually(async () => {
      expect(await rows(page).count()).toBe(26);
      expect(await page.evaluate(() => scrollY)).toBe(before);
      expect(await page.evaluate(() => document.activeElement?.id)).toBe(id);
    });
    expect(await isSameWindow(page)).toBe(true);
    expect(await page.locator("[data-announcer]").textContent()).toMatch(/^Issues · /);
  });

  it("sorting keeps the focus on the sort link", async () => {
    await reportErrors("order-1", createMessages("order"));
    const page = await product.open({ viewport: { width: 1440, height: 900 } });
    await page.goto("/issues", { waitUntil: "load" });
    await markWindow(page);
    await page.locator("#sort-count").click();
    await page.locator("#sort-count[aria-current]").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("sort-count");
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
    const [digest] = await reportErrors("done-1", ["no lost focus"]);
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
    await rows(page).first().waitFor();
    expect(await page.locator(".flash").count()).toBe(0);
  });

  it("a bulk decision is shown before the response and is confirmed by it", async () => {
    const [digest] = await reportErrors("early-1", ["no early fault"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"early-1"', { waitUntil: "load" });
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route("**/issues/state", async (route) => {
      await held;
      await route.continue();
    });
    await page.locator(`input[value="${digest}"]`).check();
    await page.locator("button[value=mute]").click();
    await page.locator('.issue-row[data-state="muted"]').waitFor();
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
    respond();
    await eventually(async () => expect((await product.json(`/d/${digest}`)).state).toBe("muted"));
    await page.locator('.issue-row[data-state="muted"]').waitFor();
  });

  it("a decision on an issue's page is shown before the response", async () => {
    const [digest] = await reportErrors("early-2", ["no fault for long"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await markWindow(page);
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route("**/state", async (route) => {
      await held;
      await route.continue();
    });
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
      const [digest] = await reportErrors(`unsure-${status}`, [`no response that ${how}`]);
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
    const [digest] = await reportErrors("ended-1", ["no session"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await markWindow(page);
    const body = JSON.stringify({ reason: "unauthenticated" });
    const contentType = "application/json";
    for (const path of ["**/state", "**/annotations"])
      await page.route(path, (route) => route.fulfill({ status: 401, contentType, body }));
    const signedOut = page.locator("[data-announcer]:not(.visually-hidden)", {
      hasText: "You are signed out.",
    });
    await page.keyboard.press("r");
    await signedOut.waitFor();
    expect(await page.locator("main [data-state]").first().getAttribute("data-state")).toBe("open");
    await page.locator("#comment").fill("since Monday");
    await page.keyboard.press("Control+Enter");
    await eventually(async () =>
      expect(await page.locator("form[aria-busy=true]").count()).toBe(0),
    );
    expect(await page.locator("#comment").inputValue()).toBe("since Monday");
    expect(await isSameWindow(page)).toBe(true);
  });

  it("Ctrl+Enter sends a comment; the button leaves the focus at the activity", async () => {
    const [digest] = await reportErrors("comment-1", ["no remark"]);
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
    const [digest] = await reportErrors("twice-1", ["no double fault"]);
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
    await reportErrors("again-1", ["no response at first"]);
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
});

describe("keyboard shortcuts", () => {
  it("move between rows, select an issue and open it", async () => {
    const digests = await reportErrors("keys-1", createMessages("keys"));
    const page = await product.open();
    await page.goto('/issues?q=release:"keys-1"', { waitUntil: "load" });
    await rows(page).first().waitFor();
    const [newest, second] = await readDigests(page);
    expect(digests).toContain(newest);
    const at = () => page.evaluate(() => document.activeElement?.id);
    await page.keyboard.press("j");
    expect(await at()).toBe(`issue-${newest}`);
    await page.keyboard.press("j");
    expect(await at()).toBe(`issue-${second}`);
    await page.keyboard.press("x");
    expect(await page.locator(":checked[name=digest]").getAttribute("value")).toBe(second);
    await page.keyboard.press("k");
    expect(await at()).toBe(`issue-${newest}`);
    await page.keyboard.press("i");
    await page.locator(`.issue-row[data-state="ignored"] #issue-${second}`).waitFor();
    await page.locator(`#issue-${newest}`).focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/d/${newest}?list=*`);
  });

  it("focus the search, are ignored while typing, and open the command palette", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("query");
    await page.keyboard.type("j?x/");
    expect(await page.locator("#query").inputValue()).toBe("j?x/");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search, go/ }).fill("releases");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/releases");
  });

  it("are listed together with those of the page", async () => {
    await reportErrors("keys-2", createMessages("listed"));
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await rows(page).first().waitFor();
    await page.keyboard.press("?");
    const keys = await page.locator("#shortcuts:popover-open").innerText();
    for (const word of ["Command palette", "Next and previous row", "Resolve"])
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
});

describe("triage by keyboard", () => {
  it("keeps its place: each action leads to the row that moved up", async () => {
    await reportErrors("triage-1", createMessages("triage"));
    const page = await product.open();
    // Not as Errata spells it.
    await page.goto('/issues?sort=last&q=release:"triage-1"+is:open', { waitUntil: "load" });
    await rows(page).first().waitFor();
    const [first, second, third, fourth] = await readDigests(page);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    await page.locator(`#issue-${second}`).waitFor({ state: "detached" });
    expect(await readFocus(page)).toBe(`issue-${third}`);
    await page.keyboard.press("m");
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
    await page.keyboard.press("i");
    await page.getByText("No matching issues.").waitFor();
    await page.locator(".flash button").click();
    await page.locator(`#issue-${fourth}`).waitFor();
  });

  it("handles keys that are pressed while an action is being sent, in their order", async () => {
    await reportErrors("triage-3", createMessages("fast"));
    const page = await product.open();
    await page.goto('/issues?q=is:open+release:"triage-3"', { waitUntil: "load" });
    await rows(page).first().waitFor();
    const [, , third, fourth] = await readDigests(page);
    for (const key of "jrmjr") await page.keyboard.press(key);
    await page.locator(`#issue-${fourth}`).waitFor({ state: "detached" });
    expect(await readDigests(page)).toEqual([third]);
    expect(await readFocus(page)).toBe(`issue-${third}`);
  });

  it("goes from an issue to the next one and back to its row in the list", async () => {
    await reportErrors("triage-2", createMessages("walk"));
    const page = await product.open();
    await page.goto('/issues?q=is:open+release:"triage-2"', { waitUntil: "load" });
    await rows(page).first().waitFor();
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
    const [digest] = await reportErrors("triage-3", ["no arrow"]);
    const page = await product.open();
    await page.goto(`/d/${digest}`, { waitUntil: "load" });
    await page.keyboard.press("i");
    const option = (name: string) => page.locator("#ignored-menu button", { hasText: name });
    const isFocused = (name: string) =>
      option(name).evaluate((one) => one === document.activeElement);
    await eventually(async () => expect(await isFocused("For 1 hour")).toBe(true));
    await page.keyboard.press("r");
    await page.keyboard.press("ArrowDown");
    expect(await isFocused("For 1 day")).toBe(true);
    await page.keyboard.press("Enter");
    await page.locator(".decision", { hasText: "Ignored" }).waitFor();
  });

  it("opens the next row by Enter while the action on the row before it is being sent", async () => {
    const [first, second] = await reportErrors("triage-4", ["no early enter", "no late enter"]);
    const page = await product.open();
    await page.goto('/issues?q=is:open release:"triage-4"', { waitUntil: "load" });
    const [top] = await readDigests(page);
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route("**/issues/state", async (route) => {
      await held;
      await route.continue();
    });
    for (const key of ["j", "r", "Enter"]) await page.keyboard.press(key);
    respond();
    await page.waitForURL("**/d/**");
    expect(new URL(page.url()).pathname).toBe(`/d/${top === first ? second : first}`);
  });

  it("shows the previous state of a row whose action could not be sent", async () => {
    const [digest] = await reportErrors("triage-5", ["no signal"]);
    const page = await product.open();
    await page.goto('/issues?q=is:open release:"triage-5"', { waitUntil: "load" });
    await page.context().setOffline(true);
    for (const key of ["j", "r"]) await page.keyboard.press(key);
    await page.locator("[data-announcer]", { hasText: "nothing was sent" }).waitFor();
    expect(await rows(page).first().getAttribute("data-state")).toBe("open");
    expect(await rows(page).first().locator(".state").textContent()).toContain("Open");
    await page.context().setOffline(false);
    expect((await product.json(`/d/${digest}`)).state).toBe("open");
  });

  it("Ctrl+K focuses the lookup if the command palette could not be loaded", async () => {
    const page = await product.open();
    await page.goto("/issues", { waitUntil: "load" });
    await page.route("**/assets/palette-*.js", (route) => route.abort());
    await page.keyboard.press("Control+k");
    await eventually(async () =>
      expect(await page.locator("[data-lookup-input]:focus").count()).toBe(1),
    );
    expect(await page.locator("[data-toast]").count()).toBe(0);
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

describe("an open issue list", () => {
  it("shows new issues without a reload", async () => {
    await reportErrors("live-1", ["no first one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-1"', { waitUntil: "load" });
    await markWindow(page);
    await waitForSocket(page);
    await reportErrors("live-1", ["no second one"]);
    await page.getByText("no second one").waitFor();
    expect(await isSameWindow(page)).toBe(true);
  });

  it("does not change while issues are selected, and shows the number of new reports", async () => {
    await reportErrors("live-2", ["no selected one"]);
    const page = await product.open();
    await page.goto('/issues?q=release:"live-2"', { waitUntil: "load" });
    await page.locator("input[name=digest]").first().check();
    await waitForSocket(page);
    await reportErrors("live-2", ["no late one"]);
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
    const digests = new Set(await reportErrors("live-3", Object.values(MARKUP)));
    expect(digests.size).toBeGreaterThan(1);
    await eventually(async () => {
      expect(await rows(page).filter({ hasText: "live-3" }).count()).toBe(digests.size);
    });
    const ran = await page.evaluate(() => (globalThis as { __xss?: string }).__xss);
    expect(ran).toBeUndefined();
    expect(await page.locator("main :is(img, iframe, svg[onload], [onerror])").count()).toBe(0);
  });
});
