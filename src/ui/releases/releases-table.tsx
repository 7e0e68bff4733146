/** A table of releases with their issue counts and sessions. On a phone, each row is a card. */

import type { ReleaseFacts } from "../../core/ports/source-maps-port.ts";
import type { ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { PublicMark } from "../issues/trust-text.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { NumberCell } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReleaseUrl } from "../urls/release-urls.ts";
import { formatPercent } from "./percent.ts";
import { LastDeploy } from "./release-facts.tsx";
import { SessionBar } from "./session-bar.tsx";

const NAME_CHARS = 100;

/** The table. `releases` is not empty; the page shows an empty state instead. */
export function ReleaseListTable({
  releases,
  facts,
  nowMs,
}: {
  readonly releases: readonly ReleaseSummary[];
  readonly facts: readonly ReleaseFacts[];
  readonly nowMs: number;
}) {
  const marksPublic = releases.some(({ isTrusted }) => isTrusted);
  const factsByName = new Map(facts.map((one) => [one.version, one]));
  return (
    <table className="releases">
      <caption className="visually-hidden">
        Releases, newest first{marksPublic && "; releases with public reports only are last"}
      </caption>
      <thead>
        <tr>
          <th scope="col">Release</th>
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
          <th scope="col" className="number">
            Crash-free
          </th>
          <th scope="col">Sessions</th>
          <th scope="col">First seen</th>
          {facts.length > 0 && <th scope="col">Deployed</th>}
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <ReleaseRow
            key={release.name}
            release={release}
            facts={facts.length > 0 ? factsByName.get(release.name) : null}
            marksPublic={marksPublic}
            nowMs={nowMs}
          />
        ))}
      </tbody>
    </table>
  );
}

function ReleaseRow({
  release,
  facts,
  marksPublic,
  nowMs,
}: {
  release: ReleaseSummary;
  /** Null if the table has no column for them. */
  facts: ReleaseFacts | undefined | null;
  marksPublic: boolean;
  nowMs: number;
}) {
  const { name, firstSeenMs, sessions } = release;
  const crashFree = getCrashFreePercent(release);
  return (
    <tr className="release-row">
      <th scope="row" className="main-cell">
        <DeskLink href={toReleaseUrl(name)}>
          <bdi>{abbreviate(name, NAME_CHARS)}</bdi>
        </DeskLink>{" "}
        {marksPublic && !release.isTrusted && <PublicMark />}
      </th>
      <td className="number negative">
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
      <td className="number">
        {crashFree !== undefined && (
          <>
            {formatPercent(crashFree)}
            <span className="cell-unit"> crash-free</span>
          </>
        )}
      </td>
      <td className="sessions">
        {sessions && (
          <>
            {!hasForeignSessions(release) && <SessionBar sessions={sessions} />}{" "}
            <NumberCell count={sessions.started} one="session" />
            {sessions.isPublic && <small className="muted"> public</small>}
          </>
        )}
      </td>
      <td className="first">
        {firstSeenMs !== undefined && (
          <>
            <span className="cell-unit">since </span>
            <RelativeTime atMs={firstSeenMs} nowMs={nowMs} />
          </>
        )}
      </td>
      {facts !== null && (
        <td className="first">{facts && <LastDeploy facts={facts} nowMs={nowMs} />}</td>
      )}
    </tr>
  );
}
