/** What the index knows of each release: the issues that have to do with it, when it was first seen, how its sessions ended. */
import type { FilterKey } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { ReleaseSessions, ReleaseSummary } from "../core/release-summary.ts";
import { sessionEnds } from "../core/session-ends.ts";
import type { TallyOnDay } from "../core/tally.ts";
import type { Ledger } from "./ledger.ts";

/**
 * The newest releases, by when they were first seen: those of which there are issues or sessions. `tallies` are those of the days
 * whose sessions count.
 */
export function releaseSummaries(
  { issues, releases }: Pick<Ledger, "issues" | "releases">,
  tallies: readonly TallyOnDay[],
): readonly ReleaseSummary[] {
  const issuesBy = (key: FilterKey) =>
    new Map(issues.facets.counts(key, limits.maxCountedReleases));
  const [seen, isNew, regressed, fixed] = [
    issuesBy("release"),
    issuesBy("new"),
    issuesBy("regressed"),
    issuesBy("fixed"),
  ];
  const sessions = sessionsOf(tallies);
  const names = new Set([...seen.keys(), ...fixed.keys(), ...sessions.keys()]);
  return [...names]
    .map((name): ReleaseSummary => {
      return {
        name,
        issues: seen.get(name) ?? 0,
        newIssues: isNew.get(name) ?? 0,
        regressed: regressed.get(name) ?? 0,
        fixed: fixed.get(name) ?? 0,
        ...present({
          firstSeenMs: releases.firstSeenMs(name),
          sessions: sessions.get(name),
        }),
      };
    })
    .sort((a, b) => (b.firstSeenMs ?? 0) - (a.firstSeenMs ?? 0) || (a.name < b.name ? 1 : -1))
    .slice(0, limits.maxListedReleases);
}

/** How sessions ended, by release, over all environments. */
function sessionsOf(tallies: readonly TallyOnDay[]): ReadonlyMap<string, ReleaseSessions> {
  const all = new Map<string, ReleaseSessions>();
  for (const { release, ends } of sessionEnds(tallies)) {
    if (release === "") continue;
    const before = all.get(release) ?? { started: 0, errored: 0, crashed: 0 };
    const crashed = ends.crashed + ends.abnormal;
    all.set(release, {
      started: before.started + ends.started,
      // A session may have had its error one day, and have crashed the next.
      errored: before.errored + Math.max(0, ends.errored - crashed),
      crashed: before.crashed + crashed,
    });
  }
  return all;
}
