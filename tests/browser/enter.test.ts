import { createHash } from "node:crypto";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { shareBrowser } from "#support/browser/product.ts";
import { readNowMs } from "#support/clock/clock.ts";
import { serve } from "../../.tools/local/serve.ts";

const CODE = "a-code-that-only-the-deployer-has";
const DAY_MS = 86_400_000;

let served: Awaited<ReturnType<typeof serve>>;
/** Passkeys need a name: an address by number has none. */
let desk: string;
/** The owner, signed in with a passkey throughout. */
let owner: Page;

beforeAll(async () => {
  served = await serve({ vars: { ERRATA_SETUP: `${sha256(CODE)}.${readNowMs() + DAY_MS}` } });
  desk = served.url.replace("127.0.0.1", "localhost");
  owner = await open();
  await signInByLink(owner, `${desk}/sign-in#${CODE}`, "Ada");
});
afterAll(async () => {
  await owner?.context().close();
  await served?.stop();
});

/** A page in a browser context of its own with a virtual authenticator. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await shareBrowser()).newContext({ baseURL: desk, ...options });
  const page = await context.newPage();
  const devices = await context.newCDPSession(page);
  await devices.send("WebAuthn.enable");
  await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return page;
}

/** Signs in by an invitation link, and opens the profile page. */
async function signInByLink(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel(/^Your name/).fill(name);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(({ pathname }) => !pathname.startsWith("/sign-in"));
  await page.goto("/profile");
}

/**
 * An invitation link to the first project, from the owner's page.
 */
async function createInvitation(): Promise<string> {
  await owner.goto("/settings");
  await owner.getByRole("button", { name: "Create invitation link" }).click();
  const link = owner.locator(".one-time-secret code");
  await link.waitFor();
  return (await link.textContent()) ?? "";
}

async function createMember(name: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await open(options);
  await signInByLink(page, await createInvitation(), name);
  return page;
}

/** Adds a key on the settings page of a project; returns its DSN. */
async function addKey(page: Page, name: string): Promise<string> {
  const adder = page.locator("details", { hasText: "Add public key" });
  if ((await adder.getAttribute("open")) === null) await adder.locator("summary").click();
  await adder.getByLabel("Name").fill(name);
  await adder.getByRole("button", { name: "Add public key" }).click();
  return readDsn(page, name);
}

async function readDsn(page: Page, name: string, nth = 0): Promise<string> {
  const line = findEntry(page, name).nth(nth).locator(".copy-line code");
  await line.waitFor();
  return (await line.textContent()) ?? "";
}

function findEntry(page: Page, name: string) {
  const heading = page.getByRole("heading", { name, includeHidden: true });
  return page.locator(".entry").filter({ has: heading });
}

/** The status of a report with a DSN. */
async function sendReport(dsn: string): Promise<number> {
  const { username } = new URL(dsn);
  const body = JSON.stringify({ error: { message: "no tea" }, request: { path: "/" } });
  const url = `${served.url}/monitoring?sentry_key=${username}`;
  return (await fetch(url, { method: "POST", body })).status;
}

