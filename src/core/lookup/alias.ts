/**
 * Aliases: codes of other systems that lead to an issue, in the normalized spelling in which they
 * are stored and looked up. Aliases are compared as text.
 */

import { findControlFlowName } from "../control-flow/control-flow.ts";
import { limits } from "../limits.ts";

/** Formats of codes, and the normalized spelling of each. */
const ALIAS_FORMATS: readonly {
  name: string;
  pattern: RegExp;
  stored: (match: RegExpExecArray) => string;
}[] = [
  // Next.js 15.2 to 16.3 append their own error code; other versions show the digest alone.
  { name: "next-digest", pattern: /^(\d{1,10})[@;]E\d{1,8}$/, stored: ([, digest = ""]) => digest },
  // A trace id, a Sentry event id, a UUID.
  {
    name: "hex-id",
    pattern: /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i,
    stored: ([id]) => id.replaceAll("-", "").toLowerCase(),
  },
  // Cloudflare appends the data center to a Ray ID in the header and omits it on error pages.
  {
    name: "ray-id",
    pattern: /^([\da-f]{16})(?:-[a-z]{3})?$/i,
    stored: ([, id = ""]) => id.toLowerCase(),
  },
];

/**
 * True if a report with this alias may be about to arrive: a Next.js digest, a trace id, a Ray ID
 * or another word with a digit. A lookup takes any word as an alias: also an address, a path or
 * `key:value`.
 */
export function isAwaitedAlias(alias: string): boolean {
  return /\d/.test(alias) && !/[@:/]/.test(alias);
}

/** What a text may be, taken as an alias. */
export type AliasKind = "next-digest" | "request" | "ip" | "person" | "path" | "word";

const ALIAS_KINDS: readonly (readonly [AliasKind, RegExp])[] = [
  ["next-digest", /^\d{1,10}$/],
  ["request", /^(?:[\da-f]{16}){1,2}$/],
  ["ip", /^\d{1,3}(?:\.\d{1,3}){3}$|^[\da-f]*(?::[\da-f.]*){2,}$/i],
  ["person", /@/],
  ["path", /^\//],
];

export function getAliasKind(alias: string): AliasKind {
  return ALIAS_KINDS.find(([, pattern]) => pattern.test(alias))?.[0] ?? "word";
}

/** True for a Ray ID in the normalized spelling. */
export function isRayId(alias: string): boolean {
  return /^[\da-f]{16}$/.test(alias);
}

/**
 * The normalized spelling of a foreign code: trimmed; a Next.js digest without `@E394`; a hex id in
 * lower case without dashes; a Ray ID without its data center. Null when the text cannot be a code:
 * empty, longer than `limits.maxAliasChars`, containing spaces or anything but printable ASCII, or
 * a control-flow digest.
 */
export function normalizeAlias(text: string): string | null {
  if (text.length > limits.maxQueryChars) return null;
  const code = text.trim();
  if (code.length > limits.maxAliasChars || !/^[!-~]+$/.test(code)) return null;
  if (findControlFlowName(code) !== undefined) return null;
  for (const { pattern, stored } of ALIAS_FORMATS) {
    const match = pattern.exec(code);
    if (match !== null) return stored(match);
  }
  return code;
}
