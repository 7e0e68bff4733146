/** The side column of the home page: releases, policies and what the team did. */
import { hasRole } from "../../core/accounts/actors.ts";
import type {
  OverviewRelease,
  PolicyNews,
  ProjectOverview,
  TeamNews,
} from "../../core/overview/project-overview.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import { MIN_RATED_SESSIONS } from "../../core/stats/crash-free.ts";
import { DAY_MS } from "../../core/utc-time.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { formatRelativeTime, RelativeTime } from "../parts/time.tsx";
import { formatPercent } from "../releases/crash-free-rate.tsx";
import { ALERT_SETTINGS_URL } from "../urls/alert-urls.ts";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { SOURCE_MAPS_URL } from "../urls/source-map-urls.ts";

const MAX_RELEASES = 3;
const NAME_CHARS = 28;
const TITLE_CHARS = 60;

interface HomeSideProps {
  readonly overview: ProjectOverview;
  readonly deploys: readonly DeployMoment[];
  readonly nowMs: number;
}

export function HomeSide({ overview, deploys, nowMs }: HomeSideProps) {
  const { columns, releases, policies, team, hasMaps } = overview;
  return (
    <aside className="home-side" aria-label="Releases, policies and team">
      {columns.lifeMs !== undefined && columns.lifeMs < DAY_MS && <NextSteps hasMaps={hasMaps} />}
      <Releases releases={releases} deploys={deploys} nowMs={nowMs} />
      <Policies policies={policies} />
      <Team news={team} nowMs={nowMs} />
    </aside>
  );
}

/** What a new project still lacks. */
function NextSteps({ hasMaps }: { hasMaps: boolean }) {
  const { role, members = [] } = useDesk();
  const isOwner = hasRole(role, "owner");
  if (hasMaps && !isOwner) return null;
  return (
    <section aria-labelledby="next-steps">
      <div className="section-head">
        <h2 id="next-steps">Next steps</h2>
      </div>
      <ul className="side-lines">
        {!hasMaps && (
          <li>
            <DeskLink href={SOURCE_MAPS_URL}>Upload source maps</DeskLink>
          </li>
        )}
        {isOwner && (
          <li>
            <DeskLink href={ALERT_SETTINGS_URL}>Send alerts somewhere</DeskLink>
          </li>
        )}
        {isOwner && members.length < 2 && (
          <li>
            <DeskLink href="/settings#members">Invite a colleague</DeskLink>
          </li>
        )}
      </ul>
    </section>
  );
}

interface ListedRelease extends OverviewRelease {
  readonly atMs: number;
}

function Releases({
  releases,
  deploys,
  nowMs,
}: {
  releases: readonly OverviewRelease[];
  deploys: readonly DeployMoment[];
  nowMs: number;
}) {
  const listed = releases
    .map((release): ListedRelease => {
      const deployed = deploys.filter((one) => one.release === release.name);
      return {
        ...release,
        atMs: Math.max(release.firstSeenMs, ...deployed.map(({ atMs }) => atMs)),
      };
    })
    .toSorted((a, b) => b.errors - a.errors || b.atMs - a.atMs)
    .slice(0, MAX_RELEASES);
  if (listed.length === 0) return null;
  return (
    <section aria-labelledby="home-releases">
      <div className="section-head">
        <h2 id="home-releases">Releases</h2>
        <DeskLink href="/releases">All releases</DeskLink>
      </div>
      <ul className="side-lines">
        {listed.map((release) => (
          <li key={release.name} className="side-release">
            <DeskLink href={toReleaseUrl(release.name)} title={release.name}>
              <bdi>{abbreviate(release.name, NAME_CHARS)}</bdi> <PublicMark trust={release.trust} />
            </DeskLink>
            <CrashFree release={release} />
            <small>
              <RelativeTime atMs={release.atMs} nowMs={nowMs} />
              {" · "}
              {describeIssues(release)}
            </small>
            <small>
              {release.crashFree !== undefined &&
                release.crashFreeBefore !== undefined &&
                `was ${formatPercent(release.crashFreeBefore)}`}
            </small>
          </li>
        ))}
      </ul>
      <p className="side-note">
        Crash-free sessions, from {formatNumber(MIN_RATED_SESSIONS)} sessions on.
      </p>
    </section>
  );
}

function CrashFree({ release: { crashFree, sessions } }: { release: OverviewRelease }) {
  if (crashFree !== undefined) return <b>{formatPercent(crashFree)}</b>;
  if (sessions === 0) return <span className="muted">no sessions</span>;
  return <span className="muted">too few sessions</span>;
}

function describeIssues({ errors, newIssueCount, regressedCount }: OverviewRelease): string {
  const parts = [
    errors > 0 ? pluralize(errors, "error") : undefined,
    newIssueCount > 0 ? `${formatNumber(newIssueCount)} new` : undefined,
    regressedCount > 0 ? `${formatNumber(regressedCount)} regressed` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "nothing new" : parts.join(", ");
}

function Policies({ policies }: { policies: readonly PolicyNews[] }) {
  if (policies.length === 0) return null;
  return (
    <section aria-labelledby="home-policies">
      <div className="section-head">
        <h2 id="home-policies">Policies</h2>
        <DeskLink href="/csp">CSP</DeskLink>
      </div>
      <ul className="side-lines">
        {policies.map(({ directive, isReportOnly, sources, count }) => (
          <li key={`${directive} ${isReportOnly}`}>
            <span>
              <code>{abbreviate(directive, NAME_CHARS)}</code>{" "}
              {isReportOnly ? "would block" : "blocked"} {pluralize(sources, "source")}
            </span>
            <span className="muted">{formatNumber(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Team({ news, nowMs }: { news: readonly TeamNews[]; nowMs: number }) {
  if (news.length === 0) return null;
  return (
    <section aria-labelledby="home-team">
      <div className="section-head">
        <h2 id="home-team">From your team</h2>
      </div>
      <ul className="home-feed">
        {news.map((one) => (
          <li key={`${one.digest} ${one.atMs}`}>
            <span>
              <b>{abbreviate(one.by, NAME_CHARS)}</b> <Deed news={one} />
            </span>
            <small>{formatRelativeTime(one.atMs, nowMs)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

const DEEDS: Readonly<Record<TeamNews["action"], string>> = {
  resolved: "resolved",
  assigned: "assigned",
  commented: "commented on",
  snoozed: "snoozed",
  archived: "archived",
  opened: "reopened",
  merged: "merged into",
};

function Deed({ news }: { news: TeamNews }) {
  const { action, digest, title, issues, release, to, text } = news;
  const { name, ownAssignee } = useDesk();
  const isMe = to !== undefined && (to === ownAssignee || to === name);
  const object =
    issues > 1 ? (
      pluralize(issues, "issue")
    ) : (
      <DeskLink href={toIssueUrl(digest)} dir="auto">
        {abbreviate(title, TITLE_CHARS)}
      </DeskLink>
    );
  if (text !== undefined)
    return (
      <>
        commented: <DeskLink href={toIssueUrl(digest)}>“{text}”</DeskLink>
      </>
    );
  return (
    <>
      {DEEDS[action]}
      {isMe && " you"} {object}
      {to !== undefined && !isMe && ` to ${abbreviate(to, NAME_CHARS)}`}
      {release !== undefined && ` in ${abbreviate(release, NAME_CHARS)}`}
    </>
  );
}
