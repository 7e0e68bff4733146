/** What the index knows of each release: the issues that have to do with it, when it was first seen, how its sessions ended. */
import type { FilterKey } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { present } from "../core/present.ts";
import type { ReleaseSessions, ReleaseSummary } from "../core/release-summary.ts";
import type { TallyOnDay } from "../core/tally.ts";
import type { FacetTable } from "./facet-table.ts";
import type { ReleaseTable } from "./release-table.ts";

/**
 * The newest releases, by when they were first seen: those of which there are issues or sessions. `tallies` are
 * those of the days whose sessions count.
 */
export function releaseSummaries(
  { facets, releases }: { readonly facets: FacetTable; readonly releases: ReleaseTable },
  tallies: readonly TallyOnDay[],
): readonly ReleaseSummary[] {
  const issuesBy = (key: FilterKey) => new Map(facets.counts(key, limits.maxCountedReleases));
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
  for (const { name, count } of tallies) {
    const [first, release = "", , end = ""] = name;
    if (first !== "session" || release === "") continue;
    const before = all.get(release) ?? { started: 0, errored: 0, crashed: 0 };
    const crashed = end === "crashed" || end === "abnormal" ? count : 0;
    const errored = end === "errored" || end === "unhandled" ? count : 0;
    all.set(release, {
      started: before.started + (end === "started" ? count : 0),
      errored: before.errored + errored,
      crashed: before.crashed + crashed,
    });
  }
  return all;
}
