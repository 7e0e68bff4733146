/**
 * Adds a report to its issue. Pure, so that counts can be checked, rebuilt and replayed. The index
 * aggregates every report summary exactly once. Counts, days, times and values do not depend on the
 * order of reports; the issue's names do (`describe-issue.ts`). Counts, users and the time of the
 * last occurrence include reports of all levels. `days` and `hours` count the issue's own level,
 * `lowerDays` and `lowerHours` the levels below, so that a receipt and the judgement of alerts can
 * leave these out.
 */
import type { SkewVerdict } from "../deploy-skew/deploy-skew.ts";
import { limits } from "../limits.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest } from "../report.ts";
import { countNetworks, mergeNetworkSketches } from "../stats/network-sketch.ts";
import { addToCounts, addUser, countUsers } from "../stats/trust-counts.ts";
import type { Trust } from "../trust/trust.ts";
import { DAY_MS, HOUR_MS, parseUtcHour, toUtcDay, toUtcHour } from "../utc-time.ts";
import {
  addGrouping,
  compareRanks,
  describeIssue,
  type IssueDescription,
} from "./describe-issue.ts";
import type { DayCounts, Issue, IssueSummary } from "./issue.ts";
import { listLatestPerCategory, toLatestReport } from "./latest-reports.ts";

const MAX_DAYS = 30;
const MAX_HOURS = 72;
const RECENT_HOURS = 24;

/**
 * The issue after one more report. `issue` is undefined for the first report of a digest. A linked
 * report (a browser that was shown the digest) adds to `linkedCount` and is not an occurrence.
 * `ownDigest` is the report's own, if the issue was merged from that of the report. `skew` is the
 * verdict about the report.
 */
export function aggregateReport(
  issue: Issue | undefined,
  report: ReportSummary,
  nowMs: number,
  ownDigest: Digest = report.digest,
  skew?: SkewVerdict,
): Issue {
  const description = describeIssue(issue, report, skew);
  const rankDifference = issue === undefined ? 0 : compareRanks(report, issue);
  const previous = issue ?? createEmptyIssue(report, description);
  const { occurrences = 1, atMs, lastAtMs = atMs } = report;
  const ownCount = report.isLinked ? 0 : occurrences;
  return {
    ...previous,
    ...description,
    ...addToCounts(previous, report.trust, ownCount),
    linkedCount: previous.linkedCount + (occurrences - ownCount),
    ...((ownCount > 0 || previous.count === 0) && {
      lastSeenMs:
        ownCount > 0 && previous.count === 0 ? lastAtMs : Math.max(previous.lastSeenMs, lastAtMs),
    }),
    // A rolled-up report has no body.
    latestReports:
      report.occurrences === undefined
        ? listLatestPerCategory([toLatestReport(report), ...previous.latestReports])
        : previous.latestReports,
    ...addAliases(previous, report),
    ...addGrouping(previous, report, ownDigest),
    ...(ownCount > 0 &&
      sumSteps([
        rankDifference > 0 ? toLowerSteps(previous) : previous,
        toSteps(rankDifference < 0, atMs, ownCount),
      ])),
    ...addUser(previous, report),
    ...addNetwork(previous, report),
    asOfMs: nowMs,
  };
}

/** Only public reports name their network. */
function addNetwork(
  issue: Pick<Issue, "networkSketch">,
  { networkSketch }: ReportSummary,
): Pick<Issue, "networkSketch"> {
  return { networkSketch: mergeNetworkSketches(issue.networkSketch, networkSketch) };
}

/** The part of an issue that lists show. */
export function summarizeIssue(issue: Issue): IssueSummary {
  const { digest, kind, type, message, culprit, route, release, environment, state, noise } = issue;
  const { trust, count, publicCount, pageCount, linkedCount, firstSeenMs, lastSeenMs } = issue;
  const { decision, assignee, tracker, blockedUri, place, otherErrors, publicOrigin } = issue;
  const { escalation, fixMark } = issue;
  const userCount = countUsers(issue);
  const networkCount = countNetworks(issue.networkSketch);
  // Bodies of issues omit what summaries have, so that none may be missing here.
  const summary: { [Name in keyof Required<IssueSummary>]: IssueSummary[Name] } = {
    digest,
    kind,
    type,
    message,
    state,
    trust,
    count,
    publicCount,
    pageCount,
    linkedCount,
    firstSeenMs,
    lastSeenMs,
    recentDays: listAllDays(issue),
    recentHours: listRecentHours(issue),
    culprit,
    place,
    route,
    release,
    environment,
    noise,
    decision,
    assignee,
    tracker,
    fixMark,
    otherErrors,
    blockedUri,
    publicOrigin,
    escalation,
    userCount: userCount === 0 ? undefined : userCount,
    networkCount: networkCount === 0 ? undefined : networkCount,
  };
  return summary;
}

/** The occurrences of all levels on each UTC day. */
export function listAllDays({ days, lowerDays = [] }: IssueSteps): DayCounts {
  return lowerDays.length === 0 ? days : keepNewest(sumCountsOf([days, lowerDays]), MAX_DAYS);
}

