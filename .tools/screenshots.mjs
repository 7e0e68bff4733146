// `npm run screenshots`: fills an empty Errata with the captures of tests/fixtures and one story, and takes pictures of
// every page in its states: phone to wide, light and dark, into .screenshots (not committed). The picture in the README is
// one of them: `npm run screenshots -- readme` takes that one alone.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { root, toolEnv } from "./run.mjs";

const onlyReadme = process.argv.includes("readme");
const sizes = [
  { name: "phone", width: 360, height: 780 },
  { name: "tablet", width: 768, height: 1024 },
  { name: "wide", width: 1440, height: 900 },
];
const settledMs = 700;

const built = await build();
if (!built.ok) throw new Error(built.message);
Object.assign(process.env, toolEnv);
const { serve } = await import("./serve.mjs");
const { launchChromium } = await import("../tests/support/chromium.mjs");
const served = await serve({ log: () => {} });
const browser = await launchChromium();
try {
  const empty = join(root, ".screenshots");
  if (!onlyReadme) await picture("/", join(empty, "home-empty"));
  const digest = await seed();
  await picture(`/d/${digest}`, join(root, ".readme", "issue"), { readme: true });
  if (!onlyReadme) await pictures(digest, empty);
} finally {
  await browser.close();
  await served.stop();
}

/** Every page, in every size and scheme. @param {string} digest @param {string} folder */
async function pictures(digest, folder) {
  const pages = {
    home: "/",
    issue: `/d/${digest}`,
    hits: "/lookup?q=2338823894",
    "unknown-digest": "/d/0000-0000",
    misread: `/d/${digest.slice(0, -1)}${digest.endsWith("8") ? "B" : "8"}`,
    "unknown-code": "/lookup?q=1234567890",
    "control-flow": "/lookup?q=NEXT_REDIRECT;replace;/login;307;",
    receipt: `/e/${digest}`,
    "receipt-unknown": "/e/0000-0000",
    status: "/status",
    noise: "/noise",
    "self-test": "/self-test",
    "failed-shell": "/self-test/shell",
    "failed-boundary": "/self-test/after-flush",
    "failed-in-browser": "/self-test/uncaught",
    missing: "/missing",
  };
  for (const [name, path] of Object.entries(pages)) await picture(path, join(folder, name));
  console.log(`Pictures of ${Object.keys(pages).length + 1} pages are in ${folder}`);
}

/** @param {string} path @param {string} file @param {{ readme?: boolean }} [options] */
async function picture(path, file, { readme = false } = {}) {
  mkdirSync(join(file, ".."), { recursive: true });
  for (const { name, width, height } of readme ? [{ name: "", width: 1200, height: 860 }] : sizes) {
    for (const colorScheme of readme
      ? /** @type {const} */ (["light"])
      : /** @type {const} */ (["light", "dark"])) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      await page.goto(`${served.url}${path}`, { waitUntil: "load" });
      await page.waitForTimeout(settledMs);
      const suffix = readme ? "" : `.${name}.${colorScheme}`;
      await page.screenshot({ path: `${file}${suffix}.png`, fullPage: !readme });
      await context.close();
    }
  }
}

/** Sends the captures, then the story of one error; gives its digest. */
async function seed() {
  const folder = join(root, "tests", "fixtures");
  for (const name of readdirSync(folder).filter(
    (file) => file.endsWith(".json") && !/preflight/.test(file),
  )) {
    const { body, bodyBase64, onRequestError } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    await send(
      onRequestError ? JSON.stringify(onRequestError) : (body ?? Buffer.from(bodyBase64, "base64")),
    );
  }
  let digest = "";
  for (let i = 0; i < 14; i++) {
    const answer = await send(JSON.stringify(serverError(i)));
    digest = JSON.parse(answer).digest;
    if (i % 3 === 0) await send(JSON.stringify(visitor(digest, i)));
  }
  await send(
    JSON.stringify({
      ...serverError(99),
      error: { ...serverError(99).error, message: "no stock for sku-1" },
    }),
  );
  return digest;
}

/** @param {string | Uint8Array<ArrayBuffer>} body */
async function send(body) {
  const response = await fetch(`${served.url}/monitoring`, { method: "POST", body });
  return response.text();
}

/** @param {number} i */
function serverError(i) {
  return {
    error: {
      name: "TypeError",
      message: "Cannot read properties of undefined (reading 'total')",
      digest: "2338823894",
      stack: [
        "TypeError: Cannot read properties of undefined (reading 'total')",
        "    at priceOf (/srv/shop/app/checkout/price.ts:41:17)",
        "    at summarize (/srv/shop/app/checkout/summary.ts:18:12)",
        "    at Summary (/srv/shop/app/checkout/[step]/page.tsx:27:21)",
        "    at renderWithHooks (/srv/shop/node_modules/next/dist/compiled/next-server/app-page.runtime.prod.js:2:84521)",
        "    at renderElement (/srv/shop/node_modules/next/dist/compiled/next-server/app-page.runtime.prod.js:2:91034)",
        "    at async Checkout (/srv/shop/app/checkout/layout.tsx:9:3)",
      ].join("\n"),
    },
    request: {
      path: `/checkout/payment?cart=${8100 + i}`,
      method: "GET",
      headers: {
        host: "shop.example",
        "user-agent":
          "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile/15E148 Safari/604.1",
        "accept-language": "en-GB,en;q=0.9",
      },
    },
    context: {
      routerKind: "App Router",
      routePath: "/checkout/[step]",
      routeType: "render",
      renderSource: "react-server-components",
    },
  };
}

/** @param {string} digest @param {number} i */
function visitor(digest, i) {
  return {
    errata: 1,
    id: (i + 1).toString(16).padStart(32, "c"),
    how: "notice",
    type: "Notice",
    message: "A visitor was shown the notice.",
    digest,
    url: `https://shop.example/checkout/payment?cart=${8100 + i}`,
    at: Date.now(),
    release: "shop@1.4.2",
    environment: "production",
    language: "en-GB",
    viewport: "390x844",
  };
}
