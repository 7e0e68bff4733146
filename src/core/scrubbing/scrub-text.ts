/**
 * Removes secrets from a text by pattern and by name, also in percent-encoded parts. Linear; never
 * throws.
 */
import { scrubOptions } from "./command-options.ts";
import { isEmptyValue } from "./field-values.ts";
import { scrubNamedSecrets } from "./named-secrets.ts";
import { foldName, isSecretName } from "./secret-names.ts";
import { scrubPairs } from "./secret-pairs.ts";
import type { SecretPattern } from "./secret-pattern.ts";
import { REMOVED } from "./secret-patterns.ts";

/** The number of removed values. A secret inside another counts once. */
export function countRemovals(before: string, after: string): number {
  if (before === after) return 0;
  return Math.max(1, after.split(REMOVED).length - before.split(REMOVED).length);
}

const MAX_PASSES = 4;
/** Levels of nested percent-encoding that are decoded. */
const MAX_ESCAPE_DEPTH = 3;

/**
 * The text without matches of the patterns and without named secrets, also in percent-encoded
 * parts. In source code (`isCode`) expressions are not secret.
 */
export function scrubTextSecrets(
  text: string,
  patterns: readonly SecretPattern[],
  isCode = false,
): string {
  const scrub = (before: string) => scrubOnce(before, patterns, isCode, MAX_ESCAPE_DEPTH);
  const scrubbed = repeatUntilStable(text, scrub);
  const folded = foldText(scrubbed);
  if (folded === scrubbed) return scrubbed;
  const foldedScrubbed = repeatUntilStable(folded, scrub);
  return foldedScrubbed === folded ? scrubbed : foldedScrubbed;
}

/** Invisible characters, and letters and signs that look like those of ASCII. */
const FOLDED_CHARS = /[\p{Default_Ignorable_Code_Point}\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;

/** The text as a name is compared, which hides `pass\u200bword=` from no pattern. */
function foldText(text: string): string {
  return FOLDED_CHARS.test(text) ? foldName(text) : text;
}

/** A member name without matches of the patterns. */
export function scrubNameSecrets(name: string, patterns: readonly SecretPattern[]): string {
  return patterns.length === 0
    ? name
    : repeatUntilStable(name, (before) => scrubPatterns(before, patterns));
}

/** Repeats until nothing changes: after a removal the text around it may match another pattern. */
function repeatUntilStable(text: string, scrub: (before: string) => string): string {
  let scrubbed = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = scrubbed;
    scrubbed = scrub(before);
    if (scrubbed === before) break;
  }
  return scrubbed;
}

function mayMatch(text: string, hint: SecretPattern["hint"]): boolean {
  if (hint === undefined) return true;
  return typeof hint === "string" ? text.includes(hint) : hint.test(text);
}

function scrubOnce(
  text: string,
  patterns: readonly SecretPattern[],
  isCode: boolean,
  depthLeft: number,
): string {
  const named = scrubNamedSecrets(scrubPairs(scrubPatterns(text, patterns)), isCode);
  const plain = scrubElements(scrubOptions(named, isCode), isCode);
  if (depthLeft === 0) return plain;
  return scrubEscapedParts(plain, (decoded) => scrubOnce(decoded, patterns, isCode, depthLeft - 1));
}

function scrubPatterns(text: string, patterns: readonly SecretPattern[]): string {
  let scrubbed = text;
  let lastGate: RegExp | undefined;
  let isOpen = true;
  for (const secret of patterns) {
    const { gate, hint, within } = secret;
    if (gate !== lastGate) isOpen = mayMatch(scrubbed, gate);
    lastGate = gate;
    if (!isOpen || !mayMatch(scrubbed, hint)) continue;
    scrubbed =
      within === undefined
        ? replaceSecrets(scrubbed, secret)
        : scrubbed.replace(within, (region) => replaceSecrets(region, secret));
  }
  return scrubbed;
}

