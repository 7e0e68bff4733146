/** Finds the issues of a code: a digest, or an alias that their reports name. Synchronous. */
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import type { IndexTables } from "./index-tables.ts";
import { listSplitSources } from "./report-links.ts";

/**
 * The issues of an alias, by its most certain links only: a visitor who names the code of a
 * server's issue must not make the code ambiguous. A digest that was split off leads to the issue
 * that counts its earlier reports, until it has an issue again.
 */
export function findIssuesByAlias(
  { aliases, issues, merges }: IndexTables,
  alias: string,
): readonly Digest[] {
  const digests = aliases.findHighestDigests(alias);
  if (digests.length > 0 || issues.get(alias) !== undefined) return digests;
  return merges.listSplitSources(alias).filter((digest) => issues.get(digest) !== undefined);
}

/**
 * The issue of each digest and the issues of each alias, once, at most `count`. Trusted issues
 * exclude public ones: a stranger can send any code as a digest.
 */
export function findIssuesByCodes(
  tables: IndexTables,
  codes: readonly string[],
  count: number,
): readonly IssueSummary[] {
  const digests = new Set(codes.flatMap((code) => [code, ...findIssuesByAlias(tables, code)]));
  const issues = [...digests]
    .map((digest) => tables.issues.getSummary(digest))
    .filter((issue) => issue !== undefined);
  const trusted = issues.filter(({ trust }) => isTrusted(trust));
  return (trusted.length > 0 ? trusted : issues).slice(0, count);
}

/** The issues of the stacks of a digest that was split: those of servers first. */
export function listIssuesSplitFrom(
  { aliases, issues }: IndexTables,
  digest: Digest,
): readonly Digest[] {
  return aliases
    .findDigests(digest)
    .filter((one) => one !== digest && listSplitSources(issues.get(one) ?? {}).includes(digest));
}

/** The aliases and traces that link browser reports to this issue and to no other. */
export function listExclusiveCodes(
  { aliases, traces }: IndexTables,
  digest: Digest,
): readonly string[] {
  return [...aliases.listExclusiveAliases(digest), ...traces.listExclusiveTraces(digest)];
}
