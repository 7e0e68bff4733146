/**
 * Patterns of email and IP addresses, which are removed if a setting asks for it. Linear for any
 * text.
 */
import type { SecretPattern } from "./secret-pattern.ts";

/** The start of a token, also after an `=` or a percent escape: `1` in `=1` and in `%2C1`. */
const TOKEN_START = "(?<![\\w.](?<!%[\\dA-Fa-f]{2}))";

/** Systems and products with versions of four parts: "OS 10.15.7.1". */
const PRODUCT_NAME =
  "\\b(?:i?OS(?: X)?|iPadOS|macOS|tvOS|watchOS|Windows(?: NT)?|Win|Android|Linux|Ubuntu|Debian|[Kk]ernel|Chrom(?:e|ium)|HeadlessChrome|WebView|CriOS|Firefox|Safari|Opera|OPR|Electron|WebKit|Gecko|Java|JDK|JRE|PHP|Python|Unity|SDK|[Bb]uild|[Rr]elease|[Ff]irmware)[ _]";

/**
 * Excludes versions: "Chrome/120.0.0.1", "foo-1.2.3.4", "version 1.2.3.4", `v="1.2.3.4"` and "OS
 * 10.15.7.1".
 */
const NOT_A_VERSION = `(?<![A-Za-z]-|(?:^|[\\s(;,"'])[A-Za-z][\\w.-]{0,40}\\/|\\b[Vv](?:er|ersion)?["']?[ :=]{1,3}["']?|${PRODUCT_NAME})`;

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

/** Prefixes of assigned addresses (RFC 4291, RFC 4193, RFC 6052): `a::b` is a name in C++. */
const IPV6_START =
  "(?:(?:[23][\\da-f]{3}|f[cd][\\da-f]{2}|fe[89ab][\\da-f]|64(?::|%3a)ff9b)(?::|%3a)|(?::|%3a){2}(?=1(?!\\w)|ffff))";
/** An address at the start of a word, which may be longer. */
const IPV6_OF_WORD =
  /^(?:[\da-f:]|%3a){2,70}(?:(?:\.\d{1,3}){3})?(?<=[\da-f]|::)(?!\w|:[\da-f:]|\.\d)/i;

const LETTER = "[\\p{L}\\p{N}_]";
/** `git@` is the user of repository URLs, not a person. */
const LOCAL_PART = `(?!git(?:@|%40))${LETTER}(?:[\\p{L}\\p{N}_.+-]|%2[Bb]){0,63}`;

/** File extensions that are not domains: `f@cart.js:1:2`, `logo@2x.png`. */
const FILE_EXTENSION = `(?:[cm]?[jt]sx?|css|html?|php|json|map|vue|svelte|wasm|png|jpe?g|gif|svg|webp|avif|min|umd|esm|cjs|iife)(?!${LETTER}|-)`;
/** Excludes versions of packages: `react@19.0.0-rc.next`, `foo@latest.min`. */
const DOMAIN = `(?!\\d+\\.\\d|latest\\.)(?:[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,62}\\.){1,8}(?!${FILE_EXTENSION})(?:\\p{L}{2,24}|xn--[a-z\\d-]{2,59})(?!${LETTER}|\\.${FILE_EXTENSION})`;

/** Email addresses, IPv4 and IPv6 addresses. */
export const PII_PATTERNS: readonly SecretPattern[] = [
  {
    // Email addresses. URLs write the @ as `%40`. After `://` it follows a key:
    // `https://key@errata.example/1`.
    setting: "email",
    hint: /@|%40/,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}_.+-]|%(?=2[Bb])|://)${LOCAL_PART}(?:@|%40)${DOMAIN}`,
      "gu",
    ),
  },
  {
    // IPv6 addresses. The match is the whole word, so that no second attempt begins inside it.
    setting: "ip",
    hint: /:|%3a/i,
    pattern: new RegExp(`${TOKEN_START}(?<!\\w\\[)${IPV6_START}(?:[\\w:.]|%3a)*`, "gi"),
    findSecret: findIpv6,
  },
  {
    setting: "ip",
    hint: ".",
    pattern: new RegExp(
      `${TOKEN_START}${NOT_A_VERSION}${OCTET}(?:\\.${OCTET}){3}(?!\\w|\\.\\w|-[A-Za-z])`,
      "g",
    ),
    // The last three parts of Chrome's version. No client has such an address.
    findSecret: (text) => (text.endsWith(".0.0.0") ? undefined : text),
  },
];

function findIpv6(word: string): string | undefined {
  const address = IPV6_OF_WORD.exec(word)?.[0];
  return address !== undefined && isIpv6(address) ? address : undefined;
}

/**
 * True for eight groups of hex digits, or fewer around one `::`; the last two may be an IPv4
 * address (RFC 4291 § 2.2).
 */
function isIpv6(text: string): boolean {
  const groups = text.replace(/%3a/gi, ":").replace(/:\d+(?:\.\d+){3}$/, ":0:0");
  const halves = groups.split("::");
  const parts = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!parts.every((part) => /^[\da-f]{1,4}$/i.test(part)) || !/\d/.test(groups)) return false;
  return halves.length === 2 ? parts.length < 8 : halves.length === 1 && parts.length === 8;
}
