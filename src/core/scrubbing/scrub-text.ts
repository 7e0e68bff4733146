/**
 * Removes secrets from a text by pattern and by name, also in percent-encoded parts. Linear; never
 * throws.
 */

import { scrubOptions } from "./command-options.ts";
import { scrubNamedSecrets } from "./named-secrets.ts";
import { scrubElements } from "./secret-elements.ts";
import { foldName } from "./secret-names.ts";
import { scrubPairs } from "./secret-pairs.ts";
import type { SecretPattern } from "./secret-pattern.ts";
import { REMOVED } from "./secret-patterns.ts";
import { scrubEscapedParts } from "./url-escapes.ts";

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
