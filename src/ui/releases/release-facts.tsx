/** What a release is measured by, each figure beside that of the release before it; and how its sessions ended. */
import type { ReactNode } from "react";
import { crashFreePercent } from "../../core/crash-free.ts";
import type { ReleaseSessions, ReleaseSummary } from "../../core/release-summary.ts";
import { FactList } from "../fact-list.tsx";
import { counted, figure } from "../figure.tsx";
import { Time } from "../time.tsx";
import { percent } from "./percent.ts";
import { endsOf, SessionBar } from "./session-bar.tsx";

interface ReleaseFactsProps {
  readonly release: ReleaseSummary;
  readonly previous?: ReleaseSummary | undefined;
  readonly nowMs: number;
}

/** The figures. */
export function ReleaseFacts({ release, previous, nowMs }: ReleaseFactsProps) {
  const { sessions, firstSeenMs } = release;
  const share = sessions && crashFreePercent(sessions);
  const shareBefore = previous?.sessions && crashFreePercent(previous.sessions);
  const compared = (now: number, before: number | undefined, isWorse: boolean) => (
    <Compared
      now={figure(now)}
      before={before === undefined ? undefined : figure(before)}
      isWorse={isWorse}
    />
  );
  return (
    <>
      <FactList
        look="figures"
        facts={[
          ["First seen", firstSeenMs !== undefined && <Time atMs={firstSeenMs} nowMs={nowMs} />],
          ["New", compared(release.newIssues, previous?.newIssues, release.newIssues > 0)],
          ["Came back", compared(release.regressed, previous?.regressed, release.regressed > 0)],
          ["Resolved", compared(release.fixed, previous?.fixed, false)],
          ["Issues in it", compared(release.issues, previous?.issues, false)],
          [
            "Crash-free sessions",
            share !== undefined && (
              <Compared
                now={percent(share)}
                before={shareBefore === undefined ? undefined : percent(shareBefore)}
                isWorse={shareBefore !== undefined && share < shareBefore}
              />
            ),
          ],
        ]}
      />
      {sessions && <Sessions sessions={sessions} />}
    </>
  );
}

function Compared({
  now,
  before,
  isWorse,
}: {
  readonly now: string;
  readonly before: string | undefined;
  readonly isWorse: boolean;
}): ReactNode {
  return (
    <span className="compared">
      <b data-worse={isWorse ? "" : undefined}>{now}</b>
      {before !== undefined && <small>{` before ${before}`}</small>}
    </span>
  );
}

function Sessions({ sessions }: { readonly sessions: ReleaseSessions }) {
  const { well, errored, crashed } = endsOf(sessions);
  return (
    <p className="release-sessions">
      <SessionBar sessions={sessions} width={320} />
      <span>
        {counted(sessions.started, "session")} of thirty days: {figure(well)} went well,{" "}
        {figure(errored)} had errors, {figure(crashed)} crashed.
      </span>
    </p>
  );
}
