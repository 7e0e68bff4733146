/**
 * Reads the clipboard. Errata's pages may not read it, so a page without a policy in the same
 * browser does.
 */
import type { Page } from "playwright-core";

/**
 * The text in the clipboard of the page's browser, which needs the permission `clipboard-read`, once
 * the page confirms the copy: leaving the page earlier would cancel it. Navigates the page
 * elsewhere.
 */
export async function readCopiedText(page: Page): Promise<string> {
  await page.getByText("Copied", { exact: true }).first().waitFor();
  await page.goto("/robots.txt");
  return page.evaluate(() => navigator.clipboard.readText());
}
