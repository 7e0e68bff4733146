/**
 * Reads how far the fixes of issues are, as their receipts say it, for the visitors who wait for
 * them. An issue that was merged since has the progress of the one it was merged into.
 */
import { type FixProgress, getFixProgress, needsReleases } from "../../core/issue/fix-progress.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import { wasSeen } from "../../core/release/release-summary.ts";
import type { Digest } from "../../core/report.ts";
import { findIssuesByAlias } from "./state/find-issues-by-code.ts";
import type { IndexTables } from "./state/index-tables.ts";
import { listReleases } from "./state/release-summaries.ts";

/**
 * The progress of each issue at `nowMs`; null for one that does not exist. A decision that can still
 * be undone fixes nothing: a message cannot be taken back. Synchronous.
 */
export function readFixProgress(
  tables: IndexTables,
  digests: readonly Digest[],
  nowMs: number,
): readonly (FixProgress | null)[] {
  const issues = digests.map((digest) => findIssue(tables, digest));
  // Only fixes in a release cost the reads of releases.
  const isInRelease = issues.some((issue) => issue !== undefined && needsReleases(issue));
  const releases = isInRelease ? listReleases(tables, nowMs).filter(wasSeen) : [];
  return issues.map((issue) => {
    if (issue === undefined) return null;
    const progress = getFixProgress(issue, releases, nowMs);
    const isFinal = nowMs - (issue.decision?.atMs ?? 0) >= limits.undoMs;
    return progress === "fixed" && !isFinal ? "pending" : progress;
  });
}

function findIssue(tables: IndexTables, digest: Digest): Issue | undefined {
  const issue = tables.issues.get(digest);
  if (issue !== undefined) return issue;
  const [into, ...others] = findIssuesByAlias(tables, digest);
  if (into === undefined || others.length > 0) return undefined;
  const merged = tables.issues.get(into);
  return merged?.mergedDigests?.includes(digest) === true ? merged : undefined;
}
