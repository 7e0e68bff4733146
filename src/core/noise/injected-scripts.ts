/**
 * Scripts that apps, carriers, advertisers and security software inject into pages: their schemes,
 * hosts and messages. Used by `classify-noise.ts`. Left out of the public lists: hosts that a page
 * may use itself (`localhost`, the SDKs of Facebook and Woopra, widgets, the add-on site).
 */
import { parseHost } from "../url-host.ts";
import { findKnownText, type KnownText } from "./known-text.ts";
import type { NoiseSignals } from "./noise-signals.ts";

/**
 * Schemes that apps request inside pages, and WebKit's scheme for scripts that an app adds.
 * `iabjs` is Meta's browser, `symres` and `tmtbff` are Norton and Trend Micro.
 */
const INJECTED_SCHEME =
  /^(user-script|webviewprogressproxy|android-webview|mxjscall|mx|mbinit|gsa|opera|res|chromenull|chromeinvoke(?:immediate)?|safari-resource|iabjs|symres|tmtbff)(?::|$)/i;

const SENTRY_CSP = "Sentry, interfaces/security.py, DEFAULT_DISALLOWED_SOURCES";
const RELAY = "Relay, relay-filter/src/browser_extensions.rs";

/** Hosts whose scripts and resources are in pages only because something injected them. */
const INJECTED_HOSTS: readonly { readonly hosts: string; readonly from: string }[] = [
  { hosts: "kaspersky-labs.com webappstoolbarba.texthelp.com", from: RELAY },
  {
    hosts: "eatdifferent.com.woopra-ns.com metrics.itunes.apple.com.edgesuite.net",
    from: RELAY,
  },
  { hosts: "adblockers.opera-mini.net", from: "Opera Mini's ad blocker" },
  {
    hosts: "injections.adguard.com injections.adguard.org local.adguard.org",
    from: "AdGuard, AdGuard for Windows and Mac: content scripts",
  },
  {
    hosts: `gateway.zscaler.net gateway.zscalerone.net gateway.zscalertwo.net
      gateway.zscalerthree.net gateway.zscloud.net`,
    from: `${SENTRY_CSP}, and the other clouds of Zscaler`,
  },
  {
    hosts: `metrext.com static.image2play.com tlscdn.com superfish.com v.zilionfast.in
      73a5b0806e464be8bd4e694c744624f0.com 020dfefc4ac745dab7594f2f771c1ded.com
      xls.searchfun.in istatic.datafastguru.info resultshub-a.akamaihd.net pulseadnetwork.com
      passpack.com middlerush-a.akamaihd.net websmartcenter.com a.linkluster.com saveyoutime.ru
      cdncache-a.akamaihd.net x.rafomedia.com savingsslider-a.akamaihd.net icontent.us amiok.org
      connectionstrenth.com netanalitics.space printapplink.com godlinkapp.com devappstor.com
      hoholikik.club smartlink.cool promfflinkdev.com`,
    from: SENTRY_CSP,
  },
];

/** Security products whose scripts run in pages that they protect. Pages may show their images. */
const SECURITY_HOSTS: readonly string[] =
  "avast.com avcdn.net avg.com bitdefender.net eset.com malwarebytes.com".split(" ");

/** Cacaoweb, software on the visitor's machine (Relay). */
const LOCAL_SOFTWARE = /^https?:\/\/127\.0\.0\.1:4001\/isrunning\b/;

const injectedHosts = INJECTED_HOSTS.flatMap(({ hosts }) => hosts.split(/\s+/));

/**
 * The scheme or host that identifies an injected script or resource, in lower case; undefined for
 * any other URL, and on pages of that host.
 */
export function matchInjectedScript({
  urls,
  scriptUrl,
  pageUrl,
}: NoiseSignals): string | undefined {
  const pageHost = parseHost(pageUrl);
  const findDomain = (hosts: readonly string[], url: string) => {
    const host = parseHost(url);
    return hosts.find((domain) => isInDomain(host, domain) && !isInDomain(pageHost, domain));
  };
  for (const url of urls) {
    const scheme = INJECTED_SCHEME.exec(url)?.[1]?.toLowerCase();
    const found = scheme ?? findDomain(injectedHosts, url);
    if (found !== undefined) return found;
    if (LOCAL_SOFTWARE.test(url)) return "127.0.0.1:4001";
  }
  return findDomain(SECURITY_HOSTS, scriptUrl);
}

function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Globals of scripts that apps (iOS and Android), carriers and toolbars add to pages. */
const INJECTED_GLOBALS: ReadonlySet<string> = new Set(
  [
    // Relay, browser_extensions.rs and common_errors.rs.
    `bmi_SafeAddOnload atomicFindClose originalCreateNotification conduitPage ComboSearch
    ZiteReader jigsaw MyApp_RemoveAllHighlights EBCallBackMessageReceived setIOSParameters
    zaloJSV2 instantSearchSDKJSBridgeClearHighlight ceCurrentVideo _AutofillCallbackHandler
    _pcmBridgeCallbackHandler SymBrowser_ModifyWindowOpenWithTarget msDiscoverChatAvailable`,
    // @sentry/core, integrations/eventFilters.ts: the Google Search app.
    "gmo",
    // Firefox and Chrome on iOS, and browsers of other vendors.
    `__firefox__ __gCrWeb bannerNight diableNightMode ibFindAllVideos vid_mate_check
    ztePageScrollModule getReadModeConfig getReadModeExtract getReadModeRender xbrowser ucapi
    tgetT`,
  ].flatMap((names) => names.split(/\s+/)),
);

