/**
 * Scripts that apps, carriers and antivirus software inject into pages: their schemes, hosts and
 * globals. Used by `classify-noise.ts`.
 */
import { parseHost } from "../url-host.ts";
import type { NoiseSignals } from "./noise-signals.ts";

/** Schemes that apps request inside pages, and WebKit's scheme for scripts that an app adds. */
const INJECTED_SCHEME =
  /^(user-script|webviewprogressproxy|android-webview|mxjscall|mx|mbinit|gsa|opera|res|chromenull|chromeinvoke(?:immediate)?|safari-resource)(?::|$)/i;

const INJECTED_HOST =
  /(?:^|\.)(kaspersky-labs\.com|adblockers\.opera-mini\.net|webappstoolbarba\.texthelp\.com)$/;

/**
 * The scheme or host that identifies an injected script, in lower case; undefined for any other
 * URL.
 */
export function matchInjectedScript(url: string): string | undefined {
  const match = INJECTED_SCHEME.exec(url) ?? INJECTED_HOST.exec(parseHost(url));
  return match?.[1]?.toLowerCase();
}

/** Globals of scripts that apps (iOS and Android), carriers and toolbars add to pages. */
const INJECTED_GLOBALS: ReadonlySet<string> = new Set(
  `__firefox__ __gCrWeb _AutofillCallbackHandler setIOSParameters zaloJSV2 ceCurrentVideo
  bannerNight diableNightMode instantSearchSDKJSBridgeClearHighlight MyApp_RemoveAllHighlights
  ibFindAllVideos vid_mate_check ztePageScrollModule getReadModeConfig getReadModeExtract
  getReadModeRender xbrowser ucapi SymBrowser_ModifyWindowOpenWithTarget
  EBCallBackMessageReceived bmi_SafeAddOnload atomicFindClose originalCreateNotification
  conduitPage ComboSearch ZiteReader tgetT jigsaw`.split(/\s+/),
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

/** Names in the `User-Agent` of the browsers in Facebook and Instagram. */
const META_BROWSER = /\b(?:FBAN|FBAV|FB_IAB|Instagram)\b/;
const META_HANDLER = /^navigationPerformanceLogger(?:WithReply)?$/;

/**
 * The global of an injected script that a message reports as missing; undefined for any other
 * message, and if a script file of the page used the global.
 */
export function matchInjectedGlobal({
  message,
  isFromFile,
  userAgent,
}: NoiseSignals): string | undefined {
  const name = MISSING_GLOBAL_MESSAGES.map((pattern) => pattern.exec(message)?.[1]).find(
    (path) => path !== undefined,
  );
  if (name === undefined || isFromFile) return undefined;
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
