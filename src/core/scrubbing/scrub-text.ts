/** A text without its secrets: by shape, by name, and both behind the escapes of an address. Linear, and never throws. */

import { scrubNamedSecrets } from "./named-secrets.ts";
import { REMOVED, type SecretPattern } from "./secret-patterns.ts";
import { scrubEscapedParts } from "./url-escapes.ts";

/** How many values were removed: one that was found within another is gone with it. */
export function countRemovals(before: string, after: string): number {
  if (before === after) return 0;
  return Math.max(1, after.split(REMOVED).length - before.split(REMOVED).length);
}

const MAX_PASSES = 4;
/** Escapes of escapes that are read. */
const MAX_ESCAPE_DEPTH = 3;

/** The text without these shapes and without what it names, also behind escapes. `code`: what is secret is written out. */
export function scrubTextSecrets(
  text: string,
  patterns: readonly SecretPattern[],
  isCode = false,
): string {
  return repeatUntilStable(text, (before) => scrubOnce(before, patterns, isCode, MAX_ESCAPE_DEPTH));
}

/** A name without these shapes. */
export function scrubNameSecrets(name: string, patterns: readonly SecretPattern[]): string {
  return patterns.length === 0
    ? name
    : repeatUntilStable(name, (before) => scrubPatterns(before, patterns));
}

/** Until nothing more is found: once a secret is out, what stood around it may have the shape of another. */
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
  const plain = scrubNamedSecrets(scrubPatterns(text, patterns), isCode);
  if (depthLeft === 0) return plain;
  return scrubEscapedParts(plain, (decoded) => scrubOnce(decoded, patterns, isCode, depthLeft - 1));
}

function scrubPatterns(text: string, patterns: readonly SecretPattern[]): string {
  let scrubbed = text;
  for (const { hint, pattern, findSecret } of patterns) {
    if (!mayMatch(scrubbed, hint)) continue;
    scrubbed = scrubbed.replace(pattern, (match: string, ...rest: readonly unknown[]) => {
      const found = getSecretGroup(rest.at(-1)) ?? match;
      const secret = findSecret === undefined ? found : findSecret(found);
      return secret === undefined ? match : match.replace(secret, REMOVED);
    });
  }
  return scrubbed;
}

function getSecretGroup(groups: unknown): string | undefined {
  if (typeof groups !== "object" || groups === null || !("secret" in groups)) return undefined;
  return typeof groups.secret === "string" ? groups.secret : undefined;
}
