/**
 * The releases of the home page: the newest ones and those with the most errors, each with the
 * crash-free rate before it. Pure.
 */
import { getApplication } from "../release/application.ts";
import { compareReleases } from "../release/compare-releases.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import { getShownCrashFree, hasForeignSessions } from "../stats/crash-free.ts";
import { isTrusted } from "../trust/trust.ts";
import type { OverviewRelease } from "./project-overview.ts";

const MAX_RELEASES = 12;
/** Releases that only browsers named: anyone can invent names. */
const MAX_PUBLIC = 4;

/** Releases with errors, whatever their age. */
const MAX_BUSY = 3;

/**
 * The seen releases: those with the most errors, then the newest; of those that only browsers
 * named, the ones with the most sessions.
 */
export function listOverviewReleases(
  all: readonly ReleaseSummary[],
  errors: ReadonlyMap<string | undefined, number>,
): readonly OverviewRelease[] {
  const seenMs = new Map(all.map(({ name, firstSeenMs }) => [name, firstSeenMs]));
  const seen = all.filter(({ firstSeenMs }) => firstSeenMs !== undefined);
  const uses = ({ sessions, issueCount }: ReleaseSummary) => (sessions?.started ?? 0) + issueCount;
  const trusted = seen.filter(({ trust }) => isTrusted(trust));
  const others = seen
    .filter(({ trust }) => !isTrusted(trust))
    .toSorted((a, b) => uses(b) - uses(a))
    .slice(0, trusted.length > 0 ? MAX_PUBLIC : MAX_RELEASES);
  const count = ({ name }: ReleaseSummary) => Math.round(errors.get(name) ?? 0);
  const newest = [...trusted, ...others].sort(
    (a, b) => (b.firstSeenMs ?? 0) - (a.firstSeenMs ?? 0),
  );
  const byErrors = newest.toSorted((a, b) => count(b) - count(a));
  const busy = byErrors.slice(0, MAX_BUSY).filter((one) => count(one) > 0);
  return [...new Set([...busy, ...newest])]
    .slice(0, MAX_RELEASES)
    .map((release): OverviewRelease => {
      const { name, trust, firstSeenMs = 0, newIssueCount, regressedCount, sessions } = release;
      const before = findPrevious(seen, release, (one) => seenMs.get(one));
      return {
        name,
        trust,
        firstSeenMs,
        errors: count(release),
        newIssueCount,
        regressedCount,
        sessions: hasForeignSessions(release) ? 0 : (sessions?.started ?? 0),
        crashFree: getShownCrashFree(release),
        crashFreeBefore: before && getShownCrashFree(before),
      };
    });
}

/** The release before, of the same application. */
function findPrevious(
  all: readonly ReleaseSummary[],
  { name }: ReleaseSummary,
  getFirstSeenMs: (release: string) => number | undefined,
): ReleaseSummary | undefined {
  const application = getApplication(name);
  return all
    .filter((one) => one.name !== name && getApplication(one.name) === application)
    .filter((one) => compareReleases(one.name, name, getFirstSeenMs) < 0)
    .sort((a, b) => compareReleases(b.name, a.name, getFirstSeenMs))[0];
}
