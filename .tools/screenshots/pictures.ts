// Takes a picture of pages in every size and color scheme.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { root } from "../install.mjs";
import type { Pages } from "./page-list.ts";

/** The folder of the pictures, which is not committed. */
export const FOLDER = join(root, ".screenshots");
const SIZES = [
  { name: "phone", width: 360, height: 780 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "wide", width: 1440, height: 900 },
];
const SCHEMES = ["light", "dark"] as const;
const SETTLED_MS = 700;
/**
 * The pages that take longer to load, with the time in ms. One waits seven seconds for the first
 * report.
 */
const WAITS_MS: Readonly<Record<string, number>> = {
  "empty-connect": 8_000,
  "unavailable-connect": 8_000,
  "unknown-digest": 6_000,
};

/**
 * Takes a picture of each page whose name contains one of the words, of all pages without words.
 * `headers` may have a cookie.
 */
export async function takePictures(
  browser: Browser,
  words: readonly string[],
  url: string,
  prefix: string,
  pages: Pages,
  { cookie, ...extraHTTPHeaders }: Record<string, string> = {},
) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(pages)) {
    const full = `${prefix}${name}`;
    if (words.length > 0 && !words.some((word) => full.includes(word))) continue;
    const take = async (colorScheme: (typeof SCHEMES)[number]) => {
      for (const { name: size, width, height } of SIZES) {
        const viewport = { width, height };
        const context = await browser.newContext({ viewport, colorScheme, extraHTTPHeaders });
        const [cookieName = "", value = ""] = (cookie ?? "").split("=");
        if (cookie) await context.addCookies([{ name: cookieName, value, url }]);
        const page = await context.newPage();
        await page.goto(`${url}${path}`, { waitUntil: "load" });
        await page.waitForTimeout(WAITS_MS[full] ?? SETTLED_MS);
        const file = join(FOLDER, `${full}.${size}.${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
        await context.close();
      }
    };
    await Promise.all(SCHEMES.map(take));
  }
}
