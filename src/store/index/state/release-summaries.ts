/** Summaries of releases: their issues, when they were first seen, and how their sessions ended. */

import type { DayCounts } from "../../../core/issue/issue.ts";
import { selectNewestReports } from "../../../core/issue/related-reports.ts";
import { limits } from "../../../core/limits.ts";
import type { ReleaseSessions, ReleaseSummary } from "../../../core/release/release-summary.ts";
import type { DailyCounter } from "../../../core/stats/counters.ts";
import { countSessions } from "../../../core/stats/session-counts.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { DAY_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { IndexTables } from "./index-tables.ts";

const SESSION_DAYS = 30;

/** The summaries of releases at `nowMs`, with the sessions of the last 30 UTC days. */
export function listReleases(
  tables: Pick<IndexTables, "issues" | "releases" | "counters">,
  nowMs: number,
): readonly ReleaseSummary[] {
  const days = Array.from({ length: SESSION_DAYS }, (_, n) => toUtcDay(nowMs - n * DAY_MS));
  return listReleaseSummaries(tables, tables.counters.listOf("session", days));
}

/**
 * The releases that have issues or sessions, the newest first. If there are too many, at least half
 * of them are of the highest levels. `counters` cover the days of the sessions.
 */
export function listReleaseSummaries(
  { issues, releases }: Pick<IndexTables, "issues" | "releases">,
  counters: readonly DailyCounter[],
): readonly ReleaseSummary[] {
  const sessions = countReleaseSessions(counters);
  const { releaseCounts } = issues.facets;
  const names = [
    ...releases.listNewest(limits.maxComparedReleases),
    ...releaseCounts.listFixed(limits.maxComparedReleases),
    ...sessions.keys(),
  ];
  const counts = releaseCounts.list(names);
  const all = [...new Set(names)]
    .filter((name) => counts.has(name) || sessions.has(name))
    .map((name): ReleaseSummary => {
      const seen = releases.get(name);
      const count = counts.get(name);
      const ownSessions = sessions.get(name);
      const hasTrustedSessions = ownSessions !== undefined && ownSessions.isPublic !== true;
      const isSeen = seen !== undefined || (count?.seen ?? 0) > 0 || ownSessions !== undefined;
      const isInTrusted = (count?.trusted_seen ?? 0) > 0 || hasTrustedSessions;
      const isInTable = seen !== undefined && isTrusted(seen.trust);
      // Sessions are of servers or public; counts of issues do not distinguish servers and pages.
      const fromReports = isInTable ? seen.trust : isInTrusted ? "page" : "public";
      const highest = hasTrustedSessions ? "server" : fromReports;
      return {
        name,
        // A member named a release that only a decision names.
        trust: isSeen ? highest : "server",
        issueCount: count?.seen ?? 0,
        newIssueCount: count?.new ?? 0,
        regressedCount: count?.regressed ?? 0,
        fixedCount: count?.fixed ?? 0,
        firstSeenMs: seen?.firstSeenMs,
        sessions: ownSessions,
      };
    })
    .sort(compareSummaries);
  return selectNewestReports(all, limits.maxListedReleases).toSorted(compareSummaries);
}

/** The newest first. */
function compareSummaries(a: ReleaseSummary, b: ReleaseSummary): number {
  return (b.firstSeenMs ?? 0) - (a.firstSeenMs ?? 0) || (a.name < b.name ? 1 : -1);
}

/** By release, over all environments. Public sessions count only if a release has no others. */
function countReleaseSessions(
  counters: readonly DailyCounter[],
): ReadonlyMap<string, ReleaseSessions> {
  const all = new Map<string, ReleaseSessions>();
  const days = countStartedByDay(counters);
  const rows = countSessions(counters);
  const trusted = new Set(rows.flatMap((row) => (row.isTrusted ? row.release : [])));
  for (const { release, counts, isTrusted } of rows) {
    if (release === "" || (!isTrusted && trusted.has(release))) continue;
    const before = all.get(release) ?? { started: 0, errored: 0, crashed: 0, days: [] };
    const crashed = counts.crashed + counts.abnormal;
    all.set(release, {
      started: before.started + counts.started,
      // A session may have its error on one day and crash on the next.
      errored: before.errored + Math.max(0, counts.errored - crashed),
      crashed: before.crashed + crashed,
      days: days.get(toDaysKey(release, isTrusted)) ?? [],
      ...(!isTrusted && { isPublic: true }),
    });
  }
  return all;
}

/** The sessions that started on each day, by release and trust, over all environments. */
function countStartedByDay(counters: readonly DailyCounter[]): ReadonlyMap<string, DayCounts> {
  const started = counters.filter(({ name }) => name[4] === "started");
  const groups = Map.groupBy(started, ({ name: [, trust, release = ""] }) =>
    toDaysKey(release, trust === "server"),
  );
  return new Map([...groups].map(([key, group]) => [key, addUpByDay(group)]));
}

function addUpByDay(counters: readonly DailyCounter[]): DayCounts {
  const days = Map.groupBy(counters, ({ day }) => day);
  return [...days]
    .map(([day, group]) => [day, group.reduce((sum, { count }) => sum + count, 0)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function toDaysKey(release: string, isTrusted: boolean): string {
  return `${isTrusted} ${release}`;
}