/** The status of a request that a script of the page sends. */
function postFromPage(page: Page, path: string, body: object): Promise<number> {
  return page.evaluate(
    async ([url, json]) => {
      const headers = { "Content-Type": "application/json" };
      return (await fetch(url, { method: "POST", headers, body: json })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("the sign-in page", () => {
  it("is shown to visitors who are not signed in, and returns them to the page they opened", async () => {
    const page = await open();
    const link = await createInvitation();
    await page.goto("/issues?q=is:archived");
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await signInByLink(page, link, "Barbara");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await findEntry(page, "Passkey").waitFor();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/sign-in");
    await page.goto("/issues?q=is:archived");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL("**/issues?q=is:archived");
    await page.context().close();
  });

  it("removes the code of a link from the URL, and accepts a link once", async () => {
    const page = await open();
    await page.goto(`/sign-in?returnTo=%2Fissues#${CODE}`);
    const code = page.getByLabel(/^Code from/);
    await expect.poll(() => code.inputValue()).toBe(CODE);
    expect(page.url()).toBe(`${desk}/sign-in?returnTo=%2Fissues`);
    const [signIn] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "POST"),
      page.getByRole("button", { name: "Sign in", exact: true }).click(),
    ]);
    expect(signIn.status()).toBe(403);
    expect(await page.getByRole("alert").textContent()).toContain("Invalid code");
    expect(page.url()).toBe(`${desk}/sign-in?returnTo=%2Fissues`);
    await page.context().close();
  });

  it("asks for the name again, with the code of the link kept", async () => {
    const page = await open();
    await page.goto(await createInvitation());
    const signIn = page.getByRole("button", { name: "Sign in", exact: true });
    await signIn.click();
    await page.getByRole("alert").getByText("Enter your name").waitFor();
    expect(await page.getByLabel(/^Code from/).isVisible()).toBe(false);
    // The field to correct has the focus.
    await page.keyboard.type("Joan");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Joan" }).waitFor();
    await page.context().close();
  });

  it("names the person whom a new setup link signs in again, in place of asking for a name", async () => {
    const page = await open();
    await page.route("**/sign-in/invitation", (route) => route.fulfill({ json: { name: "Ada" } }));
    await page.goto(`/sign-in#${CODE}`);
    await page.getByRole("button", { name: "Sign in as Ada" }).waitFor();
    expect(await page.getByLabel(/^Your name/).isVisible()).toBe(false);
    expect(await page.locator("main").innerText()).toMatch(/^Welcome back\.\s+Sign in as Ada$/);
    await page.context().close();
  });

  it("suggests a passkey after a sign-in by code; the passkey works until it is removed", async () => {
    const page = await createMember("Grace");
    const suggestion = page.getByText("Add a passkey now.");
    await suggestion.waitFor();
    await page.getByLabel("Device name").fill("Laptop");
    await page.getByRole("button", { name: "Add passkey" }).click();
    await findEntry(page, "Laptop").waitFor();
    expect(await suggestion.count()).toBe(0);
    const signOutAndIn = async () => {
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL("**/sign-in");
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    };
    await signOutAndIn();
    await page.waitForURL(`${desk}/`);
    // The link of a profile whose sign-in is not recent.
    await page.goto("/sign-in?again=1&returnTo=%2Fprofile");
    await page.getByRole("heading", { name: "Sign in again" }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${desk}/profile`);
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await suggestion.waitFor();
    await signOutAndIn();
    await page.getByText("Unknown passkey").waitFor();
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await page.context().close();
  });

  it("accepts a recovery code once, in any spelling", async () => {
    const page = await createMember("Katherine");
    await page.getByRole("button", { name: "Create codes" }).click();
    const code = (await page.locator(".codes li code").first().textContent()) ?? "";
    expect(code).toMatch(/^\w{4}(-\w{4}){3}$/);
    await page.getByText("8 codes left.").waitFor();
    const signInWithCode = async () => {
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await page.waitForURL("**/sign-in");
      await page.getByLabel(/^Code from/).fill(code.toUpperCase().replaceAll("-", " "));
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await signInWithCode();
    await page.waitForURL("**/profile*");
    await page.getByRole("heading", { name: "Katherine" }).waitFor();
    await page.getByText("7 codes left.").waitFor();
    await signInWithCode();
    await page.getByRole("alert").waitFor();
    await page.context().close();
  });
});

describe("an owner", () => {
  it("rotates a key with an overlap, and revokes the old key immediately", async () => {
    await owner.goto("/settings");
    const oldDsn = await addKey(owner, "Web shop");
    await findEntry(owner, "Web shop").locator("summary").click();
    await owner.getByRole("button", { name: "Rotate" }).click();
    await owner.getByText("expires").first().waitFor();
    const newDsn = await readDsn(owner, "Web shop", 1);
    expect(newDsn).not.toBe(oldDsn);
    expect(await sendReport(newDsn)).toBe(202);
    expect(await sendReport(oldDsn)).toBe(202);
    const oldKey = findEntry(owner, "Web shop").first();
    await oldKey.locator("summary").click();
    await oldKey.getByRole("button", { name: "Revoke" }).click();
    await expect.poll(() => findEntry(owner, "Web shop").count()).toBe(1);
    expect(await sendReport(oldDsn)).toBe(401);
    expect(await sendReport(newDsn)).toBe(202);
  });

  it("sees on the page which field of a form is invalid", async () => {
    await owner.goto("/settings");
    await owner.locator("summary", { hasText: "Add public key" }).click();
    const form = owner.locator("form", { hasText: "Add public key" });
    await form.getByLabel("Name").fill("Of a page");
    await form.getByLabel(/^Allowed origins/).fill("shop.example");
    await form.getByRole("button", { name: "Add public key" }).click();
    await owner.getByRole("alert").getByText("as https://shop.example").waitFor();
    expect(await findEntry(owner, "Of a page").count()).toBe(0);
  });

  it("sees a new token once, which can read its project until it is revoked", async () => {
    await owner.goto("/settings");
    await owner.locator("summary", { hasText: "Create token" }).click();
    await owner.locator("form", { hasText: "Expires" }).getByLabel("Name").fill("Nightly report");
    await owner.getByRole("button", { name: "Create token" }).click();
    const token = (await owner.locator(".one-time-secret code").first().textContent()) ?? "";
    const readIssues = async () => {
      const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
      return (await fetch(`${served.url}/api/v1/issues`, { headers })).status;
    };
    expect(await readIssues()).toBe(200);
    await owner.goto("/settings");
    expect(await owner.content()).not.toContain(token);
    await owner.getByRole("button", { name: "Revoke Nightly report" }).click();
    await expect.poll(() => findEntry(owner, "Nightly report").count()).toBe(0);
    expect(await readIssues()).toBe(401);
  });

  it("creates a project that members of other projects cannot open, and deletes it by its name", async () => {
    const member = await createMember("Hedy");
    const name = "Tea (green) *";
    await owner.goto("/projects");
    await owner.getByLabel("Name", { exact: true }).fill(name);
    await owner.getByRole("button", { name: "Create project" }).click();
    await owner.waitForURL("**/p/*/connect");
    const [base = ""] = /^\/p\/\d+/.exec(new URL(owner.url()).pathname) ?? [];
    expect((await member.goto(`${base}/issues`))?.status()).toBe(404);
    expect((await member.goto("/projects"))?.status()).toBe(200);
    expect(await member.content()).not.toContain("Tea");
    expect(await postFromPage(member, `${base}/saved-views`, { name: "Mine", query: "" })).toBe(
      404,
    );
    await owner.goto(`${base}/settings`);
    const dsn = await readDsn(owner, "First key");
    expect(await sendReport(dsn)).toBe(202);
    await owner.getByLabel(/to confirm/).fill(name);
    await owner.getByRole("button", { name: "Delete project" }).click();
    await owner.waitForURL("**/projects");
    expect(await owner.locator(".entry", { hasText: "Tea" }).count()).toBe(0);
    expect(await sendReport(dsn)).toBe(401);
    await member.context().close();
  });

  it("has settings that members can neither see nor change", async () => {
    const member = await createMember("Mary");
    await member.goto("/issues");
    expect(await member.getByRole("link", { name: "Settings" }).count()).toBe(0);
    expect(await postFromPage(member, "/settings", { do: "invite", role: "owner" })).toBe(403);
    expect((await member.goto("/settings"))?.status()).toBe(403);
    await member.context().close();
  });
});

describe("a person who loses access", () => {
  it("can neither read nor change anything after an owner removed them", async () => {
    const member = await createMember("Alan");
    await member.goto("/issues");
    expect(await postFromPage(member, "/saved-views", { name: "Mine", query: "is:archived" })).toBe(
      200,
    );
    await owner.goto("/settings");
    await owner.getByRole("button", { name: "Remove Alan" }).click();
    await expect.poll(() => findEntry(owner, "Alan").count()).toBe(0);
    expect(
      await postFromPage(member, "/saved-views", { name: "Mine too", query: "is:archived" }),
    ).toBe(401);
    await member.goto("/issues");
    expect(new URL(member.url()).pathname).toBe("/sign-in");
    await member.context().close();
  });

  it("has to sign in again after signing out everywhere else from another browser", async () => {
    const currentPage = await createMember("Edsger");
    await currentPage.getByRole("button", { name: "Create codes" }).click();
    const code = (await currentPage.locator(".codes li code").first().textContent()) ?? "";
    const otherPage = await open();
    await signInByLink(otherPage, `${desk}/sign-in#${code}`, "");
    await currentPage.goto("/profile");
    await currentPage.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect
      .poll(() =>
        postFromPage(otherPage, "/saved-views", { name: "Mine three", query: "is:archived" }),
      )
      .toBe(401);
    await otherPage.goto("/issues");
    expect(new URL(otherPage.url()).pathname).toBe("/sign-in");
    expect((await currentPage.goto("/issues"))?.status()).toBe(200);
    await otherPage.context().close();
    await currentPage.context().close();
  });
});

describe("without scripts", () => {
  it("a person signs in with a pasted link and adds a key", async () => {
    await owner.goto("/settings");
    await owner.getByLabel("Invite as").selectOption("owner");
    await owner.getByRole("button", { name: "Create invitation link" }).click();
    const link = (await owner.locator(".one-time-secret code").textContent()) ?? "";
    const page = await open({ javaScriptEnabled: false });
    await page.goto("/sign-in");
    await page.getByText("Passkeys need JavaScript").waitFor();
    await page.getByLabel(/^Code from/).fill(link);
    await page.getByLabel(/^Your name/).fill("Donald");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Donald" }).waitFor();
    await page.goto("/settings");
    expect(await sendReport(await addKey(page, "Plain"))).toBe(202);
    await page.context().close();
  });
});

describe("the pages for sign-in and settings", () => {
  const viewport = { width: 360, height: 900 };

  it("are accessible and fit on a phone", async () => {
    await owner.setViewportSize(viewport);
    for (const path of ["/profile", "/projects", "/settings", "/settings/audit", "/sign-in"]) {
      await owner.goto(path);
      for (const summary of await owner.locator("main summary").all()) await summary.click();
      await expectAccessible(owner);
    }
    const visitor = await open({ viewport });
    await visitor.goto("/sign-in");
    await expectAccessible(visitor);
    await visitor.context().close();
  });

  it("explain the setup link before the first sign-in", async () => {
    const closed = await serve();
    const page = await open({ baseURL: closed.url, viewport });
    expect((await page.goto("/issues"))?.status()).toBe(503);
    await page.getByRole("heading", { name: "Setup required" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
    await closed.stop();
  });
});

async function expectAccessible(page: Page): Promise<void> {
  expect({ at: page.url(), found: await findAxeViolations(page) }).toEqual({
    at: page.url(),
    found: [],
  });
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wider).toBeLessThanOrEqual(0);
}
