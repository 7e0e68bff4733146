/** Selects the issues of a summary. Snoozed and archived issues are in no group. Pure. */

import { listAllDays } from "../../issue/aggregate-report.ts";
import { getCurrentState } from "../../issue/decision.ts";
import type { DayCounts, Issue, IssueSummary } from "../../issue/issue.ts";
import { SAMPLE_ENVIRONMENT } from "../../report/sample-environment.ts";
import type { Digest } from "../../report.ts";
import { toUtcDay } from "../../utc-time.ts";
import {
  PERIOD_LIMITS,
  type PeriodFacts,
  type PeriodGroup,
  type PeriodIssue,
  type PeriodQuery,
} from "./period-facts.ts";

/** An issue grows if it occurred this many times, and this much more often than before. */
const MIN_GROWING_COUNT = 10;
const MIN_GROWTH = 2;
/** Issues whose counts are read in full. */
const MAX_COUNTED = 100;

interface Candidate {
  readonly summary: IssueSummary;
  readonly issue: PeriodIssue;
}

/** The groups, of issues that were seen since the period began. */
export function selectIssues(
  summaries: readonly IssueSummary[],
  query: PeriodQuery,
  {
    getIssue,
    nowMs,
  }: {
    /** The whole issue, which has the counts of 30 days; a summary has those of 14. */
    readonly getIssue: (digest: Digest) => Pick<Issue, "days" | "lowerDays"> | undefined;
    readonly nowMs: number;
  },
): PeriodFacts["groups"] {
  const candidates = summaries.flatMap((summary) => toCandidate(summary, query, nowMs));
  const isWithin = (atMs = 0) => atMs >= query.fromMs && atMs < query.toMs;
  const recount = ({ summary, issue }: Candidate): Candidate => {
    const stored = getIssue(summary.digest);
    if (stored === undefined) return { summary, issue };
    return { summary, issue: { ...issue, ...countDays(listAllDays(stored), query) } };
  };
  const isNew = ({ summary }: Candidate) => isWithin(summary.firstSeenMs);
  const counted = candidates.filter(({ issue }) => issue.count > 0).sort(byCount);
  // A summary may lack the first days, so it can only overstate the growth.
  const growing = counted
    .filter((one) => !isNew(one) && isGrowing(one))
    .sort(byGrowth)
    .slice(0, MAX_COUNTED)
    .map(recount)
    .filter(isGrowing)
    .sort(byGrowth);
  const frequent = counted.slice(0, PERIOD_LIMITS.shown);
  return {
    returned: toGroup(
      candidates.filter(({ summary }) => isWithin(summary.decision?.regressedAtMs)).sort(byCount),
      recount,
    ),
    new: toGroup(counted.filter(isNew), recount),
    growing: toGroup(growing, (one) => one),
    frequent: toGroup(frequent, recount),
  };
}

/** None for an issue that no summary names. */
function toCandidate(
  summary: IssueSummary,
  query: PeriodQuery,
  nowMs: number,
): readonly Candidate[] {
  const state = getCurrentState(summary, nowMs);
  const isOther = query.assignee !== undefined && summary.assignee !== query.assignee;
  const isSample = summary.environment === SAMPLE_ENVIRONMENT;
  if (isOther || isSample || state === "archived" || state === "snoozed") return [];
  const { digest, type, message, otherErrors, culprit, place, userCount = 0 } = summary;
  const issue = {
    digest,
    type,
    message,
    otherErrors,
    culprit,
    place,
    userCount,
    state,
    ...countDays(summary.recentDays ?? [], query),
  };
  return [{ summary, issue }];
}

function countDays(days: DayCounts, { beforeMs, fromMs, toMs }: PeriodQuery) {
  const [before, from, to] = [beforeMs, fromMs, toMs].map(toUtcDay);
  const sum = (first = "", end = "") =>
    days.reduce((all, [day, count]) => (day >= first && day < end ? all + count : all), 0);
  return { count: sum(from, to), countBefore: sum(before, from) };
}

function isGrowing({ issue: { count, countBefore } }: Candidate): boolean {
  return count >= MIN_GROWING_COUNT && count >= MIN_GROWTH * countBefore;
}

function byCount({ issue: a }: Candidate, { issue: b }: Candidate): number {
  return b.count - a.count || (a.digest < b.digest ? -1 : 1);
}

function byGrowth({ issue: a }: Candidate, { issue: b }: Candidate): number {
  const growth = (one: PeriodIssue) => one.count - one.countBefore;
  return growth(b) - growth(a) || (a.digest < b.digest ? -1 : 1);
}

function toGroup(
  all: readonly Candidate[],
  recount: (candidate: Candidate) => Candidate,
): PeriodGroup {
  return {
    total: all.length,
    open: all.filter(({ issue }) => issue.state === "open").length,
    digests: all.slice(0, PERIOD_LIMITS.linked).map(({ issue }) => issue.digest),
    issues: all.slice(0, PERIOD_LIMITS.shown).map((one) => recount(one).issue),
  };
}
