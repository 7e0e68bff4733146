/** The overview on the home page: whether it is worse than yesterday, and what is new. */

import { type ReactNode, use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import {
  describeTrend,
  type ErrorTrend,
  listErrorTrends,
} from "../../core/overview/error-trend.ts";
import type { LevelTotal, ProjectOverview } from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { formatTitle } from "../../core/report/title.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import { toCrashFreePercent } from "../../core/stats/crash-free.ts";
import { countSessions } from "../../core/stats/session-counts.ts";
import { countShown, countUsers } from "../../core/stats/trust-counts.ts";
import { type Trust, toTrustRank } from "../../core/trust/trust.ts";
import { HOUR_MS, toUtcDay } from "../../core/utc-time.ts";
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

type ErrorTrends = ReturnType<typeof listErrorTrends>;

const HOURS = 72;
const TITLE_CHARS = 90;

/** The overview; nothing before the first error and while the index is unavailable. */
export function Overview({
  data,
  nowMs,
}: {
  readonly data: Promise<OverviewData | null>;
  readonly nowMs: number;
}) {
  const loaded = use(data);
  if (loaded === null || loaded.counters.length === 0) return null;
  const { newIssues, regressedIssues } = loaded;
  const trends = listErrorTrends(loaded.counters, nowMs, HOURS);
  return (
    <section className="overview" aria-labelledby="overview">
      <h2 id="overview">Last three days</h2>
      <Figures data={loaded} trends={trends} nowMs={nowMs} />
      <ErrorChart
        trends={trends}
        releases={loaded.releases}
        deploys={loaded.deploys}
        nowMs={nowMs}
      />
      <div className="overview-lists">
        <ShortList name="New" query="is:new" issues={newIssues.issues} nowMs={nowMs}>
          <LevelTotals totals={newIssues.totals} /> {isOne(newIssues.totals) ? "issue" : "issues"}
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

function Figures({
  data: { counters, releases, affectedUsers, newIssues, regressedIssues },
  trends: [trend, ...lowerTrends],
  nowMs,
}: {
  readonly data: OverviewData;
  readonly trends: ErrorTrends;
  readonly nowMs: number;
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
        [
          `${lowerTrends.length === 0 ? "Errors" : LEVEL_NAMES[trend.trust]}, 24 hours`,
          <Trend key="own" trend={trend} />,
        ],
        ...lowerTrends.map(
          (lower) => [LEVEL_NAMES[lower.trust], <Trend key={lower.trust} trend={lower} />] as const,
        ),
        [
          "Affected users",
          <>
            {affectedUsers > 1 && "about "}
            {formatNumber(affectedUsers)} <small>of issues seen in 24 hours</small>
          </>,
        ],
        ["New issues", <LevelTotals key="new" totals={newIssues.totals} />],
        ["Regressed", formatTotal(regressedIssues)],
        [
          "Crash-free today",
          crashFree !== undefined && (
            <>
              {crashFree.percent} %{crashFree.isPublic && <small> of public sessions</small>}
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

function Trend({ trend }: { readonly trend: ErrorTrend }) {
  const isWorse = trend.lastDay > trend.dayBefore;
  return (
    <>
      {formatNumber(trend.lastDay)}{" "}
      <small data-trend={isWorse ? "worse" : "better"}>{describeTrend(trend)}</small>
    </>
  );
}

/** The names of levels, which are counted separately. */
const LEVEL_NAMES: Readonly<Record<Trust, string>> = {
  server: "Server errors",
  page: "Errors of signed pages",
  public: "Public errors",
};

/**
 * Uses trusted sessions, if there are any. Otherwise public ones, except those of releases that
 * trusted senders named, as on `/releases`.
 */
function getCrashFree(
  counters: readonly DailyCounter[],
  releases: readonly ReleaseSummary[],
): { readonly percent: number; readonly isPublic: boolean } | undefined {
  const sessions = countSessions(counters);
  const trusted = sessions.filter(({ isTrusted }) => isTrusted);
  const named = new Set(releases.flatMap((one) => (one.isTrusted ? one.name : [])));
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

function ErrorChart({
  trends: [{ trust, counts, fromMs, toMs, lastDay }, ...lowerTrends],
  releases,
  deploys,
  nowMs,
}: {
  readonly trends: ErrorTrends;
  readonly releases: readonly ReleaseSummary[];
  readonly deploys: readonly DeployMoment[];
  readonly nowMs: number;
}) {
  const bars = createBars(counts, (n) =>
    formatClockTime(fromMs + n * HOUR_MS, nowMs).replace(" UTC", ""),
  );
  const marks = releases
    .filter((release) => toTrustRank(release.trust) >= toTrustRank(trust))
    .map(({ name, firstSeenMs = 0 }): ChartMark => {
      const position = (firstSeenMs - fromMs) / (toMs - fromMs);
      return { kind: "release", name, position };
    })
    .filter(({ position }) => position >= 0 && position <= 1)
    .concat(toDeployMarks(deploys, { fromMs, toMs }))
    .sort((a, b) => a.position - b.position);
  return (
    <BarChart
      id="errors"
      caption={`${lowerTrends.length === 0 ? "Errors" : LEVEL_NAMES[trust]} per hour, UTC`}
      description={`${pluralize(lastDay, "error")} in the last 24 hours, ${describePeak(bars, "hour")}${describeDeploys(marks)}.`}
      bars={bars}
      unit="error"
      marks={marks}
      lastName="now"
    />
  );
}

/** `5 + 20 page + 1,000+ public`, like the occurrences in lists. */
function LevelTotals({ totals: [first, ...lower] }: { readonly totals: readonly LevelTotal[] }) {
  return (
    <>
      {first === undefined ? "0" : formatTotal(first)}
      {lower.map((level) => (
        <small key={level.trust}>{` + ${formatTotal(level)} ${level.trust}`}</small>
      ))}
    </>
  );
}

function isOne([first, ...lower]: readonly LevelTotal[]): boolean {
  return first?.total === 1 && lower.length === 0;
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
              {pluralize(countShown(issue), "time")}
              {countUsers(issue) > 0 && `, ${pluralize(countUsers(issue), "user")}`},{" "}
              <RelativeTime atMs={issue.lastSeenMs} nowMs={nowMs} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
