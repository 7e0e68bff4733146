/**
 * Patterns of secrets, applied by `scrub-text.ts`. Every pattern is linear for any text:
 * repetitions are bounded, or cannot start inside an earlier attempt.
 */
import { findCardNumber } from "./card-numbers.ts";

/** Replaces a removed value. */
export const REMOVED = "[removed]";

/**
 * A pattern of secrets in a text. The secret is the match, or its group `secret` if there is one.
 */
export interface SecretPattern {
  readonly name: string;
  /** Applies only if this setting is on. */
  readonly setting?: "email" | "ip";
  /**
   * Occurs in every match, so that a text without it need not be searched. Contains no quotes,
   * backslashes or line ends.
   */
  readonly hint?: string | RegExp;
  readonly pattern: RegExp;
  /** A check beyond the pattern: the part of the match that is secret, undefined if none is. */
  readonly findSecret?: (text: string) => string | undefined;
}

/**
 * "Basic authentication failed" contains no secret: a token has a digit, a "=", inner capitals, or
 * is long.
 */
const TOKEN_VALUE =
  "\\s{1,4}(?<secret>(?=[\\w.~+/-]{0,200}(?:[\\d=]|[a-z][A-Z])|[\\w.~+/-]{20})[\\w.~+/-]{6,}={0,2})";

/**
 * Patterns of secrets; those that may contain others come first. Prefixes are documented by the
 * issuers.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: "PEM private key",
    hint: "-----BEGIN",
    pattern:
      /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  },
  {
    name: "cookie header",
    hint: "ookie",
    pattern:
      /\b(?:[\w-]{1,20}-)?[Cc]ookie["']?\s{0,4}:\s{0,4}["']?(?<secret>[^\s=;"']{1,100}=[^\r\n"']+)/g,
  },
  { name: "JWT", hint: "eyJ", pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/g },
  { name: "bearer token", hint: "earer", pattern: new RegExp(`\\b[Bb]earer${TOKEN_VALUE}`, "g") },
  {
    name: "basic credentials",
    hint: "asic",
    pattern: new RegExp(`\\b[Bb]asic${TOKEN_VALUE}`, "g"),
  },
  {
    name: "userinfo of a URL",
    hint: "@",
    pattern:
      /(?<![A-Za-z\d+.-])[A-Za-z][A-Za-z\d+.-]{1,30}:\/\/(?<secret>[^\s/@:?#"'<>]{0,200}:[^\s/"'<>]{1,200})@/g,
  },
  {
    name: "AWS key id",
    hint: /A(?:KIA|SIA|ROA|IDA)/,
    pattern: /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z\d]{16}\b/g,
  },
  { name: "Google API key", hint: "AIza", pattern: /\bAIza[\w-]{35}/g },
  { name: "Google client secret", hint: "GOCSPX-", pattern: /\bGOCSPX-[\w-]{20,}/g },
  { name: "Google access token", hint: "ya29.", pattern: /\bya29\.[\w-]{20,}/g },
  {
    name: "Cloudflare",
    hint: /cf(?:k|ut|at)_/,
    pattern: /\b(?:cfk|cfut|cfat)_[A-Za-z\d]{40,}/g,
  },
  { name: "GitHub", hint: /gh[opsur]_/, pattern: /\bgh[opsur]_[A-Za-z\d]{30,}/g },
  { name: "GitHub, fine-grained", hint: "github_pat_", pattern: /\bgithub_pat_\w{22,}/g },
  { name: "GitLab", hint: "glpat-", pattern: /\bglpat-[\w-]{20,}/g },
  { name: "Errata", hint: "errata_", pattern: /\berrata_(?:server_[\da-f]{32}|[\w-]{40,})/g },
  { name: "Errata, a link", hint: "/enter", pattern: /\/enter#(?<secret>[\w-]{16,})/g },
  { name: "npm", hint: "npm_", pattern: /\bnpm_[A-Za-z\d]{30,}/g },
  {
    name: "Stripe",
    hint: /(?:live|test|whsec)_/,
    pattern: /\b(?:(?:sk|rk)_(?:live|test)|whsec)_[A-Za-z\d]{10,}/g,
  },
  { name: "Slack token", hint: "xox", pattern: /\bxox[abceoprs](?:\.xox[bp])?-[\w-]{10,}/g },
  {
    name: "Slack webhook",
    hint: "hooks.slack.com",
    pattern: /\bhooks\.slack\.com\/(?:services|workflows)\/(?<secret>[\w/]{10,})/g,
  },
  { name: "AI provider", hint: "sk-", pattern: /\bsk-[\w-]{20,}/g },
  { name: "Hugging Face", hint: "hf_", pattern: /\bhf_[A-Za-z\d]{30,}/g },
  { name: "DigitalOcean", hint: "_v1_", pattern: /\bdo[opr]_v1_[a-f\d]{40,}/g },
  { name: "Shopify", hint: "shp", pattern: /\bshp(?:at|ca|pa|ss)_[A-Fa-f\d]{32,}/g },
  { name: "SendGrid", hint: "SG.", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  {
    name: "card number",
    hint: /[2-6]\d{3}(?:[ -]?\d){8}/,
    // Chrome's deprecation reports link to pages with 16-digit numbers.
    pattern:
      /(?<![\w.+-]|chromestatus\.com\/features?\/)[2-6]\d{3}(?:[ -]?\d){8,15}(?![\w-]|\.\w)/g,
    findSecret: findCardNumber,
  },
];
