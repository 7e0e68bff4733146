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
    pattern: /(?<![\w.+-])[3-6]\d{3}(?:[ -]?\d){8,15}(?![\w-]|\.\w)/g,
    isSecret: isCardNumber,
  },
];

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
