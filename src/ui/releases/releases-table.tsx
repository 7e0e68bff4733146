/** A table of releases with their issues, crash-free rate and sessions. */

import { toProjectPath } from "../../core/accounts/project-path.ts";
import type { DayCounts } from "../../core/issue/issue.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { toDayNumber } from "../../core/utc-time.ts";
import { Sparkline } from "../issues/sparkline.tsx";
import { PublicMark } from "../issues/trust-text.tsx";
import { useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, NumberCell } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { CrashFreeRate } from "./crash-free-rate.tsx";
import { NewIssuesBar, SessionBar, SessionLegend } from "./release-bars.tsx";
import { LastDeploy } from "./release-facts.tsx";

const NAME_CHARS = 100;

interface ReleaseTableProps {
  readonly releases: readonly ReleaseSummary[];
  readonly facts: readonly ReleaseFacts[];
  readonly nowMs: number;
}

/** The table. `releases` is not empty; the page shows an empty state instead. */
export function ReleaseListTable({ releases, facts, nowMs }: ReleaseTableProps) {
  const hasSessions = releases.some(({ sessions }) => sessions !== undefined);
  const factsByName = new Map(facts.map((one) => [one.version, one]));
  const maxNewCount = Math.max(1, ...releases.map(({ newIssueCount }) => newIssueCount));
  const dailyCounts = releases.flatMap((one) => listDays(one).map(([, count]) => count));
  const maxDailyCount = Math.max(1, ...dailyCounts);
  return (
    <>
      {hasSessions && <SessionLegend />}
      <table className="list-table releases" data-with-sessions={hasSessions ? "" : undefined}>
        <caption className="visually-hidden">Releases, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Release</th>
            <th scope="col" className="new-issues">
              New issues <Scale max={maxNewCount} />
            </th>
            <th scope="col" className="number">
              Regressed
            </th>
            <th scope="col" className="number">
              Resolved
            </th>
            <th scope="col" className="number">
              Issues
            </th>
            {hasSessions && (
              <>
                <th scope="col" className="crash-free">
                  Crash-free
                </th>
                <th scope="col" className="number sessions">
                  Sessions
                </th>
                <th scope="col" className="sparkline-cell">
                  14 days <Scale max={maxDailyCount} />
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <ReleaseRow
              key={release.name}
              release={release}
              facts={factsByName.get(release.name)}
              {...{ hasSessions, maxNewCount, maxDailyCount, nowMs }}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The range of the bars of a column. */
function Scale({ max }: { max: number }) {
  return <small>{`0–${formatNumber(max)}`}</small>;
}

/** Sessions by day. Omits those of strangers in a release of trusted senders. */
function listDays(release: ReleaseSummary): DayCounts {
  return hasForeignSessions(release) ? [] : (release.sessions?.days ?? []);
}

interface ReleaseRowProps {
  readonly release: ReleaseSummary;
  readonly facts: ReleaseFacts | undefined;
  /** False if the table has no columns for sessions. */
  readonly hasSessions: boolean;
  /** The highest count of the table: the scale of the bars. */
  readonly maxNewCount: number;
  /** The highest number of sessions in a day: the scale of their bars. */
  readonly maxDailyCount: number;
  readonly nowMs: number;
}

function ReleaseRow(row: ReleaseRowProps) {
  const { release, maxNewCount } = row;
  return (
    <tr className="list-row release-row">
      <ReleaseTitle {...row} />
      <td className="new-issues">
        <NewIssuesBar count={release.newIssueCount} maxCount={maxNewCount} />
        <NumberCell count={release.newIssueCount} one="new" many="new" />
      </td>
      <td className="number negative">
        <NumberCell count={release.regressedCount} one="regressed" many="regressed" />
      </td>
      <td className="number">
        <NumberCell count={release.fixedCount} one="resolved" many="resolved" />
      </td>
      <td className="number">
        <NumberCell count={release.issueCount} one="issue" />
      </td>
      {row.hasSessions && <SessionCells {...row} />}
    </tr>
  );
}

function ReleaseTitle({ release, facts, nowMs }: ReleaseRowProps) {
  const { base } = useDesk();
  const { name, firstSeenMs, trust } = release;
  return (
    <th scope="row" className="main-cell">
      <a
        href={toProjectPath(base, toReleaseUrl(name))}
        id={`release-${name}`}
        title={name}
        data-row-link=""
      >
        <bdi>{abbreviate(name, NAME_CHARS)}</bdi> <PublicMark trust={trust} />
      </a>
      <span className="row-context">
        {firstSeenMs === undefined ? (
          "Never seen"
        ) : (
          <>
            First seen <RelativeTime atMs={firstSeenMs} nowMs={nowMs} />
          </>
        )}
        {facts && (
          <bdi>
            <LastDeploy facts={facts} nowMs={nowMs} />
          </bdi>
        )}
      </span>
    </th>
  );
}

function SessionCells({
  release,
  maxDailyCount,
  nowMs,
}: Pick<ReleaseRowProps, "release" | "maxDailyCount" | "nowMs">) {
  const { sessions } = release;
  const percent = getCrashFreePercent(release);
  const days = listDays(release);
  return (
    <>
      <td className="crash-free">
        {percent !== undefined && <CrashFreeRate percent={percent} />}
        {sessions && !hasForeignSessions(release) && <SessionBar sessions={sessions} />}
      </td>
      <td className="number sessions">
        {sessions && (
          <>
            <NumberCell count={sessions.started} one="session" />
            {sessions.isPublic && (
              <>
                {" "}
                <PublicMark trust="public" />
              </>
            )}
          </>
        )}
      </td>
      <td className="sparkline-cell">
        {days.length > 0 && (
          <Sparkline
            days={days}
            todayNumber={toDayNumber(nowMs)}
            one="session"
            scale={maxDailyCount}
          />
        )}
      </td>
    </>
  );
}
