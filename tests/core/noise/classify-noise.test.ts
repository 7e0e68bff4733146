import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { classifyNoise } from "#src/core/noise/classify-noise.ts";
import type { Frame, ParsedReport } from "#src/core/report.ts";

const PAGE = "https://shop.example/cart?step=2";
const APP = "https://shop.example/assets/app-3f2a.js";
const CHROME_ID = "abcdefghijklmnopabcdefghijklmnop";
const UUID = "5aaeee40-d56b-46ec-bfb3-42d868e140ef";
const INSTAGRAM =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/23B85 Instagram 405.0";

function thrown(
  message: string,
  files: readonly (string | undefined)[] = [],
  more: Partial<ParsedReport> = {},
): ParsedReport {
  return {
    kind: "error",
    side: "browser",
    format: "reporter",
    type: "Error",
    message,
    frames: files.map(frame),
    request: { url: PAGE },
    ...more,
  };
}

function frame(file: string | undefined): Frame {
  return { ...(file !== undefined && { file }), line: 1, column: 2, inApp: file === APP };
}

function violation(
  blocked: string,
  source?: string,
  more: Partial<ParsedReport> = {},
): ParsedReport {
  const report = thrown(`blocked ${blocked}`, source === undefined ? [] : [source], more);
  return {
    ...report,
    kind: "csp",
    format: "csp-report",
    type: "script-src-elem",
    blockedUri: blocked,
  };
}

const from = (file: string) => thrown("x is undefined", [file, file]);
const onPage = (url: string) => thrown("x is null", [APP], { request: { url } });

describe("noise from an extension", () => {
  test.each([
    ["Chrome's", from(`chrome-extension://${CHROME_ID}/a.js`), `chrome-extension://${CHROME_ID}`],
    [
      "Firefox's, without the id of one installation",
      from(`moz-extension://${UUID}/a.js`),
      "moz-extension",
    ],
    ["Safari's", from(`safari-web-extension://${UUID}/a.js`), "safari-web-extension"],
    ["old Safari's", from("safari-extension://com.a-b1/x/a.js"), "safari-extension://com.a-b1"],
    ["old Edge's", from("ms-browser-extension://a_b/a.js"), "ms-browser-extension://a_b"],
    ["another browser's", from("se-extension://ext-1/a.js"), "se-extension://ext-1"],
    ["masked by Safari", from("webkit-masked-url://hidden/"), "webkit-masked-url"],
    ["Firefox's own script", from("resource://gre/modules/A.sys.mjs"), "resource"],
    ["Firefox's own page", from("chrome://browser/content/a.js"), "chrome"],
    [
      "below native code",
      thrown("x", [undefined, "[native code]", "moz-extension://a/b.js"]),
      "moz-extension://a",
    ],
    [
      "a policy's source",
      violation("inline", `chrome-extension://${CHROME_ID}/a.js`),
      `chrome-extension://${CHROME_ID}`,
    ],
    ["a policy's source as a scheme", violation("inline", "chrome-extension"), "chrome-extension"],
    [
      "Firefox's own request",
      violation("https://shop.example/favicon.ico", "resource"),
      "resource",
    ],
    [
      "a URL that a policy blocked",
      violation(`chrome-extension://${CHROME_ID}/f.woff`),
      `chrome-extension://${CHROME_ID}`,
    ],
    [
      "a deprecation in it",
      { ...from("moz-extension://a/b.js"), kind: "browser" as const },
      "moz-extension://a",
    ],
  ])("is recognized by its URL: %s", (_name, report, source) => {
    expect(classifyNoise(report)).toEqual({ rule: "extension", source });
  });

  test.each([
    "Extension context invalidated.",
    "Uncaught Error: Extension context invalidated.",
    "Could not establish connection. Receiving end does not exist.",
    "The message port closed before a response was received.",
    "Error: A listener indicated an asynchronous response by returning true, but the message channel closed before a response was received",
    "Uncaught (in promise) Error: Attempting to use a disconnected port object",
    "Unhandled Promise Rejection: Error: Invalid call to runtime.sendMessage(). Tab not found.",
  ])("is recognized by a message of the extension API: %s", (message) => {
    const noise = { rule: "extension", source: "the extension API" };
    expect(classifyNoise(thrown(message))).toEqual(noise);
    expect(classifyNoise(thrown(message, [PAGE]))).toEqual(noise);
  });
});

