/** Summaries of releases: their issues, when they were first seen, and how their sessions ended. */
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ReleaseSessions, ReleaseSummary } from "../../../core/release/release-summary.ts";
import type { DailyCounter } from "../../../core/stats/counters.ts";
import { countSessions } from "../../../core/stats/session-counts.ts";
import { isTrusted, toTrustRank } from "../../../core/trust/trust.ts";
import type { IndexTables } from "./index-tables.ts";

/**
 * The releases that have issues or sessions: by level (server, page, public), then the newest.
 * `counters` cover the days of the sessions.
 */
export function listReleaseSummaries(
  { issues, releases }: Pick<IndexTables, "issues" | "releases">,
  counters: readonly DailyCounter[],
): readonly ReleaseSummary[] {
  const countIssuesBy = (key: FilterKey) => {
    const values = issues.facets.countValues(key, limits.maxCountedReleases);
    return new Map(values.map((counted) => [counted.value, counted]));
  };
  const [seenIn, newIn, regressed, fixed] = [
    countIssuesBy("release"),
    countIssuesBy("new"),
    countIssuesBy("regressed"),
    countIssuesBy("fixed"),
  ];
  const sessions = countReleaseSessions(counters);
  const names = new Set([...seenIn.keys(), ...fixed.keys(), ...sessions.keys()]);
  return [...names]
    .map((name): ReleaseSummary => {
      const seen = releases.get(name);
      const ownSessions = sessions.get(name);
      const hasTrustedSessions = ownSessions !== undefined && ownSessions.isPublic !== true;
      const isSeen = seen !== undefined || seenIn.has(name) || ownSessions !== undefined;
      const isInTrusted = seenIn.get(name)?.isTrusted === true || hasTrustedSessions;
      const isInTable = seen !== undefined && isTrusted(seen.trust);
      // Only the table tells servers from pages.
      const highest = isInTable ? seen.trust : isInTrusted ? "page" : "public";
      return {
        name,
        // A release that only a decision names is one that a person named.
        trust: isSeen ? highest : "server",
        isTrusted: !isSeen || isInTrusted || isInTable,
        issueCount: seenIn.get(name)?.issueCount ?? 0,
        newIssueCount: newIn.get(name)?.issueCount ?? 0,
        regressedCount: regressed.get(name)?.issueCount ?? 0,
        fixedCount: fixed.get(name)?.issueCount ?? 0,
        ...omitUndefined({ firstSeenMs: seen?.firstSeenMs, sessions: ownSessions }),
      };
    })
    .sort(compareSummaries)
    .slice(0, limits.maxListedReleases);
}

/** The highest level first, then the newest. */
function compareSummaries(a: ReleaseSummary, b: ReleaseSummary): number {
  return (
    toTrustRank(b.trust) - toTrustRank(a.trust) ||
    (b.firstSeenMs ?? 0) - (a.firstSeenMs ?? 0) ||
    (a.name < b.name ? 1 : -1)
  );
}

/** By release, over all environments. Public sessions count only for a release without others. */
function countReleaseSessions(
  counters: readonly DailyCounter[],
): ReadonlyMap<string, ReleaseSessions> {
  const all = new Map<string, ReleaseSessions>();
  const rows = countSessions(counters);
  const trusted = new Set(rows.flatMap((row) => (row.isTrusted ? row.release : [])));
  for (const { release, counts, isTrusted } of rows) {
    if (release === "" || (!isTrusted && trusted.has(release))) continue;
    const before = all.get(release) ?? { started: 0, errored: 0, crashed: 0 };
    const crashed = counts.crashed + counts.abnormal;
    all.set(release, {
      started: before.started + counts.started,
      // A session may have its error on one day and crash on the next.
      errored: before.errored + Math.max(0, counts.errored - crashed),
      crashed: before.crashed + crashed,
      ...(!isTrusted && { isPublic: true }),
    });
  }
  return all;
}
