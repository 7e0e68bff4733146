/** All releases, newest first, with their issue counts and sessions. */
import { use } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import type { DayCounts } from "../../core/issue/issue.ts";
import { limits } from "../../core/limits.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { toDayNumber } from "../../core/utc-time.ts";
import { Boundary } from "../failure/boundary.tsx";
import { listDayCounts, Sparkline } from "../issues/sparkline.tsx";
import { PublicMark } from "../issues/trust-text.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, NumberCell } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";
import { CrashFreeRate } from "./crash-free-rate.tsx";
import { NewIssuesBar, SessionBar, SessionLegend } from "./release-bars.tsx";
import { LastDeploy, ReleasesWithoutReports } from "./release-facts.tsx";

interface ReleasesPageProps {
  readonly releases: Promise<readonly ReleaseSummary[]>;
  /** Facts that build tools sent; empty if they are unavailable. */
  readonly facts: Promise<readonly ReleaseFacts[]>;
  readonly nowMs: number;
}

export function ReleasesPage(props: ReleasesPageProps) {
  return (
    <div className="releases-page">
      <header className="page-header">
        <h1>Releases</h1>
        <p>
          New, regressed and resolved issues by release. See also{" "}
          <DeskLink href={SOURCE_MAPS_URL}>source maps</DeskLink>.
        </p>
      </header>
      <Boundary name="releases" loading={<Skeleton shape="rows" label="the releases" />}>
        <LoadedReleases {...props} />
      </Boundary>
    </div>
  );
}

function LoadedReleases({ releases, facts, nowMs }: ReleasesPageProps) {
  const all = use(releases);
  const known = use(facts);
  const seen = new Set(all.map(({ name }) => name));
  const unseen = known.filter(({ version }) => !seen.has(version));
  if (all.length === 0 && unseen.length === 0) return <NoReleasesYet />;
  return (
    <>
      {all.length > 0 && <ReleaseListTable releases={all} facts={known} nowMs={nowMs} />}
      <ReleasesWithoutReports releases={unseen} nowMs={nowMs} />
      {all.length >= limits.maxListedReleases && (
        <p className="muted spaced">The newest {formatNumber(limits.maxListedReleases)}.</p>
      )}
    </>
  );
}

/** The empty state of the releases: how to set a release in reports. */
const EXAMPLES: readonly (readonly [sender: string, code: string])[] = [
  ["Any Sentry SDK", 'Sentry.init({ release: "1.4.0" })'],
  ["Errata’s browser reporter", '<meta name="errata" content="/monitoring" data-release="1.4.0">'],
  ["OpenTelemetry", "OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0"],
];

/** The explanation with an example per kind of sender. */
function NoReleasesYet() {
  return (
    <div className="empty-state">
      <p className="empty-heading">No releases yet.</p>
      <p>
        A release is a name that your build chooses, such as a version or a commit. Set it in
        reports to see which issues are new, regressed or resolved in each release.
      </p>
      <dl className="ways">
        {EXAMPLES.map(([sender, code]) => (
          <div key={sender}>
            <dt>{sender}</dt>
            <dd className="snippet">
              <pre>{code}</pre>
              <CopyButton text={code} label={`the example for ${sender}`} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

// A table of releases with their issues, crash-free rate and sessions.

const NAME_CHARS = 100;

interface ReleaseTableProps {
  readonly releases: readonly ReleaseSummary[];
  readonly facts: readonly ReleaseFacts[];
  readonly nowMs: number;
}

/** The table. `releases` is not empty; the page shows an empty state instead. */
function ReleaseListTable({ releases, facts, nowMs }: ReleaseTableProps) {
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
            counts={listDayCounts(days, toDayNumber(nowMs), 14)}
            period="14 days"
            one="session"
            scale={maxDailyCount}
          />
        )}
      </td>
    </>
  );
}
