/** A release's statistics, compared with the previous release, and its sessions by outcome. */
import type { ReactNode } from "react";
import type { ReleaseSessions, ReleaseSummary } from "../../core/release/release-summary.ts";
import { getCrashFreePercent, hasForeignSessions } from "../../core/stats/crash-free.ts";
import { toTrustSentence } from "../issues/trust-text.tsx";
import { FactList } from "../parts/fact-list.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { formatPercent } from "./crash-free-rate.tsx";
import { SessionBar, splitSessionOutcomes } from "./release-bars.tsx";

interface ReleaseStatsProps {
  readonly release: ReleaseSummary;
  readonly previous?: ReleaseSummary | undefined;
  readonly nowMs: number;
}

export function ReleaseStats({ release, previous, nowMs }: ReleaseStatsProps) {
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
