import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";

const product = openProduct();

/** The entry of a list of the settings with this name. */
const entry = (page: Page, name: string) =>
  page.locator("main li").filter({ hasText: name }).first();

const flash = (page: Page) => page.locator(".flash");

describe.each([true, false])("with scripts: %s", (javaScriptEnabled) => {
  it("a token that was revoked by one click is restored by another", async () => {
    const name = `Nightly ${javaScriptEnabled}`;
    const page = await product.open({ javaScriptEnabled });
    await page.goto("/settings");
    await page.locator("summary", { hasText: "Create token" }).click();
    await page.locator("form:has([value=add-token]) [name=name]").fill(name);
    await page.locator("#add-token").click();
    await page.getByText("Copy it now.").waitFor();
    await page.goto("/settings");
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await flash(page).getByText("Token revoked. You can undo this for 30 seconds.").waitFor();
    expect(await page.getByRole("button", { name: `Revoke ${name}` }).count()).toBe(0);
    await flash(page).locator("button").click();
    await flash(page).getByText("Undone. It works again.").waitFor();
    expect(await page.getByRole("button", { name: `Revoke ${name}` }).count()).toBe(1);
  });

  it("a destination that was deleted by one click is restored by another", async () => {
    const name = `#shop-${javaScriptEnabled}`;
    const page = await product.open({ javaScriptEnabled });
    const url = "https://hooks.slack.com/services/T0/B0/x7Qa";
    await fetch(`${product.url}/settings/alerts/destinations`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ do: "save", kind: "slack", name, url }),
    });
    await page.goto("/settings/alerts");
    await entry(page, name).getByRole("button", { name: "Delete" }).click();
    await flash(page).getByText("Destination deleted. You can undo this for 30 seconds.").waitFor();
    expect(await page.getByText(name).count()).toBe(0);
    if (javaScriptEnabled) await page.keyboard.press("z");
    else await flash(page).locator("button").click();
    await flash(page).getByText("Undone. The destination gets alerts again.").waitFor();
    await page.getByText(name).first().waitFor();
    await page.getByText("…x7Qa").first().waitFor();
  });
});
