/**
 * All releases by application: adoption over the period, then a row for each with its issues and
 * sessions. Two rows of an application can be compared.
 */
import { use } from "react";
import { toProjectPath } from "../../core/accounts/project-path.ts";
import { limits } from "../../core/limits.ts";
import {
  type Adoption,
  countSessionsOfDays,
  createAdoption,
  formatShare,
} from "../../core/overview/adoption.ts";
import { formatSigned } from "../../core/overview/release-comparison.ts";
import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import { getApplication, getVersion } from "../../core/release/application.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { type Period, toPeriodMs } from "../../core/scope.ts";
import { getShownCrashFree, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { Boundary } from "../failure/boundary.tsx";
import { PublicMark } from "../issues/trust-text.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskForm, DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, NumberCell, pluralize } from "../parts/number.tsx";
import { useScope } from "../parts/scope-switch.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { COMPARE_URL, toReleaseUrl } from "../urls/release-urls.ts";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";
import { AdoptionChart } from "./adoption-chart.tsx";
import { CrashFreeRate } from "./crash-free-rate.tsx";
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
      {groupReleases(all).map((group) => (
        <ReleaseGroup key={group.application ?? ""} group={group} facts={known} nowMs={nowMs} />
      ))}
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

// The releases of an application.

interface ReleaseGroupData {
  /** Undefined for releases without one. */
  readonly application: string | undefined;
  /** The newest first. */
  readonly releases: readonly ReleaseSummary[];
}

/** The applications by their sessions; those without any in the order of their newest releases. */
export function groupReleases(all: readonly ReleaseSummary[]): readonly ReleaseGroupData[] {
  const groups = new Map<string | undefined, ReleaseSummary[]>();
  for (const release of all) {
    const application = getApplication(release.name);
    const known = groups.get(application);
    if (known === undefined) groups.set(application, [release]);
    else known.push(release);
  }
  return [...groups]
    .map(([application, releases]) => ({ application, releases }))
    .sort((a, b) => countSessions(b.releases) - countSessions(a.releases));
}

function countSessions(releases: readonly ReleaseSummary[]): number {
  return releases.reduce((sum, { sessions }) => sum + (sessions?.started ?? 0), 0);
}

interface GroupProps {
  readonly group: ReleaseGroupData;
  readonly facts: readonly ReleaseFacts[];
  readonly nowMs: number;
}

const NAME_CHARS = 100;

function ReleaseGroup({ group: { application, releases }, facts, nowMs }: GroupProps) {
  const id = `releases-of-${application ?? ""}`;
  const days = toDays(useScope().period);
  const adoption = createAdoption(releases, nowMs, Math.max(MIN_CHART_DAYS, days));
  const [newest] = releases;
  return (
    <section className="release-group" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>
          {application === undefined ? (
            "Without application"
          ) : (
            <bdi>{abbreviate(application, NAME_CHARS)}</bdi>
          )}
        </h2>
        <span className="muted">
          {adoption.total === 0
            ? "no sessions"
            : `${pluralize(adoption.total, "session")} in ${adoption.days.length} days`}
          {newest?.firstSeenMs !== undefined && (
            <>
              {" · newest "}
              <bdi>{abbreviate(getVersion(newest.name), NAME_CHARS)}</bdi>,{" "}
              <RelativeTime atMs={newest.firstSeenMs} nowMs={nowMs} />
            </>
          )}
        </span>
      </div>
      <AdoptionChart adoption={adoption} />
      <DeskForm action={COMPARE_URL} method="get" className="compare-form">
        <ReleaseListTable {...{ releases, facts, adoption, days, nowMs }} />
        {releases.length > 1 && (
          <p className="compare-bar">
            <span>Choose two releases.</span>
            <button type="submit">Compare</button>
          </p>
        )}
      </DeskForm>
    </section>
  );
}

/** Fewer days show no change. */
const MIN_CHART_DAYS = 7;

/** The UTC days of a period, by which sessions are counted: of 24 hours, today. */
function toDays(period: Period): number {
  return Math.ceil(toPeriodMs(period) / DAY_MS);
}

/** `today`, `14 days`. */
function formatDays(days: number): string {
  return days === 1 ? "today" : `${days} days`;
}

interface TableProps {
  readonly releases: readonly ReleaseSummary[];
  readonly facts: readonly ReleaseFacts[];
  readonly adoption: Adoption;
  /** The days whose sessions are counted. */
  readonly days: number;
  readonly nowMs: number;
}

function ReleaseListTable({ releases, facts, adoption, days, nowMs }: TableProps) {
  const hasSessions = releases.some(({ sessions }) => sessions !== undefined);
  const factsByName = new Map(facts.map((one) => [one.version, one]));
  const canCompare = releases.length > 1;
  return (
    <table className="list-table releases" data-with-sessions={hasSessions ? "" : undefined}>
      <caption className="visually-hidden">Releases, newest first</caption>
      <thead>
        <tr>
          {canCompare && (
            <th scope="col" className="select-cell">
              <span className="visually-hidden">Compare</span>
            </th>
          )}
          <th scope="col">Release</th>
          {hasSessions && (
            <th scope="col" className="number sessions">
              <small>Share</small> {`Sessions, ${formatDays(days)}`}
            </th>
          )}
          <th scope="col" className="number">
            New
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
            <th scope="col" className="number crash-free">
              <small>Change</small> Crash-free, 30 days
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {releases.map((release, n) => (
          <ReleaseRow
            key={release.name}
            release={release}
            previous={releases[n + 1]}
            facts={factsByName.get(release.name)}
            share={adoption.shares.get(release.name)}
            {...{ hasSessions, canCompare, days, nowMs }}
          />
        ))}
      </tbody>
    </table>
  );
}

interface ReleaseRowProps {
  readonly release: ReleaseSummary;
  /** The release before, of the same application. */
  readonly previous: ReleaseSummary | undefined;
  readonly facts: ReleaseFacts | undefined;
  /** Its share of the sessions of the last day, from 0 to 1; undefined if they are too few. */
  readonly share: number | undefined;
  /** False if the table has no columns for sessions. */
  readonly hasSessions: boolean;
  readonly canCompare: boolean;
  readonly days: number;
  readonly nowMs: number;
}

function ReleaseRow(row: ReleaseRowProps) {
  const { release, hasSessions } = row;
  const { name } = release;
  return (
    <tr className="list-row release-row">
      {row.canCompare && (
        <td className="select-cell">
          <label>
            <input
              type="checkbox"
              name="release"
              value={name}
              id={`compare-${name}`}
              autoComplete="off"
            />
            <span className="visually-hidden">Compare {abbreviate(name, NAME_CHARS)}</span>
          </label>
        </td>
      )}
      <ReleaseTitle {...row} />
      {hasSessions && <SessionCell {...row} />}
      <td className="number">
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
      {hasSessions && <CrashFreeCell {...row} />}
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
        <bdi>{abbreviate(getVersion(name), NAME_CHARS)}</bdi> <PublicMark trust={trust} />
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
          <>
            {" · "}
            <bdi>
              <LastDeploy facts={facts} nowMs={nowMs} />
            </bdi>
          </>
        )}
      </span>
    </th>
  );
}