function listRecentHours(issue: IssueSteps): IssueSummary["recentHours"] {
  const counts = listAllHours(issue).map(([hour, n]) => [toHourNumber(hour), n] as const);
  const [newest] = counts.at(-1) ?? [];
  if (newest === undefined) return undefined;
  const recent = counts.filter(([hour]) => newest - hour < RECENT_HOURS);
  const [oldest = newest] = recent[0] ?? [];
  const ofHours = new Map(recent);
  const length = newest - oldest + 1;
  return [newest, ...Array.from({ length }, (_, back) => ofHours.get(newest - back) ?? 0)];
}

function toHourNumber(hour: string): number {
  return Math.floor(parseUtcHour(hour) / HOUR_MS);
}

/** The occurrences of all levels in each UTC hour. */
export function listAllHours({ hours = [], lowerHours = [] }: IssueSteps): DayCounts {
  return lowerHours.length === 0 ? hours : keepNewest(sumCountsOf([hours, lowerHours]), MAX_HOURS);
}

/** Occurrences of the issue's own level on the seven UTC days that end with the day of `nowMs`. */
export function countLastSevenDays({ days }: Pick<Issue, "days">, nowMs: number): number {
  const from = toUtcDay(nowMs - 6 * DAY_MS);
  const to = toUtcDay(nowMs);
  return days.reduce(
    (total, [day, count]) => (day >= from && day <= to ? total + count : total),
    0,
  );
}

/** Counts a report's aliases. Those of lower levels get the room that higher ones leave. */
function addAliases(issue: IssueAliases, { aliases = [], trust }: ReportSummary): IssueAliases {
  const known = splitAliases(issue);
  return joinAliases({ ...known, [trust]: [...aliases, ...known[trust]] });
}

type IssueAliases = Pick<Issue, "aliases" | "trustedAliasCount" | "serverAliasCount">;

/** The aliases of an issue by the level of the reports that they came with. */
export function splitAliases({
  aliases,
  trustedAliasCount = 0,
  serverAliasCount = 0,
}: IssueAliases): Record<Trust, readonly string[]> {
  return {
    server: aliases.slice(0, serverAliasCount),
    page: aliases.slice(serverAliasCount, trustedAliasCount),
    public: aliases.slice(trustedAliasCount),
  };
}

/** The lists without duplicates, at most `limits.maxAliasesPerIssue`. */
export function joinAliases(lists: Record<Trust, readonly string[]>): IssueAliases {
  const countOf = (aliases: readonly string[]) =>
    Math.min(new Set(aliases).size, limits.maxAliasesPerIssue);
  const trusted = [...lists.server, ...lists.page];
  const [serverCount, trustedCount] = [countOf(lists.server), countOf(trusted)];
  return {
    aliases: [...new Set([...trusted, ...lists.public])].slice(0, limits.maxAliasesPerIssue),
    ...(trustedCount > 0 && { trustedAliasCount: trustedCount }),
    ...(serverCount > 0 && { serverAliasCount: serverCount }),
  };
}

function createEmptyIssue(report: ReportSummary, description: IssueDescription): Issue {
  return {
    v: 2,
    digest: report.digest,
    state: "open",
    count: 0,
    publicCount: 0,
    pageCount: 0,
    linkedCount: 0,
    ...description,
    lastSeenMs: report.atMs,
    latestReports: [],
    aliases: [],
    days: [],
    asOfMs: report.atMs,
  };
}

/** The occurrences of an issue by time. */
export type IssueSteps = Pick<Issue, "days" | "hours" | "lowerDays" | "lowerHours">;

/** The sum of the occurrences, oldest first; at most 30 days and 72 hours. */
export function sumSteps(all: readonly IssueSteps[]): IssueSteps {
  const sum = (name: keyof IssueSteps, max: number) =>
    keepNewest(sumCountsOf(all.map((steps) => steps[name] ?? [])), max);
  const [lowerDays, lowerHours] = [sum("lowerDays", MAX_DAYS), sum("lowerHours", MAX_HOURS)];
  return {
    days: sum("days", MAX_DAYS),
    hours: sum("hours", MAX_HOURS),
    ...(lowerDays.length > 0 && { lowerDays, lowerHours }),
  };
}

/** The same occurrences, all of lower levels than those that follow. */
export function toLowerSteps(steps: IssueSteps): IssueSteps {
  return { days: [], lowerDays: listAllDays(steps), lowerHours: listAllHours(steps) };
}

function toSteps(isLower: boolean, atMs: number, count: number): IssueSteps {
  const [days, hours] = [[[toUtcDay(atMs), count]], [[toUtcHour(atMs), count]]] as const;
  return isLower ? { days: [], lowerDays: days, lowerHours: hours } : { days, hours };
}

/** The sums of counts by day or hour, in no order. */
function sumCountsOf(all: readonly DayCounts[]): DayCounts {
  const sums = new Map<string, number>();
  for (const [step, count] of all.flat()) sums.set(step, (sums.get(step) ?? 0) + count);
  return [...sums];
}

function keepNewest(counts: DayCounts, max: number): DayCounts {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-max);
}
