/**
 * The secrets that Errata itself shows: how each begins, and the pattern that removes it from
 * reports. The makers of these secrets build them from these constants.
 */
import { LONG_WORD, type SecretPattern } from "./secret-pattern.ts";

/** The prefix of the tokens with a role, so that secret scanners recognize them. */
export const TOKEN_PREFIX = "errata_";
/** The prefixes of the other secrets of OAuth, which are removed from reports as tokens are. */
export const REFRESH_TOKEN_PREFIX = "errata_refresh_";
export const CODE_PREFIX = "errata_code_";
export const DEVICE_CODE_PREFIX = "errata_device_";
/** The prefix of every server key, so that Errata and secret scanners recognize it. */
export const SERVER_KEY_PREFIX = "errata_server_";
/** The prefix of tokens that only upload. sentry-cli expects it. */
export const UPLOAD_TOKEN_PREFIX = "sntrys_";
/** The prefix of the secret of a webhook. Source: Standard Webhooks 1.0.0. */
export const WEBHOOK_SECRET_PREFIX = "whsec_";
/** The page that signs in with the code in its fragment: of a setup link or an invitation. */
export const SIGN_IN_PATH = "/sign-in";
/** The path of that page in links of earlier versions. */
const OLD_SIGN_IN_PATH = "/enter";
/** The folder of feeds. The name of each is its secret. */
export const FEEDS_PATH = "/feeds";
/** The page of an action link of a message. Its `signature` is secret. */
export const ALERT_ACTION_PATH = "/alerts/act";
/** The page that confirms a mail address. Its `signature` is secret. */
export const CONFIRM_EMAIL_PATH = "/alerts/confirm-email";
/** Follows a receipt, as the page of a link in a mail to its visitor. Its `token` is secret. */
export const VISITOR_LINK_PATH = "/confirm";
/** The URL parameter of a page token. */
export const PAGE_TOKEN_PARAMETER = "t";
/** The names of the cookies that prove who a visitor is. */
export const SESSION_COOKIE = "errata-session";
export const CHALLENGE_COOKIE = "errata-challenge";

/** The kinds of secrets that Errata shows. */
export type OwnSecret =
  | "token"
  | "upload-token"
  | "webhook-secret"
  | "sign-in-link"
  | "recovery-code"
  | "feed"
  | "action-link"
  | "email-confirmation"
  | "visitor-link"
  | "page-token"
  | "cookie";

/** The pattern of each kind. Linear: a fixed prefix and one run of characters. */
export const OWN_SECRET_PATTERNS: Readonly<Record<OwnSecret, SecretPattern>> = {
  // Server keys too, which have hex digits after their longer prefix.
  token: create(TOKEN_PREFIX, `\\b${TOKEN_PREFIX}(?:server_[\\dA-Fa-f]{32}|[\\w-]{40,})`),
  "upload-token": create(UPLOAD_TOKEN_PREFIX, `\\b${UPLOAD_TOKEN_PREFIX}[\\w+/=-]{40,}`),
  "webhook-secret": create(
    WEBHOOK_SECRET_PREFIX,
    `\\b${WEBHOOK_SECRET_PREFIX}[A-Za-z\\d+/]{10,90}={0,2}`,
  ),
  "sign-in-link": create(
    /\/(?:sign-in|enter)/,
    `(?:${SIGN_IN_PATH}|${OLD_SIGN_IN_PATH})(?:\\?[^\\s#"'<>/?]{0,300})?#(?<secret>[\\w-]{8,})`,
  ),
  "recovery-code": {
    hint: /[\da-hjkmnp-tv-z]{4}-[\da-hjkmnp-tv-z]{4}-/,
    pattern: /(?<![\w-])[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4}){3}(?![\w-])/g,
    // Four words of four letters are a path, and sixteen digits are a number.
    findSecret: (text) => (/\d/.test(text) && /[a-z]/.test(text) ? text : undefined),
  },
  feed: create(`${FEEDS_PATH}/`, `${FEEDS_PATH}/(?<secret>[\\da-f]{32})(?![\\da-f])`),
  "action-link": createSigned(ALERT_ACTION_PATH),
  "email-confirmation": createSigned(CONFIRM_EMAIL_PATH),
  "visitor-link": create(VISITOR_LINK_PATH, `${VISITOR_LINK_PATH}\\?token=(?<secret>[\\w-]{16,})`),
  "page-token": create(
    `${PAGE_TOKEN_PARAMETER}=`,
    `[?&]${PAGE_TOKEN_PARAMETER}=(?<secret>[\\w-]{35}(?:[\\w-]{5})?)(?![\\w-])`,
  ),
  cookie: create(
    /errata-[cs]/,
    `\\b(?:${SESSION_COOKIE}|${CHALLENGE_COOKIE})=(?<secret>[^\\s;,"'[]{8,})`,
  ),
};

/** The address at which a person signs in with a code. */
export function toSignInLink(origin: string, code: string): string {
  return `${origin}${SIGN_IN_PATH}#${code}`;
}

function create(hint: string | RegExp, pattern: string): SecretPattern {
  return { gate: LONG_WORD, hint, pattern: new RegExp(pattern, "g") };
}

function createSigned(path: string): SecretPattern {
  return create(path, `${path}\\?(?:[^\\s#"'<>&]{0,300}&){0,9}signature=(?<secret>[\\w-]{16,})`);
}
