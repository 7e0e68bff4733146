/** Rebuilds issues from their snapshots in KV. Synchronous. */

import { splitAliases } from "../../../core/issue/aggregate-report.ts";
import { toDecisionFields } from "../../../core/issue/decision.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { combineIssues } from "../../../core/issue/merge-issues.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import { toIssueTracker } from "../../../core/issue/tracker-link.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted, type Trust } from "../../../core/trust/trust.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import { LinkRank } from "../tables/alias-table.ts";
import type { IndexTables } from "./index-tables.ts";
import { takeNewIssue } from "./limit-new-issues.ts";
import { listSplitSources } from "./report-links.ts";
import { toTitleSearchText } from "./title-search-text.ts";

/** Adds the snapshot of an issue, with the decision and assignee that the tables have. */
export function restoreIssue(
  { issues, shardProgress, aliases, decisions, annotations, caps, releases }: IndexTables,
  issue: Issue,
  nowMs: number,
): void {
  const decision = decisions.get(issue.digest) ?? issue.decision;
  const { assignee, tracker } = annotations.getOrEmpty(issue.digest);
  issues.save({
    ...issue,
    ...toDecisionFields(issue, decision, nowMs),
    assignee: assignee ?? issue.assignee,
    tracker: tracker === undefined ? issue.tracker : toIssueTracker(tracker),
  });
  for (const { release, stack } of issue.stacks?.values ?? [])
    if (release !== undefined) releases.scripts.addStack(release, isTrusted(issue.trust), stack);
  restoreAliases(aliases, issue, issue.digest);
  for (const merged of issue.mergedDigests ?? [])
    aliases.add(merged, issue.digest, issue.firstSeenMs, LinkRank.server);
  // Otherwise reports above the limit would get issues again and count in both.
  if (issue.digest !== OTHER_ANONYMOUS_DIGEST)
    takeNewIssue(caps, toUtcDay(issue.firstSeenMs), issue);
  caps.save();
  for (const [shard, watermark] of Object.entries(issue.watermarks ?? {}))
    shardProgress.raiseWatermark(shard, watermark);
}

/**
 * Adds the snapshot of an issue that was merged into `into`, unless the snapshot of `into` already
 * counts it; true if it was added. If the issue was split off again, its digest is recorded as
 * such.
 */
export function restoreMergedIssue(
  { issues, aliases, merges }: IndexTables,
  issue: Issue,
  into: Digest,
  nowMs: number,
): boolean {
  const target = issues.get(into);
  const counted = [...(target?.mergedDigests ?? []), ...(target?.splitOff ?? [])];
  if (target === undefined || counted.includes(issue.digest)) return false;
  const { mergedDigests = [], ...combined } = combineIssues(target, issue, nowMs);
  const isSplitOff = merges.resolve(issue.digest) !== into;
  const merged = mergedDigests.filter((one) => !isSplitOff || one !== issue.digest);
  const splitOff = [...(combined.splitOff ?? []), ...(isSplitOff ? [issue.digest] : [])];
  issues.save({
    ...combined,
    ...(merged.length > 0 && { mergedDigests: merged }),
    ...(splitOff.length > 0 && { splitOff }),
  });
  restoreAliases(aliases, issue, into);
  if (!isSplitOff) aliases.add(issue.digest, into, issue.firstSeenMs, LinkRank.server);
  return true;
}

/** Snapshots do not state whether a report came from a browser or a server. */
function restoreAliases(table: IndexTables["aliases"], issue: Issue, into: Digest): void {
  const { server, page, public: others } = splitAliases(issue);
  const restore = (aliases: readonly string[], rank: LinkRank) => {
    for (const alias of aliases) table.add(alias, into, issue.firstSeenMs, rank);
  };
  restore(server, LinkRank.trusted);
  restore(page, LinkRank.page);
  restore(others, LinkRank.public);
  restore(listSplitSources(issue), TRUST_RANKS[issue.trust]);
}

const TRUST_RANKS: Readonly<Record<Trust, LinkRank>> = {
  server: LinkRank.trusted,
  page: LinkRank.page,
  public: LinkRank.public,
};

/** Adds the title as search text to issues whose first report is no longer stored. */
export function indexTitles({ issues, search }: IndexTables, digests: readonly Digest[]): void {
  for (const digest of digests) {
    const issue = issues.get(digest);
    if (issue !== undefined) search.add([[digest, toTitleSearchText(issue)]]);
  }
}
