/**
 * The description of an issue: everything except its counts, such as names, first time, releases
 * and common values.
 *
 * Occurrences rank above linked reports, and each of these by trust: server, page, public. Only
 * reports of the highest rank describe the issue, and the first report of a higher rank replaces
 * the description. So visitors cannot rename an issue that a server reported, or change its first
 * time. The names come from the first report of that rank, the message from the first report with a
 * specific message; nothing else depends on the order.
 */

import { countSkew, type SkewVerdict } from "../deploy-skew/deploy-skew.ts";
import { ERASED } from "../erased-mark.ts";
import { limits } from "../limits.ts";
import { countStack, selectPlace } from "../place/stack-counts.ts";
import { DEFAULT_LEVEL, REPORT_LEVELS } from "../report/level.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { isVagueMessage } from "../report/title.ts";
import type { Digest, ReportGrouping } from "../report.ts";
import { countOwnLevel } from "../stats/trust-counts.ts";
import { maxTrust, type Trust, toTrustRank } from "../trust/trust.ts";
import type { Issue } from "./issue.ts";
import { incrementTopValue, type TopValues } from "./top-values.ts";

/** The values by which an issue counts its occurrences, besides tags. */
export type ValueName = "releases" | "environments" | "browsers" | "pages" | "levels";

/** The members of an issue that describe it; all, so that they replace those of another one. */
export type IssueDescription = {
  readonly [K in
    | ("trust" | "kind" | "type" | "message" | "otherErrors")
    | ("culprit" | "route" | "blockedUri" | "noise")
    | ("firstSeenMs" | "firstRelease" | "release" | "environment" | "silent200Count" | "skew")
    | (ValueName | "tags" | "stacks" | "place")]: Issue[K];
};

/** The highest rank of the issue's reports, 0 to 5. */
export function toDescriptionRank({ count, trust }: Pick<Issue, "count" | "trust">): number {
  return toRank(count > 0, trust);
}

function toRank(isOccurrence: boolean, trust: Trust): number {
  return (isOccurrence ? 3 : 0) + toTrustRank(trust);
}

/** Positive if a report ranks above those of its issue, negative if it ranks below. */
export function compareRanks({ isLinked, trust }: ReportSummary, issue: Issue): number {
  return toRank(!isLinked, trust) - toDescriptionRank(issue);
}

/**
 * The description after one more report; `issue` is undefined for the first. `skew` is the verdict
 * about the report.
 */
export function describeIssue(
  issue: Issue | undefined,
  report: ReportSummary,
  skew?: SkewVerdict,
): IssueDescription {
  const difference = issue === undefined ? 1 : compareRanks(report, issue);
  if (issue !== undefined && difference < 0) return pickDescription(issue);
  const previous = difference === 0 ? issue : undefined;
  const { atMs, trust, isSilent200 = false, occurrences = 1 } = report;
  const releases = findReleases(previous, report);
  const stacks = report.isLinked
    ? previous?.stacks
    : countStack(previous?.stacks, report, occurrences);
  return {
    ...nameIssue(previous, report),
    trust: maxTrust(trust, previous?.trust ?? trust),
    firstSeenMs: Math.min(atMs, previous?.firstSeenMs ?? atMs),
    silent200Count: (previous?.silent200Count ?? 0) + (isSilent200 ? occurrences : 0),
    skew: countSkew(previous?.skew, skew, occurrences),
    ...releases,
    stacks,
    place: selectPlace(stacks, releases.release),
    ...countValues(previous, report),
  };
}

/** The members of an issue that describe it. */
export function pickDescription(issue: Issue): IssueDescription {
  const { trust, firstSeenMs, silent200Count, skew, firstRelease, release, environment } = issue;
  const { releases, environments, browsers, pages, levels, tags, stacks, place } = issue;
  return {
    ...toNames(issue),
    trust,
    firstSeenMs,
    silent200Count,
    skew,
    firstRelease,
    release,
    environment,
    releases,
    environments,
    browsers,
    pages,
    levels,
    tags,
    stacks,
    place,
  };
}

/** The names of the first report. A specific message of an engine replaces an unspecific one. */
function nameIssue(previous: Issue | undefined, report: ReportSummary) {
  // An erased report has no title.
  if (previous === undefined || previous.message === ERASED) return toNames(report);
  const isBetter = isVagueMessage(previous.message) && !isVagueMessage(report.message);
  if (!isBetter || report.message === ERASED) return toNames(previous);
  const { type, message, otherErrors } = report;
  return { ...toNames(previous), type, message, otherErrors };
}

function toNames(from: Issue | ReportSummary) {
  const { kind, type, message, otherErrors, culprit, route, blockedUri, noise } = from;
  return { kind, type, message, otherErrors, culprit, route, blockedUri, noise };
}

