// The pictures of the README: six pages, light and dark, at twice the resolution.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { root } from "../install.mjs";

/** CSS pixels. */
const VIEWPORT = { width: 1280, height: 900 };
const WEBP_QUALITY = 80;
/** After this time, streamed parts have arrived and fonts are drawn. */
const SETTLED_MS = 1_200;

/** Takes pictures of pages into `.readme`: `<name>-<scheme>.webp`. `pages` are paths by name. */
export async function takeReadmePictures(
  browser: Browser,
  url: string,
  pages: Readonly<Record<string, string>>,
) {
  const folder = join(root, ".readme");
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(pages)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const options = { viewport: VIEWPORT, deviceScaleFactor: 2, colorScheme };
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(`${url}${path}`, { waitUntil: "load" });
      await page.waitForTimeout(SETTLED_MS);
      const devtools = await context.newCDPSession(page);
      const { data } = await devtools.send("Page.captureScreenshot", {
        format: "webp",
        quality: WEBP_QUALITY,
      });
      writeFileSync(join(folder, `${name}-${colorScheme}.webp`), Buffer.from(data, "base64"));
      await context.close();
    }
  }
}
