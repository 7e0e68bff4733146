import { describe, expect, it } from "vitest";
import type { Platform } from "#src/core/report.ts";
import { formatStack } from "#support/reports/format-stack.ts";

interface Case {
  readonly name: string;
  /** Absent if the format has to be recognized. */
  readonly platform?: Platform;
  readonly text: string;
  /** As `formatStack` writes them. */
  readonly lines: readonly string[];
}

const JAVASCRIPT_CASES: readonly Case[] = [
  {
    name: "an error in a log, with its cause and members, as Node writes them",
    text: `quote failed: TypeError [ERR_X]: Cannot read
more
    at surcharge (/app/dist/surcharge.js:12:29)
    at async Promise.all (index 0)
    at async /app/dist/routes.js:21:21 {
  code: 'X',
  [cause]: AggregateError: many
      at g (/app/dist/y.js:1:2) {
    [errors]: [
      Error: a
          at h (/app/dist/z.js:1:2),
      RangeError: b
          at i (/app/dist/z.js:3:4)
    ]
  }
}`,
    lines: [
      "javascript TypeError: Cannot read\nmore",
      "  surcharge @ /app/dist/surcharge.js:12:29",
      "* Promise.all",
      "  @ /app/dist/routes.js:21:21",
      "0 > group AggregateError: many",
      "  g @ /app/dist/y.js:1:2",
      "1 > Error: a",
      "  h @ /app/dist/z.js:1:2",
      "1 > RangeError: b",
      "  i @ /app/dist/z.js:3:4",
    ],
  },
  {
    name: "a message that quotes a cause",
    text: `Error: charge failed
Caused by: timeout
    at f (/app/a.js:1:2)`,
    lines: ["javascript Error: charge failed\nCaused by: timeout", "  f @ /app/a.js:1:2"],
  },
  {
    name: "Gecko",
    text: `f@https://shop.example/a.js:1:2
g@https://shop.example/a.js:1:2`,
    lines: [
      "javascript ?: ?",
      "  f @ https://shop.example/a.js:1:2",
      "  g @ https://shop.example/a.js:1:2",
    ],
  },
  {
    name: "WebKit with native code before the first URL",
    text: `TypeError: no price
sort@[native code]
total@[native code]
global code@https://shop.example/a.js:1:2`,
    lines: [
      "javascript TypeError: no price",
      "* sort",
      "* total",
      "  global code @ https://shop.example/a.js:1:2",
    ],
  },
  {
    name: "Hermes",
    text: `Error: x
    at pay (address at index.android.bundle:1:234567)
    at ?anon_0_ (address at InternalBytecode.js:1:2)
    at next (native)`,
    lines: [
      "javascript Error: x",
      "  pay @ index.android.bundle:1:234567",
      "* ?anon_0_ @ InternalBytecode.js:1:2",
      "* next",
    ],
  },
  {
    name: "V8 in React Native",
    text: `Error: boom
    at Object.onPress(index.android.bundle:2342:3773)
    at s.handle(index.android.bundle:214:2048)
    at index.android.bundle:1:2`,
    lines: [
      "javascript Error: boom",
      "  Object.onPress @ index.android.bundle:2342:3773",
      "  s.handle @ index.android.bundle:214:2048",
      "  @ index.android.bundle:1:2",
    ],
  },
  {
    name: "JavaScriptCore in React Native",
    platform: "react-native",
    text: `pay@index.android.bundle:1:2
next@[native code]
handle@/var/containers/Bundle/Application/1A/Shop.app/main.jsbundle:3:4`,
    lines: [
      "react-native ?: ?",
      "  pay @ index.android.bundle:1:2",
      "* next",
      "  handle @ /var/containers/Bundle/Application/1A/Shop.app/main.jsbundle:3:4",
    ],
  },
  {
    name: "React server components in a browser",
    text: `Error: x
    at Page (about://React/Server/file:///srv/app/.next/server/chunks/ssr/%5Broot%5D__x._.js?42:10:11)
    at  List (rsc://React/Server/webpack-internal:///(rsc)/./src/List.tsx?3:10:11)
    at Bad (about://React/Prerender/file:///srv/%.js?0:1:2)
    at resolveErrorDev (webpack-internal:///(app-pages-browser)/./node_modules/next/dist/compiled/x.js:1:2)`,
    lines: [
      "javascript Error: x",
      "  Page @ file:///srv/app/.next/server/chunks/ssr/[root]__x._.js:10:11",
      "  List @ webpack-internal:///(rsc)/./src/List.tsx:10:11",
      "  Bad @ file:///srv/%.js:1:2",
      "* resolveErrorDev @ webpack-internal:///(app-pages-browser)/./node_modules/next/dist/compiled/x.js:1:2",
    ],
  },
  {
    name: "Deno and Bun",
    text: `Error: x
    at f (file:///srv/main.ts:1:2)
    at g (https://jsr.io/@std/assert/1.0.0/mod.ts:1:2)
    at g (https://deno.land/x/oak@v12/mod.ts:1:2)
    at h (ext:core/01_core.js:1:2)
    at i (file:///root/.cache/deno/npm/registry.npmjs.org/express/4.18.2/lib/x.js:1:2)
    at j (npm:express@4.18.2/x.js:1:2)
    at k (jsr:@std/x/mod.ts:1:2)
    at l (native:7:39)
    at m (bun:wrap:1:2)
    at n (app:///index.android.bundle:1:2)`,
    lines: [
      "javascript Error: x",
      "  f @ file:///srv/main.ts:1:2",
      "* g @ https://jsr.io/@std/assert/1.0.0/mod.ts:1:2",
      "* g @ https://deno.land/x/oak@v12/mod.ts:1:2",
      "* h @ ext:core/01_core.js:1:2",
      "* i @ file:///root/.cache/deno/npm/registry.npmjs.org/express/4.18.2/lib/x.js:1:2",
      "* j @ npm:express@4.18.2/x.js:1:2",
      "* k @ jsr:@std/x/mod.ts:1:2",
      "* l @ native:7:39",
      "* m @ bun:wrap:1:2",
      "  n @ app:///index.android.bundle:1:2",
    ],
  },
];

const PLAIN_CASES: readonly Case[] = [
  {
    name: "a message of several lines",
    text: `a plain
message at 10:20
  in the morning (really)
Foo: bar`,
    lines: [],
  },
  {
    name: "a list",
    text: `Failed:
  1: first item
  2: second item
#3 third (item)`,
    lines: [],
  },
  {
    name: "a header alone",
    text: `Traceback (most recent call last):
KeyError: 'x'`,
    lines: [],
  },
  {
    name: "an address",
    text: `mail a@b.example:25:3 or
** (see below)
from me: in 'x'`,
    lines: [],
  },
];

describe("a stack of JavaScript", () => {
  it.each(JAVASCRIPT_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});

describe("text without a stack has no error", () => {
  it.each(PLAIN_CASES)("$name", ({ text, platform, lines }) => {
    expect(formatStack(text, platform)).toEqual(lines);
  });
});
