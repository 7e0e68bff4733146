/** The state of a page in the browser that its markup does not show. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../eventually.ts";

type MarkedWindow = typeof globalThis & { stayed?: boolean };

/** Marks the window, so that `isSameWindow` finds out whether a page was loaded since. */
export function markWindow(page: Page): Promise<void> {
  return page.evaluate(() => {
    (globalThis as MarkedWindow).stayed = true;
  });
}

/** True if the browser has loaded no page since `markWindow`. */
export function isSameWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => (globalThis as MarkedWindow).stayed === true);
}

/** The id of the element with the focus. */
export function readFocus(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

/** Holds the requests of the page to these URLs. Resolves to a function that lets them continue. */
export async function holdRequests(page: Page, urls: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(urls, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** How far the page scrolls sideways, in px. */
export async function measureOverflow(page: Page): Promise<number> {
  let overflow = 0;
  // Without scripts the browser may just be loading the page that does not stream.
  await eventually(async () => {
    overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }).catch(() => undefined);
  return Math.max(0, overflow);
}
