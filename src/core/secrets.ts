/**
 * What a secret looks like: names of fields whose values are secret, and shapes of values that are secret wherever
 * they stand. One table each; `scrub.ts` applies them. Every pattern is linear on any text: repetitions are bounded,
 * or start only where they cannot have started before.
 */

/** What stands in place of a secret. */
export const REMOVED = "[removed]";

/** A shape of secrets in a text. What is secret is the match, or its group `secret` where there is one. */
export interface SecretShape {
  readonly name: string;
  /** It is a secret only where this setting is on. */
  readonly setting?: "email" | "ip";
  /** Stands in every match, so that a text without it need not be searched. */
  readonly sign?: string;
  readonly pattern: RegExp;
  /** A further test that no pattern can make. */
  readonly isSecret?: (text: string) => boolean;
}

/** Request and response headers whose values are secret. Lower case. */
const SECRET_HEADERS =
  /^(?:authorization|proxy-authorization|(?:set-)?cookie2?|x-api-key|api-key|x-auth-.{1,40}|x-csrf.{0,40}|x-xsrf.{0,40}|cf-access-.{1,40}|x-amz-security-token|x-forwarded-authorization)$/;

/**
 * Parts of a name that make its value secret wherever they stand in it, once the name is in lower case letters alone.
 */
const SECRET_PARTS =
  /password|passwd|passphrase|secret|token|apikey|accesskey|privatekey|authkey|encryptionkey|signingkey|credential|signature|jwt|sessionid|sessionkey|authorization|cookie|csrf|xsrf|cardnumber|creditcard/;

/** Whole words of a name that make its value secret: `auth` does, `author` does not. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "auth",
  "session",
  "sig",
  "sid",
  "pwd",
  "pw",
  "otp",
  "cvv",
  "cvc",
  "ssn",
  "pin",
]);

/** Names that are secret in an address alone: elsewhere `code` is the code of an error. */
const SECRET_IN_ADDRESS: ReadonlySet<string> = new Set(["code", "key"]);

const MAX_NAME_CHARS = 100;

/**
 * True for the name of a field whose value is secret: a header, a JSON key, a tag. `accessToken`, `x-api-key`,
 * `auth`.
 */
export function isSecretName(name: string): boolean {
  if (name.length > MAX_NAME_CHARS) return false;
  const lower = name.toLowerCase();
  if (SECRET_HEADERS.test(lower) || SECRET_PARTS.test(lower.replace(/[^a-z]/g, ""))) return true;
  return wordsOf(name).some((word) => SECRET_WORDS.has(word));
}

/** True for the name of a secret parameter of an address, which are some more. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SECRET_IN_ADDRESS.has(name.toLowerCase());
}

/** `["user", "session", "id"]` for `userSession_id`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

/** "Basic authentication failed" is no secret: a token has a digit, a "=", capitals inside, or is long. */
const TOKEN =
  "\\s{1,4}(?<secret>(?=[\\w.~+/-]{0,200}(?:[\\d=]|[a-z][A-Z])|[\\w.~+/-]{20})[\\w.~+/-]{6,}={0,2})";

/** A letter or digit that no escape of an address ends with: `1` begins something in `=1` and in `%2C1`. */
const START = "(?<![\\w.](?<!%[\\dA-Fa-f]{2}))";

/** "Chrome/120.0.0.1", "foo-1.2.3.4", "version 1.2.3.4" and `v="1.2.3.4"` are versions. */
const NO_VERSION =
  "(?<![A-Za-z]-|(?:^|[\\s(;,\"'])[A-Za-z][\\w.-]{0,40}\\/|\\b[Vv](?:er|ersion)?[\"']?[ :=]{1,3}[\"']?)";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";

/** First parts of addresses that are given out (RFC 4291, RFC 4193, RFC 6052): `a::b` is a name in C++. */
const IPV6_START =
  "(?:(?:[23][\\da-f]{3}|f[cd][\\da-f]{2}|fe[89ab][\\da-f]|64(?::|%3a)ff9b)(?::|%3a)|(?::|%3a){2}(?=1(?!\\w)|ffff))";

const LETTER = "[\\p{L}\\p{N}_]";
const LOCAL_PART = `${LETTER}(?:[\\p{L}\\p{N}_.+-]|%2[Bb]){0,63}`;

/** Ends of files, none of them a domain's: `f@cart.js:1:2`, `logo@2x.png`. */
const FILE_END = `(?:[cm]?[jt]sx?|css|html?|php|json|map|vue|svelte|wasm|png|jpe?g|gif|svg|webp|avif)(?!${LETTER}|-)`;
/** Nor does one begin as a version does: `react@19.0.0-rc.next`. */
const DOMAIN = `(?!\\d+\\.\\d)(?:[\\p{L}\\p{N}][\\p{L}\\p{N}-]{0,62}\\.){1,8}(?!${FILE_END})(?:\\p{L}{2,24}|xn--[a-z\\d-]{2,59})(?!${LETTER})`;

