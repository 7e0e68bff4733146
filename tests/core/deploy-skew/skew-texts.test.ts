import { describe, expect, test } from "vitest";
import { findSkewKind } from "#src/core/deploy-skew/skew-texts.ts";

const inBrowser = (message: string) => findSkewKind({ kind: "error", side: "browser", message });
const onServer = (message: string) => findSkewKind({ kind: "error", side: "server", message });

const FILES: readonly (readonly [source: string, message: string])[] = [
  [
    "Chromium with Vite",
    "Failed to fetch dynamically imported module: https://shop.example/assets/cart-BX2c91.js",
  ],
  [
    "Chromium, as a window error",
    "Uncaught (in promise) TypeError: Failed to fetch dynamically imported module: https://shop.example/_app/immutable/nodes/4.DL90h7xO.js",
  ],
  [
    "Firefox",
    "error loading dynamically imported module: https://shop.example/assets/cart-BX2c91.js",
  ],
  ["Safari", "Importing a module script failed."],
  [
    "Safari, where the address answers with a page",
    "'text/html' is not a valid JavaScript MIME type.",
  ],
  [
    "Chromium, where the address answers with a page",
    'Failed to load module script: Expected a JavaScript-or-Wasm module script but the server responded with a MIME type of "text/html". Strict MIME type checking is enforced for module scripts per HTML spec.',
  ],
  [
    "Firefox, where the address answers with a page",
    "Loading module from “https://shop.example/assets/cart-BX2c91.js” was blocked because of a disallowed MIME type (“text/html”).",
  ],
  [
    "webpack",
    "Loading chunk 7126 failed.\n(error: https://shop.example/static/js/7126.1c2d3e4f.chunk.js)",
  ],
  [
    "webpack with names, on one line",
    "Loading chunk app/cart/[id]/page failed. (missing: https://shop.example/_next/static/chunks/app/cart/%5Bid%5D/page-9f.js)",
  ],
  [
    "webpack's styles by mini-css-extract-plugin",
    "Loading CSS chunk 12 failed.\n(/static/css/12.3a4b5c6d.css)",
  ],
  ["webpack's own styles", "Loading css chunk 12 failed.\n(missing: https://shop.example/12.css)"],
  [
    "webpack's remote containers",
    'Loading script failed.\n(missing: https://cart.example/remoteEntry.js)\nwhile loading "./Cart"',
  ],
  ["Rspack", "Loading chunk vendors-node_modules_lodash_js failed.\n(timeout: /js/vendors.js)"],
  ["Turbopack", "Failed to load chunk /_next/static/chunks/0c6aeb2c4dbf2d7e.js from module 46798"],
  [
    "Turbopack, for another chunk",
    "Failed to load chunk /_next/static/chunks/3.js as a runtime dependency of chunk static/chunks/4.js",
  ],
  [
    "Turbopack's scripts",
    "Failed to load chunk static/chunks/8f3.js from runtime for chunk static/4.js: Error",
  ],
  [
    "Turbopack, where the chunk is of another build",
    "Module 28932 was instantiated because it was required from module 33290, but the module factory is not available.",
  ],
  ["Parcel", "Cannot find module '4Kd9f'"],
  [
    "Parcel's dynamic import",
    "Failed to fetch dynamically imported module: https://shop.example/cart.5f1c.js. Error: 404",
  ],
  ["Vite's styles", "Unable to preload CSS for /assets/cart-DkX1.css"],
  ["the Pages Router of Next.js", "Failed to load script: /_next/static/chunks/pages/cart-81bd.js"],
  ["React Router", "Unable to discover routes due to manifest version mismatch."],
  [
    "React's payloads",
    'Could not find the module "[project]/app/cart.tsx <module evaluation>" in the React Client Manifest. This is probably a bug in the React Server Components bundler.',
  ],
  [
    "React's payloads, minified",
    "Minified React error #596; visit https://react.dev/errors/596?args[]=cart.tsx for the full message or use the non-minified dev environment for full errors and additional helpful warnings.",
  ],
];

const FUNCTIONS: readonly (readonly [source: string, message: string])[] = [
  [
    "Next.js",
    'Failed to find Server Action "40a1b2c3". This request might be from an older or newer deployment.\nRead more: https://nextjs.org/docs/messages/failed-to-find-server-action',
  ],
  [
    "Next.js before 15",
    "Failed to find Server Action. This request might be from an older or newer deployment.",
  ],
  [
    "Next.js in the browser",
    'Server Action "40a1b2c3" was not found on the server. \nRead more: https://nextjs.org/docs/messages/failed-to-find-server-action',
  ],
  ["TanStack Start", "Server function info not found for a7f3c2"],
  ["TanStack Start, of a module", "Server function module not resolved for a7f3c2"],
  ["vinext", "Server action not found."],
  [
    "Astro",
    "The server received a request for an action named `addToCart` but could not find a match. If you renamed an action, check that you've updated your `actions/index` file and your calling code to match.",
  ],
];

describe("the texts of a missing file", () => {
  test.each(FILES)("are those of %s", (_, message) => {
    expect(inBrowser(message)).toBe("file");
  });

  test.each(FILES)("are no skew on a server: %s", (_, message) => {
    expect(onServer(message)).toBeUndefined();
  });
});

describe("the texts of a missing server function", () => {
  test.each(FUNCTIONS)("are those of %s, on both sides", (_, message) => {
    expect([inBrowser(message), onServer(message)]).toEqual(["function", "function"]);
  });
});

describe("other errors", () => {
  test.each([
    "Cannot read properties of undefined (reading 'call')",
    "Cannot find module './cart'",
    "Cannot find module 'lodash'",
    "Cannot find module 'react'",
    "the widget says: Loading chunk 5 failed.",
    "Loading chunk",
    "Failed to fetch",
    "Load failed",
    "Failed to load script: https://maps.example/api.js",
    "Failed to find Server Actions page",
    "Minified React error #418; visit https://react.dev/errors/418?args[]=text",
    "Minified React error #5960; visit https://react.dev/errors/5960",
    `Loading module from ${"x".repeat(100_000)}`,
    `Module ${"1 ".repeat(50_000)}`,
  ])("are no skew: %#", (message) => {
    expect(inBrowser(message)).toBeUndefined();
  });

  test("of other kinds are no skew", () => {
    const message = "Importing a module script failed.";
    expect(findSkewKind({ kind: "message", side: "browser", message })).toBeUndefined();
  });
});
