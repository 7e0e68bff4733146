/**
 * A browser's name from its `User-Agent`, for people to read in a list. A claim, never proof: the header is whatever the
 * sender wrote.
 */

/** First match wins: the later names hide in the `User-Agent` of the earlier ones. */
const BROWSER_PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chrome", /\b(?:HeadlessChrome|Chrome|CriOS)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})(?:\.\d+)* (?:Mobile\/\w+ )?Safari\//],
];

/** `Chrome 156`; the first product token (`curl/7.88.1`) where it is no browser's; undefined for an empty header. */
export function parseBrowserName(userAgent: string): string | undefined {
  for (const [name, pattern] of BROWSER_PATTERNS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return /^[\w.+-]{1,40}(?:\/[\w.+-]{1,20})?/.exec(userAgent)?.[0];
}
