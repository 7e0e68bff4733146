/** Waits for the live connection of a page of the desk. */
import type { Page } from "playwright-core";

/** Resolves when the page is connected: it then receives every event that follows. */
export async function waitForSocket(page: Page): Promise<void> {
  await page.locator('html[data-socket="open"]').waitFor();
}
