/** The state of an issue and the decision behind it, as one sentence that begins with the state. */
import type { ReactNode } from "react";
import { countForDecision, getCurrentState, isRegressed } from "../../../core/issue/decision.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import { RegressedBadge, StateBadge } from "../../issues/state-badge.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { pluralize } from "../../parts/number.tsx";
import { RelativeTime, UntilTime } from "../../parts/time.tsx";

const RELEASE_CHARS = 48;

type DecidedIssue = Pick<Issue, "decision" | "count" | "publicCount" | "pageCount">;

/** The sentence, or only the state if there is no decision. */
export function DecisionText({ issue, nowMs }: { issue: DecidedIssue; nowMs: number }) {
  const { decision } = issue;
  return (
    <p className="decision">
      <StateBadge state={getCurrentState(issue, nowMs)} />{" "}
      {isRegressed(issue) && <RegressedBadge />}{" "}
      {decision !== undefined && formatDecision(issue, decision, nowMs)}
    </p>
  );
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
    case "muted":
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
    case "ignored":
      return getCurrentState(issue, nowMs) === "ignored"
        ? formatIgnored(issue, decision, nowMs)
        : formatIgnoredExpired(decision, nowMs);
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

function formatIgnored(issue: DecidedIssue, decision: Decision, nowMs: number) {
  const { atMs, untilMs, untilCount } = decision;
  if (untilMs === undefined && untilCount === undefined) {
    return (
      <>
        <RelativeTime atMs={atMs} nowMs={nowMs} />, until reopened.
      </>
    );
  }
  return (
    <>
      until{" "}
      {untilMs !== undefined && (
        <>
          <UntilTime atMs={untilMs} nowMs={nowMs} />
          {untilCount !== undefined && " or until "}
        </>
      )}
      {untilCount !== undefined &&
        `seen ${pluralize(untilCount - countForDecision(decision, issue), "more time")}`}
      .
    </>
  );
}

function formatIgnoredExpired({ untilMs, untilCount = 0 }: Decision, nowMs: number) {
  const isTimeOver = untilMs !== undefined && untilMs <= nowMs;
  return (
    <>
      again. It was ignored until{" "}
      {isTimeOver ? (
        <UntilTime atMs={untilMs} nowMs={nowMs} />
      ) : (
        `seen ${pluralize(untilCount, "time")}`
      )}
      .
    </>
  );
}

function ReleaseName({ name = "" }: { name: string | undefined }) {
  return <bdi>{abbreviate(name, RELEASE_CHARS)}</bdi>;
}
