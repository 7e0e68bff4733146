/**
 * Names of members whose values are secret. In data any such name counts. In a text, where
 * "session: closed" is a sentence, only names of credentials count.
 */
import { MemoCache } from "../memo-cache.ts";

/** Request and response headers whose values are secret. Lower case. */
const SECRET_HEADERS =
  /^(?:authorization|proxy-authorization|(?:set-)?cookie2?|x-api-key|api-key|x-auth-.{1,40}|x-csrf.{0,40}|x-xsrf.{0,40}|cf-access-.{1,40}|x-amz-security-token|x-forwarded-authorization)$/;

/**
 * Parts of a name that make its value secret at any position. Tested on the lower-case letters of
 * the name.
 */
const SECRET_PARTS =
  /passw(?:or[dt]|d)|passphrase|passcode|secret|token|(?:api|access|account|private|auth|encryption|signing|session)key|(?:mfa|totp|twofactor|verification|security|recovery)code|credential|signature|jwt|codeverifier|samlresponse|clientassertion|presharedkey|bindpw|rootpw|sess(?:ion)?id|authorization|cookie|csrf|xsrf|cardnumber|creditcard/;

/** `pass` as the end of a name: `DB_PASS`, but not `bypass` or `renderPass`. */
const PASS_NAME =
  /(?:^|db|user|smtp|mail|imap|ftp|ssh|root|admin|sudo|my|sql|mongo|redis|mq|ldap|proxy|http|basic|auth|login|key|store|new|old)pass$/;

/** Whole words of a name that make its value secret: `auth`, but not `author`. */
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
  "psk",
]);

/** Tested first, so that most names need not be split into words. */
const SECRET_WORD_HINT = new RegExp([...SECRET_WORDS].join("|"), "i");

/**
 * Names about tokens, cookies and sessions whose values are not secret. Lower-case letters only.
 */
const HARMLESS_NAMES =
  /^(?:tokeni[sz].{0,80}|cookie(?:consent|banner|policy|enabled)|sessionstorage|.{0,40}(?:max|min|total|prompt|completion|input|output|cached|reasoning|num)tokens|tokens?(?:count|limit|type|used)|sharedaccesskeyname)$/;

/** Names that are secret in a URL only: elsewhere `code` is an error code. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(["code", "key"]);

const MAX_NAME_CHARS = 100;

/**
 * True for the name of a member whose value is secret: a header, a JSON key, a tag. `accessToken`,
 * `x-api-key`, `auth`.
 */
export function isSecretName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && secretNameCache.getOrCreate(name, matchesSecretName);
}

/** Consecutive reports have the same forty or so names in `detail`. */
const secretNameCache = new MemoCache<boolean>();

function matchesSecretName(original: string): boolean {
  const name = foldName(original);
  const letters = toLetters(name);
  if (HARMLESS_NAMES.test(letters)) return false;
  if (SECRET_HEADERS.test(name.toLowerCase()) || SECRET_PARTS.test(letters)) return true;
  if (PASS_NAME.test(letters)) return true;
  return SECRET_WORD_HINT.test(name) && splitWords(name).some((word) => SECRET_WORDS.has(word));
}

/** True for the name of a secret URL parameter, which includes a few more names. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SECRET_PARAMETERS.has(name.toLowerCase());
}

/** The end of a credential's name. A `token` alone may be one of a parser. */
const CREDENTIAL_NAME =
  /(?:passw(?:or[dt]|d)|passphrase|passcode|[a-z]pass|secret|(?:api|access|account|private|auth|encryption|signing|master|secret)key|credentials?|authorization|codeverifier|samlresponse|clientassertion|psk|bindpw|rootpw|(?:access|refresh|auth|api|bearer|csrf|xsrf|session|security|client|bot)token|cardnumber|creditcard)(?:id|hash|base|value)?$/;

/**
 * `InvalidCredentials`, `PasswordMismatch`: names of errors. The name of a field begins in lower
 * case or separates its words.
 */
const CLASS_NAME = /^[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)+$/;
const ERROR_NAME_PREFIX = /^(?:invalid|missing|wrong|bad|incorrect|expired|unknown|weak|forgot)/;

/**
 * True if a secret name is certainly the name of a credential: `password`, `DB_PASSWORD`,
 * `X-Api-Key`, not `session`.
 */
export function isCredentialName(name: string): boolean {
  const letters = toLetters(name);
  if (CLASS_NAME.test(name) || ERROR_NAME_PREFIX.test(letters) || !isSecretName(name)) return false;
  const isHeader = SECRET_HEADERS.test(name.toLowerCase()) && !letters.includes("cookie");
  return isHeader || CREDENTIAL_NAME.test(letters);
}

/** Options about a secret that are followed by something else: `--no-password db`. */
const NEGATED_OPTION = /^(?:no|skip|disable|without)-/;
/** The options of OpenSSL that name a password: `-passin pass:x`. */
const PASS_SOURCE_OPTION = /^pass(?:in|out)$/;
const OPTION_NAME = /(?:token|jwt|cookie|pass|pwd|pw|otp|pin|code)$/;

/** True if the argument after an option is secret: `--password x`, but not `--password-file x`. */
export function isSecretOption(name: string): boolean {
  if (PASS_SOURCE_OPTION.test(name)) return true;
  if (NEGATED_OPTION.test(name) || !isSecretName(name)) return false;
  return isCredentialName(name) || OPTION_NAME.test(toLetters(name));
}

/**
 * The name in the form in which it is compared: without invisible characters, and compatible
 * characters as their usual ones (Unicode NFKC).
 */
export function foldName(name: string): string {
  if (!NOT_ASCII.test(name)) return name;
  return name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, "");
}

const NOT_ASCII = /[^ -~\s]/;

function toLetters(name: string): string {
  return foldName(name)
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}

/** `["user", "session", "id"]` for `userSession_id`. */
function splitWords(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}
