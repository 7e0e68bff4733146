/** What a release is measured by, each figure beside that of the release before it; and how its sessions ended. */
import type { ReactNode } from "react";
import type { ReleaseSessions, ReleaseSummary } from "../../core/release/release-summary.ts";
import { toCrashFreePercent } from "../../core/stats/crash-free.ts";
import { FactList } from "../parts/fact-list.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { formatPercent } from "./percent.ts";
import { SessionBar, splitSessionOutcomes } from "./session-bar.tsx";

interface ReleaseStatsProps {
  readonly release: ReleaseSummary;
  readonly previous?: ReleaseSummary | undefined;
  readonly nowMs: number;
}

/** The figures. */
export function ReleaseStats({ release, previous, nowMs }: ReleaseStatsProps) {
  const { sessions, firstSeenMs } = release;
  const share = sessions && toCrashFreePercent(sessions);
  const shareBefore = previous?.sessions && toCrashFreePercent(previous.sessions);
  const compared = (now: number, before: number | undefined, isWorse: boolean) => (
    <Comparison
      current={formatNumber(now)}
      previous={before === undefined ? undefined : formatNumber(before)}
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
            compared(release.newIssueCount, previous?.newIssueCount, release.newIssueCount > 0),
          ],
          [
            "Came back",
            compared(release.regressedCount, previous?.regressedCount, release.regressedCount > 0),
          ],
          ["Resolved", compared(release.fixedCount, previous?.fixedCount, false)],
          ["Issues in it", compared(release.issueCount, previous?.issueCount, false)],
          [
            "Crash-free sessions",
            share !== undefined && (
              <Comparison
                current={formatPercent(share)}
                previous={shareBefore === undefined ? undefined : formatPercent(shareBefore)}
                isWorse={shareBefore !== undefined && share < shareBefore}
              />
            ),
          ],
        ]}
      />
      {sessions && <SessionSummary sessions={sessions} />}
    </>
  );
}

function Comparison({
  current,
  previous,
  isWorse,
}: {
  readonly current: string;
  readonly previous: string | undefined;
  readonly isWorse: boolean;
}): ReactNode {
  return (
    <span className="compared">
      <b data-worse={isWorse ? "" : undefined}>{current}</b>
      {previous !== undefined && <small>{` before ${previous}`}</small>}
    </span>
  );
}

function SessionSummary({ sessions }: { readonly sessions: ReleaseSessions }) {
  const { well, errored, crashed } = splitSessionOutcomes(sessions);
  return (
    <p className="release-sessions">
      <SessionBar sessions={sessions} width={320} />
      <span>
        {pluralize(sessions.started, "session")} of thirty days: {formatNumber(well)} went well,{" "}
        {formatNumber(errored)} had errors, {formatNumber(crashed)} crashed.
      </span>
    </p>
  );
}