/** The release of the earliest occurrence, and release and environment of the newest. */
function findReleases(
  previous: Issue | undefined,
  report: ReportSummary,
): { [K in "firstRelease" | "release" | "environment"]: string | undefined } {
  const { atMs, lastAtMs = atMs, release, environment } = report;
  if (previous === undefined) return { firstRelease: release, release, environment };
  const isEarliest = !report.isLinked && atMs < previous.firstSeenMs;
  const isNewest = (topValues: TopValues | undefined) =>
    !report.isLinked && lastAtMs >= findNewestMs(topValues);
  return {
    firstRelease: (isEarliest ? release : undefined) ?? previous.firstRelease,
    release: (isNewest(previous.releases) ? release : undefined) ?? previous.release,
    environment:
      (isNewest(previous.environments) ? environment : undefined) ?? previous.environment,
  };
}

function findNewestMs(topValues: TopValues | undefined): number {
  return (topValues?.values ?? []).reduce((newest, [, , , lastMs]) => Math.max(newest, lastMs), 0);
}

/** Counts an occurrence by its release, environment, browser, page, level and tags. */
function countValues(
  previous: Issue | undefined,
  report: ReportSummary,
): { [K in ValueName]: TopValues | undefined } & {
  tags: Issue["tags"] | undefined;
} {
  const { releases, environments, browsers, pages, levels, tags } = previous ?? {};
  if (report.isLinked) return { releases, environments, browsers, pages, levels, tags };
  const { atMs, lastAtMs = atMs, occurrences, release, environment, browser, route } = report;
  const added = { occurrences: occurrences ?? 1, firstMs: atMs, lastMs: lastAtMs };
  const increment = (topValues: TopValues | undefined, name: string | undefined) =>
    name === undefined ? topValues : incrementTopValue(topValues, name, added);
  return {
    releases: increment(releases, release),
    environments: increment(environments, environment),
    browsers: increment(browsers, browser),
    pages: increment(pages, route),
    levels: increment(levels, report.level),
    // A rollup has no tags.
    tags: occurrences === undefined ? countTagValues(tags, report, added) : tags,
  };
}

type CountedLevels = Pick<
  Issue,
  ("count" | "publicCount" | "pageCount") | ("trust" | "levels" | "firstSeenMs" | "lastSeenMs")
>;

/**
 * The occurrences by severity, most severe first; as other values, those of the issue's own trust
 * level. `error` is not stored, because most issues have no other level.
 */
export function countLevels(issue: CountedLevels): TopValues {
  const stored = issue.levels?.values ?? [];
  const others = stored.reduce((sum, [, count]) => sum + count, 0);
  const errors = countOwnLevel(issue) - others;
  const { firstSeenMs, lastSeenMs } = issue;
  const values = Object.keys(REPORT_LEVELS).flatMap((level) =>
    level !== DEFAULT_LEVEL
      ? stored.filter(([name]) => name === level)
      : errors > 0
        ? [[level, errors, firstSeenMs, lastSeenMs] as const]
        : [],
  );
  return { values, otherCount: 0 };
}

/** Once all keys are used, new keys are ignored. */
function countTagValues(
  previous: Issue["tags"],
  { tags = [] }: ReportSummary,
  added: Parameters<typeof incrementTopValue>[2],
): Issue["tags"] {
  const all = new Map(Object.entries(previous ?? {}));
  for (const [key, value] of tags) {
    const hasRoom = all.has(key) || all.size < limits.tagKeysPerIssue;
    if (hasRoom) all.set(key, incrementTopValue(all.get(key), value, added));
  }
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

/**
 * The members of an issue about the keys of its reports. A digest is a hash of the parts of a key,
 * so any report of a digest has the same: the keys do not depend on ranks.
 */
export type IssueGroupings = Pick<Issue, "grouping" | "mergedGroupings">;

/**
 * The keys of an issue after a report with a digest of its own, which may be that of a merged
 * issue.
 */
export function addGrouping(
  issue: IssueGroupings & Pick<Issue, "digest">,
  { isLinked, grouping }: Pick<ReportSummary, "isLinked" | "grouping">,
  ownDigest: Digest,
): IssueGroupings {
  const known = { grouping: issue.grouping, mergedGroupings: issue.mergedGroupings };
  if (isLinked || grouping === undefined) return known;
  if (ownDigest === issue.digest) return { ...known, grouping: known.grouping ?? grouping };
  return combineGroupings(issue, { digest: ownDigest, grouping });
}

/** The keys of an issue after another one was merged into it. */
export function combineGroupings(
  into: IssueGroupings,
  from: IssueGroupings & Pick<Issue, "digest">,
): IssueGroupings {
  const all = {
    ...into.mergedGroupings,
    ...(from.grouping && { [from.digest]: from.grouping }),
    ...from.mergedGroupings,
  };
  const kept = Object.entries(all).slice(0, limits.mergedGroupingsPerIssue);
  return { grouping: into.grouping, mergedGroupings: toRecord(kept) };
}

/** The keys of merged issues without that of one, which was split off. */
export function removeGrouping(
  mergedGroupings: Issue["mergedGroupings"],
  digest: Digest,
): Issue["mergedGroupings"] {
  return toRecord(Object.entries(mergedGroupings ?? {}).filter(([name]) => name !== digest));
}

function toRecord(entries: readonly (readonly [Digest, ReportGrouping])[]) {
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
