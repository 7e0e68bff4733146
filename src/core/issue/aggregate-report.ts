/**
 * Adds a report to its issue. Pure, so that counts can be checked, rebuilt and replayed. The index
 * aggregates every report summary exactly once. Counts, days and times do not depend on the order
 * of reports; the issue's title does (it comes from the first).
 */
import { ERASED } from "../erased.ts";
import { estimateUserCount, mergeUserSketches } from "../hyperloglog.ts";
import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import type { DayCounts, Issue, IssueSummary } from "./issue.ts";
import { incrementTopValue, type TopValues } from "./top-values.ts";

const MAX_DAYS = 30;
const MAX_HOURS = 72;
const RECENT_DAYS = 14;

/** The UTC day of a time: `2026-11-21`. */
export function toUtcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The UTC hour of a time: `2026112117`. */
export function toUtcHour(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 13).replace(/[-T]/g, "");
}

/**
 * The issue after one more report. `issue` is undefined for the first report of a digest. A linked
 * report (a browser that was shown the digest) adds to `linkedCount` and is not an occurrence. It
 * names the issue only while there is no occurrence.
 */
export function aggregateReport(
  issue: Issue | undefined,
  report: ReportSummary,
  nowMs: number,
): Issue {
  const previous = issue ?? createEmptyIssue(report);
  const renamed = report.isLinked && issue !== undefined ? previous : applyNaming(report, previous);
  const { occurrences = 1, lastAtMs = report.atMs } = report;
  const ownCount = report.isLinked ? 0 : occurrences;
  return {
    ...renamed,
    count: previous.count + ownCount,
    linkedCount: previous.linkedCount + (occurrences - ownCount),
    silent200Count: previous.silent200Count + (report.isSilent200 === true ? occurrences : 0),
    firstSeenMs: Math.min(previous.firstSeenMs, report.atMs),
    lastSeenMs: Math.max(previous.lastSeenMs, lastAtMs),
    // A rolled-up report has no body to open.
    latestReports:
      report.occurrences === undefined
        ? listLatestPerCategory([toLatestReport(report), ...previous.latestReports])
        : previous.latestReports,
    aliases: [...new Set([...(report.aliases ?? []), ...previous.aliases])].slice(
      0,
      limits.maxAliasesPerIssue,
    ),
    ...(ownCount > 0 && countOccurrences(previous, report, ownCount)),
    ...(report.userSketch !== undefined && {
      userSketch: mergeUserSketches(previous.userSketch, report.userSketch),
    }),
    asOfMs: nowMs,
  };
}

/** The part of an issue that lists show. */
export function summarizeIssue(issue: Issue): IssueSummary {
  const { digest, kind, type, message, culprit, route, release, environment, state, noise } = issue;
  const {
    count,
    linkedCount,
    firstSeenMs,
    lastSeenMs,
    userSketch,
    decision,
    assignee,
    blockedUri,
  } = issue;
  const userCount = userSketch === undefined ? undefined : estimateUserCount(userSketch);
  return {
    ...{
      digest,
      kind,
      type,
      message,
      state,
      count,
      linkedCount,
      firstSeenMs,
      lastSeenMs,
    },
    recentDays: issue.days.slice(-RECENT_DAYS),
    ...omitUndefined({
      culprit,
      route,
      release,
      environment,
      noise,
      userCount,
      decision,
      assignee,
      blockedUri,
    }),
  };
}

/** Occurrences on the seven UTC days that end with the day of `nowMs`. */
export function countLastSevenDays(issue: Pick<Issue, "days">, nowMs: number): number {
  const from = toUtcDay(nowMs - 6 * 86_400_000);
  const to = toUtcDay(nowMs);
  return issue.days.reduce(
    (sum, [day, count]) => (day >= from && day <= to ? sum + count : sum),
    0,
  );
}

function toLatestReport(summary: ReportSummary): ReportSummary {
  const {
    traceId: _traceId,
    pageTraceId: _pageTraceId,
    userSketch: _userSketch,
    ...withoutInternals
  } = summary;
  const { tags: _tags, ...report } = withoutInternals;
  return report;
}

