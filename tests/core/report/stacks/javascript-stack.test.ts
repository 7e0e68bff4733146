import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#src/core/limits.ts";
import { isInApp } from "#src/core/report/in-app.ts";
import {
  isBlankStack,
  limitFrames,
  parseFrames,
} from "#src/core/report/stacks/javascript-stack.ts";
import type { Frame } from "#src/core/report.ts";

type Stacks = Readonly<Record<string, Readonly<Record<string, string>>>>;
const recorded = JSON.parse(
  readFileSync(new URL("../../../fixtures/engines/stacks.json", import.meta.url), "utf8"),
) as Stacks;

/** `priceOf cart.js:3:37`, with a `*` before frames that are not in-app. */
function formatFrame(frame: Frame): string {
  const position = [frame.file, frame.line, frame.column]
    .filter((part) => part !== undefined)
    .join(":");
  return `${frame.inApp ? "" : "*"}${[frame.function, position].filter(Boolean).join(" ")}`;
}

const frames = (text: string): readonly string[] => parseFrames(text).map(formatFrame);

describe("a recorded stack", () => {
  const CART = "https://shop.example/assets/cart.js";
  const cases = [
    {
      engine: "chromium",
      stack: "class",
      frames: [
        `Object.priceOf ${CART}:3:37`,
        `${CART}:4:52`,
        "*Array.map",
        `get total ${CART}:4:34`,
        `new Cart ${CART}:6:48`,
        `${CART}:12:7`,
      ],
    },
    {
      engine: "firefox",
      stack: "class",
      frames: [
        `priceOf ${CART}:3:19`,
        `get total ${CART}:4:52`,
        `get total ${CART}:4:34`,
        `Cart ${CART}:6:30`,
        `${CART}:12:7`,
      ],
    },
    {
      engine: "javascriptcore",
      stack: "class",
      frames: [
        `priceOf ${CART}:3:36`,
        `${CART}:4:59`,
        "*map",
        `total ${CART}:4:37`,
        `Cart ${CART}:6:47`,
        `global code ${CART}:12:15`,
      ],
    },
    {
      engine: "chromium",
      stack: "new Function",
      frames: [
        `Object.priceOf ${CART}:3:37`,
        `eval ${CART}:8:27`,
        `viaFunction ${CART}:8:74`,
        `${CART}:13:7`,
      ],
    },
    {
      engine: "firefox",
      stack: "new Function",
      frames: [
        `priceOf ${CART}:3:19`,
        `anonymous ${CART}:8`,
        `viaFunction ${CART}:8:74`,
        `${CART}:13:7`,
      ],
    },
    {
      engine: "javascriptcore",
      stack: "new Function",
      frames: [
        `priceOf ${CART}:3:36`,
        "*anonymous",
        `viaFunction ${CART}:8:74`,
        `global code ${CART}:13:18`,
      ],
    },
    {
      engine: "chromium",
      stack: "message of two lines",
      frames: [`${CART}:15:32`, "*Array.sort", `${CART}:15:13`],
    },
    { engine: "chromium", stack: "native", frames: ["*JSON.parse", `${CART}:14:12`] },
    { engine: "javascriptcore", stack: "native", frames: ["*parse", `global code ${CART}:14:17`] },
    {
      engine: "node",
      stack: "async",
      frames: [
        "Object.priceOf /srv/shop/cart.js:3:37",
        "/srv/shop/cart.js:4:52",
        "*Array.map",
        "get total /srv/shop/cart.js:4:34",
        "new Cart /srv/shop/cart.js:6:48",
        "Cart.load /srv/shop/cart.js:6:97",
      ],
    },
  ];
  for (const { engine, stack, frames: expected } of cases) {
    it(`of ${engine} is parsed: ${stack}`, () => {
      expect(frames(recorded[engine]?.[stack] ?? "")).toEqual(expected);
    });
  }

  it("frames of Node's runtime are not in-app", () => {
    const inApp = parseFrames(recorded.node?.getter ?? "").filter((frame) => frame.inApp);
    expect(inApp.every((frame) => frame.file === "/srv/shop/cart.js")).toBe(true);
    expect(inApp).toHaveLength(4);
  });
});