function SessionCell({ release: { sessions }, share, days, nowMs }: ReleaseRowProps) {
  const of = ` ${days === 1 ? "" : "in "}${formatDays(days)}`;
  return (
    <td className="number sessions">
      {sessions && (
        <>
          {share !== undefined && share > 0 && (
            <small className="muted">{`${formatShare(share)}${days > 1 ? " today" : ""} `}</small>
          )}
          <NumberCell
            count={countSessionsOfDays(sessions, days, nowMs)}
            one={`session${of}`}
            many={`sessions${of}`}
          />
          {sessions.isPublic && (
            <>
              {" "}
              <PublicMark trust="public" />
            </>
          )}
        </>
      )}
    </td>
  );
}

/** The rate and its difference to the release before, both only from 100 sessions on. */
function CrashFreeCell({ release, previous }: ReleaseRowProps) {
  const percent = getShownCrashFree(release);
  const before = previous && getShownCrashFree(previous);
  const isRated = release.sessions !== undefined && !hasForeignSessions(release);
  return (
    <td className="number crash-free">
      {percent !== undefined && before !== undefined && (
        <small className="muted">{formatSigned(Math.round((percent - before) * 100) / 100)} </small>
      )}
      {percent !== undefined ? (
        <CrashFreeRate percent={percent} isMuch={(before ?? percent) - percent >= 1} />
      ) : (
        isRated && <span className="muted">too few</span>
      )}
    </td>
  );
}
