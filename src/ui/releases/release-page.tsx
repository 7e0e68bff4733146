/** One release: its statistics, and its new, regressed, resolved and other issues. */
import { type ReactNode, use } from "react";
import type { ReleaseFacts, ScriptCoverage } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSessions, ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { Boundary } from "../failure/boundary.tsx";
import { toTrustSentence } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { toFileCheckUrl } from "../urls/source-map-urls.ts";
import { formatPercent } from "./crash-free-rate.tsx";
import {
  RELEASE_SECTION_TEXTS,
  type ReleaseSection,
  ReleaseSectionIssues,
} from "./issue-section.tsx";
import { SessionBar, splitSessionOutcomes } from "./release-bars.tsx";
import { LoadedReleaseFacts } from "./release-facts.tsx";

/** A release with its neighbors. `release` is absent if it is too old to be listed. */
interface ReleaseWithNeighbors {
  readonly release?: ReleaseSummary | undefined;
  readonly previous?: ReleaseSummary | undefined;
  readonly next?: ReleaseSummary | undefined;
}

interface ReleasePageProps {
  readonly name: string;
  readonly neighbors: Promise<ReleaseWithNeighbors>;
  /** Facts that build tools sent, if any. */
  readonly facts: Promise<ReleaseFacts | undefined>;
  readonly sections: readonly ReleaseSection[];
  /** Null while it is unknown. */
  readonly coverage: Promise<readonly ScriptCoverage[] | null>;
  readonly nowMs: number;
}

const NAME_CHARS = 200;
const NEIGHBOR_CHARS = 32;

/** The page at `/releases/<name>`. */
export function ReleasePage(props: ReleasePageProps) {
  const { name, neighbors, facts, sections, coverage, nowMs } = props;
  return (
    <div className="release-page">
      <header className="release-header">
        <h1>
          <span className="visually-hidden">Release </span>
          <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
        </h1>
        <Boundary name="neighbors" loading={null}>
          <NeighborLinks neighbors={neighbors} />
        </Boundary>
      </header>
      <Boundary name="stats" loading={<Skeleton shape="text" label="the release" />}>
        <LoadedStats neighbors={neighbors} nowMs={nowMs} />
      </Boundary>
      <Boundary name="facts" loading={null}>
        <LoadedReleaseFacts facts={facts} nowMs={nowMs} />
      </Boundary>
      <Boundary name="scripts" loading={null}>
        <ReleaseScripts coverage={coverage} release={name} />
      </Boundary>
      <p className="muted spaced">Counts in these lists include other releases.</p>
      {sections.map((section) => (
        <section key={section.name} aria-labelledby={section.name}>
          <h2 id={section.name}>{RELEASE_SECTION_TEXTS[section.name][0]}</h2>
          <Boundary name={section.name} loading={<Skeleton shape="rows" label="the issues" />}>
            <ReleaseSectionIssues section={section} nowMs={nowMs} />
          </Boundary>
        </section>
      ))}
    </div>
  );
}

/** The page for an unknown release name. */
export function UnknownReleasePage() {
  return (
    <div className="prose">
      <h1>Unknown release</h1>
      <p>
        No stored report or session has this release.{" "}
        <DeskLink href="/releases">All releases</DeskLink>
      </p>
    </div>
  );
}

function LoadedStats({ neighbors, nowMs }: Pick<ReleasePageProps, "neighbors" | "nowMs">) {
  const { release, previous } = use(neighbors);
  if (release === undefined)
    return (
      <p className="muted">No statistics. The release has no reports yet, or they have expired.</p>
    );
  return <ReleaseStats release={release} previous={previous} nowMs={nowMs} />;
}

function NeighborLinks({ neighbors }: Pick<ReleasePageProps, "neighbors">) {
  const { previous, next } = use(neighbors);
  if (previous === undefined && next === undefined) return null;
  return (
    <nav className="neighbors" aria-label="Adjacent releases">
      {previous && (
        <DeskLink href={toReleaseUrl(previous.name)} rel="prev">
          <ArrowIcon direction="left" /> <span className="visually-hidden">Previous: </span>
          <bdi>{abbreviate(previous.name, NEIGHBOR_CHARS)}</bdi>
        </DeskLink>
      )}
      {next && (
        <DeskLink href={toReleaseUrl(next.name)} rel="next">
          <span className="visually-hidden">Next: </span>
          <bdi>{abbreviate(next.name, NEIGHBOR_CHARS)}</bdi> <ArrowIcon direction="right" />
        </DeskLink>
      )}
    </nav>
  );
}