describe("noise from an injected script", () => {
  test.each([
    ["Can't find variable: _AutofillCallbackHandler", "_AutofillCallbackHandler"],
    ["ReferenceError: Can't find variable: _AutofillCallbackHandler", "_AutofillCallbackHandler"],
    ["undefined is not an object (evaluating '__gCrWeb.autofill.extractForms')", "__gCrWeb"],
    ["undefined is not an object (evaluating 'window.__gCrWeb.x(1)')", "__gCrWeb"],
    ["undefined is not an object (evaluating 'window.__firefox__.reader')", "__firefox__"],
    ["zaloJSV2 is not defined", "zaloJSV2"],
    [
      "instantSearchSDKJSBridgeClearHighlight is not defined",
      "instantSearchSDKJSBridgeClearHighlight",
    ],
    ["Can't find variable: ceCurrentVideo", "ceCurrentVideo"],
    ["window.bannerNight is not a function", "bannerNight"],
    [
      "bannerNight is not a function. (In 'bannerNight()', 'bannerNight' is undefined)",
      "bannerNight",
    ],
    ["Uncaught ReferenceError: jigsaw is not defined", "jigsaw"],
    ["Cannot read properties of undefined (reading '__gCrWeb')", "__gCrWeb"],
    ["Cannot set properties of undefined (setting '__firefox__')", "__firefox__"],
    ["Cannot read property 'zaloJSV2' of undefined", "zaloJSV2"],
    ['can\'t access property "__firefox__", window is undefined', "__firefox__"],
    ["Identifier 'tgetT' has already been declared", "tgetT"],
    ["Can't create duplicate variable: 'tgetT'", "tgetT"],
    [
      "undefined is not an object (evaluating 'window.webkit.messageHandlers.navigationPerformanceLoggerWithReply.postMessage')",
      "webkit.messageHandlers",
    ],
  ])("is recognized by the missing global: %s", (message, source) => {
    for (const files of [[], ["<anonymous>"], [PAGE], ["app:///"], [undefined, PAGE, APP]]) {
      expect(classifyNoise(thrown(message, files))).toEqual({ rule: "injected", source });
    }
  });

  test("includes Meta's bridge in Meta's browsers", () => {
    const message = "undefined is not an object (evaluating 'window.webkit.messageHandlers')";
    const report = thrown(message, [PAGE], { request: { url: PAGE, userAgent: INSTAGRAM } });
    expect(classifyNoise(report)).toEqual({ rule: "injected", source: "webkit.messageHandlers" });
  });

  test.each([
    ["WebKit's name for it", from("user-script:12"), "user-script"],
    [
      "an antivirus",
      from("https://gc.kis.v2.scr.kaspersky-labs.com/A/main.js"),
      "kaspersky-labs.com",
    ],
    ["a policy's source", violation("eval", "user-script"), "user-script"],
    ["an app's scheme", violation("webviewprogressproxy:///complete"), "webviewprogressproxy"],
    ["an app's scheme alone", violation("mxjscall"), "mxjscall"],
    ["a web view", violation("android-webview"), "android-webview"],
    [
      "a blocked antivirus",
      violation("https://ff.kis.v2.scr.kaspersky-labs.com"),
      "kaspersky-labs.com",
    ],
  ])("is recognized by its URL: %s", (_name, report, source) => {
    expect(classifyNoise(report)).toEqual({ rule: "injected", source });
  });
});

