/** Releases to compare: what came with each, and how its sessions ended. On a phone the style sheet stacks every row. */
import { crashFreePercent } from "../../core/crash-free.ts";
import type { ReleaseSummary } from "../../core/release-summary.ts";
import { Figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { Time } from "../time.tsx";
import { percent } from "./percent.ts";
import { releaseUrl } from "./release-url.ts";
import { SessionBar } from "./session-bar.tsx";

const NAME_CHARS = 100;

/** The table; never empty, the page says what to do when there is nothing. */
export function ReleaseTable({
  releases,
  nowMs,
}: {
  readonly releases: readonly ReleaseSummary[];
  readonly nowMs: number;
}) {
  return (
    <table className="releases">
      <caption className="unseen">Releases, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Release</th>
          <th scope="col" className="number">
            New
          </th>
          <th scope="col" className="number">
            Came back
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
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <ReleaseRow key={release.name} release={release} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  );
}

function ReleaseRow({ release, nowMs }: { release: ReleaseSummary; nowMs: number }) {
  const { name, firstSeenMs, sessions } = release;
  const share = sessions && crashFreePercent(sessions);
  return (
    <tr className="release-row">
      <th scope="row" className="what">
        <A href={releaseUrl(name)}>
          <bdi>{headOf(name, NAME_CHARS)}</bdi>
        </A>
      </th>
      <td className="number worse">
        <Figure count={release.newIssues} one="new" many="new" />
      </td>
      <td className="number worse">
        <Figure count={release.regressed} one="came back" many="came back" />
      </td>
      <td className="number">
        <Figure count={release.fixed} one="resolved" many="resolved" />
      </td>
      <td className="number">
        <Figure count={release.issues} one="issue" />
      </td>
      <td className="number">
        {share !== undefined && (
          <>
            {percent(share)}
            <span className="unit"> crash-free</span>
          </>
        )}
      </td>
      <td className="sessions">
        {sessions && (
          <>
            <SessionBar sessions={sessions} /> <Figure count={sessions.started} one="session" />
          </>
        )}
      </td>
      <td className="first">
        {firstSeenMs !== undefined && (
          <>
            <span className="unit">since </span>
            <Time atMs={firstSeenMs} nowMs={nowMs} />
          </>
        )}
      </td>
    </tr>
  );
}
