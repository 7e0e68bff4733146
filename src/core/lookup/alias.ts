/**
 * Aliases: codes of other systems that lead to an issue, in the one spelling under which they are stored and looked
 * up. An alias is compared as text and nothing else is concluded from it.
 */

import { limits } from "../limits.ts";
import { findControlFlowName } from "../report/control-flow.ts";

/** Spellings of one code, and how it is stored. */
const ALIAS_FORMATS: readonly {
  name: string;
  pattern: RegExp;
  stored: (match: RegExpExecArray) => string;
}[] = [
  // Next.js 15.2 to 16.3 append the code of their own error; before and after that the digest stands alone.
  { name: "next-digest", pattern: /^(\d{1,10})[@;]E\d{1,8}$/, stored: ([, digest = ""]) => digest },
  // A trace id, a Sentry event id, a UUID.
  {
    name: "hex-id",
    pattern: /^[\da-f]{8}(-?)[\da-f]{4}\1[\da-f]{4}\1[\da-f]{4}\1[\da-f]{12}$/i,
    stored: ([id]) => id.replaceAll("-", "").toLowerCase(),
  },
  // Cloudflare writes the data centre behind a Ray ID in the header, and leaves it out on its error pages.
  {
    name: "ray-id",
    pattern: /^([\da-f]{16})(?:-[a-z]{3})?$/i,
    stored: ([, id = ""]) => id.toLowerCase(),
  },
];

/**
 * The stored spelling of a foreign code: trimmed, a Next.js digest without its `@E394`, a hex id in lower case
 * without dashes, a Ray ID without its data centre. Null when the text cannot be a code: empty, longer than
 * `limits.maxAliasChars`, with spaces inside or anything but printable ASCII, or a digest of control flow.
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
