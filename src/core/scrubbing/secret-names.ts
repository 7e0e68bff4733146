/**
 * Names of fields whose values are secret. In data a name is enough; in a text, where a sentence may have the form of a
 * field ("session: closed"), only a credential's is.
 */
import { MemoCache } from "../memo-cache.ts";

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

/** What a name with such a word has in it: most names need not be taken apart. */
const SECRET_WORD_HINT = new RegExp([...SECRET_WORDS].join("|"), "i");

/** Names about tokens, cookies and sessions whose values are none. Lower case letters alone. */
const HARMLESS_NAMES = /^(?:tokeni[sz].{0,80}|cookie(?:consent|banner|policy)|sessionstorage)$/;

/** Names that are secret in an address alone: elsewhere `code` is the code of an error. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(["code", "key"]);

const MAX_NAME_CHARS = 100;

/**
 * True for the name of a field whose value is secret: a header, a JSON key, a tag. `accessToken`, `x-api-key`,
 * `auth`.
 */
export function isSecretName(name: string): boolean {
  return name.length <= MAX_NAME_CHARS && secretNameCache.getOrCreate(name, matchesSecretName);
}

/** The forty names of a report's detail are those of the report before. */
const secretNameCache = new MemoCache<boolean>();

function matchesSecretName(name: string): boolean {
  const letters = toLetters(name);
  if (HARMLESS_NAMES.test(letters)) return false;
  if (SECRET_HEADERS.test(name.toLowerCase()) || SECRET_PARTS.test(letters)) return true;
  return SECRET_WORD_HINT.test(name) && splitWords(name).some((word) => SECRET_WORDS.has(word));
}

/** True for the name of a secret parameter of an address, which are some more. */
export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || SECRET_PARAMETERS.has(name.toLowerCase());
}

/** What a credential is called at the end of its name. A token by itself is one of a parser's as well. */
const CREDENTIAL_NAME =
  /(?:password|passwd|passphrase|secret|(?:api|access|private|auth|encryption|signing|master|secret)key|credentials?|authorization|(?:access|refresh|auth|api|bearer|csrf|xsrf|session|security|client|bot)token|cardnumber|creditcard)(?:id|hash|base|value)?$/;

/** `InvalidCredentials`, `PasswordMismatch`: what an error is called. A field begins small or has words apart. */
const CLASS_NAME = /^[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)+$/;
const ERROR_NAME_PREFIX = /^(?:invalid|missing|wrong|bad|incorrect|expired|unknown|weak|forgot)/;

/** True where a secret's name is certainly a credential's: `password`, `DB_PASSWORD`, `X-Api-Key`, not `session`. */
export function isCredentialName(name: string): boolean {
  const letters = toLetters(name);
  if (CLASS_NAME.test(name) || ERROR_NAME_PREFIX.test(letters) || !isSecretName(name)) return false;
  const isHeader = SECRET_HEADERS.test(name.toLowerCase()) && !letters.includes("cookie");
  return isHeader || CREDENTIAL_NAME.test(letters);
}

function toLetters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}

/** `["user", "session", "id"]` for `userSession_id`. */
function splitWords(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/);
}