describe("noise on a translated page", () => {
  test.each([
    ["https://shop-example.translate.goog/cart?_x_tr_sl=en", "Google Translate"],
    ["https://translate.googleusercontent.com/translate_c?u=x", "Google Translate"],
    ["https://translate.yandex.ru/translate?url=x", "Yandex Translate"],
    ["https://translate.yandex.com.tr/translate", "Yandex Translate"],
    ["https://translated.turbopages.org/proxy_u/en-ru/https/shop.example", "Yandex Translate"],
    ["https://www.microsofttranslator.com/bv.aspx", "Microsoft Translator"],
    ["https://www.translatetheweb.com/?a=x", "Microsoft Translator"],
    ["https://shop-example.papago.naver.net/cart", "Papago"],
  ])("is recognized by the page's URL: %s", (url, source) => {
    const noise = { rule: "translated", source };
    expect(classifyNoise(onPage(url))).toEqual(noise);
    expect(classifyNoise(violation("inline", APP, { request: { url } }))).toEqual(noise);
  });

  test.each([
    ["its script", from("https://translate.googleapis.com/_/translate_http/_/js/main.js")],
    ["its other script", from("https://translate-pa.googleapis.com/v1/a.js")],
    ["its path", from("https://www.gstatic.com/_/translate_http/_/js/k=a/m=el")],
    ["a policy's source", violation("eval", "https://www.gstatic.com/x/translate_http/a.js")],
    ["a URL that a policy blocked", violation("https://translate.googleapis.com/element/log")],
    [
      "a style that a policy blocked",
      violation("https://www.gstatic.com/_/translate_http/_/ss/k=a"),
    ],
  ])("is recognized by the translator's script: %s", (_name, report) => {
    expect(classifyNoise(report)).toEqual({ rule: "translated", source: "Google Translate" });
  });
});

describe("noise on a page translated by the browser", () => {
  const tags = [["translated", "true"]] as const;
  test.each([
    "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
    "Node.insertBefore: Child to insert before is not a child of this node",
    "The object can not be found here.",
  ])("is an error about a moved node: %s", (message) => {
    expect(classifyNoise(thrown(message, [APP], { tags }))).toEqual({
      rule: "translated",
      source: "the browser",
    });
    expect(classifyNoise(thrown(message, [APP]))).toBeUndefined();
  });

  test("does not include other errors", () => {
    expect(classifyNoise(thrown("x is undefined", [APP], { tags }))).toBeUndefined();
  });
});

describe("an error that may be the page's own", () => {
  const extension = `chrome-extension://${CHROME_ID}/a.js`;
  test.each([
    ["the page's fetch wrapped by an extension", thrown("Failed to fetch", [extension, APP])],
    ["a file named resource", thrown("x is undefined", ["resource"])],
    [
      "the page's own script under a translator's path",
      from("https://shop.example/translate_http/a.js"),
    ],
  ])("is not noise: %s", (_name, report) => {
    expect(classifyNoise(report)).toBeUndefined();
  });
});

