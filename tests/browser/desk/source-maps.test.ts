import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findAxeViolations } from "#support/browser/axe.ts";
import { openProduct } from "#support/browser/product.ts";
import { MAPPED_FILES, reportMinifiedError, uploadMap } from "#support/source-maps/mapped-issue.ts";

const product = openProduct();
let path = "";

beforeEach(async () => {
  path = `/d/${await reportMinifiedError(product.url)}`;
});

/** Deletes all uploads, so that the stack is minified again. */
afterEach(async () => {
  const response = await fetch(`${product.url}/source-maps.json`);
  const { uploads } = (await response.json()) as { uploads: readonly { id: string }[] };
  const headers = { origin: product.url, "sec-fetch-site": "same-origin" };
  for (const { id } of uploads)
    await fetch(`${product.url}/source-maps/${id}/delete`, { method: "POST", headers });
});

describe("a map that is dropped onto a stack", () => {
  it("resolves it in the browser, with the names of its script, and is not uploaded", async () => {
    const page = await product.open();
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
    });
    await page.goto(path);
    await page.setInputFiles(".map-file input", MAPPED_FILES);
    await page.getByText("Nothing was uploaded.").waitFor();
    await page.locator("[data-local-stack] .function", { hasText: "Money.parse" }).waitFor();
    await page.getByText("throw new RangeError").first().waitFor();
    expect(sent.filter((request) => !request.includes("/monitoring"))).toEqual([]);
  });

  it("is read where it is dropped", async () => {
    const page = await product.open();
    await page.goto(path);
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["no map"], "index-Cepvnn19.js.map"));
      return data;
    });
    await page.dispatchEvent("[data-stack-url] .frames", "drop", { dataTransfer: transfer });
    await page.getByText("index-Cepvnn19.js.map cannot be read:").waitFor();
  });

  it("is uploaded when the person asks for it, and then serves the team", async () => {
    const page = await product.open();
    await page.goto(path);
    await page.setInputFiles(".map-file input", MAPPED_FILES);
    await page.getByRole("button", { name: "Upload for the team" }).click();
    await page.getByText("Uploaded. Reload the page in a moment.").waitFor();
    await page.goto("/source-maps");
    await page.getByText("1 map").waitFor();
    await page.goto(path);
    await page.getByText("throw new RangeError").first().waitFor();
  });
});

it.each([
  { width: 360, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
] as const)(
  "a minified stack says why, accessibly, at $width px",
  async ({ width, colorScheme }) => {
    const page = await product.open({ colorScheme, viewport: { width, height: 900 } });
    await page.goto(path);
    await page.getByText("nothing was uploaded for release shop@1.4.0").waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await page.setInputFiles(".map-file input", MAPPED_FILES);
    await page.getByText("Nothing was uploaded.").waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  },
);

it.each([true, false])("both stacks are shown, with scripts: %s", async (javaScriptEnabled) => {
  await uploadMap(product.url);
  const page = await product.open({ javaScriptEnabled });
  await page.goto(path);
  const original = page.locator("[data-stack-url]").getByText("src/money.js", { exact: true });
  await original.waitFor();
  await page.getByRole("link", { name: "As sent" }).click();
  await page.getByText("index-Cepvnn19.js").first().waitFor();
  await page.getByRole("link", { name: "Original" }).click();
  await original.waitFor();
});
