import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();
const KEY = "0123456789abcdef0123456789abcdef";
const ID = "9f8e7d6c5b4a32100123456789abcdef";
const TITLE = '<img src="x" onerror="alert(1)">';

/** A page of another origin with a strict policy, that allows only what SDKs need. */
const site = createServer((_request, response) => {
  const policy = `default-src 'none'; script-src ${product.url}; connect-src ${product.url}`;
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.end("<!doctype html><html lang=en><title>Shop</title><main><h1>Shop</h1></main>");
});

beforeAll(() => new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => void site.close(resolve)));

/** Opens the page and shows the dialog as the SDK does. Returns the violations of its policy. */
async function showDialog(width = 800) {
  const page = await product.open({ viewport: { width, height: 700 } });
  const address = new URL("/api/embed/error-page/", product.url);
  address.search = new URLSearchParams({
    dsn: product.url.replace("://", `://${KEY}@`).concat("/1"),
    eventId: ID,
    name: "Ann",
    title: TITLE,
    labelSubmit: "Send",
  }).toString();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await page.evaluate(() => {
    window.addEventListener("message", ({ data }) => {
      document.title = String(data);
    });
  });
  await page.evaluate((src) => {
    const script = document.createElement("script");
    Object.assign(script, { async: true, crossOrigin: "anonymous", src });
    document.body.append(script);
  }, address.href);
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  return { page, dialog, errors };
}

describe("the dialog of showReportDialog on a page with a strict policy", () => {
  it("sends the form as feedback, and tells the SDK that it was closed", async () => {
    const event = `{"event_id":"${ID}"}\n{"type":"event"}\n{"message":"the cart is closed"}`;
    await fetch(`${product.url}/api/1/envelope/?sentry_key=${KEY}`, {
      method: "POST",
      body: event,
    });
    const { page, dialog, errors } = await showDialog();
    expect(await page.getByRole("heading", { level: 2 }).textContent()).toBe(TITLE);
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Ann");
    await dialog.getByLabel("What happened?").fill("Page is blank after paying");
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByRole("status").waitFor();
    expect(await dialog.getByRole("status").textContent()).toContain("Thank you");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.title === "__sentry_reportdialog_closed__");
    expect(await dialog.count()).toBe(0);
    expect(errors).toEqual([]);
    const { hits } = await product.json(`/lookup?q=${ID}`);
    const [hit] = hits as readonly { digest: string }[];
    const html = await (await fetch(`${product.url}/d/${hit?.digest}`)).text();
    expect(html).toContain("the cart is closed");
    expect(html).toContain("Page is blank after paying");
  });

  it.each([360, 1_200])("has no axe violations, and fits, %i px wide", async (width) => {
    const { page, dialog } = await showDialog(width);
    expect(await findAxeViolations(page)).toEqual([]);
    const box = await dialog.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  });

  it("says so if the form cannot be sent, and keeps the text", async () => {
    const { page, dialog } = await showDialog();
    await page.route("**/api/embed/error-page/**", (route) => route.abort());
    await dialog.getByLabel("What happened?").fill("Blank");
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("An unknown error occurred").waitFor();
    expect(await dialog.getByLabel("What happened?").inputValue()).toBe("Blank");
  });
});
