/** Queries over several tables of the index. Synchronous. */
import type { WithSentAlerts } from "../../../core/alerts/sent-alert.ts";
import type { Annotations } from "../../../core/issue/annotations.ts";
import type { IssueSummary } from "../../../core/issue/issue.ts";
import type { SavedView } from "../../../core/issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { parsePosition, VIEWS_NAME } from "../../kv/keys.ts";
import type { IndexTables } from "./index-tables.ts";
import { resolveLink } from "./report-links.ts";

/** The issue that counts a report. */
export function resolveIssue(tables: IndexTables, summary: ReportSummary): Digest {
  const position = parsePosition(summary.position);
  const digest = tables.merges.resolve(resolveLink(tables, summary), position);
  const isKnown = summary.trust !== "public" || tables.issues.get(digest) !== undefined;
  const others = tables.merges.resolve(OTHER_ANONYMOUS_DIGEST);
  return isKnown || tables.issues.get(others) === undefined ? digest : others;
}

/**
 * The issues of an alias. A digest that was split off leads to the issue that counts its earlier
 * reports, until it has an issue again.
 */
export function findIssuesByAlias(
  { aliases, issues, merges }: IndexTables,
  alias: string,
): readonly Digest[] {
  const digests = aliases.findDigests(alias);
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

/** The aliases and traces that link browser reports to this issue and to no other. */
export function listExclusiveCodes(
  { aliases, traces }: IndexTables,
  digest: Digest,
): readonly string[] {
  return [...aliases.listExclusiveAliases(digest), ...traces.listExclusiveTraces(digest)];
}

/** The annotations of an issue and its sent alerts; empty if it is unknown. */
export function readAnnotations(
  { annotations, alerts }: IndexTables,
  digest: Digest,
): Annotations & WithSentAlerts {
  return { ...annotations.getOrEmpty(digest), alerts: alerts.sent.list(digest) };
}

export function listViews({ views }: IndexTables): readonly SavedView[] {
  return views.get(VIEWS_NAME)?.views ?? [];
}