describe("another report", () => {
  const extension = `chrome-extension://${CHROME_ID}/a.js`;
  const missing = "Can't find variable: _AutofillCallbackHandler";
  const bridge = "undefined is not an object (evaluating 'window.webkit.messageHandlers";
  test.each<[name: string, report: ParsedReport]>([
    ["an error of the app", thrown("x is undefined", [APP])],
    ["an error without frames", thrown("x is undefined")],
    ["an error of the app that an extension called", thrown("x", [APP, extension])],
    ["an error in native code that the app called", thrown("x", [undefined, APP, extension])],
    ["an extension's error on a server", { ...from(extension), side: "server" }],
    [
      "an extension's error whose sender was shown a digest",
      { ...from(extension), linkedDigest: "7F3K-Q2M9" },
    ],
    ["a notice", { ...onPage("https://a.translate.goog/"), kind: "notice" }],
    ["feedback", { ...thrown("Extension context invalidated."), kind: "feedback" }],
    ["feedback on a translated page", { ...onPage("https://a.translate.goog/"), kind: "feedback" }],
    ["a log message", { ...thrown("Extension context invalidated."), kind: "message" }],
    ["a network error", { ...from(extension), kind: "network" }],
    [
      "removeChild without translation",
      thrown(
        "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
        [APP],
        { type: "NotFoundError" },
      ),
    ],
    ["a sentence with the word extension", thrown("The file has no extension")],
    ["an extension's name in a message", thrown(`Cannot load ${extension}`, [APP])],
    ["the API's sentence inside another", thrown("Upload failed: Extension context invalidated.")],
    ["the API's sentence and more", thrown("Extension context invalidated. Try again")],
    ["the API's sentence of the app's own script", thrown("Extension context invalidated.", [APP])],
    ["a path with the word", from("https://shop.example/chrome-extension/a.js")],
    ["a host with the word", from("https://moz-extension.example/a.js")],
    ["a package with the word", from("webpack://my-extension/./src/a.js")],
    ["a route that begins like a scheme", from("/resource/a.js")],
    ["an app's own handler", thrown(`${bridge}.myApp.postMessage')`)],
    [
      "an app's own handler in Meta's browser",
      thrown(`${bridge}.myApp')`, [PAGE], { request: { userAgent: INSTAGRAM } }),
    ],
    ["a bridge that is missing elsewhere", thrown(`${bridge}')`)],
    [
      "a bridge that the app's own script misses",
      thrown(`${bridge}')`, [APP], { request: { userAgent: INSTAGRAM } }),
    ],
    ["an injected name in a sentence", thrown("The jigsaw is not defined")],
    ["an injected name and a sentence", thrown("jigsaw is not defined by the shop")],
    ["a name that contains one", thrown("jigsawPieces is not defined")],
    ["a member of that name", thrown("app.jigsaw is not a function")],
    ["an injected name that the app's own script misses", thrown(missing, [APP])],
    [
      "an injected name that a CDN's script misses",
      thrown(missing, ["https://cdn.example/a.mjs?v=1"]),
    ],
    ["an injected name as the value of an error", thrown("__firefox__")],
    ["a page about translation", onPage("https://shop.example/translate.goog/")],
    ["a page with a translator's path", onPage("https://shop.example/translate_http/a")],
    ["a host with a similar end", onPage("https://nottranslate.goog/")],
    [
      "a host with a similar start",
      onPage("https://translate.googleusercontent.com.shop.example/"),
    ],
    ["a host in the userinfo", onPage("https://a.translate.goog@shop.example/")],
    [
      "a page that asks for a translator",
      onPage("https://shop.example/?u=https://a.translate.goog/"),
    ],
    ["a path like a translator's in a query", from("https://shop.example/a.js?x=/translate_http/")],
    ["a CSP report of inline code", violation("inline", PAGE)],
    ["a CSP report of a host", violation("https://evil.example/a.js", PAGE)],
    ["a CSP report of data", violation("data")],
    ["a CSP report of an app's link", violation("intent")],
    ["a CSP report of gstatic alone", violation("https://www.gstatic.com")],
    ["a host that ends like an antivirus's", violation("https://notkaspersky-labs.com")],
  ])("is not noise: %s", (_name, report) => {
    expect(classifyNoise(report)).toBeUndefined();
  });
});

describe("any report", () => {
  const piece = fc.constantFrom(
    "chrome-extension://",
    "moz-extension:",
    "https://",
    "translate.goog",
    "/translate_http/",
    "user-script",
    "window.",
    "Error: ",
    "Uncaught ",
    "(in promise) ",
    "Can't find variable: ",
    " is not defined",
    "(evaluating '",
    ".",
    "@",
    "?",
    "-",
    "a",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
  );
  const file = fc.option(text, { nil: undefined });

  it("gets a valid rule and the same one each time", () => {
    const kind = fc.constantFrom("error", "csp", "browser", "message", "notice", "feedback");
    const report = fc.record({
      kind,
      message: text,
      files: fc.array(file),
      blocked: file,
      url: text,
    });
    fc.assert(
      fc.property(report, ({ kind, message, files, blocked, url }) => {
        const sent = {
          kind,
          request: { url },
          ...(blocked !== undefined && { blockedUri: blocked }),
        };
        const noise = classifyNoise(thrown(message, files, sent));
        expect(classifyNoise(thrown(message, files, sent))).toEqual(noise);
        expect(["extension", "injected", "translated", undefined]).toContain(noise?.rule);
        expect(noise?.source).not.toBe("");
      }),
      { numRuns: 2_000 },
    );
  });

  // A backtracking pattern would take minutes here and time out.
  test.each([
    "Error: ",
    "Uncaught ",
    "a",
    "a.",
    "a-",
    "https://a@",
    "/translate_http",
    ". ",
    "Can't create duplicate variable ",
  ])("with repeated %j is classified in linear time", (part) => {
    const long = part.repeat(100_000);
    for (let time = 0; time < 5; time++) {
      classifyNoise(thrown(long, [long], { request: { url: `https://${long}`, userAgent: long } }));
      classifyNoise(violation(long, `https://${long}`));
    }
  });
});
