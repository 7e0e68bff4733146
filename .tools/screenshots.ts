// `npm run screenshots`: takes pictures of every page in each state (empty, filled, hostile,
// failing), on a phone, a tablet and a wide screen, light and dark, into .screenshots (not
// committed). `npm run screenshots -- readme` takes only the pictures of the README; other words
// select the pictures whose names contain one of them (`npm run screenshots -- receipt empty`).

import { NOTICE_DIGEST } from "../src/core/sample/sample-shop.ts";
import { launchChromium } from "../tests/support/browser/chromium.ts";
import { reportMinifiedError, uploadMap } from "../tests/support/source-maps/mapped-issue.ts";
import { buildOrQuit } from "./build/build.ts";
import { parseWords } from "./command/command-line.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { serve } from "./local/serve.ts";
import { listCaptures, readCapture, toRequest } from "./reports/captures.ts";
import { findDigest, sendHostile } from "./screenshots/hostile.ts";
import {
  FAILING_PAGES,
  LISTS,
  listHostilePages,
  listReadmePages,
  listSamplePages,
  OWN_PAGES,
  type Pages,
} from "./screenshots/page-list.ts";
import { setUpPeople } from "./screenshots/people.ts";
import { FOLDER, takePictures } from "./screenshots/pictures.ts";
import { takeReadmePictures } from "./screenshots/readme-pictures.ts";

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

function take(url: string, prefix: string, pages: Pages, headers?: Record<string, string>) {
  return takePictures(browser, words, url, prefix, pages, headers);
}

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
      await takeReadmePictures(browser, url, pages);
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
