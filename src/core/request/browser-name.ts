/**
 * Parses the names of a browser and its system from a `User-Agent` for display. Senders can send any
 * value.
 */

/** The first match applies: later names also appear in the `User-Agent` of earlier ones. */
const BROWSER_PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})(?:\.\d+)* (?:Mobile\/\w+ )?Safari\//],
];

/**
 * `Chrome 156`; the first product token (`curl/7.88.1`) if it is not a browser; undefined for an
 * empty header.
 */
export function parseBrowserName(userAgent: string): string | undefined {
  for (const [name, pattern] of BROWSER_PATTERNS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return /^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?/.exec(userAgent)?.[0];
}

/** The first match applies: Android names Linux too, and an iPhone "like Mac OS X". */
const SYSTEM_PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** `iOS`; undefined if it is none of these. Browsers do not send true versions. */
export function parseSystemName(userAgent: string): string | undefined {
  return SYSTEM_PATTERNS.find(([, pattern]) => pattern.test(userAgent))?.[0];
}
