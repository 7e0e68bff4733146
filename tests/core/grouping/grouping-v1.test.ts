// Grouping, version 1, frozen. Each row is an error, its key and its digest, as they are on users'
// screenshots and in the keys of the store. If a row must change, version 1 was changed: undo that
// and write the new behavior as a version 2 in a folder of its own.

import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestFromHash } from "#src/core/grouping/encode-digest.ts";
import { type Groupable, groupReport } from "#src/core/grouping/grouping.ts";

const source = (file: string) => [{ function: "f", file, line: 1, column: 2, inApp: true }];

const rows: readonly { report: Partial<Groupable>; key: string; digest: string }[] = [
  {
    report: { message: "no error boundary here", type: "TypeError" },
    key: "1|error|TypeError|no error boundary here",
    digest: "3Q6A-7TET",
  },
  {
    report: { message: "coupon 'SUMMER' has expired" },
    key: "1|error|Error|coupon * has expired",
    digest: "93G3-50ZK",
  },
  {
    report: {
      message:
        "order 12345 of jane@shop.example not found at https://shop.example/orders/12345?x=1",
    },
    key: "1|error|Error|order * of * not found at *",
    digest: "09RF-EGJ0",
  },
  {
    report: {
      message: "no cart 9d8f4c2e-abcd-4abc-8def-0123456789ab since 2026-11-21T16:08:33.736Z",
    },
    key: "1|error|Error|no cart * since *",
    digest: "W1QN-9MNS",
  },
  {
    report: { message: "ENOENT: no such file or directory, open '/srv/shop/cart.json'" },
    key: "1|error|Error|ENOENT: no such file or directory, open *",
    digest: "2H72-9V1T",
  },
  {
    report: { message: "refused by 10.0.0.1:443 and fe80::1ff:fe23:4567:890a" },
    key: "1|error|Error|refused by *:443 and *",
    digest: "MMAV-QAZR",
  },
  {
    report: { message: "cus_NffrFeUfNV2Hib has 3 cards, S3 none" },
    key: "1|error|Error|* has * card, S* none",
    digest: "2AA3-DPGD",
  },
  {
    report: { message: "lines 1, 2, 3 are empty" },
    key: "1|error|Error|lines * are empty",
    digest: "EXEE-F280",
  },
  { report: { message: "  two\n  lines " }, key: "1|error|Error|two lines", digest: "Z33F-DW5J" },
  { report: { message: "a|b" }, key: "1|error|Error|a¦b", digest: "M1VS-3KKZ" },
  {
    report: { message: "カートが空です" },
    key: "1|error|Error|カートが空です",
    digest: "4QZ7-SXV1",
  },
  {
    report: { message: "Uncaught (in promise) RangeError: page 7 is out of range" },
    key: "1|error|RangeError|page * is out of range",
    digest: "M5A2-SBV4",
  },
  {
    report: { message: "stock service is down", type: "t", route: "/cart/:id" },
    key: "1|error|Error|stock service is down",
    digest: "KT9F-6T33",
  },
  {
    report: { message: "stream 7 was reset", type: "Http2StreamError", route: "/cart/:id" },
    key: "1|error|Http2StreamError|stream * was reset",
    digest: "W8ZA-S7FP",
  },
  {
    report: { message: "", route: "/cart/:id" },
    key: "1|error|Error||/cart/*",
    digest: "21T9-1Q9P",
  },
  {
    report: { message: "", type: "Null", route: "GET /search?q=1" },
    key: "1|error|Null||/search",
    digest: "F34C-H630",
  },
  {
    report: { message: "'x' 17", route: "/cart/:id" },
    key: "1|error|Error|*|/cart/*",
    digest: "HM4C-7KJ5",
  },
  {
    report: { message: "[object Object]", route: "/cart/:id" },
    key: "1|error|Error|[object Object]|/cart/*",
    digest: "RQKE-YYNH",
  },
  {
    report: {
      message: "Cannot read properties of undefined (reading 'total')",
      type: "TypeError",
      frames: source("webpack-internal:///(rsc)/./src/cart.tsx"),
    },
    key: "1|error|TypeError|property: total of undefined|src/cart.tsx",
    digest: "CKMG-5VYX",
  },
  {
    report: {
      message: 'can\'t access property "total", e is null',
      type: "TypeError",
      route: "/cart/:id",
    },
    key: "1|error|TypeError|property: total of null|/cart/*",
    digest: "FKJX-BZJT",
  },
  {
    report: {
      message: "Cannot destructure property 'total' of 'e' as it is undefined.",
      type: "TypeError",
      route: "/cart/:id",
    },
    key: "1|error|TypeError|destructuring of nothing|/cart/*",
    digest: "45C2-P07S",
  },
  {
    report: { message: "(0 , r.useCart) is not a function", type: "TypeError", route: "/cart/:id" },
    key: "1|error|TypeError|no function: useCart|/cart/*",
    digest: "M3D8-92HK",
  },
  {
    report: { message: "e is not a function", type: "TypeError", route: "/cart/:id" },
    key: "1|error|TypeError|no function: *|/cart/*",
    digest: "59K6-JB64",
  },
  {
    report: { message: "t.Rate is not a constructor", type: "TypeError", route: "/cart/:id" },
    key: "1|error|TypeError|no constructor: Rate|/cart/*",
    digest: "4ST8-P7S7",
  },
  {
    report: { message: "e is not iterable", type: "TypeError", route: "/cart/:id" },
    key: "1|error|TypeError|not iterable|/cart/*",
    digest: "ZA81-5AYT",
  },
  {
    report: { message: "Can't find variable: process", type: "ReferenceError", route: "/cart/:id" },
    key: "1|error|ReferenceError|not defined: process",
    digest: "Z1ES-31DQ",
  },
  {
    report: {
      message: "Cannot access 'e' before initialization",
      type: "ReferenceError",
      route: "/cart/:id",
    },
    key: "1|error|ReferenceError|used before its initialization|/cart/*",
    digest: "VVA0-7H2S",
  },
  {
    report: { message: "too much recursion", type: "InternalError", route: "/cart/:id" },
    key: "1|error|RangeError|too much recursion|/cart/*",
    digest: "M4R2-MW2Y",
  },
  {
    report: {
      message: "Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
      type: "SyntaxError",
      route: "/cart/:id",
    },
    key: "1|error|SyntaxError|not JSON|/cart/*",
    digest: "W5M3-G919",
  },
  {
    report: { message: "expected expression, got '<'", type: "SyntaxError", route: "/cart/:id" },
    key: "1|error|SyntaxError|script not understood|/cart/*",
    digest: "TK6H-FBR1",
  },
  {
    report: {
      message: "NetworkError when attempting to fetch resource.",
      type: "TypeError",
      route: "/cart/:id",
    },
    key: "1|error|TypeError|request failed|/cart/*",
    digest: "8QZA-7G8X",
  },
  {
    report: { message: "Importing a module script failed.", type: "TypeError", route: "/cart/:id" },
    key: "1|error|TypeError|module not loaded",
    digest: "TNVZ-CFG1",
  },
  {
    report: {
      message: "Loading chunk 17 failed.\n(error: https://shop.example/17.3f9a.js)",
      type: "ChunkLoadError",
      route: "/cart/:id",
    },
    key: "1|error|ChunkLoadError|chunk not loaded",
    digest: "TVCZ-7T0Z",
  },
  {
    report: { message: "signal is aborted without reason", type: "AbortError", route: "/cart/:id" },
    key: "1|error|AbortError|aborted|/cart/*",
    digest: "50SD-4W5T",
  },
  {
    report: {
      message:
        "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
      type: "NotFoundError",
      route: "/cart/:id",
    },
    key: "1|error|NotFoundError|not a child of the node|/cart/*",
    digest: "1BNF-12VA",
  },
  {
    report: {
      message: "Response.text: Body has already been consumed.",
      type: "TypeError",
      route: "/cart/:id",
    },
    key: "1|error|TypeError|call of the platform: Response.text|/cart/*",
    digest: "ZBSK-6Y1D",
  },
  {
    report: {
      message:
        "Minified React error #418; visit https://react.dev/errors/418?args[]=HTML for the full message",
      route: "/cart/:id",
    },
    key: "1|error|Error|React error: 418|/cart/*",
    digest: "VHTQ-W9P8",
  },
  {
    report: {
      message: "ResizeObserver loop completed with undelivered notifications.",
      route: "/cart/:id",
    },
    key: "1|error|ResizeObserver|ResizeObserver loop",
    digest: "CCZA-HMGY",
  },
  {
    report: { message: "Script error.", route: "/cart/:id" },
    key: "1|error|Error|error of another origin|/cart/*",
    digest: "RBGC-7BWE",
  },
  {
    report: { kind: "message", message: "user 17 signed in" },
    key: "1|message|Error|user * signed in",
    digest: "Z8C9-BJ3S",
  },
  {
    report: {
      kind: "csp",
      type: "script-src-elem",
      message: "x",
      fingerprint: ["script-src-elem", "inline", "/"],
    },
    key: "1|csp|by fingerprint|script-src-elem|inline|/",
    digest: "E6Y6-K0ZJ",
  },
  {
    report: { message: "no cart", fingerprint: ["{{ default }}", "tenant-7"] },
    key: "1|error|by fingerprint|Error|no cart|tenant-7",
    digest: "6P7S-H2X9",
  },
  {
    report: {
      kind: "browser",
      type: "deprecation",
      message: "Synchronous XMLHttpRequest is deprecated",
      route: "/cart/:id",
    },
    key: "1|browser|deprecation|Synchronous XMLHttpRequest is deprecated",
    digest: "WGBX-WGMR",
  },
  {
    report: {
      kind: "network",
      type: "dns.address_changed",
      message: "dns.address_changed",
      route: "/cart/:id",
    },
    key: "1|network|dns.address_changed|dns.address_changed",
    digest: "AYGK-EW0B",
  },
];

describe("version 1", () => {
  for (const { report, key, digest } of rows) {
    it(`gives ${digest} for ${key}`, () => {
      const created = groupReport({
        kind: "error",
        side: "browser",
        type: "Error",
        message: "",
        frames: [],
        ...report,
      }).key;
      expect(created).toBe(key);
      expect(digestFromHash(createHash("sha256").update(created).digest())).toBe(digest);
    });
  }

  it("is covered by at least 25 different errors", () => {
    expect(rows.length).toBeGreaterThanOrEqual(25);
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(rows.length);
  });
});
