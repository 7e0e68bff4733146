/**
 * Patterns of secrets, applied by `scrub-text.ts`. Every pattern is linear for any text:
 * repetitions are bounded, or cannot start inside an earlier attempt.
 */
import { findCardNumber } from "./card-numbers.ts";
import { LONG_WORD, type SecretPattern } from "./secret-pattern.ts";
import { TOKEN_PATTERNS } from "./token-patterns.ts";

/** Replaces a removed value. */
export const REMOVED = "[removed]";

/**
 * "Basic authentication failed" contains no secret: a token has a digit, a "=", inner capitals, or
 * is long.
 */
const TOKEN_VALUE =
  "\\s{1,4}(?<secret>(?=[\\w.~+/-]{0,200}(?:[\\d=]|[a-z][A-Z])|[\\w.~+/-]{20})[\\w.~+/-]{6,}={0,2})";

/** Four digits, or one digit and both cases: unlike the words of a path. */
const RANDOM_CODE = /(?:\d\D*){4}|(?=.*\d)(?=.*[a-z]).*[A-Z]/s;

/** Patterns of secrets; those that may contain others come first. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    // Private keys: PEM (RFC 7468) and the ASCII armor of PGP (RFC 9580 § 6.2)
    hint: "-----BEGIN",
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  },
  {
    // Cookie headers
    hint: "ookie",
    pattern: /(?<!\w)[Cc]ookie["']?\s{0,4}:\s{0,4}["']?(?<secret>[^\s=;"']{1,100}=[^\r\n"']+)/g,
  },
  // JWTs (RFC 7519)
  { hint: "eyJ", pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g },
  // Bearer tokens and basic credentials
  { hint: "earer", pattern: new RegExp(`\\b[Bb]earer${TOKEN_VALUE}`, "g") },
  { hint: "asic", pattern: new RegExp(`\\b[Bb]asic${TOKEN_VALUE}`, "g") },
  {
    // The user and password of a URL
    hint: "@",
    pattern:
      /(?<![A-Za-z\d+.-])[A-Za-z][A-Za-z\d+.-]{1,30}:\/\/(?<secret>[^\s/@:?#"'<>]{0,200}:[^\s/"'<>]{1,200})@/g,
  },
  {
    // The data source names of Go: `user:password@tcp(localhost:3306)/shop`
    hint: /@(?:tcp|udp|unix)\(/,
    pattern:
      /(?<![^\s"'`=<>])(?<secret>[^\s"'`=<>()/:@]{1,100}:[^\s"'`=<>(]{1,200})@(?:tcp|udp|unix)\(/g,
  },
  {
    // `curl -u user:password`, also over several lines
    hint: "curl",
    within: /\bcurl\b(?:\\\r?\n|[^\r\n])*/g,
    pattern:
      /\s(?:-[A-Za-z]{0,9}[uU]|--(?:proxy-)?user)[ =]?["']?(?<secret>[^\s:"'[\]]{1,100}:[^\s"']{0,200})/g,
  },
  {
    // `mysql -ppassword`
    hint: /\s-p/,
    within: /\b(?:mysql|mariadb)[\w.-]{0,20}\s{1,4}-[^\r\n]*/g,
    pattern: /\s-p(?<secret>[^\s"'[-][^\s"']{0,200}|(?:"[^"]{1,200}"|'[^']{1,200}'))/g,
  },
  {
    // `sshpass -p password`
    hint: "sshpass",
    pattern:
      /\bsshpass\s{1,4}(?:-v\s{1,4})?-p\s{0,4}(?<secret>"[^"]{1,200}"|'[^']{1,200}'|[^\s"'[-][^\s"']{0,200})/g,
  },
  {
    // The configuration of LDAP: `bindpw password`
    hint: /(?:bind|root)pw[ \t]/,
    pattern: /(?<![\w-])(?:bind|root)pw[ \t]{1,8}(?<secret>[^\s:=[][^\s]{0,200})/g,
  },
  {
    // A `.netrc`: `login user password x`
    hint: /login\s/,
    pattern: /\blogin\s{1,8}[^\s]{1,100}\s{1,8}password\s{1,8}(?<secret>[^\s:=[][^\s]{0,200})/g,
  },
  {
    // One-time codes in paths: `/reset-password/9f8e7d6c5b4a3210`, `/verify/MQ/5xt-9f8e7d6c5b4a32`
    gate: LONG_WORD,
    hint: /\/[\w-]{16}/,
    pattern:
      /(?:reset|verif|confirm|magic|invit|activat)[\w-]{0,20}\/(?:[\w=-]{1,20}\/){0,2}(?<secret>[\w-]{16,}(?:(?:\.[\w-]{6,40})?\.[\w-]{20,})?)(?![\w-]|\.\w)/gi,
    findSecret: (text) => (RANDOM_CODE.test(text) ? text : undefined),
  },
  {
    hint: "hooks.slack.com",
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[\w/]{10,})/g,
  },
  ...TOKEN_PATTERNS,
  {
    // Card numbers, with spaces of any width, dashes or dots between their groups
    hint: /[2-6]\d{3}(?:[ .\u00a0\u2009\u202f-]?\d){8}/,
    // Chrome's deprecation reports link to pages with 16-digit numbers.
    pattern:
      /(?<![\w.+-]|chromestatus\.com\/features?\/)[2-6]\d{3}(?:[ .\u00a0\u2009\u202f-]?\d){8,15}(?![\w-]|\.\w)/g,
    findSecret: findCardNumber,
  },
];
