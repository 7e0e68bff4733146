/** How an issue stands, what people decided about it, and what became of that, in one sentence that begins with the state. */
import type { ReactNode } from "react";
import { type Decision, isRegressed, stateOf } from "../../core/decision.ts";
import type { Issue } from "../../core/issue.ts";
import { counted } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { RegressedMark, StateMark } from "../state-mark.tsx";
import { Time, Until } from "../time.tsx";

const RELEASE_CHARS = 48;

type Decided = Pick<Issue, "decision" | "count">;

/** The sentence; the state alone while nobody has decided anything. */
export function DecisionSentence({
  issue,
  nowMs,
}: {
  readonly issue: Decided;
  readonly nowMs: number;
}) {
  const { decision } = issue;
  return (
    <p className="decision">
      <StateMark state={stateOf(issue, nowMs)} /> {isRegressed(issue) && <RegressedMark />}{" "}
      {decision !== undefined && predicateOf(issue, decision, nowMs)}
    </p>
  );
}

/** What stands behind the state's word. */
function predicateOf(issue: Decided, decision: Decision, nowMs: number): ReactNode {
  const when = <Time atMs={decision.atMs} nowMs={nowMs} />;
  switch (decision.state) {
    case "open":
      return isRegressed(issue) ? returned(decision, nowMs) : <>since it was reopened, {when}.</>;
    case "muted":
      return <>{when}, for good.</>;
    case "resolved":
      return decision.inNext || decision.release !== undefined ? (
        <>
          in {decision.inNext ? "the next release" : <Release name={decision.release} />}, {when}.
        </>
      ) : (
        <>{when}.</>
      );
    case "ignored":
      return stateOf(issue, nowMs) === "ignored"
        ? ignored(issue, decision, nowMs)
        : noLongerIgnored(decision, nowMs);
  }
}

function returned({ atMs, resolvedIn, regressedIn, regressedAtMs = 0 }: Decision, nowMs: number) {
  return (
    <>
      It was resolved{" "}
      {resolvedIn === undefined ? (
        <Time atMs={atMs} nowMs={nowMs} />
      ) : (
        <>
          in <Release name={resolvedIn} />
        </>
      )}{" "}
      and returned{" "}
      {regressedIn !== undefined && (
        <>
          in <Release name={regressedIn} />,{" "}
        </>
      )}
      <Time atMs={regressedAtMs} nowMs={nowMs} />.
    </>
  );
}

function ignored({ count }: Decided, { atMs, untilMs, untilCount }: Decision, nowMs: number) {
  if (untilMs === undefined && untilCount === undefined) {
    return (
      <>
        <Time atMs={atMs} nowMs={nowMs} />, until somebody reopens it.
      </>
    );
  }
  return (
    <>
      until{" "}
      {untilMs !== undefined && (
        <>
          <Until atMs={untilMs} nowMs={nowMs} />
          {untilCount !== undefined && " or until "}
        </>
      )}
      {untilCount !== undefined && `it is seen ${counted(untilCount - count, "more time")}`}.
    </>
  );
}

function noLongerIgnored({ untilMs, untilCount = 0 }: Decision, nowMs: number) {
  const isTimeOver = untilMs !== undefined && untilMs <= nowMs;
  return (
    <>
      again. It was ignored until{" "}
      {isTimeOver ? (
        <Until atMs={untilMs} nowMs={nowMs} />
      ) : (
        `it had been seen ${counted(untilCount, "time")}`
      )}
      .
    </>
  );
}

function Release({ name = "" }: { readonly name: string | undefined }) {
  return <bdi>{headOf(name, RELEASE_CHARS)}</bdi>;
}
