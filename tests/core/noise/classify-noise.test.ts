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
      "an object of an extension",
      from(`blob:chrome-extension://${CHROME_ID}/x`),
      `chrome-extension://${CHROME_ID}`,
    ],
    ["a content script of Firefox", from("sandbox eval code"), "sandbox eval code"],
    [
      "a content script as the policy's source",
      violation("eval", "sandbox eval code"),
      "sandbox eval code",
    ],
    ["only the scheme in a stack", from("moz-extension"), "moz-extension"],
    [
      "below Firefox's own functions",
      thrown("x", ["self-hosted", `moz-extension://${UUID}/a.js`]),
      "moz-extension",
    ],
    ["another browser's page", from("edge://newtab/a.js"), "edge"],
    ["Firefox's own archive", from("jar:file:///C:/Firefox/omni.ja!/a.js"), "jar"],
    ["Maxthon's add-on", violation("mxaddon-pkg"), "mxaddon-pkg"],
    ["Chrome's error page", violation("data:text/html,chromewebdata"), "chrome-error"],
    ["Chrome's error page by its URL", violation("chrome-error://chromewebdata/"), "chrome-error"],
    ["a page of the browser", violation("about"), "about"],
    ["a page of the browser as the policy's source", violation("inline", "about:reader"), "about"],
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

describe("noise by a known text of extensions", () => {
  test.each([
    ["plugin.setSuspendState is not a function", "Dragon Web Extension"],
    ["TypeError: plugin.setSuspendState is not a function", "Dragon Web Extension"],
    ["undefined is not an object (evaluating 'top.GLOBALS')", "top.GLOBALS"],
    ["top.GLOBALS is undefined", "top.GLOBALS"],
    ["undefined is not an object (evaluating 'canvas.contentDocument')", "canvas.contentDocument"],
    ["Can't find variable: originalCreateNotification", "originalCreateNotification"],
    ["can't access dead object", "can't access dead object"],
    ["Cannot load webkit-masked-url://hidden/", "webkit-masked-url"],
    ["Cannot redefine property: ethereum", "a wallet"],
    ['can\'t redefine non-configurable property "solana"', "a wallet"],
    ["Cannot redefine property: googletag", "an ad blocker"],
    ["should_do_lastpass_here is not defined", "LastPass"],
    [
      "Unchecked runtime.lastError: The message port closed before a response was received.",
      "the extension API",
    ],
  ])("is recognized: %s", (message, source) => {
    for (const files of [[], [PAGE], ["<anonymous>"]])
      expect(classifyNoise(thrown(message, files))).toEqual({ rule: "extension", source });
    expect(classifyNoise(thrown(message, [APP]))).toBeUndefined();
  });
});

describe("noise by a known text of injected scripts", () => {
  const scanner = "Object Not Found Matching Id:3, MethodName:update, ParamCount:4";
  test.each([
    [scanner, "Outlook's link scanner"],
    [`Non-Error promise rejection captured with value: ${scanner}`, "Outlook's link scanner"],
    [
      "Object Not Found Matching Id:1, MethodName:simulateEvent, ParamCount:1",
      "Outlook's link scanner",
    ],
    ["what does conduitPage even do", "conduitPage"],
    ["oh no: bmi_SafeAddOnload", "bmi_SafeAddOnload"],
    ["error _gCrWeb", "__gCrWeb"],
    ["atomicFindClose has failed", "atomicFindClose"],
    ["EBCallBackMessageReceived", "EBCallBackMessageReceived"],
    ["fb_xd_fragment", "fb_xd_fragment"],
    ["Error loading http://tt.epicplay.com/a.js", "tt.epicplay.com"],
    ["Error loading http://loading.retry.widdit.com/a.js", "widdit.com"],
    ["null is not an object (evaluating 'elt.parentNode')", "the Google Search app"],
    ["Can't find variable: gmo", "gmo"],
    ["msDiscoverChatAvailable is not defined", "msDiscoverChatAvailable"],
    ["_pcmBridgeCallbackHandler is not defined", "_pcmBridgeCallbackHandler"],
    ["Can't find variable: ZiteReader", "ZiteReader"],
    ["ComboSearch is not defined", "ComboSearch"],
    ["Error invoking enableDidUserTypeOnKeyboardLogging: Java object is gone", "Meta's browser"],
  ])("is recognized: %s", (message, source) => {
    for (const files of [[], [PAGE], ["<anonymous>"]])
      expect(classifyNoise(thrown(message, files))).toEqual({ rule: "injected", source });
    expect(classifyNoise(thrown(message, [APP]))).toBeUndefined();
  });

  test.each(["Java object is gone", "Error invoking postMessage: Java object is gone"])(
    "includes the Java bridge only in Meta's browsers: %s",
    (message) => {
      const noise = { rule: "injected", source: "Meta's browser" };
      const inMeta = thrown(message, [], { request: { url: PAGE, userAgent: INSTAGRAM } });
      expect(classifyNoise(inMeta)).toEqual(noise);
      expect(classifyNoise(thrown(message))).toBeUndefined();
    },
  );

  test("includes a script of Google Translate", () => {
    const message = "a[b].target.className.indexOf is not a function";
    const noise = { rule: "translated", source: "Google Translate" };
    expect(classifyNoise(thrown(message))).toEqual(noise);
    expect(classifyNoise(thrown(message, [APP]))).toBeUndefined();
  });
});

