/**
 * Codes in a report: the Errata digest that its sender saw, and foreign codes that should resolve
 * to its issue.
 */

import { isControlFlowDigest } from "../../core/control-flow/control-flow.ts";
import { parseDigest } from "../../core/grouping/parse-digest.ts";
import { limits } from "../../core/limits.ts";
import { normalizeAlias } from "../../core/lookup/alias.ts";
import type { Digest, ParsedReport } from "../../core/report.ts";

/** The codes of one report. */
type ForeignCodes = Pick<ParsedReport, "linkedDigest" | "aliases" | "hasControlFlowDigest">;

/**
 * Sorts candidates: the first Errata digest becomes `linkedDigest`, others become aliases, without
 * duplicates, at most `limits.maxAliasesPerReport`. Skips invalid candidates, and notes whether one
 * is a signal of a framework.
 */
export function extractCodes(candidates: readonly unknown[]): ForeignCodes {
  let linkedDigest: Digest | undefined;
  let hasControlFlowDigest = false;
  const aliases = new Set<string>();
  for (const candidate of candidates) {
    if (typeof candidate !== "string") continue;
    hasControlFlowDigest ||= isControlFlowDigest(candidate.trimStart());
    if (candidate.length > limits.maxStringChars) continue;
    const digest = parseOwnDigest(candidate);
    if (digest !== undefined) {
      linkedDigest ??= digest;
    } else if (aliases.size < limits.maxAliasesPerReport) {
      const alias = normalizeAlias(candidate);
      if (alias !== null) aliases.add(alias);
    }
  }
  return {
    linkedDigest,
    aliases: aliases.size === 0 ? undefined : [...aliases],
    hasControlFlowDigest: hasControlFlowDigest || undefined,
  };
}

/** Eight decimal digits are a Next.js digest, even with a valid check character. */
function parseOwnDigest(text: string): Digest | undefined {
  if (/^\s*\d+\s*$/.test(text)) return undefined;
  const read = parseDigest(text);
  return read.ok ? read.value : undefined;
}
