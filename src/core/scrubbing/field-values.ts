/** Values of named fields: tells credentials from sentences, and redacts them. */
import { REMOVED } from "./secret-patterns.ts";

/** Words at the start of a message about a secret, in contrast to the secret itself. */
const SENTENCE_START =
  /^(?:already|and|are|be|because|can|can't|cannot|conflicts|could|did|does|doesn't|expected|expired|failed|flags?|for|from|has|if|in|incorrect|instead|invalid|is|may|missing|must|needs|no|not|of|on|options?|or|provided|require[ds]|should|takes|this|to|too|unknown|value|was|when|will|with|without|wrong)(?![^\s.,;:!])/i;

/** True if a value begins like a sentence: "must be at least 8 characters", "not found". */
export function isSentence(value: string): boolean {
  return SENTENCE_START.test(value);
}

/**
 * True for a value of at least six characters with a digit or an inner capital, and without the
 * characters of a sentence, a URL or a call.
 */
export function looksLikeCredential(value: string): boolean {
  return (
    /^[^\s()<>]{6,}$/.test(value) && /\d|[a-z][A-Z]/.test(value) && !/^[a-z]+:\/\//.test(value)
  );
}

/** Schemes before a credential, which are not secret (RFC 9110 § 11, and others in use). */
export const AUTH_SCHEME =
  /(?:basic|bearer|digest|token|apikey|negotiate|aws4-hmac-sha256)[ \t]{1,4}/iy;
const EMPTY_VALUE =
  /^(?:null|undefined|true|false|none|nil|\*+|[[<](?:removed|redacted|filtered|object Object)[\]>])[,;]?$/i;

/** True for `null` and similar values, and for a value that was already removed. */
export function isEmptyValue(value: string): boolean {
  return EMPTY_VALUE.test(value);
}

/** The value replaced by `REMOVED`. Keeps an empty value, and the scheme of an authorization. */
export function redactFieldValue(name: string, value: string): string {
  if (isEmptyValue(value)) return value;
  const scheme = matchAt(AUTH_SCHEME, value, 0);
  const isScheme = value.slice(scheme.length) === REMOVED || /authorization$/i.test(name);
  return isScheme ? `${scheme}${REMOVED}` : REMOVED;
}

/** The match of a sticky pattern at an index; empty if there is none. */
export function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? "";
}
