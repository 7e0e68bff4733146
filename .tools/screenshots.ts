// `npm run screenshots`: takes pictures of every page in each state (empty, filled, hostile,
// failing), on a phone, a tablet and a wide screen, light and dark, into .screenshots (not
// committed). `npm run screenshots -- readme` takes only the pictures of the README; other words
// select the pictures whose names contain one of them (`npm run screenshots -- receipt empty`).

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { NOTICE_DIGEST } from "../src/core/sample/sample-shop.ts";
import { launchChromium } from "../tests/support/browser/chromium.ts";
import { reportMinifiedError, uploadMap } from "../tests/support/source-maps/mapped-issue.ts";
import { buildOrQuit } from "./build/build.ts";
import { parseWords } from "./command/command-line.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { root } from "./install.mjs";
import { serve } from "./local/serve.ts";
import { listCaptures, readCapture, toRequest } from "./reports/captures.ts";
import {
  FAILING_PAGES,
  findDigest,
  LISTS,
  listHostilePages,
  listReadmePages,
  listSamplePages,
  OWN_PAGES,
  type Pages,
  sendHostile,
  setUpPeople,
} from "./screenshots/pages.ts";

const FOLDER = join(root, ".screenshots");
const README_FOLDER = join(root, ".readme");
const SCHEMES = ["light", "dark"] as const;
const SIZES = [
  { name: "phone", width: 360, height: 780 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "wide", width: 1440, height: 900 },
];
const README_VIEWPORT = { width: 1280, height: 900 };
const WEBP_QUALITY = 80;
/** After this time, streamed parts have arrived and fonts are drawn. */
const SETTLED_MS = 1_200;
/**
 * The pages that take longer to load, with the time in ms. One waits seven seconds for the first
 * report.
 */
const WAITS_MS: Readonly<Record<string, number>> = {
  "empty-connect": 8_000,
  "unavailable-connect": 8_000,
  "unknown-digest": 6_000,
};

const words = parseWords();
const isOnlyReadme = words.includes("readme");

await buildOrQuit();
const browser = await launchChromium();
try {
  await takeWhole();
  if (!isOnlyReadme) await takeWithoutIndex();
} finally {
  await browser.close();
}
if (!isOnlyReadme) console.log(`The pictures are in ${FOLDER}`);

/** Takes pictures of an empty project, of a filled one, and of one with too long texts. */
async function takeWhole() {
  const link = makeLink(Date.now());
  const { url, stop } = await serveErrata({ vars: { ERRATA_SETUP: link.setup } });
  try {
    if (!isOnlyReadme) await take(url, "empty-", LISTS);
    await sendCaptures(url);
    await fetch(`${url}/sample`, { method: "POST" });
    const digest = await findDigest(url, NOTICE_DIGEST);
    if (isOnlyReadme || words.length === 0) {
      await uploadMap(url);
      const pages = listReadmePages(digest, await reportMinifiedError(url));
      await takeReadmePictures(url, pages);
    }
    if (isOnlyReadme) return;
    await take(url, "", { ...LISTS, ...listSamplePages(digest), ...FAILING_PAGES });
    await take(url, "hostile-", listHostilePages(await sendHostile(url)));
    await take(url, "", { enter: "/sign-in" }, { "x-forwarded-for": "203.0.113.9" });
    const code = new URL(link.at(url)).hash.slice(1);
    await take(url, "", OWN_PAGES, { cookie: await setUpPeople(url, code) });
  } finally {
    await stop();
  }
}

/** Takes pictures of an Errata whose index fails: reports are stored, lists cannot be read. */
async function takeWithoutIndex() {
  const { url, stop } = await serveErrata({ broken: ["ProjectIndex"] });
  try {
    await sendCaptures(url);
    await take(url, "unavailable-", LISTS);
  } finally {
    await stop();
  }
}

function serveErrata({ vars, ...options }: Parameters<typeof serve>[0] & object) {
  const key = "0123456789abcdef0123456789abcdef";
  const all = { ERRATA_RELEASE: "errata@1.0.0", ...vars };
  return serve({ key, isLocalOpen: true, vars: all, ...options });
}

async function sendCaptures(url: string) {
  for (const name of listCaptures()) {
    const response = await fetch(`${url}/monitoring`, toRequest(readCapture(name)));
    await response.arrayBuffer();
  }
}

/** Takes a picture of each page that the words select, in every size and color scheme. */
async function take(
  url: string,
  prefix: string,
  pages: Pages,
  { cookie, ...extraHTTPHeaders }: Record<string, string> = {},
) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(pages)) {
    const full = `${prefix}${name}`;
    if (words.length > 0 && !words.some((word) => full.includes(word))) continue;
    const takeAll = async (colorScheme: (typeof SCHEMES)[number]) => {
      for (const { name: size, ...viewport } of SIZES) {
        const options = { viewport, colorScheme, extraHTTPHeaders };
        const page = await open(options, url, path, WAITS_MS[full], cookie);
        const file = join(FOLDER, `${full}.${size}.${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
        await page.context().close();
      }
    };
    await Promise.all(SCHEMES.map(takeAll));
  }
}

/** Takes pictures into `.readme`, at twice the resolution: `<name>-<scheme>.webp`. */
async function takeReadmePictures(url: string, pages: Pages) {
  mkdirSync(README_FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(pages)) {
    for (const colorScheme of SCHEMES) {
      const options = { viewport: README_VIEWPORT, deviceScaleFactor: 2, colorScheme };
      const page = await open(options, url, path);
      const devtools = await page.context().newCDPSession(page);
      const quality = { format: "webp", quality: WEBP_QUALITY } as const;
      const { data } = await devtools.send("Page.captureScreenshot", quality);
      const file = join(README_FOLDER, `${name}-${colorScheme}.webp`);
      writeFileSync(file, Buffer.from(data, "base64"));
      await page.context().close();
    }
  }
}

/** Opens a page in a new context, and waits until nothing moves. */
async function open(
  options: BrowserContextOptions,
  url: string,
  path: string,
  waitMs = SETTLED_MS,
  cookie?: string,
): Promise<Page> {
  const context = await browser.newContext(options);
  const [name = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.goto(`${url}${path}`, { waitUntil: "load" });
  await page.waitForTimeout(waitMs);
  return page;
}
