// What stands on the pictures: the captures of tests/fixtures, one error that is told at length, and one report that is as
// long and as hostile as the limits allow.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";

/** Sends the captures, then the story of one error; gives its digest. @param {string} url */
export async function tellStory(url) {
  const folder = join(root, "tests", "fixtures");
  for (const name of readdirSync(folder).filter(
    (file) => file.endsWith(".json") && !/preflight/.test(file),
  )) {
    const { body, bodyBase64, onRequestError } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    const sent = onRequestError ? JSON.stringify(onRequestError) : body;
    await send(url, sent ?? Buffer.from(bodyBase64, "base64"));
  }
  let digest = "";
  for (let i = 0; i < 14; i++) {
    const answer = await send(url, JSON.stringify(serverError(i)));
    digest = JSON.parse(answer).digest;
    if (i % 3 === 0) await send(url, JSON.stringify(visitor(digest, i)));
  }
  const other = serverError(99);
  other.error.message = "no stock for sku-1";
  await send(url, JSON.stringify(other));
  return digest;
}

/** Sends one report that overflows everything, in scripts of both directions; gives its digest. @param {string} url */
export async function overflow(url) {
  await send(url, `{}\n{"type":"event"}\n${JSON.stringify(hostileEvent())}\n`);
  const response = await fetch(`${url}/lookup?q=${HOSTILE_ID}`, {
    headers: { accept: "application/json" },
  });
  const { hits } = await response.json();
  return /** @type {string} */ (hits[0].digest);
}

/** @param {string} url @param {string | Uint8Array<ArrayBuffer>} body */
async function send(url, body) {
  const response = await fetch(`${url}/monitoring`, { method: "POST", body });
  return response.text();
}

const HOSTILE_ID = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e";
const MARKUP = `"'><img src=x onerror=alert(1)></title><script>alert(1)</script>`;
const ARABIC = "تعذّر حساب السعر لأن السلة فارغة";
const HEBREW = "\u202eהסל ריק ולכן אין מחיר";
const EMOJI = "👩‍👩‍👧‍👦🛒💥🏳️‍🌈";

function hostileEvent() {
  const long = `${ARABIC} ${EMOJI} ${MARKUP} ${"averylongwordwithoutanyspace".repeat(40)} ${"and so on ".repeat(900)}`;
  const frames = Array.from({ length: 300 }, (_, i) => ({
    function: `${i % 7 === 0 ? MARKUP : "step"}${i}`,
    filename: `/srv/${i % 5 === 0 ? "node_modules/library" : ARABIC}/${"deep/".repeat(i % 12)}file${i}.ts`,
    lineno: i + 1,
    colno: 7,
    in_app: i % 5 !== 0,
    context_line: `  ${MARKUP.repeat(3)} // ${HEBREW}`,
  }));
  const tags = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`tag-${i}`, i % 2 === 0 ? EMOJI : MARKUP]),
  );
  return {
    event_id: HOSTILE_ID,
    platform: "node",
    level: "error",
    release: `${"release-".repeat(20)}${HEBREW}`,
    environment: `${MARKUP}${"environment".repeat(9)}`,
    transaction: `/${ARABIC}/${MARKUP}`,
    request: {
      url: `https://shop.example/${encodeURIComponent(ARABIC)}?${"q=1&".repeat(300)}`,
      method: MARKUP,
      headers: { "User-Agent": `${EMOJI} ${"Mozilla/".repeat(60)}` },
    },
    tags,
    breadcrumbs: Array.from({ length: 120 }, (_, i) => ({
      timestamp: Date.now() / 1000 - i,
      category: i % 3 === 0 ? MARKUP : "fetch",
      message: `${i} ${HEBREW} ${"crumb ".repeat(i)}`,
    })),
    exception: {
      values: [
        { type: "Cause".repeat(50), value: MARKUP.repeat(30) },
        { type: `${EMOJI}Error${"Error".repeat(30)}`, value: long, stacktrace: { frames } },
      ],
    },
  };
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
