/** Reads what the home page shows. Bounded work, synchronous. */

import { listHours } from "../../../core/alerts/triggers/hourly-counts.ts";
import { listAllHours, summarizeIssue } from "../../../core/issue/aggregate-report.ts";
import { getCurrentState } from "../../../core/issue/decision.ts";
import type { Issue, IssueSummary } from "../../../core/issue/issue.ts";
import {
  type IssueFilter,
  type IssueQuery,
  parseIssueQuery,
} from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import {
  type AttentionReason,
  type AttentionRow,
  countAttention,
  findEndedSnooze,
  findEscalating,
  findMessage,
  findOccurred,
  MAX_ATTENTION_ROWS,
  rankAttention,
  toAssigned,
  toNew,
  toRegressed,
} from "../../../core/overview/attention.ts";
import { createErrorColumns, PERIOD_MS } from "../../../core/overview/error-columns.ts";
import { countByRelease, findSurge, findSurgeShare } from "../../../core/overview/find-surge.ts";
import { listOverviewReleases } from "../../../core/overview/overview-releases.ts";
import { countPolicyNews } from "../../../core/overview/policy-news.ts";
import type {
  AttentionList,
  OverviewQuery,
  ProjectOverview,
  Span,
} from "../../../core/overview/project-overview.ts";
import { listTeamNews } from "../../../core/overview/team-news.ts";
import { parseSentStack } from "../../../core/report/sent-stack.ts";
import { formatTitle } from "../../../core/report/title.ts";
import { countUsersOfAll } from "../../../core/stats/trust-counts.ts";
import { looksBundled } from "../../../core/symbolication/report/explain-frame.ts";
import { DAY_MS, HOUR_MS, parseUtcHour, toUtcDay } from "../../../core/utc-time.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { listReleases } from "../state/release-summaries.ts";
import type { IssueLists } from "./issue-lists.ts";

type Tables = Pick<
  IndexTables,
  "issues" | "counters" | "releases" | "annotations" | "shardProgress"
>;
type Lists = Pick<
  IssueLists,
  "listPage" | "listNewestUnfolded" | "findNew" | "listBetween" | "findFirstMs" | "findOldestOpen"
>;

/** The most issues of each kind that may need a person. */
const MAX_CANDIDATES = 50;
/** The rows for a chosen span. */
const MAX_SELECTED = 20;
const MAX_TEAM_NEWS = 4;
const TEAM_DAYS = 7;

const OPEN = parseIssueQuery("is:open");
const REGRESSED = parseIssueQuery("is:open is:regressed");
const POLICIES = withFilter(parseIssueQuery("is:open"), { key: "kind", value: "csp" });

export function readOverview(
  tables: Tables,
  lists: Lists,
  nowMs: number,
  { period, me, span }: OverviewQuery,
): ProjectOverview {
  const { issues, counters, shardProgress } = tables;
  const periodMs = PERIOD_MS[period];
  const firstSeenMs = lists.findFirstMs();
  const recent = shardProgress.readRecent();
  // A report counts on the day on which its chunk was begun, maybe the day before.
  const hours = counters.listErrorHours(toUtcDay(nowMs - 2 * periodMs - DAY_MS));
  const facts = { nowMs, firstSeenMs, recent, hours };
  const columns = createErrorColumns({ ...facts, period });
  const ofDay = period === "24h" ? columns : createErrorColumns({ ...facts, period: "24h" });
  const newest = lists.listNewestUnfolded(limits.newestIssues, nowMs);
  const surge = findSurge(ofDay, recent, nowMs);
  const share = surge && findSurgeShare(newest.map((issue) => toSurging(issue, surge.sinceMs)));
  const { attention, needs } = listAttention(tables, lists, newest, me, nowMs);
  const { total, isTotalCapped } = lists.listPage(OPEN, undefined, nowMs, 1);
  const inPeriod = newest.filter(({ lastSeenMs }) => lastSeenMs >= nowMs - periodMs);
  return {
    columns,
    people: countUsersOfAll(inPeriod),
    surge: surge && { ...surge, share },
    firstSeenMs,
    hasMaps: newest.some(({ place }) => place !== undefined),
    lastErrorMs: newest.find(({ kind }) => kind === "error")?.lastSeenMs,
    attention,
    needs,
    later: attention.total > 0 ? [] : listLater(lists, newest, nowMs),
    selected: span && listSelected(lists, span, nowMs),
    open: { total, isTotalCapped },
    issues: issues.countIssues(false),
    noise: issues.countIssues(true),
    releases: listOverviewReleases(
      listReleases(tables, nowMs),
      new Map(countByRelease(newest.map((issue) => toReleased(issue, periodMs, nowMs)))),
    ),
    policies: countPolicyNews(lists.listPage(POLICIES, undefined, nowMs).issues, nowMs),
    team: readTeamNews(tables, me, nowMs),
  };
}

