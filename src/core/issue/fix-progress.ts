/** How far a fix has come, for whoever met the fault: what was decided, read with the releases that have been seen. */

import { compareReleases } from "../release/compare-releases.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import { getCurrentState } from "./decision.ts";
import type { Decision, Issue } from "./issue.ts";

/** `coming`: it is resolved in a release that nobody has met yet. */
export type FixProgress = "none" | "pending" | "fixed";

/** True when the releases have to be known to say more than that a fix is decided. */
export function needsReleases({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.release !== undefined || decision?.inNextRelease !== undefined;
}

/** How far it is at `nowMs`. `releases` are those that were met: without any, a fix in one of them is on its way. */
export function getFixProgress(
  issue: Pick<Issue, "decision" | "count">,
  releases: readonly Pick<ReleaseSummary, "name" | "firstSeenMs">[],
  nowMs: number,
): FixProgress {
  const { decision } = issue;
  if (decision === undefined || getCurrentState(issue, nowMs) !== "resolved") return "none";
  return isDeployed(decision, releases) ? "fixed" : "pending";
}

function isDeployed(
  { release: fixedIn, inNextRelease, atMs }: Decision,
  releases: readonly Pick<ReleaseSummary, "name" | "firstSeenMs">[],
): boolean {
  if (fixedIn === undefined && inNextRelease === undefined) return true;
  if (fixedIn === undefined) return releases.some(({ firstSeenMs = 0 }) => firstSeenMs > atMs);
  const firstSeenByRelease = new Map(
    releases.map(({ name, firstSeenMs = 0 }) => [name, firstSeenMs]),
  );
  const getFirstSeenMs = (name: string) => firstSeenByRelease.get(name);
  return releases.some(({ name }) => compareReleases(name, fixedIn, getFirstSeenMs) >= 0);
}