/**
 * Messages of engines about a missing or duplicate name. The name may be a path:
 * `window.webkit.messageHandlers`.
 */
const MISSING_GLOBAL_MESSAGES: readonly RegExp[] = [
  /^([\w$.]{1,200}) is (?:not defined|undefined|null|not a function)(?=$|\. \(In )/,
  /^Can't find variable: ([\w$]{1,200})$/,
  /^(?:undefined|null) is not an object \(evaluating '([\w$.]{1,200})/,
  /^Cannot (?:read|set) propert(?:y|ies) (?:of (?:undefined|null) \((?:read|sett)ing )?'([\w$]{1,200})'/,
  /^can't access property "([\w$]{1,200})",/,
  /^Identifier '([\w$]{1,200})' has already been declared$/,
  /^Can't create duplicate variable[\w\s]{0,60}: '([\w$]{1,200})'$/,
];

/** Names that no page has, in any message. */
const INJECTED_TEXTS: readonly KnownText[] = [
  {
    text: /^Object Not Found Matching Id:\d{1,10}, MethodName:\w{1,60}, ParamCount:\d{1,5}$/,
    source: "Outlook's link scanner",
    from: "@sentry/core, integrations/eventFilters.ts: CefSharp",
  },
  { text: /(?<![A-Za-z\d$])_{0,2}gCrWeb\b/, source: "__gCrWeb", from: RELAY },
  { text: /\bfb_xd_fragment\b/, source: "fb_xd_fragment", from: RELAY },
  { text: /\bbmi_SafeAddOnload\b/, source: "bmi_SafeAddOnload", from: RELAY },
  { text: /\bEBCallBackMessageReceived\b/, source: "EBCallBackMessageReceived", from: RELAY },
  { text: /\bMyApp_RemoveAllHighlights\b/, source: "MyApp_RemoveAllHighlights", from: RELAY },
  { text: /\bconduitPage\b/, source: "conduitPage", from: RELAY },
  { text: /\batomicFindClose\b/, source: "atomicFindClose", from: RELAY },
  { text: /https?:\/\/tt\.epicplay\.com\b/, source: "tt.epicplay.com", from: RELAY },
  { text: /https?:\/\/loading\.retry\.widdit\.com\b/, source: "widdit.com", from: RELAY },
  {
    text: /^null is not an object \(evaluating 'elt\.parentNode'\)$/,
    source: "the Google Search app",
    from: RELAY,
  },
  {
    text: /^Error invoking enable(?:DidUserTypeOnKeyboard|ButtonsClickedMetaData)Logging: Java /,
    source: "Meta's browser",
    from: "getsentry/sentry-javascript#15065",
  },
];

/** Names in the `User-Agent` of the browsers in Facebook and Instagram. */
const META_BROWSER = /\b(?:FBAN|FBAV|FB_IAB|Instagram)\b/;
const META_HANDLER = /^navigationPerformanceLogger(?:WithReply)?$/;

/** A page in another app may call that app's Java objects. Source: sentry-javascript#15065. */
const JAVA_BRIDGE_MESSAGE =
  /^(?:Error invoking \w{1,80}: )?Java (?:object is gone|exception was raised during method invocation|bridge method invocation error)\.?$/;

/**
 * The injected script that caused a message: the missing global, or what only such scripts say;
 * undefined for any other message, and if a script file of the page threw it.
 */
export function matchInjectedText({
  message,
  isFromFile,
  userAgent,
}: NoiseSignals): string | undefined {
  if (isFromFile) return undefined;
  const name = MISSING_GLOBAL_MESSAGES.map((pattern) => pattern.exec(message)?.[1]).find(
    (path) => path !== undefined,
  );
  const global = name === undefined ? undefined : matchInjectedGlobal(name, userAgent);
  if (global !== undefined) return global;
  if (JAVA_BRIDGE_MESSAGE.test(message) && META_BROWSER.test(userAgent)) return "Meta's browser";
  return findKnownText(INJECTED_TEXTS, message);
}

function matchInjectedGlobal(name: string, userAgent: string): string | undefined {
  const [first = "", second, handler] = name
    .replace(/^(?:window|self|globalThis)\./, "")
    .split(".");
  if (/^_{0,2}gCrWeb/.test(first)) return "__gCrWeb";
  if (INJECTED_GLOBALS.has(first)) return first;
  if (first !== "webkit" || second !== "messageHandlers") return undefined;
  // Another app may define handlers for its own pages. If one is missing, the error is the page's.
  const isMetaBrowser =
    handler === undefined ? META_BROWSER.test(userAgent) : META_HANDLER.test(handler);
  return isMetaBrowser ? "webkit.messageHandlers" : undefined;
}