/** The errors of an issue since a moment, in whole hours, and the releases of its reports. */
function toSurging(issue: Issue, sinceMs: number) {
  const count = listAllHours(issue)
    .filter(([hour]) => parseUtcHour(hour) + HOUR_MS > sinceMs)
    .reduce((sum, [, one]) => sum + one, 0);
  return { count, releases: listReleasesSince(issue, sinceMs) };
}

/** The errors of an issue in the period, in whole hours or days, and the releases of its reports. */
function toReleased(issue: Issue, periodMs: number, nowMs: number) {
  const stepMs = periodMs > DAY_MS ? DAY_MS : HOUR_MS;
  const fromMs = Math.floor((nowMs - periodMs) / stepMs) * stepMs;
  const toMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  const found = issue.kind === "error" ? findOccurred(issue, fromMs, toMs, nowMs) : undefined;
  const count = found?.kind === "occurred" ? found.count : 0;
  return { count, releases: listReleasesSince(issue, fromMs) };
}

function listReleasesSince({ latestReports }: Issue, sinceMs: number) {
  return latestReports
    .filter(({ atMs, isLinked }) => atMs >= sinceMs && isLinked !== true)
    .map(({ release }) => release);
}

/** The rows that need a person. Each of the shown ones has its facts of the annotations. */
function listAttention(
  { issues, annotations }: Pick<Tables, "issues" | "annotations">,
  lists: Lists,
  newest: readonly Issue[],
  me: string | undefined,
  nowMs: number,
): Pick<ProjectOverview, "attention" | "needs"> {
  const find = (query: IssueQuery) => lists.listPage(query, undefined, nowMs, MAX_CANDIDATES);
  const isOpen = (issue: IssueSummary | Issue) => getCurrentState(issue, nowMs) === "open";
  const regressed = find(REGRESSED);
  const fresh = lists.findNew(nowMs - DAY_MS, MAX_CANDIDATES, nowMs);
  const ofMe = withFilter(OPEN, { key: "assigned", value: me ?? "" });
  const assigned = me === undefined ? { issues: [], total: 0 } : find(ofMe);
  const judge = (toReason: (issue: Issue, nowMs: number) => AttentionReason | undefined) =>
    newest.filter(isOpen).flatMap((issue): readonly AttentionRow[] => {
      const reason = toReason(issue, nowMs);
      return reason === undefined ? [] : [{ issue: summarizeIssue(issue), reason }];
    });
  const ranked = rankAttention([
    ...judge(findEscalating),
    ...regressed.issues.map((issue) => ({ issue, reason: toRegressed(issue, []) })),
    // Violations of policies have a section of their own.
    ...fresh.issues
      .filter((issue) => isOpen(issue) && issue.kind !== "csp")
      .map((issue) => ({ issue, reason: toNew(issue) })),
    ...assigned.issues.map((issue) => ({ issue, reason: toAssigned([]) })),
    ...judge(findEndedSnooze),
    ...judge(findMessage),
  ]);
  const isCapped = [regressed, fresh, assigned].some(({ total }) => total > MAX_CANDIDATES);
  const rows = ranked.slice(0, MAX_ATTENTION_ROWS).map(({ issue, reason }) => {
    const { activity } = annotations.getOrEmpty(issue.digest);
    const hours = listLastDay(issues.get(issue.digest), nowMs);
    if (reason.kind === "regressed") return { issue, hours, reason: toRegressed(issue, activity) };
    if (reason.kind === "assigned") return { issue, hours, reason: toAssigned(activity) };
    return { issue, hours, reason };
  });
  const total = ranked.length;
  return {
    attention: { rows, total, ...(isCapped && { isTotalCapped: true }) },
    needs: countAttention(ranked),
  };
}

