// A new project whose pages are open when its first report arrives.

import { expect, it } from "vitest";
import { openProduct } from "#support/browser/product.ts";
import { waitForSocket } from "#support/browser/wait-for-socket.ts";

const product = openProduct();

it("the home page shows the first report by itself, though its field has the focus", async () => {
  const page = await product.open();
  await page.goto("/", { waitUntil: "load" });
  await page.getByText("No issues yet.").waitFor();
  await waitForSocket(page);
  expect(await page.locator("#lookup").evaluate((field) => field.matches(":focus"))).toBe(true);
  await fetch(`${product.url}/monitoring`, {
    method: "POST",
    body: JSON.stringify({
      ...{ errata: 1, id: "d".repeat(32), how: "uncaught", type: "Error", message: "no tea" },
      stack: "Error: no tea\n    at total (https://shop.example/cart.js:4:9)",
      url: "https://shop.example/cart",
    }),
  });
  await page.getByRole("link", { name: "Error no tea" }).waitFor();
  expect(await page.getByText("No issues yet.").count()).toBe(0);
});