describe("one line", () => {
  const cases = [
    {
      name: "of V8 with a function",
      line: "    at priceOf (file:///srv/cart.mjs:1:2)",
      frame: "priceOf file:///srv/cart.mjs:1:2",
    },
    {
      name: "of V8 without a function",
      line: "    at /srv/cart.js:5:6",
      frame: "/srv/cart.js:5:6",
    },
    {
      name: "of V8 after an await",
      line: "    at async load (/srv/cart.js:5:6)",
      frame: "load /srv/cart.js:5:6",
    },
    {
      name: "of V8 after an await without a function",
      line: "    at async /srv/cart.js:5:6",
      frame: "/srv/cart.js:5:6",
    },
    {
      name: "of V8 in a Promise.all",
      line: "    at async Promise.all (index 0)",
      frame: "*Promise.all",
    },
    {
      name: "of V8 with a method's alias",
      line: "    at Object.e [as render] (app:///_next/x.js:1:2)",
      frame: "Object.render app:///_next/x.js:1:2",
    },
    {
      name: "of V8 in a module",
      line: "    at Object.<anonymous> (/srv/cart.js:1:1)",
      frame: "Object.<anonymous> /srv/cart.js:1:1",
    },
    { name: "of V8 in native code", line: "    at Array.map (<anonymous>)", frame: "*Array.map" },
    { name: "of V8 in older native code", line: "    at Array.map (native)", frame: "*Array.map" },
    {
      name: "of V8 in evaluated code",
      line: "    at eval (eval at g (eval at f (/srv/cart.js:7:8), <anonymous>:1:1), <anonymous>:3:4)",
      frame: "eval /srv/cart.js:7:8",
    },
    { name: "of V8 in code that has no file", line: "    at f (<anonymous>:3:4)", frame: "*f 3:4" },
    {
      name: "of V8 in WebAssembly",
      line: "    at f (wasm://wasm/ab12:wasm-function[3]:0x12)",
      frame: "f wasm://wasm/ab12",
    },
    {
      name: "of V8 with parentheses and spaces in the file",
      line: "    at f (/srv/(shop)/my cart.js?v=1:3:4)",
      frame: "f /srv/(shop)/my cart.js?v=1:3:4",
    },
    {
      name: "of V8 on Windows",
      line: "    at f (C:\\shop\\cart.js:3:4)",
      frame: "f C:\\shop\\cart.js:3:4",
    },
    {
      name: "of V8 in webpack's development build",
      line: "    at f (webpack-internal:///(rsc)/./src/cart.tsx:3:4)",
      frame: "f webpack-internal:///(rsc)/./src/cart.tsx:3:4",
    },
    {
      name: "of V8 in the runtime",
      line: "    at node:internal/timers:5:6",
      frame: "*node:internal/timers:5:6",
    },
    {
      name: "of Gecko after an await",
      line: "async*load@https://shop.example/cart.js:3:4",
      frame: "load https://shop.example/cart.js:3:4",
    },
    {
      name: "of Gecko in a nested function",
      line: "cart/total<@https://shop.example/cart.js:3:4",
      frame: "total https://shop.example/cart.js:3:4",
    },
    {
      name: "of Gecko in an anonymous function of a function",
      line: "cart/<@https://shop.example/cart.js:3:4",
      frame: "cart https://shop.example/cart.js:3:4",
    },
    {
      name: "of Gecko with an @ in the file",
      line: "f@https://shop.example/@scope/cart.js:3:4",
      frame: "f https://shop.example/@scope/cart.js:3:4",
    },
    {
      name: "of Gecko in evaluated code",
      line: "f@https://shop.example/cart.js line 26 > eval:1:1",
      frame: "f https://shop.example/cart.js:26",
    },
    {
      name: "of WebKit without a function",
      line: "@https://shop.example/cart.js:3:4",
      frame: "https://shop.example/cart.js:3:4",
    },
    {
      name: "of WebKit without an @",
      line: "https://shop.example/@scope/cart.js:3:4",
      frame: "https://shop.example/@scope/cart.js:3:4",
    },
    { name: "of WebKit in native code", line: "map@[native code]", frame: "*map" },
    { name: "of WebKit without a position", line: "global code@", frame: "*global code" },
  ];
  for (const { name, line, frame } of cases) {
    it(`a line ${name} is a frame`, () => expect(frames(line)).toEqual([frame]));
  }

  for (const line of [
    "at least one item is needed",
    "at 10:30",
    "    at some (point)",
    "@",
    "mail me at a@b.example",
    "",
    "    ... 5 more",
  ]) {
    it(`a line of a message is not a frame: ${line}`, () => expect(frames(line)).toEqual([]));
  }
});

