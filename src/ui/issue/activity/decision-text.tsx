/** The state of an issue and the decision behind it, as one sentence that begins with the state. */
import type { ReactNode } from "react";
import { getCurrentState, hasSnoozeEnded, isRegressed } from "../../../core/issue/decision.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import { SnoozeEnd, SnoozeLimits } from "../../issues/snooze-text.tsx";
import { StateBadge } from "../../issues/state-badge.tsx";
import type { IssueMark } from "../../parts/icons.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { RelativeTime } from "../../parts/time.tsx";

const RELEASE_CHARS = 48;

type DecidedIssue = Pick<Issue, "decision" | "count" | "publicCount" | "pageCount">;

/** The sentence, or only the state if there is no decision. */
export function DecisionText({ issue, nowMs }: { issue: DecidedIssue; nowMs: number }) {
  const { decision } = issue;
  return (
    <p className="decision">
      <StateBadge state={toDecidedMark(issue, nowMs)} />{" "}
      {decision !== undefined && formatDecision(issue, decision, nowMs)}
    </p>
  );
}

/** Regressed, or the state: that an issue is new is not the team's. */
function toDecidedMark(issue: DecidedIssue, nowMs: number): IssueMark {
  const state = getCurrentState(issue, nowMs);
  return state === "open" && isRegressed(issue) ? "regressed" : state;
}

/** The text after the state. */
function formatDecision(issue: DecidedIssue, decision: Decision, nowMs: number): ReactNode {
  const when = <RelativeTime atMs={decision.atMs} nowMs={nowMs} />;
  switch (decision.state) {
    case "open":
      return isRegressed(issue) ? (
        formatRegression(decision, nowMs)
      ) : (
        <>since it was reopened {when}.</>
      );
    case "archived":
      return <>{when}.</>;
    case "resolved":
      return decision.inNextRelease || decision.release !== undefined ? (
        <>
          in {decision.inNextRelease ? "the next release" : <ReleaseName name={decision.release} />}
          , {when}.
        </>
      ) : (
        <>{when}.</>
      );
    case "snoozed":
      return hasSnoozeEnded(issue, nowMs) ? (
        <>
          again. <SnoozeEnd decision={decision} nowMs={nowMs} />
        </>
      ) : (
        <>
          <SnoozeLimits issue={issue} decision={decision} nowMs={nowMs} />.
        </>
      );
  }
}

function formatRegression(
  { atMs, resolvedInRelease, regressedInRelease, regressedAtMs = 0 }: Decision,
  nowMs: number,
) {
  return (
    <>
      It was resolved{" "}
      {resolvedInRelease === undefined ? (
        <RelativeTime atMs={atMs} nowMs={nowMs} />
      ) : (
        <>
          in <ReleaseName name={resolvedInRelease} />
        </>
      )}{" "}
      and regressed{" "}
      {regressedInRelease !== undefined && (
        <>
          in <ReleaseName name={regressedInRelease} />,{" "}
        </>
      )}
      <RelativeTime atMs={regressedAtMs} nowMs={nowMs} />.
    </>
  );
}

function ReleaseName({ name = "" }: { name: string | undefined }) {
  return <bdi>{abbreviate(name, RELEASE_CHARS)}</bdi>;
}
