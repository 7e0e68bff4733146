/**
 * Decisions about an issue and their effect over time: a resolved issue that occurs again is open,
 * and an ignored one when its condition is met. Pure, so that a rebuilt index gets the same result.
 */

import type { Digest } from "../report.ts";
import { countFrom, type TrustCounts } from "../stats/trust-counts.ts";
import { isAtLeast, isTrusted, maxTrust, type Trust } from "../trust/trust.ts";
import type { Decision, Issue, IssueState } from "./issue.ts";

export interface IssueDecision {
  readonly digest: Digest;
  readonly decision: Decision;
}

/**
 * A requested decision. `by` is the name of the person. Without a condition, `resolved` means
 * now, and `ignored` has no end.
 */
export type DecisionInput = { readonly by?: string | undefined } & (
  | { readonly state: "open" | "muted" }
  | { readonly state: "resolved"; readonly release?: string; readonly inNextRelease?: true }
  | { readonly state: "ignored"; readonly forMs?: number; readonly forCount?: number }
);

/** The decision that `input` makes about an issue at `nowMs`. */
export function createDecision(
  input: DecisionInput,
  issue: TrustCounts & Pick<Issue, "trust">,
  nowMs: number,
): Decision {
  const base = {
    ...({ v: 1, state: input.state, atMs: nowMs } as const),
    ...(isTrusted(issue.trust) && { trust: issue.trust }),
  };
  if (input.state === "resolved") {
    const { release, inNextRelease } = input;
    return { ...base, release, inNextRelease };
  }
  if (input.state === "ignored") {
    const { forMs, forCount } = input;
    const untilMs = forMs === undefined ? undefined : nowMs + forMs;
    const untilCount =
      forCount === undefined ? undefined : countForDecision(base, issue) + forCount;
    return { ...base, untilMs, untilCount, forCount };
  }
  return base;
}

/** True if the decisions differ only in time. */
export function isSameDecision(a: Decision, b: Decision | undefined): boolean {
  if (b === undefined) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  names.delete("atMs");
  return [...names].every((name) => Reflect.get(a, name) === Reflect.get(b, name));
}

/**
 * The state of an issue at `nowMs`. An ignored issue is open again when its time or count is
 * reached.
 */
export function getCurrentState(
  issue: TrustCounts & Pick<Issue, "decision">,
  nowMs: number,
): IssueState {
  const { decision } = issue;
  if (decision === undefined) return "open";
  const never = Number.POSITIVE_INFINITY;
  const { state, untilMs = never, untilCount = never } = decision;
  const isReached = nowMs >= untilMs || countForDecision(decision, issue) >= untilCount;
  const isExpired = state === "ignored" && isReached;
  return isExpired ? "open" : state;
}

/**
 * The decision about an issue after a report that may raise its trust from `before`. The first
 * report of a higher level reopens an issue that is muted, ignored, or resolved in a release: the
 * decision was about reports that more people can send. An issue that is resolved without a release
 * regresses instead (`regression.ts`).
 */
export function reopenForTrust(
  decision: Decision,
  before: Trust,
  issue: TrustCounts & Pick<Issue, "trust">,
  nowMs: number,
): Decision {
  const known = maxTrust(before, decision.trust ?? "public");
  if (isAtLeast(known, issue.trust)) return decision;
  const state = getCurrentState({ ...issue, decision }, nowMs);
  const { release, inNextRelease } = decision;
  const isInRelease = release !== undefined || inNextRelease !== undefined;
  const isReopened = state === "muted" || state === "ignored";
  if (!isReopened && !(state === "resolved" && isInRelease)) return decision;
  return { v: 1, state: "open", atMs: nowMs, trust: issue.trust };
}

/** The occurrences that a decision counts: those of the issue's level then, and higher ones. */
export function countForDecision(
  { trust = "public" }: Pick<Decision, "trust">,
  issue: TrustCounts,
): number {
  return countFrom(trust, issue);
}

/** The fields of an issue that a decision sets; none without a decision. */
export function toDecisionFields(
  issue: Issue,
  decision: Decision | undefined,
  nowMs: number,
): Pick<Issue, "decision" | "state"> | Record<never, never> {
  if (decision === undefined) return {};
  return { decision, state: getCurrentState({ ...issue, decision }, nowMs) };
}

/** True if the issue was resolved and then occurred again. */
export function isRegressed({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.regressedAtMs !== undefined;
}
