/**
 * The progress of a fix, for users who saw the error: the decision combined with the releases seen
 * so far.
 */

import { compareReleases } from "../release/compare-releases.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { TrustCounts } from "../stats/trust-counts.ts";
import { isAtLeast } from "../trust/trust.ts";
import { getCurrentState } from "./decision.ts";
import type { Decision, Issue } from "./issue.ts";

/** `pending`: resolved in a release that has not been seen yet. */
export type FixProgress = "none" | "pending" | "fixed";

type SeenRelease = Pick<ReleaseSummary, "name" | "firstSeenMs" | "trust">;

/** True if the progress depends on which releases have been seen. */
export function needsReleases({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.release !== undefined || decision?.inNextRelease !== undefined;
}

/**
 * The progress at `nowMs`. `releases` are those seen so far; without any, a fix in a release is
 * pending. A release that only reports below the level of the issue named does not fix it.
 */
export function getFixProgress(
  issue: TrustCounts & Pick<Issue, "decision" | "trust">,
  releases: readonly SeenRelease[],
  nowMs: number,
): FixProgress {
  const { decision } = issue;
  if (decision === undefined || getCurrentState(issue, nowMs) !== "resolved") return "none";
  const relevant = releases.filter(({ trust }) => isAtLeast(trust, issue.trust));
  return isDeployed(decision, relevant) ? "fixed" : "pending";
}

function isDeployed(
  { release: fixedIn, inNextRelease, atMs }: Decision,
  releases: readonly SeenRelease[],
): boolean {
  if (fixedIn === undefined && inNextRelease === undefined) return true;
  if (fixedIn === undefined) return releases.some(({ firstSeenMs = 0 }) => firstSeenMs > atMs);
  const firstSeenByRelease = new Map(
    releases.map(({ name, firstSeenMs = 0 }) => [name, firstSeenMs]),
  );
  const getFirstSeenMs = (name: string) => firstSeenByRelease.get(name);
  return releases.some(({ name }) => compareReleases(name, fixedIn, getFirstSeenMs) >= 0);
}