/** The last 24 hours, the current one last. */
function listLastDay(issue: Issue | undefined, nowMs: number): readonly number[] | undefined {
  if (issue === undefined) return undefined;
  return listHours({ hours: listAllHours(issue) }, nowMs)
    .slice(0, 24)
    .reverse();
}

/** Three open issues for quiet hours: that of most users, the oldest, and one without a map. */
function listLater(lists: Lists, newest: readonly Issue[], nowMs: number): readonly AttentionRow[] {
  const [popular] = lists.listPage({ ...OPEN, sort: "users" }, undefined, nowMs, 1).issues;
  const oldest = lists.findOldestOpen();
  const unmapped = newest.filter((issue) => lacksMap(issue) && issue.state === "open");
  const [script] = unmapped;
  const rows: readonly (AttentionRow | undefined)[] = [
    popular?.userCount === undefined
      ? undefined
      : { issue: popular, reason: { kind: "most-users", users: popular.userCount } },
    oldest && { issue: oldest, reason: { kind: "oldest", sinceMs: oldest.firstSeenMs } },
    script && {
      issue: summarizeIssue(script),
      reason: { kind: "no-source-map", issues: unmapped.length },
    },
  ];
  const listed = new Set<string>();
  return rows
    .filter((row) => row !== undefined)
    .filter(({ issue: { digest } }) => !listed.has(digest) && listed.add(digest));
}

/** True if the newest stack names built scripts only. */
function lacksMap({ place, stacks }: Issue): boolean {
  if (place !== undefined) return false;
  const [stack] = stacks?.values ?? [];
  const frames = stack === undefined ? [] : parseSentStack(stack.stack);
  return frames.some(looksBundled);
}

/** The issues of a span, those with the most errors first. */
function listSelected(lists: Lists, { fromMs, toMs }: Span, nowMs: number): AttentionList {
  const rows = lists.listBetween(fromMs, toMs).flatMap((issue): readonly AttentionRow[] => {
    const reason = findOccurred(issue, fromMs, toMs, nowMs);
    if (reason === undefined || issue.kind !== "error") return [];
    return [{ issue: summarizeIssue(issue), hours: listLastDay(issue, nowMs), reason }];
  });
  const count = ({ reason }: AttentionRow) => (reason.kind === "occurred" ? reason.count : 0);
  const sorted = rows.toSorted(
    (a, b) => count(b) - count(a) || (b.issue.userCount ?? 0) - (a.issue.userCount ?? 0),
  );
  return { rows: sorted.slice(0, MAX_SELECTED), total: sorted.length };
}

function readTeamNews(
  { issues, annotations }: Pick<Tables, "issues" | "annotations">,
  me: string | undefined,
  nowMs: number,
) {
  const active = annotations.listActive().flatMap(([digest]) => {
    const summary = issues.getSummary(digest);
    const { activity } = annotations.getOrEmpty(digest);
    return summary === undefined ? [] : [{ digest, title: formatTitle(summary), activity }];
  });
  return listTeamNews(active, me, nowMs - TEAM_DAYS * DAY_MS, MAX_TEAM_NEWS);
}

function withFilter(
  query: IssueQuery,
  { key, value }: Pick<IssueFilter, "key" | "value">,
): IssueQuery {
  return { ...query, filters: [{ key, value, isExact: true, isNegated: false }] };
}
