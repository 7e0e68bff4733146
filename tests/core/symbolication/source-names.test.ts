import { describe, expect, it } from "vitest";
import {
  isSourceInApp,
  toDisplayName,
  UNNAMED_SOURCE,
} from "#src/core/symbolication/source-names.ts";

const isInApp = (name: string | null, isIgnored = false) =>
  isSourceInApp({ name, isIgnored, hasText: true });

describe("one file", () => {
  const names = [
    ...["src/fail.ts", "./src/fail.ts", "/./src/fail.ts", "/src/fail.ts", "~/src/fail.ts"],
    ...[
      "../../src/fail.ts",
      "dist/assets/../../src/fail.ts",
      "src/./fail.ts",
      "src/../src/fail.ts",
    ],
    ...["shop-app/./src/fail.ts", "@acme/shop/./src/fail.ts", "webpack://shop-app/./src/fail.ts"],
    ...["webpack:///./src/fail.ts", "webpack:///src/fail.ts", "webpack://shop-app/src/fail.ts"],
    ...["webpack://@acme/shop/./src/fail.ts", "webpack:///./src/fail.ts?a1b2"],
    ...["webpack-internal:///./src/fail.ts", "webpack-internal:///(rsc)/./src/fail.ts"],
    ...["webpack://_N_E/(app-pages-browser)/./src/fail.ts", "webpack://shop/../../src/fail.ts"],
    ...["turbopack:///[project]/src/fail.ts", "turbopack://[project]/src/fail.ts"],
    ...["[project]/src/fail.ts", "/turbopack/[project]/src/fail.ts"],
    ...["/@fs/home/me/shop/src/fail.ts", "/@fs/C:/shop/src/fail.ts", "src/fail.ts?vue&type=script"],
    ...["app:///src/fail.ts", "file:///home/ci/shop/src/fail.ts", "file:///C:/shop/src/fail.ts"],
    ...["C:\\work\\shop\\src\\fail.ts", "..\\..\\src\\fail.ts", "/Users/me/shop/src/fail.ts"],
    ...["/home/runner/work/shop/shop/src/fail.ts", "/usr/src/app/src/fail.ts", "/app/src/fail.ts"],
    ...["/vercel/path0/src/fail.ts", "/builds/acme/shop/src/fail.ts"],
  ];
  it.each(names)("has one place, as %s", (name) => {
    expect(toDisplayName(name)).toBe("src/fail.ts");
    expect(isInApp(name)).toBe(true);
  });
});

describe("toDisplayName", () => {
  const names = [
    ["../../../src/money.js", "src/money.js"],
    ["dist/worker/../../src/app.ts", "src/app.ts"],
    ["lib/../../../src/app.ts", "src/app.ts"],
    ["https://../a.ts", "https://../a.ts"],
    ["webpack://board/./src/late.ts", "src/late.ts"],
    ["webpack:///./src/x.js", "src/x.js"],
    ["webpack:///src/x.js?a1b2", "src/x.js"],
    ["webpack://shop-app/webpack/runtime/load script", "webpack/runtime/load script"],
    ["turbopack:///[project]/lib/stock.ts", "lib/stock.ts"],
    ["turbopack:///[turbopack]/browser/runtime.ts", "[turbopack]/browser/runtime.ts"],
    ["javascript:alert(1)", "javascript:alert(1)"],
    ["../", "../"],
    ["", UNNAMED_SOURCE],
    [null, UNNAMED_SOURCE],
    ["/home/ci/mono/packages/ui/src/a.ts", "packages/ui/src/a.ts"],
    ["/home/ci/shop/node_modules/react/index.js", "node_modules/react/index.js"],
    ["/app/root.tsx", "app/root.tsx"],
    ["app/(shop)/page.tsx", "app/(shop)/page.tsx"],
    ["/home/me/x.ts", "/home/me/x.ts"],
    ["D:/work/x.ts", "D:/work/x.ts"],
    ["\0rolldown/runtime.js", "rolldown/runtime.js"],
    ["shop-app/webpack/bootstrap", "webpack/bootstrap"],
    ["webpack:///", "webpack:///"],
    ["app:///", "app:///"],
  ] as const;
  it.each(names)("shows %s as %s", (name, shown) => {
    expect(toDisplayName(name)).toBe(shown);
  });

  it("takes linear time", () => {
    for (const piece of ["/", "../", "./", "(a)/", "a/./", "@", "?", "\0", "/app", "packages/"])
      toDisplayName(piece.repeat(20_000));
  });
});

describe("code of a bundler", () => {
  const names = [
    ...["webpack/bootstrap", "webpack:///webpack/bootstrap 1a2b", "shop-app/webpack/bootstrap"],
    ...[
      "webpack://shop/webpack/runtime/load script",
      "shop/webpack/runtime/define property getters",
    ],
    ...[
      "webpack://shop/webpack/universalModuleDefinition",
      "webpack:///(webpack)/buildin/global.js",
    ],
    ...['webpack://shop/external "react"', "webpack://shop/ignored|/a|fs", "(disabled):fs"],
    ...["webpack://shop/rspack/bootstrap", "rspack/runtime/load"],
    ...["turbopack:///[turbopack]/browser/runtime.ts", "[turbopack]/x.ts", "[next]/entry/page.ts"],
    ...["\0rolldown/runtime.js", "../../\0rolldown/runtime.js", "rolldown/runtime.js"],
    ...["\0vite/preload-helper.js", "vite/preload-helper", "../../vite/modulepreload-polyfill.js"],
    ...["\0commonjsHelpers.js", "_commonjsHelpers.js", "/@vite/client", "\0a-plugin:module"],
    ...["\0@oxc-project+runtime@0.92.0/helpers/defineProperty.js", "<define:process.env>"],
    ...["node_modules/@parcel/runtime-js/a.js", "node_modules/systemjs/dist/s.js"],
  ];
  it.each(names)("is not in the application: %s", (name) => {
    expect(isInApp(name)).toBe(false);
  });

  it.each(["src/rolldown.ts", "src/vite/preload.ts", "src/runtime/index.ts", "lib/external.ts"])(
    "is not %s",
    (name) => {
      expect(isInApp(name)).toBe(true);
      expect(isInApp(name, true)).toBe(false);
    },
  );
});
