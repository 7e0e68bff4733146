import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canHaveMap } from "#src/core/scripts/can-have-map.ts";
import { areOfOneSite, getPageHost, parseScriptAddress } from "#src/core/scripts/script-address.ts";

describe("the address of a script", () => {
  it.each([
    ["https://Shop.Example:8443/a/./b/../app.js?v=1#x", "shop.example", "a/app.js", "?v=1"],
    ["//www.shop.example/app.js", "shop.example", "app.js", ""],
    ["https://münchen.example/app.js", "xn--mnchen-3ya.example", "app.js", ""],
    ["http://[0:0::1]:3000/app.js", "[::1]:3000", "app.js", ""],
    ["http://app.localhost:3000/app.js", "app.localhost:3000", "app.js", ""],
    ["https://exa mple/app.js", "exa mple", "app.js", ""],
    ["chrome-extension://AbC/app.js", "chrome-extension://abc", "app.js", ""],
    ["node:fs/app.js", "node:", "node:fs/app.js", ""],
    ["~/a%20b/%zz.js", undefined, "a b/%zz.js", ""],
    ["file:///C:/app/main.js", undefined, "C:/app/main.js", ""],
    ["file://localhost/app/main.js", undefined, "app/main.js", ""],
    ["\\\\server\\share\\main.js", undefined, "server/share/main.js", ""],
    ["app://bundle/main.js", undefined, "bundle/main.js", ""],
    ["app://main.jsbundle", undefined, "main.jsbundle", ""],
    ["tauri://localhost/assets/main.js", undefined, "assets/main.js", ""],
    ["../../main.js", undefined, "main.js", ""],
    ["", undefined, "", ""],
  ])("of %s has the host %s and the path %s", (file, host, path, query) => {
    const address = parseScriptAddress(file);
    expect(address).toEqual({
      ...(host !== undefined && { host }),
      segments: path.split("/").filter(Boolean),
      query,
    });
  });

  it("of a page is its host", () => {
    expect(getPageHost("https://www.shop.example/cart?x=1")).toBe("shop.example");
    for (const url of ["/cart", "about:srcdoc", "file:///app/index.html", "data:text/html,x"])
      expect(getPageHost(url)).toBeUndefined();
    expect(getPageHost(undefined)).toBeUndefined();
  });

  it("is parsed from any text", () => {
    fc.assert(fc.property(fc.string(), (text) => Array.isArray(parseScriptAddress(text).segments)));
    const long = `https://${"a/../".repeat(200_000)}x.js`;
    expect(parseScriptAddress(long).segments).toEqual(["x.js"]);
  });
});

it.each([
  ["https://shop.example/app.js", true],
  ["app:///main.jsbundle", true],
  ["app:///index.android.bundle?platform=android", true],
  ["C:\\app\\main.js", true],
  ["https://shop.example/cart", false],
  ["webpack:///./src/app.js", false],
  ["safari-web-extension://x/app.js", false],
  ["/srv/app.ts", false],
  ["tauri://localhost/app.js", true],
  ["capacitor://localhost/app.js", true],
  ["asset://localhost/app.js", true],
  ["ms-appx-web:///app.js", true],
  [undefined, false],
])("a map is expected for %s: %s", (file, isExpected) => {
  expect(canHaveMap(file)).toBe(isExpected);
});

it.each([
  ["cdn.shop.example", "shop.example", true],
  ["static.shop.example", "app.shop.example", false],
  ["cdn.shop.co.uk", "shop.co.uk", true],
  ["cdn.xyz.io", "xyz.io", true],
  ["other.co.uk", "shop.co.uk", false],
  ["notshop.example", "shop.example", false],
  ["shop.example.evil.example", "shop.example", false],
  ["a.pages.dev", "b.pages.dev", false],
  ["cdn.a.pages.dev", "a.pages.dev", true],
  ["other.up.railway.app", "mine.up.railway.app", false],
  ["10.0.0.5", "10.0.0.6", false],
  ["[::1]", "[::2]", false],
  ["localhost:3000", "localhost:4000", false],
  ["chrome-extension://abc", "chrome-extension://abd", false],
  ["shop.example", "", false],
])("%s and %s are of one site: %s", (a, b, areOne) => {
  expect(areOfOneSite(a, b)).toBe(areOne);
  expect(areOfOneSite(b, a)).toBe(areOne);
});

it.each([
  ...["edge://settings/app.js", "opera://settings/app.js", "brave://wallet/app.js"],
  ...["vivaldi://app/app.js", "chrome-untrusted://a/app.js", "chrome-search://a/app.js"],
  ...["devtools://devtools/app.js", "webkit-masked-url://hidden/app.js", "user-script:2/app.js"],
  ...["ms-browser-extension://a/app.js", "moz-extension://a/app.js", "extensions::utils.js"],
  ...["resource://gre/app.js", "safari-resource:/app.js", "jar:file:///app.js"],
  ...["moz-safe-about:app.js", "mxaddon-pkg://a/app.js", "view-source:https://a.example/app.js"],
  ...["javascript:app.js", "pptr://app.js", "node-internal:app.js", "cloudflare-internal:app.js"],
  ...["deno:app.js", "EDGE://settings/app.js"],
])("%s is no script of a build", (file) => {
  expect(canHaveMap(file)).toBe(false);
  expect(parseScriptAddress(file).host).toBeDefined();
});
