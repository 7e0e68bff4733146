/** Summaries of releases: their issues, when they were first seen, and how their sessions ended. */
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ReleaseSessions, ReleaseSummary } from "../../../core/release/release-summary.ts";
import type { DailyCounter } from "../../../core/stats/counters.ts";
import { countSessions } from "../../../core/stats/session-counts.ts";
import type { IndexTables } from "./index-tables.ts";

/** The newest releases that have issues or sessions. `counters` cover the days of the sessions. */
export function listReleaseSummaries(
  { issues, releases }: Pick<IndexTables, "issues" | "releases">,
  counters: readonly DailyCounter[],
): readonly ReleaseSummary[] {
  const countIssuesBy = (key: FilterKey) =>
    new Map(issues.facets.countValues(key, limits.maxCountedReleases));
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
      return {
        name,
        issueCount: seenIn.get(name) ?? 0,
        newIssueCount: newIn.get(name) ?? 0,
        regressedCount: regressed.get(name) ?? 0,
        fixedCount: fixed.get(name) ?? 0,
        ...omitUndefined({
          firstSeenMs: releases.getFirstSeenMs(name),
          sessions: sessions.get(name),
        }),
      };
    })
    .sort((a, b) => (b.firstSeenMs ?? 0) - (a.firstSeenMs ?? 0) || (a.name < b.name ? 1 : -1))
    .slice(0, limits.maxListedReleases);
}

/** By release, over all environments. */
function countReleaseSessions(
  counters: readonly DailyCounter[],
): ReadonlyMap<string, ReleaseSessions> {
  const all = new Map<string, ReleaseSessions>();
  for (const { release, counts } of countSessions(counters)) {
    if (release === "") continue;
    const before = all.get(release) ?? { started: 0, errored: 0, crashed: 0 };
    const crashed = counts.crashed + counts.abnormal;
    all.set(release, {
      started: before.started + counts.started,
      // A session may have its error on one day and crash on the next.
      errored: before.errored + Math.max(0, counts.errored - crashed),
      crashed: before.crashed + crashed,
    });
  }
  return all;
}
