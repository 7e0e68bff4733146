/** The figures of the overview: errors, users, issues, sessions and rejected reports of a day. */
import { describeTrend, type ErrorTrend } from "../../core/overview/error-trend.ts";
import type { ProjectOverview } from "../../core/overview/project-overview.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import type { DailyCounter } from "../../core/stats/counters.ts";
import { toCrashFreePercent } from "../../core/stats/crash-free.ts";
import { countSessions } from "../../core/stats/session-counts.ts";
import { isTrusted, SENT_HOW } from "../../core/trust/trust.ts";
import { toUtcDay } from "../../core/utc-time.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { formatNumber, formatTotal } from "../parts/number.tsx";

export function OverviewFigures({
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
