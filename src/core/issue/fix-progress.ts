/**
 * The progress of a fix, for users who saw the error: the decision combined with the releases seen
 * so far.
 */

import { compareReleases } from "../release/compare-releases.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import type { TrustCounts } from "../stats/trust-counts.ts";
import { isAtLeast } from "../trust/trust.ts";
import { getCurrentState } from "./decision.ts";
import type { Issue } from "./issue.ts";

/** `pending`: resolved in a release that has not been seen yet. */
export type FixProgress = "none" | "pending" | "fixed";

type SeenRelease = Pick<ReleaseSummary, "name" | "firstSeenMs" | "trust">;

/** True if the progress depends on which releases have been seen. */
export function needsReleases({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.release !== undefined || decision?.inNextRelease !== undefined;
}

/**
 * The progress at `nowMs`. `releases` are those seen so far; without any, a fix in a release is
 * pending. A release that only reports below the level of the issue named does not fix it. An issue
 * without a decision is pending while a change that fixes it is proposed or merged.
 */
export function getFixProgress(
  issue: TrustCounts & Pick<Issue, "decision" | "trust" | "fixMark">,
  releases: readonly SeenRelease[],
  nowMs: number,
): FixProgress {
  const { decision } = issue;
  const state = getCurrentState(issue, nowMs);
  if (state === "open" && issue.fixMark !== undefined) return "pending";
  if (decision === undefined || state !== "resolved") return "none";
  if (!needsReleases(issue)) return "fixed";
  return findFixRelease(issue, releases) === undefined ? "pending" : "fixed";
}

/**
 * The first release that has the fix of a resolved issue, as far as releases of the level of the
 * issue were seen. Undefined if there is none, or if the decision names no release.
 */
export function findFixRelease<Release extends SeenRelease>(
  { decision, trust: level }: Pick<Issue, "decision" | "trust">,
  releases: readonly Release[],
): Release | undefined {
  const { release: fixedIn, inNextRelease, atMs = 0 } = decision ?? {};
  if (fixedIn === undefined && inNextRelease === undefined) return undefined;
  const relevant = releases.filter(({ trust }) => isAtLeast(trust, level));
  const firstSeen = new Map(relevant.map(({ name, firstSeenMs = 0 }) => [name, firstSeenMs]));
  const getFirstSeenMs = (name: string) => firstSeen.get(name);
  const withFix = relevant.filter(({ name, firstSeenMs = 0 }) =>
    fixedIn === undefined
      ? firstSeenMs > atMs
      : compareReleases(name, fixedIn, getFirstSeenMs) >= 0,
  );
  return withFix.toSorted((a, b) => (a.firstSeenMs ?? 0) - (b.firstSeenMs ?? 0))[0];
}
