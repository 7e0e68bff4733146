/**
 * Codes that came with a report: an Errata digest that its sender was shown, and foreign codes that shall lead to its issue.
 */

import { parseDigest } from "../../core/grouping/digest.ts";
import { limits } from "../../core/limits.ts";
import { normalizeAlias } from "../../core/lookup/alias.ts";
import { omitUndefined } from "../../core/omit-undefined.ts";
import type { Digest } from "../../core/report.ts";

/** What the codes of one report mean. */
export interface ForeignCodes {
  readonly linkedDigest?: Digest;
  readonly aliases?: readonly string[];
}

/**
 * Sorts what may be codes: the first that is an Errata digest becomes `issueDigest`, the others become aliases, each once,
 * at most `limits.maxAliasesPerReport`. What is neither is left out.
 */
export function extractCodes(candidates: readonly unknown[]): ForeignCodes {
  let linkedDigest: Digest | undefined;
  const aliases = new Set<string>();
  for (const candidate of candidates) {
    if (typeof candidate !== "string" || candidate.length > limits.maxStringChars) continue;
    const digest = parseOwnDigest(candidate);
    if (digest !== undefined) {
      linkedDigest ??= digest;
    } else if (aliases.size < limits.maxAliasesPerReport) {
      const alias = normalizeAlias(candidate);
      if (alias !== null) aliases.add(alias);
    }
  }
  return omitUndefined({ linkedDigest, aliases: aliases.size === 0 ? undefined : [...aliases] });
}

/** Eight decimal digits are Next.js' own, even where they happen to have a fitting check character. */
function parseOwnDigest(text: string): Digest | undefined {
  if (/^\s*\d+\s*$/.test(text)) return undefined;
  const read = parseDigest(text);
  return read.ok ? read.value : undefined;
}
