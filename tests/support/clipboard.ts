/** What was copied. No page of Errata may read the clipboard, so one of the same browser does that has no policy. */
import type { Page } from "playwright-core";

/** The text in the clipboard of the page's browser, which must have the permission `clipboard-read`. Leaves the page. */
export async function copied(page: Page): Promise<string> {
  await page.goto("/robots.txt");
  return page.evaluate(() => navigator.clipboard.readText());
}