function replaceSecrets(text: string, { pattern, findSecret }: SecretPattern): string {
  return text.replace(pattern, (match: string, ...rest: readonly unknown[]) => {
    const found = getSecretGroup(rest.at(-1)) ?? match;
    const secret = findSecret === undefined ? found : findSecret(found);
    return secret === undefined ? match : match.replace(secret, REMOVED);
  });
}

function getSecretGroup(groups: unknown): string | undefined {
  if (typeof groups !== "object" || groups === null || !("secret" in groups)) return undefined;
  return typeof groups.secret === "string" ? groups.secret : undefined;
}

// Finds secrets in percent-encoded text: `%22password%22%3A%22abc%22`.

/** A part of a URL without separators. An escaped `&` is part of a value. */
const URL_PIECE = /[^\s"<>&#]+/g;
const PERCENT_ESCAPE = /%[0-7][\dA-Fa-f]/;
/** The part of a URL before a parameter's value, which has no escapes. */
const BEFORE_VALUE = /^.*[?=]/s;
const ALL_PERCENT_ESCAPES = new RegExp(PERCENT_ESCAPE, "g");

/**
 * The text with `scrub` applied to its decoded parts. A changed part is encoded again with the
 * escapes that it had. Only ASCII is decoded, so that no escape is invalid.
 */
function scrubEscapedParts(text: string, scrub: (decoded: string) => string): string {
  if (!PERCENT_ESCAPE.test(text)) return text;
  return text.replace(URL_PIECE, (piece) => {
    const firstAt = piece.search(PERCENT_ESCAPE);
    if (firstAt < 0) return piece;
    const head = BEFORE_VALUE.exec(piece.slice(0, firstAt))?.[0] ?? "";
    return head + scrubPiece(piece.slice(head.length), scrub);
  });
}

function scrubPiece(piece: string, scrub: (decoded: string) => string): string {
  const escapes = new Map<string, string>();
  const decoded = piece.replace(ALL_PERCENT_ESCAPES, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    escapes.set(character, encoded);
    return character;
  });
  const scrubbed = scrub(decoded);
  if (scrubbed === decoded) return piece;
  return Array.from(scrubbed, (character) => escapes.get(character) ?? character).join("");
}

// Removes the contents of XML elements and of multipart form fields with a secret name. Takes
// linear time for any text.

/** `<password>x</password>`, also with a namespace, attributes or a CDATA section. */
const ELEMENT =
  /<((?:[A-Za-z_][\w.-]{0,40}:)?([A-Za-z_][\w.-]{0,99}))((?:\s[^<>]{0,400})?>\s{0,20}(?:<!\[CDATA\[)?)((?:[^<>\]]|\](?!\]>)){1,4000})(?=(?:\]\]>)?\s{0,20}<\/\1)/g;

/**
 * `name="password"`, the other headers of the part, an empty line, and the line of the value
 * (RFC 7578). Line ends may be escaped.
 */
const FORM_FIELD =
  /\bname=\\{0,3}"([^"\\\r\n]{1,100})\\{0,3}"(?:(?:\r?\n|\\r\\n|\\n)[\w-]{1,40}:[^\r\n\\]{0,200}){0,3}(?:\r?\n|\\r\\n|\\n){2}((?:(?!\\[rn])[^\r\n])+)/g;

/**
 * The text without the contents of secret elements and form fields. In source code (`isCode`)
 * elements with an expression or several words stay.
 */
function scrubElements(text: string, isCode = false): string {
  let scrubbed = text;
  if (scrubbed.includes("</")) {
    scrubbed = scrubbed.replace(
      ELEMENT,
      (match: string, _tag: string, name: string, _open: string, value: string) =>
        isCode && /[\s{}]/.test(value) ? match : replaceValue(match, name, value),
    );
  }
  if (scrubbed.includes("name=")) {
    scrubbed = scrubbed.replace(FORM_FIELD, (match: string, name: string, value: string) =>
      replaceValue(match, name, value),
    );
  }
  return scrubbed;
}

/** Replaces the value, which must be at the end of the match. */
function replaceValue(match: string, name: string, value: string): string {
  if (!isSecretName(name) || isEmptyValue(value.trim())) return match;
  return match.slice(0, match.length - value.length) + REMOVED;
}
