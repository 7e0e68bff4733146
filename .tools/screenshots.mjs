// `npm run screenshots`: takes pictures of every page of the desk in each of its states (empty, filled, overflowing and
// hostile, failing), on a phone, a tablet and a wide screen, light and dark, into .screenshots (not committed). The picture
// in the README is one of them: `npm run screenshots -- readme` takes that one alone, and with other words those whose names
// have one of them in it (`npm run screenshots -- receipt empty`).

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { makeLink } from "./link.mjs";
import { root, toolEnv } from "./run.mjs";
import { moveIn } from "./screenshots/people.mjs";
import { serveForPictures } from "./screenshots/servers.mjs";
import { overflow, tellStory } from "./screenshots/story.mjs";

const words = process.argv.slice(2);
const onlyReadme = words.includes("readme");
const folder = join(root, ".screenshots");
const sizes = [
  { name: "phone", width: 360, height: 780 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "wide", width: 1440, height: 900 },
];
const schemes = /** @type {const} */ (["light", "dark"]);
const settledMs = 700;
/** A page that waits for the first report does so for seven seconds. */
const patience = { "empty-connect": 8_000, "away-connect": 8_000, "unknown-digest": 6_000 };

const LISTS = {
  home: "/",
  issues: "/issues",
  releases: "/releases",
  policies: "/policies",
  live: "/live",
  connect: "/connect",
  status: "/status",
};

/** What owners see of who may enter. */
const SETTINGS = {
  settings: "/settings",
  audit: "/settings/audit",
  "settings-second": "/p/2/settings",
  "home-second": "/p/2/",
};

const FAILING = {
  "failed-shell": "/self-test/shell",
  "failed-boundary": "/self-test/after-flush",
  "failed-in-browser": "/self-test/uncaught",
};

const built = await build();
if (!built.ok) throw new Error(built.message);
Object.assign(process.env, toolEnv);
const { launchChromium } = await import("../tests/support/chromium.mjs");
const browser = await launchChromium();
let taken = 0;
try {
  await withErrata({}, takeWhole);
  if (!onlyReadme) await withErrata({ isIndexAway: true }, takeAway);
} finally {
  await browser.close();
}
if (!onlyReadme) console.log(`${taken} pictures are in ${folder}`);

/** @param {{ isIndexAway?: boolean }} options @param {(url: string, code: string) => Promise<void>} take */
async function withErrata(options, take) {
  const link = makeLink(Date.now());
  const served = await serveForPictures({ ...options, setup: link.setup });
  try {
    await take(served.url, new URL(link.at(served.url)).hash.slice(1));
  } finally {
    await served.stop();
  }
}

/** Empty, then filled, then with what overflows. @param {string} url @param {string} code */
async function takeWhole(url, code) {
  if (!onlyReadme) await pictures(url, "empty-", LISTS);
  const digest = await tellStory(url);
  if (onlyReadme || words.length === 0) await readmePicture(`${url}/d/${digest}`);
  if (onlyReadme) return;
  await fetch(`${url}/sample`, { method: "POST" });
  const [sample] = await digestsOf(url, "priceInPence");
  await pictures(url, "", { ...LISTS, ...filled(digest, sample ?? digest), ...FAILING });
  const hostile = await overflow(url);
  await pictures(url, "hostile-", {
    home: "/",
    issues: "/issues",
    issue: `/d/${hostile}`,
    releases: "/releases",
    receipt: `/e/${hostile}`,
    live: "/live",
    status: "/status",
  });
  const stranger = { "x-forwarded-for": "203.0.113.9" };
  await pictures(url, "", { enter: "/enter" }, stranger);
  const cookie = await moveIn(url, code);
  await pictures(url, "", { me: "/me", projects: "/projects", ...SETTINGS }, { cookie });
}

/** With the index away: what is known is shown, what is not says so. @param {string} url */
async function takeAway(url) {
  await tellStory(url);
  await pictures(url, "away-", LISTS);
}

/** @param {string} digest @param {string} sample @returns {Record<string, string>} */
function filled(digest, sample) {
  const misread = `${digest.slice(0, -1)}${digest.endsWith("8") ? "B" : "8"}`;
  return {
    issue: `/d/${digest}`,
    "issue-sample": `/d/${sample}`,
    "issues-regressed": "/issues?q=is:regressed",
    "issues-noise": "/issues?q=is:noise",
    "issues-filtered": '/issues?q=env:"sample"+release:shop@2.4.0&sort=count',
    "issues-none": "/issues?q=is:open+browser:lynx+nothing",
    release: "/releases/shop@2.4.0",
    "release-unknown": "/releases/none",
    hits: "/lookup?q=2338823894",
    "unknown-digest": "/d/0000-0000",
    misread: `/d/${misread}`,
    "unknown-code": "/lookup?q=1234567890",
    "control-flow": "/lookup?q=NEXT_REDIRECT;replace;/login;307;",
    receipt: `/e/${digest}`,
    "receipt-sent": `/e/${digest}?sent=1`,
    "receipt-unknown": "/e/0000-0000",
    "self-test": "/self-test",
    missing: "/missing",
  };
}

/** Every page, in every size and scheme. @param {string} url @param {string} prefix
 * @param {Record<string, string>} pages @param {Record<string, string>} [headers] */
async function pictures(url, prefix, pages, headers = {}) {
  for (const [name, path] of Object.entries(pages)) {
    const full = `${prefix}${name}`;
    if (words.length > 0 && !words.some((word) => full.includes(word))) continue;
    mkdirSync(folder, { recursive: true });
    await Promise.all(
      schemes.map(async (colorScheme) => {
        for (const size of sizes)
          await picture(`${url}${path}`, full, { size, colorScheme, headers });
      }),
    );
  }
}

/** @param {string} address @param {string} name
 * @param {{ size: typeof sizes[number], colorScheme: typeof schemes[number], headers: Record<string, string> }} options */
async function picture(address, name, { size, colorScheme, headers }) {
  const { width, height } = size;
  const viewport = { width, height };
  const { cookie, ...extraHTTPHeaders } = headers;
  const context = await browser.newContext({ viewport, colorScheme, extraHTTPHeaders });
  const [cookieName = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await context.addCookies([{ name: cookieName, value, url: address }]);
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  await page.waitForTimeout(Reflect.get(patience, name) ?? settledMs);
  await page.screenshot({
    path: join(folder, `${name}.${size.name}.${colorScheme}.png`),
    fullPage: true,
  });
  taken++;
  await context.close();
}

/** @param {string} address */
async function readmePicture(address) {
  const viewport = { width: 1200, height: 860 };
  const context = await browser.newContext({ viewport, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  await page.waitForTimeout(settledMs);
  await page.screenshot({ path: join(root, ".readme", "issue.png") });
  await context.close();
}

/** @param {string} url @param {string} words @returns {Promise<string[]>} */
async function digestsOf(url, words) {
  const response = await fetch(`${url}/lookup?q=${encodeURIComponent(words)}`, {
    headers: { accept: "application/json" },
  });
  /** @type {{ hits: { digest: string }[] }} */
  const { hits } = await response.json();
  return hits.map(({ digest }) => digest);
}