describe("a rule that is off", () => {
  test("matches nothing, and the other rules still do", () => {
    const report = from("moz-extension://a/b.js");
    expect(classifyNoise(report, ["extension"])).toBeUndefined();
    expect(classifyNoise(report, ["injected", "translated"])?.rule).toBe("extension");
    const both = thrown("x", ["moz-extension://a/b.js"], {
      request: { url: "https://a.translate.goog/" },
    });
    expect(classifyNoise(both)?.rule).toBe("extension");
    expect(classifyNoise(both, ["extension"])?.rule).toBe("translated");
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
    ["Meta's browser", from("iabjs://navigation_performance_logger_android"), "iabjs"],
    ["Norton", violation("symres"), "symres"],
    ["Trend Micro", violation("tmtbff:///a"), "tmtbff"],
    [
      "AdGuard",
      violation("https://local.adguard.org/?ts=1&type=content-script"),
      "local.adguard.org",
    ],
    ["an advertiser", violation("https://www.superfish.com/ws/a.js"), "superfish.com"],
    [
      "an advertiser's script",
      violation("inline", "https://cdncache-a.akamaihd.net/a.js"),
      "cdncache-a.akamaihd.net",
    ],
    ["a proxy", violation("https://gateway.zscalertwo.net/auD?x=1"), "gateway.zscalertwo.net"],
    ["an antivirus's script", violation("inline", "https://safe.avast.com/a.js"), "avast.com"],
    ["local software", violation("http://127.0.0.1:4001/isrunning?x"), "127.0.0.1:4001"],
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

  test("includes markup that differs from the server's, unless the server failed", () => {
    const recovered = thrown("Hydration failed", [APP], { tags, kind: "recovered" });
    expect(classifyNoise(recovered)?.rule).toBe("translated");
    expect(classifyNoise({ ...recovered, tags: [] })).toBeUndefined();
    expect(classifyNoise({ ...recovered, aliases: ["2338823894"] })).toBeUndefined();
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
    ["a file named about", thrown("x is undefined", ["about:srcdoc"])],
    ["a script in a frame without a URL", thrown("x is undefined", ["about:blank"])],
    ["an object of the page", from("blob:https://shop.example/1")],
    ["a blocked object of the page", violation("blob", APP)],
    ["a blocked page of the own machine", violation("http://localhost:3000/a.js")],
    ["blocked data", violation("data:text/html,hello")],
    ["an image of an antivirus vendor", violation("https://www.avast.com/badge.png", PAGE)],
    [
      "a script on a page of an antivirus vendor",
      violation("inline", "https://cdn.avast.com/a.js", {
        request: { url: "https://www.avast.com/" },
      }),
    ],
    ["a host that ends like an advertiser's", violation("https://notsuperfish.com/a.js")],
    [
      "a host that begins like an advertiser's",
      violation("https://superfish.com.shop.example/a.js"),
    ],
    ["a blocked pixel of Facebook", violation("https://connect.facebook.net/en_US/fbevents.js")],
    ["a failure in Facebook's SDK", from("https://connect.facebook.net/en_US/sdk.js")],
    ["a widget that the page may use", violation("https://widgets.amung.us/small.js")],
    ["a minified name", thrown("undefined is not an object (evaluating 'a.L')")],
    ["a muted script", thrown("Script error.")],
    ["a failed request", thrown("Failed to fetch")],
    ["a layout loop", thrown("ResizeObserver loop completed with undelivered notifications.")],
    ["an unknown plugin", thrown("plugin.suspend is not a function")],
    ["a member of another plugin", thrown("app.plugin.setSuspendState is not a function")],
    ["another property", thrown("Cannot redefine property: cart")],
    ["another missing object", thrown("Object Not Found Matching Id:3")],
    [
      "a sentence about a missing object",
      thrown("Object Not Found Matching Id:3, MethodName:update, ParamCount:4 in the cart"),
    ],
    ["an element's parent", thrown("null is not an object (evaluating 'element.parentNode')")],
    [
      "the parent in a sentence",
      thrown("Cart: null is not an object (evaluating 'elt.parentNode')"),
    ],
    ["a page's own GLOBALS", thrown("app.top.GLOBALS is undefined")],
    ["a name that contains a known one", thrown("my_conduitPages is not defined")],
    ["a dead object in a sentence", thrown("The cart can't access dead object 3")],
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
    "Unchecked runtime.lastError: ",
    "Object Not Found Matching Id:1",
    "_gCrWeb ",
    "blob:",
    "about:",
  ])("with repeated %j is classified in linear time", (part) => {
    const long = part.repeat(100_000);
    for (let time = 0; time < 5; time++) {
      classifyNoise(thrown(long, [long], { request: { url: `https://${long}`, userAgent: long } }));
      classifyNoise(violation(long, `https://${long}`));
    }
  });
});
