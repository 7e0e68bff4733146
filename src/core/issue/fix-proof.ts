/**
 * What the sessions say about a fix: how often an issue occurred since the release that fixes it,
 * and before. Without sessions, silence proves nothing: nobody may use the release yet.
 */

import { formatNumber } from "../numbers.ts";
import { compareReleases, parseReleasePackage } from "../release/compare-releases.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import { hasForeignSessions } from "../stats/crash-free.ts";
import { DAY_MS } from "../utc-time.ts";
import type { Issue } from "./issue.ts";

/** The occurrences of an issue in some releases, and all sessions of these releases. */
export interface Occurrences {
  readonly reports: number;
  readonly sessions: number;
}

export interface FixProof {
  /** The release in which the issue was resolved. */
  readonly release: string;
  /** In that release and later ones. */
  readonly since: Occurrences;
  /** In the earlier releases with the issue; absent if it is older than the sessions. */
  readonly before?: Occurrences;
}

/** For how long sessions are counted, ms. */
const SESSIONS_MS = 30 * DAY_MS;

/**
 * The proof of an issue that is resolved in a release; undefined for others, and before the first
 * session of the release. `releases` have the sessions of the last thirty days.
 */
export function findFixProof(
  { decision, releases: seenIn, firstSeenMs }: Pick<Issue, "decision" | "releases" | "firstSeenMs">,
  releases: readonly ReleaseSummary[],
  nowMs: number,
): FixProof | undefined {
  const release = decision?.state === "resolved" ? decision.release : undefined;
  if (release === undefined) return undefined;
  const firstSeen = new Map(releases.map((one) => [one.name, one.firstSeenMs]));
  const counts = new Map(seenIn?.values.map(([name, count]) => [name, count]));
  const since = { reports: 0, sessions: 0 };
  const before = { reports: 0, sessions: 0 };
  for (const one of releases) {
    const { name, sessions } = one;
    if (sessions === undefined || hasForeignSessions(one)) continue;
    if (parseReleasePackage(name) !== parseReleasePackage(release)) continue;
    const isSince = compareReleases(name, release, (other) => firstSeen.get(other)) >= 0;
    if (!isSince && !counts.has(name)) continue;
    const sum = isSince ? since : before;
    sum.sessions += sessions.started;
    sum.reports += counts.get(name) ?? 0;
  }
  if (since.sessions === 0) return undefined;
  const isCovered = before.sessions > 0 && nowMs - firstSeenMs < SESSIONS_MS;
  return { release, since, ...(isCovered && { before }) };
}

/** `0 in 4,102 sessions of 1.4.2; before 3.1 %`. `release` is shown as it is named. */
export function formatProof({ release, since, before }: FixProof): string {
  const { reports, sessions } = since;
  const now = `${formatNumber(reports)} in ${formatNumber(sessions)} sessions of ${release}`;
  return before === undefined ? now : `${now}; before ${formatPercent(before)}`;
}

/** Reports per hundred sessions, with one decimal below ten. */
function formatPercent({ reports, sessions }: Occurrences): string {
  const rate = (100 * reports) / sessions;
  if (rate > 0 && rate < 0.1) return "under 0.1 %";
  return `${formatNumber(rate < 10 ? Math.round(10 * rate) / 10 : Math.round(rate))} %`;
}