/** Shapes of secrets, the ones that contain others first. Prefixes are those that the issuers document. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: "PEM private key",
    sign: "-----BEGIN",
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  },
  {
    name: "cookie header",
    sign: "ookie",
    pattern:
      /\b(?:[\w-]{1,20}-)?[Cc]ookie["']?\s{0,4}:\s{0,4}["']?(?<secret>[^\s=;"']{1,100}=[^\r\n"']+)/g,
  },
  { name: "JWT", sign: "eyJ", pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g },
  { name: "bearer token", sign: "earer", pattern: new RegExp(`\\b[Bb]earer${TOKEN}`, "g") },
  { name: "basic credentials", sign: "asic", pattern: new RegExp(`\\b[Bb]asic${TOKEN}`, "g") },
  {
    name: "userinfo of a URL",
    sign: "@",
    pattern:
      /(?<![A-Za-z\d+.-])[A-Za-z][A-Za-z\d+.-]{1,30}:\/\/(?<secret>[^\s/@:?#"'<>]{0,200}:[^\s/@"'<>]{1,200})@/g,
  },
  { name: "AWS key id", sign: "A", pattern: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z\d]{16}\b/g },
  { name: "Google API key", sign: "AIza", pattern: /\bAIza[\w-]{35}/g },
  { name: "Google client secret", sign: "GOCSPX-", pattern: /\bGOCSPX-[\w-]{20,}/g },
  { name: "Google access token", sign: "ya29.", pattern: /\bya29\.[\w-]{20,}/g },
  { name: "Cloudflare", sign: "_", pattern: /\b(?:cfk|cfut|cfat)_[A-Za-z\d]{40,}/g },
  { name: "GitHub", sign: "gh", pattern: /\bgh[opsur]_[A-Za-z\d]{30,}/g },
  { name: "GitHub, fine-grained", sign: "github_pat_", pattern: /\bgithub_pat_\w{22,}/g },
  { name: "GitLab", sign: "glpat-", pattern: /\bglpat-[\w-]{20,}/g },
  { name: "npm", sign: "npm_", pattern: /\bnpm_[A-Za-z\d]{30,}/g },
  { name: "Stripe", sign: "_", pattern: /\b(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z\d]{10,}/g },
  { name: "Slack token", sign: "xox", pattern: /\bxox[abceoprs](?:\.xox[bp])?-[\w-]{10,}/g },
  {
    name: "Slack webhook",
    sign: "hooks.slack.com",
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[\w/]{10,})/g,
  },
  { name: "AI provider", sign: "sk-", pattern: /\bsk-[\w-]{20,}/g },
  { name: "SendGrid", sign: "SG.", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  {
    name: "card number",
    // Chrome's deprecation reports lead to pages with numbers of 16 digits.
    pattern:
      /(?<![\w.+-]|chromestatus\.com\/features?\/)[3-6]\d{3}(?:[ -]?\d){8,15}(?![\w-]|\.\w)/g,
    isSecret: isCardNumber,
  },
  {
    // `%40` is how an address of a page writes it. What stands behind `://` is a key: `https://key@errata.example/1`.
    name: "e-mail address",
    setting: "email",
    pattern: new RegExp(`(?<![\\p{L}\\p{N}_.+-]|://)${LOCAL_PART}(?:@|%40)${DOMAIN}`, "gu"),
  },
  {
    name: "IPv6 address",
    setting: "ip",
    pattern: new RegExp(
      `${START}(?<!\\w\\[)${IPV6_START}(?:[\\da-f:]|%3a){0,60}(?:(?:\\.\\d{1,3}){3})?(?<=[\\da-f]|::)(?!\\w|:[\\da-f:]|\\.\\d)`,
      "gi",
    ),
    isSecret: isIpv6,
  },
  {
    name: "IPv4 address",
    setting: "ip",
    sign: ".",
    pattern: new RegExp(
      `${START}${NO_VERSION}${OCTET}(?:\\.${OCTET}){3}(?!\\w|\\.\\w|-[A-Za-z])`,
      "g",
    ),
    // The last three parts of Chrome's version, where it stands alone; no visitor has such an address.
    isSecret: (text) => !text.endsWith(".0.0.0"),
  },
];

/** True for eight groups of hex digits, or fewer around one `::`; the last two may be an IPv4 address (RFC 4291 § 2.2). */
function isIpv6(text: string): boolean {
  const groups = text.replace(/%3a/gi, ":").replace(/:\d+(?:\.\d+){3}$/, ":0:0");
  const halves = groups.split("::");
  const parts = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!parts.every((part) => /^[\da-f]{1,4}$/i.test(part)) || !/\d/.test(groups)) return false;
  return halves.length === 2 ? parts.length < 8 : halves.length === 1 && parts.length === 8;
}

/** 13 to 19 digits whose check digit fits (ISO/IEC 7812, Luhn). Spaces and dashes do not count. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  if (!/^[3-6]\d{12,18}$/.test(digits)) return false;
  let sum = 0;
  for (let fromEnd = 0; fromEnd < digits.length; fromEnd++) {
    const digit = Number(digits.at(-1 - fromEnd));
    const weighted = fromEnd % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}
