// `npm run screenshots`: takes pictures of every page in each state (empty, filled, hostile,
// failing), on a phone, a tablet and a wide screen, light and dark, into .screenshots (not
// committed). `npm run screenshots -- readme` takes only the pictures of the README; other words
// select the pictures whose names contain one of them (`npm run screenshots -- receipt empty`).

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { NOTICE_DIGEST } from "../src/core/sample/sample-shop.ts";
import { reportMinifiedError, uploadMap } from "../tests/support/source-maps/mapped-issue.ts";
import { build } from "./build.ts";
import { toolEnv } from "./command/run-package.ts";
import { makeLink } from "./deploy/sign-in-link.ts";
import { root } from "./install.mjs";
import { captureNames, createRequest, readCapture } from "./reports/captures.ts";
import { sendHostile } from "./screenshots/hostile.ts";
import { setUpPeople } from "./screenshots/people.ts";
import { takeReadmePictures } from "./screenshots/readme-pictures.ts";
import { serveForPictures } from "./screenshots/servers.ts";

const words = process.argv.slice(2);
const onlyReadme = words.includes("readme");
const folder = join(root, ".screenshots");
const sizes = [
  { name: "phone", width: 360, height: 780 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "wide", width: 1440, height: 900 },
];
const schemes = ["light", "dark"] as const;
const settledMs = 700;
/**
 * The pages that take longer to load, with the time in ms. One waits seven seconds for the first
 * report.
 */
const waitMs = { "empty-connect": 8_000, "unavailable-connect": 8_000, "unknown-digest": 6_000 };

const LISTS = {
  home: "/",
  issues: "/issues",
  releases: "/releases",
  policies: "/csp",
  live: "/live",
  connect: "/connect",
  status: "/status",
};

/** The pages of owners. */
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

/** A policy that would allow some of the sample's violations. */
const PICTURED_POLICY =
  "default-src 'self'; script-src 'self' https://widgets.chat-helper.example; img-src 'self'";

const built = await build();
if (!built.ok) throw new Error(built.message);
Object.assign(process.env, toolEnv);
const { launchChromium } = await import("../tests/support/browser/chromium.ts");
const browser = await launchChromium();
let taken = 0;
try {
  await withErrata({}, takeWhole);
  if (!onlyReadme) await withErrata({ isIndexUnavailable: true }, takeWithoutIndex);
} finally {
  await browser.close();
}
if (!onlyReadme) console.log(`${taken} pictures are in ${folder}`);

async function withErrata(
  options: { isIndexUnavailable?: boolean },
  take: (url: string, code: string) => Promise<void>,
) {
  const link = makeLink(Date.now());
  const served = await serveForPictures({ ...options, setup: link.setup });
  try {
    await take(served.url, new URL(link.at(served.url)).hash.slice(1));
  } finally {
    await served.stop();
  }
}

/** Takes pictures of an empty project, of a filled one, and of one with too long texts. */
async function takeWhole(url: string, code: string) {
  if (!onlyReadme) await pictures(url, "empty-", LISTS);
  await sendCaptures(url);
  await fetch(`${url}/sample`, { method: "POST" });
  const digest = await findSampleDigest(url);
  if (onlyReadme || words.length === 0)
    await takeReadmePictures(browser, url, await listReadmePages(url));
  if (onlyReadme) return;
  await pictures(url, "", { ...LISTS, ...filled(digest), ...FAILING });
  const hostile = await sendHostile(url);
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
  await pictures(url, "", { enter: "/sign-in" }, stranger);
  const cookie = await setUpPeople(url, code);
  await pictures(url, "", { me: "/profile", projects: "/projects", ...SETTINGS }, { cookie });
}

/** Takes pictures without the index. */
async function takeWithoutIndex(url: string) {
  await sendCaptures(url);
  await pictures(url, "unavailable-", LISTS);
}

function filled(digest: string): Record<string, string> {
  const misread = `${digest.slice(0, -1)}${digest.endsWith("8") ? "B" : "8"}`;
  return {
    issue: `/d/${digest}`,
    "issues-regressed": "/issues?q=is:regressed",
    "issues-noise": "/issues?q=is:noise",
    "issues-filtered": '/issues?q=env:"sample"+release:shop@2.4.0&sort=count',
    "issues-none": "/issues?q=is:open+browser:lynx+nothing",
    release: "/releases/shop@2.4.0",
    "release-unknown": "/releases/none",
    hits: `/lookup?q=${NOTICE_DIGEST}`,
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

/** Every page, in every size and scheme. */
async function pictures(
  url: string,
  prefix: string,
  pages: Record<string, string>,
  headers: Record<string, string> = {},
) {
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

async function picture(
  address: string,
  name: string,
  {
    size,
    colorScheme,
    headers,
  }: {
    size: (typeof sizes)[number];
    colorScheme: (typeof schemes)[number];
    headers: Record<string, string>;
  },
) {
  const { width, height } = size;
  const viewport = { width, height };
  const { cookie, ...extraHTTPHeaders } = headers;
  const context = await browser.newContext({ viewport, colorScheme, extraHTTPHeaders });
  const [cookieName = "", value = ""] = (cookie ?? "").split("=");
  if (cookie) await context.addCookies([{ name: cookieName, value, url: address }]);
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "load" });
  await page.waitForTimeout(Reflect.get(waitMs, name) ?? settledMs);
  await page.screenshot({
    path: join(folder, `${name}.${size.name}.${colorScheme}.png`),
    fullPage: true,
  });
  taken++;
  await context.close();
}

/** The pages in the README's pictures: the sample, and an error with an uploaded source map. */
async function listReadmePages(url: string): Promise<Record<string, string>> {
  const digest = await findSampleDigest(url);
  await uploadMap(url);
  return {
    home: "/",
    issue: `/d/${await reportMinifiedError(url)}`,
    misread: filled(digest).misread ?? "/",
    receipt: `/e/${digest}`,
    release: "/releases/shop@2.4.0",
    policy: `/csp?policy=${encodeURIComponent(PICTURED_POLICY)}`,
  };
}

async function sendCaptures(url: string) {
  for (const name of captureNames()) {
    const response = await fetch(`${url}/monitoring`, createRequest(readCapture(name)));
    await response.arrayBuffer();
  }
}

/** The issue of the Next.js digest that visitors of the sample saw. */
async function findSampleDigest(url: string): Promise<string> {
  const response = await fetch(`${url}/lookup?q=${NOTICE_DIGEST}`, {
    headers: { accept: "application/json" },
  });
  const { hits }: { hits: { digest: string }[] } = await response.json();
  return hits[0]?.digest ?? "";
}