/** "12 of 14 scripts have maps", with a list of the others. */
const FILE_CHARS = 200;

/** The coverage; nothing if the stacks of the release name no script, or while it is unknown. */
function ReleaseScripts({
  coverage,
  release,
}: {
  coverage: Promise<readonly ScriptCoverage[] | null>;
  release: string;
}) {
  const scripts = use(coverage) ?? [];
  if (scripts.length === 0) return null;
  const missing = scripts.filter(({ hasMap }) => !hasMap);
  return (
    <div className="script-coverage">
      <p data-complete={missing.length === 0 ? "" : undefined}>
        {formatNumber(scripts.length - missing.length)} of {pluralize(scripts.length, "script")} in
        the stacks of this release {scripts.length === 1 ? "has a map" : "have maps"}.
      </p>
      {missing.length > 0 && (
        <details>
          <summary>{pluralize(missing.length, "script")} without a map</summary>
          <ul>
            {missing.map(({ file }) => (
              <li key={file}>
                <DeskLink href={toFileCheckUrl(file, release)}>
                  <bdi>{abbreviate(file, FILE_CHARS)}</bdi>
                </DeskLink>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

interface ReleaseStatsProps {
  readonly release: ReleaseSummary;
  readonly previous?: ReleaseSummary | undefined;
  readonly nowMs: number;
}

/** A release's statistics, compared with the previous release, and its sessions by outcome. */
function ReleaseStats({ release, previous, nowMs }: ReleaseStatsProps) {
  const { sessions, firstSeenMs } = release;
  const crashFree = getCrashFreePercent(release);
  const previousCrashFree = previous && getCrashFreePercent(previous);
  const renderCount = (count: number, previousCount: number | undefined, isWorse: boolean) => (
    <Comparison
      current={formatNumber(count)}
      previous={previousCount === undefined ? undefined : formatNumber(previousCount)}
      isWorse={isWorse}
    />
  );
  return (
    <>
      <FactList
        variant="grid"
        facts={[
          [
            "First seen",
            firstSeenMs !== undefined && <RelativeTime atMs={firstSeenMs} nowMs={nowMs} />,
          ],
          [
            "New",
            renderCount(release.newIssueCount, previous?.newIssueCount, release.newIssueCount > 0),
          ],
          [
            "Regressed",
            renderCount(
              release.regressedCount,
              previous?.regressedCount,
              release.regressedCount > 0,
            ),
          ],
          ["Resolved", renderCount(release.fixedCount, previous?.fixedCount, false)],
          ["Issues", renderCount(release.issueCount, previous?.issueCount, false)],
          [
            "Crash-free sessions",
            crashFree !== undefined && (
              <Comparison
                current={formatPercent(crashFree)}
                previous={
                  previousCrashFree === undefined ? undefined : formatPercent(previousCrashFree)
                }
                isWorse={previousCrashFree !== undefined && crashFree < previousCrashFree}
              />
            ),
          ],
        ]}
      />
      {sessions && <SessionSummary sessions={sessions} hasBar={!hasForeignSessions(release)} />}
    </>
  );
}

function Comparison({
  current,
  previous,
  isWorse,
}: {
  current: string;
  previous: string | undefined;
  isWorse: boolean;
}): ReactNode {
  return (
    <span className="comparison">
      <b data-negative={isWorse ? "" : undefined}>{current}</b>
      {previous !== undefined && (
        <small>{previous === current ? " unchanged" : ` was ${previous}`}</small>
      )}
    </span>
  );
}

function SessionSummary({ sessions, hasBar }: { sessions: ReleaseSessions; hasBar: boolean }) {
  const { healthy, errored, crashed } = splitSessionOutcomes(sessions);
  return (
    <p className="release-sessions">
      {hasBar && <SessionBar sessions={sessions} width={320} />}
      <span>
        {pluralize(sessions.started, "session")} in 30 days: {formatNumber(healthy)} healthy,{" "}
        {formatNumber(errored)} errored, {formatNumber(crashed)} crashed.
        {sessions.isPublic && ` ${toTrustSentence("public")}.`}
      </span>
    </p>
  );
}
