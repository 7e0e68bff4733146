/** The overview on the home page: whether it is worse than yesterday, and what is new. */
import { type ReactNode, use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import {
  createErrorTrend,
  describeTrend,
  type ErrorTrend,
} from "../../core/overview/error-trend.ts";
import type { ProjectOverview } from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { formatTitle } from "../../core/report/title.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import { toCrashFreePercent } from "../../core/stats/crash-free.ts";
import { countSessions } from "../../core/stats/session-counts.ts";
import { isTrusted, SENT_HOW } from "../../core/trust/trust.ts";
import { HOUR_MS, toUtcDay } from "../../core/utc-time.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { BarChart, createBars, describePeak } from "../parts/chart/bar-chart.tsx";
import { describeDeploys, toDeployMarks } from "../parts/chart/deploy-marks.ts";
import type { ChartMark } from "../parts/chart/mark-labels.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, formatTotal, pluralize, pluralizeTotal } from "../parts/number.tsx";
import { formatClockTime, RelativeTime } from "../parts/time.tsx";
import { toSearchUrl } from "../urls/issue-list-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";

/** The data of the overview, with the counters of the last `OVERVIEW_DAYS` days. */
export interface OverviewData extends ProjectOverview {
  /** Deploys of the same days, as build tools have sent them. */
  readonly deploys: readonly DeployMoment[];
}

/** Days of counters that the overview needs. */
export const OVERVIEW_DAYS = 4;
/** Issues in each list. */
export const OVERVIEW_ISSUES = 4;

const HOURS = 72;
const TITLE_CHARS = 90;

/** The overview; nothing before the first error and while the index is unavailable. */
export function Overview({ data, nowMs }: { data: Promise<OverviewData | null>; nowMs: number }) {
  const loaded = use(data);
  if (loaded === null || loaded.counters.length === 0) return null;
  const { newIssues, regressedIssues } = loaded;
  const trend = createErrorTrend(loaded.counters, nowMs, HOURS);
  return (
    <section className="overview" aria-labelledby="overview">
      <h2 id="overview">Last three days</h2>
      <OverviewFigures data={loaded} trend={trend} nowMs={nowMs} />
      <ErrorChart trend={trend} releases={loaded.releases} deploys={loaded.deploys} nowMs={nowMs} />
      <div className="overview-lists">
        <ShortList name="New" query="is:new" issues={newIssues.issues} nowMs={nowMs}>
          {pluralizeTotal(newIssues, "issue")}
        </ShortList>
        <ShortList
          name="Regressed"
          query="is:regressed"
          issues={regressedIssues.issues}
          nowMs={nowMs}
        >
          {pluralizeTotal(regressedIssues, "issue")}
        </ShortList>
      </div>
    </section>
  );
}

function ShortList({
  name,
  query,
  issues,
  nowMs,
  children,
}: {
  readonly name: string;
  readonly query: string;
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** The number. */
  readonly children: ReactNode;
}) {
  if (issues.length === 0) return null;
  return (
    <section>
      <h3>
        {name} <DeskLink href={toSearchUrl(query)}>{children}</DeskLink>
      </h3>
      <ul>
        {issues.map((issue) => (
          <li key={issue.digest}>
            <DeskLink href={toIssueUrl(issue.digest)} dir="auto">
              {abbreviate(formatTitle(issue), TITLE_CHARS)}
            </DeskLink>
            <span className="muted">
              <PublicMark trust={issue.trust} /> {pluralize(issue.count, "time")}
              {issue.userCount !== undefined && `, ${pluralize(issue.userCount, "user")}`},{" "}
              <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Marks of releases that only browsers named: anyone can invent names. */
const MAX_PUBLIC_MARKS = 4;

/** The chart of errors per hour on the home page, with its releases and deploys. */
function ErrorChart({
  trend: { series, fromMs, toMs, lastDay },
  releases,
  deploys,
  nowMs,
}: {
  trend: ErrorTrend;
  releases: readonly ReleaseSummary[];
  deploys: readonly DeployMoment[];
  nowMs: number;
}) {
  const bars = createBars(series, (n) =>
    formatClockTime(fromMs + n * HOUR_MS, nowMs).replace(" UTC", ""),
  );
  const isCharted = ({ firstSeenMs = 0 }: ReleaseSummary) =>
    firstSeenMs >= fromMs && firstSeenMs <= toMs;
  const marks = chooseMarked(releases.filter(isCharted))
    .map(({ name, firstSeenMs = 0 }): ChartMark => {
      const position = (firstSeenMs - fromMs) / (toMs - fromMs);
      return { kind: "release", name, position };
    })
    .concat(toDeployMarks(deploys, { fromMs, toMs }))
    .sort((a, b) => a.position - b.position);
  return (
    <BarChart
      id="errors"
      caption="Errors per hour, UTC"
      description={`${pluralize(lastDay, "error")} in the last 24 hours, ${describePeak(bars, "hour")}${describeDeploys(marks)}.`}
      bars={bars}
      unit="error"
      marks={marks}
      lastName="now"
    />
  );
}

/** Releases with a mark; of those that only browsers named, the ones with the most sessions. */
function chooseMarked(releases: readonly ReleaseSummary[]): readonly ReleaseSummary[] {
  const countUses = ({ sessions, issueCount }: ReleaseSummary) =>
    (sessions?.started ?? 0) + issueCount;
  const named = releases.filter(({ trust }) => !isTrusted(trust));
  return [
    ...releases.filter(({ trust }) => isTrusted(trust)),
    ...named.toSorted((a, b) => countUses(b) - countUses(a)).slice(0, MAX_PUBLIC_MARKS),
  ];
}

/** The figures of the overview: errors, users, issues, sessions and rejected reports of a day. */
function OverviewFigures({
  data: { counters, releases, affectedUsers, newIssues, regressedIssues },
  trend,
  nowMs,
}: {
  data: ProjectOverview;
  trend: ErrorTrend;
  nowMs: number;
}) {
  const today = toUtcDay(nowMs);
  const ofToday = counters.filter(({ day }) => day === today);
  const crashFree = getCrashFree(ofToday, releases);
  const sumOf = (outcomes: readonly string[]) =>
    ofToday
      .filter(({ name: [outcome = ""] }) => outcomes.includes(outcome))
      .reduce((sum, { count }) => sum + count, 0);
  const rejected = sumOf(["dropped", "invalid"]);
  return (
    <FactList
      variant="grid"
      facts={[
        ["Errors, 24 hours", <Trend key="errors" trend={trend} />],
        [
          "Affected users",
          <>
            {affectedUsers > 1 && "about "}
            {formatNumber(affectedUsers)} <small>in issues seen in the last 24 hours</small>
          </>,
        ],
        ["New issues", formatTotal(newIssues)],
        ["Regressed", formatTotal(regressedIssues)],
        [
          "Crash-free today",
          crashFree !== undefined && (
            <>
              {crashFree.percent} %
              {crashFree.isPublic && <small>{` of sessions ${SENT_HOW.public}`}</small>}
            </>
          ),
        ],
        [
          "Received today",
          <>
            {formatNumber(sumOf(["accepted", "counted", "duplicate"]) + rejected)}{" "}
            <small>
              <DeskLink href="/status">
                {rejected === 0 ? "none rejected" : `${formatNumber(rejected)} rejected`}
              </DeskLink>
            </small>
          </>,
        ],
      ]}
    />
  );
}

function Trend({ trend }: { trend: ErrorTrend }) {
  const isWorse = trend.lastDay > trend.dayBefore;
  return (
    <>
      {formatNumber(trend.lastDay)}{" "}
      <small data-trend={isWorse ? "worse" : "better"}>{describeTrend(trend)}</small>
    </>
  );
}

/**
 * Uses trusted sessions, if there are any. Otherwise public ones, except those of releases that
 * trusted senders named, as on `/releases`.
 */
function getCrashFree(
  counters: readonly DailyCounter[],
  releases: readonly ReleaseSummary[],
): { readonly percent: number; readonly isPublic: boolean } | undefined {
  const sessions = countSessions(counters);
  const trusted = sessions.filter((one) => one.isTrusted);
  const named = new Set(releases.flatMap((one) => (isTrusted(one.trust) ? one.name : [])));
  const counted =
    trusted.length > 0 ? trusted : sessions.filter(({ release }) => !named.has(release));
  const sum = (key: "started" | "errored" | "crashed") =>
    counted.reduce((total, { counts }) => total + counts[key], 0);
  const percent = toCrashFreePercent({
    started: sum("started"),
    errored: sum("errored"),
    crashed: sum("crashed"),
  });
  return percent === undefined ? undefined : { percent, isPublic: trusted.length === 0 };
}