describe("parseFrames", () => {
  it("frames follow the message, which may contain “ at ” and “@”", () => {
    const text = "Error: look at it\nat 10:30 by a@b.example:25:3\n    at f (/srv/cart.js:1:2)";
    expect(frames(text)).toEqual(["f /srv/cart.js:1:2"]);
  });

  it("a stack with too many frames keeps both ends", () => {
    const many = Array.from({ length: 150 }, (_, i) => `at f${i} (/a.js:${i + 1}:1)`).join("\n");
    const limited = limitFrames(parseFrames(many));
    expect(limited).toHaveLength(limits.maxFrames);
    expect([
      limited.at(0)?.function,
      limited.at(49)?.function,
      limited.at(50)?.function,
      limited.at(-1)?.function,
    ]).toEqual(["f0", "f49", "f100", "f149"]);
    expect(limitFrames(limited)).toBe(limited);
  });

  // A backtracking pattern would take minutes here and time out.
  for (const part of [
    "at ",
    "at (",
    "    at f (",
    ":1",
    "@",
    "a@",
    "(",
    ")",
    "/",
    "eval at ",
    "\n",
    " line 1 > eval",
    "at a:1:1\n",
    "<",
    "*",
  ]) {
    it(`a stack of repeated ${JSON.stringify(part)} is parsed in linear time`, () => {
      const text = part.repeat(Math.ceil(limits.maxStackChars / part.length));
      for (let time = 0; time < 20; time++) parseFrames(text);
    });
  }

  it("frames stay within the limits for any text", () => {
    const piece = fc.constantFrom(
      "at ",
      " (",
      ")",
      ":1:2",
      "@",
      "/a.js",
      "\n",
      "async ",
      "[as x]",
      "eval at ",
      "native",
      "<anonymous>",
      "\uD800",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (stack) => {
        for (const frame of parseFrames(stack)) {
          expect((frame.function ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
          expect((frame.file ?? "").length).toBeLessThanOrEqual(limits.maxStringChars);
          expect(frame.line ?? 0).toSatisfy(Number.isSafeInteger);
          if (frame.file === undefined) expect(frame.inApp).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("isInApp", () => {
  const inAppFiles = [
    "/srv/shop/cart.js",
    "https://shop.example/assets/cart-3f9a.js",
    "webpack-internal:///./src/cart.tsx",
    "app:///_next/static/chunks/main.js",
    "src/use-react-domain.ts",
    "C:\\shop\\cart.js",
    "/srv/next/cart.ts",
  ];
  const libraryFiles = [
    undefined,
    "",
    "<anonymous>",
    "[native code]",
    "/srv/node_modules/pg/index.js",
    "C:\\shop\\node_modules\\pg\\index.js",
    "node:internal/timers",
    "cloudflare:workers",
    "node-internal:process",
    "chrome-extension://abc/x.js",
    "moz-extension://abc/x.js",
    "safari-web-extension://abc/x.js",
    "https://esm.sh/react",
    "/srv/shop/next/dist/server/render.js",
    "https://shop.example/react-dom-client.production.js",
    "react-dom.production.min.js",
  ];
  for (const file of inAppFiles) it(`is true for ${file}`, () => expect(isInApp(file)).toBe(true));
  for (const file of libraryFiles)
    it(`is false for ${file}`, () => expect(isInApp(file)).toBe(false));
});

describe("isBlankStack", () => {
  it.each(["", "@", "@\n@\n", " \n"])("%j names no code", (text) => {
    expect(isBlankStack(text)).toBe(true);
  });

  it.each(["f@", "@https://a.example/x.js:1:2", "Error: @"])(
    "%j names code or a message",
    (text) => {
      expect(isBlankStack(text)).toBe(false);
    },
  );
});
