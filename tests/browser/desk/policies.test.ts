import { describe, expect, it } from "vitest";
import { readCopiedText } from "#support/browser/clipboard.ts";
import { openProduct } from "#support/browser/product.ts";
import {
  createViolation,
  DRY_RUN_PATH,
  reportViolations,
} from "#support/browser/sample-violations.ts";

const product = openProduct();

describe.each([true, false])("a policy (scripts: %s)", (javaScriptEnabled) => {
  it("is tested, corrected after an error, and tested again", async () => {
    await fetch(`${product.url}/monitoring`, {
      method: "POST",
      body: JSON.stringify([
        createViolation("img-src", "https://cdn.example/a.png"),
        createViolation("script-src-elem", "inline"),
      ]),
    });
    const page = await product.open({ javaScriptEnabled });
    await page.goto("/csp", { waitUntil: "load" });
    const box = page.getByRole("textbox", { name: "Paste a policy" });
    await box.fill("nothing of the kind");
    await page.getByRole("button", { name: "Test policy" }).click();
    await page.getByRole("alert").getByText("Not tested").waitFor();
    expect(await box.inputValue()).toBe("nothing of the kind");
    await box.fill("Content-Security-Policy: default-src 'self'");
    await page.getByRole("button", { name: "Test policy" }).click();
    const verdicts = page.locator("td.verdict");
    await verdicts.first().waitFor();
    expect(await verdicts.allTextContents()).toEqual(["Still blocked", "Still blocked"]);
    await page.getByText("img-src 'self' https://cdn.example").waitFor();
    expect(new URL(page.url()).searchParams.get("policy")).toContain("default-src 'self'");
  });
});

it("the suggested header is copied as one line, which moves nothing on a phone", async () => {
  await reportViolations(product.url);
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await product.open({ viewport: { width: 360, height: 900 }, permissions });
  await page.goto(DRY_RUN_PATH, { waitUntil: "load" });
  await page.locator(".additions").waitFor();
  await page.locator(".violation").first().waitFor();
  const header = page.locator(".suggested-policy .snippet");
  const measureSizes = async () =>
    [await header.boundingBox(), await header.locator("pre").boundingBox()].map((box) => [
      box?.width,
      box?.height,
    ]);
  const before = await measureSizes();
  await header.getByRole("button").click();
  await header.getByText("Copied").waitFor();
  expect(await measureSizes()).toEqual(before);
  expect(await readCopiedText(page)).toMatch(
    /^Content-Security-Policy: default-src 'self'; img-src [^;\n]*; connect-src [^\n]*, font-src \*$/,
  );
});
