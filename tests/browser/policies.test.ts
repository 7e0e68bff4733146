import { describe, expect, it } from "vitest";
import { openProduct } from "../support/product.ts";

const product = openProduct();

const violation = (effectiveDirective: string, blockedURL: string) => ({
  type: "csp-violation",
  url: "https://shop.example/cart",
  body: { effectiveDirective, blockedURL, documentURL: "https://shop.example/cart" },
});

describe.each([true, false])("a policy, with scripts: %s", (javaScriptEnabled) => {
  it("is pasted and tried, mended and tried again", async () => {
    await fetch(`${product.url}/monitoring`, {
      method: "POST",
      body: JSON.stringify([
        violation("img-src", "https://cdn.example/a.png"),
        violation("script-src-elem", "inline"),
      ]),
    });
    const page = await product.open({ javaScriptEnabled });
    await page.goto("/policies", { waitUntil: "load" });
    const box = page.getByRole("textbox", { name: "Paste a policy" });
    await box.fill("nothing of the kind");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByRole("alert").getByText("This was not tried").waitFor();
    expect(await box.inputValue()).toBe("nothing of the kind");
    await box.fill("Content-Security-Policy: default-src 'self'");
    await page.getByRole("button", { name: "Try it" }).click();
    const verdicts = page.locator("td.verdict");
    await verdicts.first().waitFor();
    expect(await verdicts.allTextContents()).toEqual(["Still blocked", "Still blocked"]);
    await page.getByText("img-src 'self' https://cdn.example").waitFor();
    expect(new URL(page.url()).searchParams.get("policy")).toContain("default-src 'self'");
  });
});
