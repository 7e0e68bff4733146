/**
 * What a secret looks like wherever it stands; `scrub.ts` applies the table. Every pattern is linear on any text: repetitions
 * are bounded, or start only where they cannot have started before.
 */
import { findCardNumber } from "./card-numbers.ts";

/** What stands in place of a secret. */
export const REMOVED = "[removed]";

/** A shape of secrets in a text. What is secret is the match, or its group `secret` where there is one. */
export interface SecretPattern {
  readonly name: string;
  /** It is a secret only where this setting is on. */
  readonly setting?: "email" | "ip";
  /** Stands in every match, so that a text without it need not be searched. Without quotes, backslashes and line ends. */
  readonly hint?: string | RegExp;
  readonly pattern: RegExp;
  /** What no pattern can tell: the part of it that is a secret, undefined where it is none. */
  readonly findSecret?: (text: string) => string | undefined;
}

/** "Basic authentication failed" is no secret: a token has a digit, a "=", capitals inside, or is long. */
const TOKEN_VALUE =
  "\\s{1,4}(?<secret>(?=[\\w.~+/-]{0,200}(?:[\\d=]|[a-z][A-Z])|[\\w.~+/-]{20})[\\w.~+/-]{6,}={0,2})";

/** Shapes of secrets, the ones that contain others first. Prefixes are those that the issuers document. */
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
  { name: "Errata", hint: "errata_", pattern: /\berrata_[\w-]{40,}/g },
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
    // Chrome's deprecation reports lead to pages with numbers of 16 digits.
    pattern:
      /(?<![\w.+-]|chromestatus\.com\/features?\/)[2-6]\d{3}(?:[ -]?\d){8,15}(?![\w-]|\.\w)/g,
    findSecret: findCardNumber,
  },
];
