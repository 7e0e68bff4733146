/**
 * Merges issues and splits them again: counts, aliases, search text and annotations. How a split
 * affects later reports is described in `merge-map.ts`. Synchronous; call inside a transaction.
 */
import { appendActivity } from "../../../core/issue/annotations.ts";
import { removeGrouping } from "../../../core/issue/describe-issue.ts";
import { joinFixRecords } from "../../../core/issue/fix-record.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { combineIssues } from "../../../core/issue/merge-issues.ts";
import type { Digest } from "../../../core/report.ts";
import { LinkRank } from "../tables/alias-table.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import type { IndexTables } from "./index-tables.ts";

/** Merges `from` into an issue, which then also counts their future reports. */
export function mergeIssues(
  tables: IndexTables,
  { digest }: Issue,
  from: readonly Digest[],
  by: string | undefined,
  nowMs: number,
): DirtyKeys {
  const movedAliases: string[] = [];
  const others = [...new Set(from)].filter((other) => other !== digest);
  for (const other of others) {
    moveAnnotations(tables, other, digest, by, nowMs);
    movedAliases.push(...mergePair(tables, digest, other, nowMs));
  }
  tables.merges.clearCache();
  return createDirtyKeys({ issues: [digest], aliases: movedAliases });
}

/** Moves the activity, and redirects `from` and issues merged into it to `into`. */
function moveAnnotations(
  { annotations, issues }: IndexTables,
  from: Digest,
  into: Digest,
  by: string | undefined,
  nowMs: number,
): void {
  const [theirs, ours] = [annotations.getOrEmpty(from), annotations.getOrEmpty(into)];
  const moved = [from, ...(issues.get(from)?.mergedDigests ?? [])];
  for (const digest of moved) {
    const { splitOff } = annotations.getOrEmpty(digest);
    const pointer = { v: 2, mergedInto: into, activity: [], splitOff } as const;
    annotations.save(digest, pointer);
  }
  const activity = [...ours.activity, ...theirs.activity].sort((a, b) => a.atMs - b.atMs);
  const merged = { atMs: nowMs, action: "merged", from, by } as const;
  const fix = joinFixRecords(ours.fix, theirs.fix);
  annotations.save(into, appendActivity({ ...ours, activity, fix }, merged));
}

/**
 * Adds one issue to another, with its aliases and search text; returns the changed aliases. Does
 * nothing if one of the issues does not exist.
 */
export function mergePair(
  { issues, aliases, search, decisions, tombstones }: IndexTables,
  digest: Digest,
  other: Digest,
  nowMs: number,
): readonly string[] {
  const [target, merged] = [issues.get(digest), issues.get(other)];
  if (target === undefined || merged === undefined) return [];
  issues.save(combineIssues(target, merged, nowMs));
  const movedAliases = [...aliases.move(other, digest), other];
  aliases.add(other, digest, nowMs, LinkRank.server);
  search.merge(other, digest);
  decisions.erase(other);
  issues.remove(other);
  // KV keeps its snapshot until the snapshot of the target counts its reports.
  tombstones.add("issue", other);
  return movedAliases;
}

/**
 * Splits `digest` off from an issue: counted reports stay, future ones count in a separate issue.
 */
export function splitIssue(
  { issues, shardProgress, aliases, annotations, merges }: IndexTables,
  { mergedDigests = [], mergedGroupings, ...issue }: Issue,
  digest: Digest,
  by: string | undefined,
  nowMs: number,
): DirtyKeys {
  const remaining = mergedDigests.filter((one) => one !== digest);
  issues.save({
    ...issue,
    ...(remaining.length > 0 && { mergedDigests: remaining }),
    mergedGroupings: removeGrouping(mergedGroupings, digest),
    splitOff: [...(issue.splitOff ?? []), digest],
    asOfMs: nowMs,
  });
  aliases.removeLink(digest, issue.digest);
  const { mergedInto: _, ...own } = annotations.getOrEmpty(digest);
  const splitPoint = { into: issue.digest, watermarks: shardProgress.getWatermarks() };
  annotations.save(digest, { ...own, splitOff: [...(own.splitOff ?? []), splitPoint] });
  annotations.addActivity(issue.digest, { atMs: nowMs, action: "split", digest, by });
  merges.clearCache();
  return createDirtyKeys({ issues: [issue.digest], aliases: [digest] });
}