function createEmptyIssue(report: ReportSummary): Issue {
  return {
    v: 1,
    digest: report.digest,
    kind: report.kind,
    type: report.type,
    message: report.message,
    ...(report.noise !== undefined && { noise: report.noise }),
    state: "open",
    count: 0,
    linkedCount: 0,
    silent200Count: 0,
    firstSeenMs: report.atMs,
    lastSeenMs: report.atMs,
    latestReports: [],
    aliases: [],
    days: [],
    asOfMs: report.atMs,
  };
}

/**
 * The newest occurrences, linked reports and feedback. Each category has its own limit, so none
 * displaces another.
 */
export function listLatestPerCategory(reports: readonly ReportSummary[]): readonly ReportSummary[] {
  const each = limits.latestReports;
  const remaining = { own: each, linked: each, feedback: each };
  return [...reports]
    .sort((a, b) => b.atMs - a.atMs)
    .filter(({ isLinked, kind }) => {
      return remaining[isLinked ? (kind === "feedback" ? "feedback" : "linked") : "own"]-- > 0;
    });
}

/**
 * Names the issue: by its first occurrence; release and environment by the newest occurrence,
 * `firstRelease` by the earliest.
 */
function applyNaming(report: ReportSummary, previous: Issue): Issue {
  const isNewest = report.atMs >= previous.lastSeenMs;
  // An erased report has no title.
  const isFirst = previous.count === 0 || previous.message === ERASED;
  const isEarliest = previous.count === 0 || report.atMs < previous.firstSeenMs;
  return {
    ...(isFirst ? replaceNaming(report, previous) : previous),
    ...(isEarliest && report.release !== undefined && { firstRelease: report.release }),
    ...(isNewest && report.release !== undefined && { release: report.release }),
    ...(isNewest && report.environment !== undefined && { environment: report.environment }),
  };
}

/** Removes every name that the previous report gave. */
function replaceNaming(
  report: ReportSummary,
  { culprit: _culprit, route: _route, blockedUri: _blockedUri, ...rest }: Issue,
): Issue {
  const { kind, type, message, culprit, route, blockedUri } = report;
  return { ...rest, kind, type, message, ...omitUndefined({ culprit, route, blockedUri }) };
}

/** Counts occurrences by time and by shared values. */
function countOccurrences(
  previous: Issue,
  report: ReportSummary,
  occurrences: number,
): Partial<Issue> {
  const { atMs, lastAtMs = atMs, release, environment, browser, route } = report;
  const occurrence = { occurrences, firstMs: atMs, lastMs: lastAtMs };
  const increment = (topValues: TopValues | undefined, name: string | undefined) =>
    name === undefined ? topValues : incrementTopValue(topValues, name, occurrence);
  return {
    ...trimCounts(
      incrementAt(previous.days, toUtcDay(atMs), occurrences),
      incrementAt(previous.hours ?? [], toUtcHour(atMs), occurrences),
    ),
    ...omitUndefined({
      releases: increment(previous.releases, release),
      environments: increment(previous.environments, environment),
      browsers: increment(previous.browsers, browser),
      pages: increment(previous.pages, route),
      tags:
        report.occurrences === undefined
          ? countTagValues(previous.tags, report, occurrence)
          : previous.tags,
    }),
  };
}

/** Counts only tags of reports with stored bodies. Once all keys are used, new keys are ignored. */
function countTagValues(
  previous: Issue["tags"],
  { tags = [] }: ReportSummary,
  occurrence: { occurrences: number; firstMs: number; lastMs: number },
): Issue["tags"] {
  const all = new Map(Object.entries(previous ?? {}));
  for (const [key, value] of tags) {
    const hasRoom = all.has(key) || all.size < limits.tagKeysPerIssue;
    if (hasRoom) all.set(key, incrementTopValue(all.get(key), value, occurrence));
  }
  return all.size === 0 ? undefined : Object.fromEntries(all);
}

/** The newest days and hours with their counts, oldest first. */
export function trimCounts(days: DayCounts, hours: DayCounts): Pick<Issue, "days" | "hours"> {
  return { days: keepNewest(days, MAX_DAYS), hours: keepNewest(hours, MAX_HOURS) };
}

function incrementAt(counts: DayCounts, bucket: string, occurrences: number): DayCounts {
  const all = new Map(counts);
  all.set(bucket, (all.get(bucket) ?? 0) + occurrences);
  return [...all];
}

function keepNewest(counts: DayCounts, max: number): DayCounts {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-max);
}
