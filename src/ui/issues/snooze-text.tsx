/** When a snoozed issue returns, and why a snooze has ended. */
import { Fragment, type ReactNode } from "react";
import { countForDecision } from "../../core/issue/decision.ts";
import type { Decision } from "../../core/issue/issue.ts";
import { formatNumber } from "../../core/numbers.ts";
import { formatPeople } from "../../core/stats/people-count.ts";
import type { TrustCounts } from "../../core/stats/trust-counts.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { pluralize } from "../parts/number.tsx";
import { UntilTime } from "../parts/time.tsx";

const RELEASE_CHARS = 48;

type Limits = Pick<
  Decision,
  "untilMs" | "untilCount" | "untilUsers" | "untilEscalation" | "untilNextRelease" | "afterRelease"
>;

/**
 * `until 18:41 UTC or 7 more times`. With the counts of the issue, the times are those that are
 * left; otherwise those of the limit.
 */
export function SnoozeLimits({
  decision,
  issue,
  nowMs,
}: {
  readonly decision: Limits & Pick<Decision, "trust" | "forUsers">;
  readonly issue?: TrustCounts;
  readonly nowMs: number;
}) {
  const { untilMs, untilCount, untilUsers, untilEscalation, untilNextRelease } = decision;
  const { afterRelease, forUsers } = decision;
  const counted = issue === undefined ? undefined : countForDecision(decision, issue);
  const limits: readonly (ReactNode | undefined)[] = [
    untilEscalation && "it escalates",
    untilMs !== undefined && <UntilTime atMs={untilMs} nowMs={nowMs} />,
    untilCount !== undefined &&
      (counted === undefined
        ? `seen ${pluralize(untilCount, "time")}`
        : pluralize(Math.max(1, untilCount - counted), "more time")),
    untilUsers !== undefined &&
      `${pluralize(untilUsers, "person", "people")}${forUsers === undefined ? "" : `, ${formatNumber(forUsers)} more`}`,
    untilNextRelease &&
      (afterRelease === undefined ? (
        "a later release"
      ) : (
        <>
          a release after <bdi>{abbreviate(afterRelease, RELEASE_CHARS)}</bdi>
        </>
      )),
  ];
  const given = limits.filter((limit) => limit);
  return (
    <>
      until{" "}
      {given.map((limit, index) => (
        // The limits have no ids, and their order never changes.
        <Fragment key={index}>
          {index > 0 && " or "}
          {limit}
        </Fragment>
      ))}
    </>
  );
}

/** `It was snoozed until it escalates: 120 in an hour, usually 4.` */
export function SnoozeEnd({ decision, nowMs }: { decision: Decision; nowMs: number }) {
  const { endedBy, untilMs, untilCount = 0 } = decision;
  if (endedBy !== undefined)
    return (
      <>
        <b className="ended">The snooze has ended</b>: {formatEndReason({ ...decision, endedBy })}.
      </>
    );
  const isTimeOver = untilMs !== undefined && untilMs <= nowMs;
  return (
    <>
      <b className="ended">The snooze has ended</b>: it was until{" "}
      {isTimeOver ? (
        <UntilTime atMs={untilMs} nowMs={nowMs} />
      ) : (
        `seen ${pluralize(untilCount, "time")}`
      )}
      .
    </>
  );
}

/** What a report ended a snooze with: `it escalates, 120 in an hour, usually 4`. */
export function formatEndReason({
  endedBy,
  endedValue = 0,
  endedUsual = 0,
  endedInRelease = "",
}: Pick<Decision, "endedValue" | "endedUsual" | "endedInRelease"> & {
  readonly endedBy: NonNullable<Decision["endedBy"]>;
}): string {
  switch (endedBy) {
    case "users":
      return `it affects ${formatPeople(endedValue)}`;
    case "release":
      return `it occurred in ${abbreviate(endedInRelease, RELEASE_CHARS)}`;
    case "escalation":
      return endedUsual > 0
        ? `it escalates, ${formatRate(endedValue)} in an hour, usually ${formatRate(endedUsual)}`
        : `it escalates, ${pluralize(endedValue, "time")} in all`;
  }
}

/** `120`, `4.7`. */
function formatRate(rate: number): string {
  return formatNumber(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate));
}
