/**
 * Decisions about an issue and their effect over time: a resolved issue that occurs again is open,
 * and a snoozed one when its condition is met. Pure, so that a rebuilt index gets the same result.
 */

import type { Digest } from "../report.ts";
import {
  countFrom,
  countUsers,
  type TrustCounts,
  type UserSketches,
} from "../stats/trust-counts.ts";
import { isAtLeast, isTrusted, maxTrust, type Trust } from "../trust/trust.ts";
import type { Decision, Issue, IssueSummary } from "./issue.ts";
import type { IssueState } from "./issue-states.ts";

export interface IssueDecision {
  readonly digest: Digest;
  readonly decision: Decision;
}

/**
 * A requested decision. `by` is the name of the person. Without a condition, `resolved` means
 * now, and `snoozed` until the issue escalates.
 */
export type DecisionInput = { readonly by?: string | undefined } & (
  | { readonly state: "open" | "archived" }
  | { readonly state: "resolved"; readonly release?: string; readonly inNextRelease?: true }
  | ({ readonly state: "snoozed" } & SnoozeInput)
);

/** What ends a snooze: whichever of them is first. */
export interface SnoozeInput {
  readonly forMs?: number;
  readonly untilMs?: number;
  readonly forCount?: number;
  readonly forUsers?: number;
  readonly untilEscalation?: true;
  readonly untilNextRelease?: true;
}

/** The members of an issue that a decision depends on. */
type DecidedIssue = TrustCounts & UserSketches & Pick<Issue, "trust" | "release">;

/**
 * The decision that `input` makes about an issue at `nowMs`. `escalation` is the one that the issue
 * is in.
 */
export function createDecision(
  input: DecisionInput,
  issue: DecidedIssue,
  nowMs: number,
  escalation?: Decision["escalation"],
): Decision {
  const base = {
    ...({ v: 2, state: input.state, atMs: nowMs } as const),
    ...(isTrusted(issue.trust) && { trust: issue.trust }),
  };
  if (input.state === "resolved") {
    const { release, inNextRelease } = input;
    return { ...base, release, inNextRelease };
  }
  if (input.state === "snoozed")
    return { ...base, ...toSnoozeLimits(input, base, issue, nowMs, escalation) };
  return base;
}

function toSnoozeLimits(
  input: SnoozeInput,
  base: Pick<Decision, "trust">,
  issue: DecidedIssue,
  nowMs: number,
  escalation: Decision["escalation"],
): Partial<Decision> {
  const { forMs, forCount, forUsers, untilNextRelease } = input;
  const untilMs = forMs === undefined ? input.untilMs : nowMs + forMs;
  const fromCount = countForDecision(base, issue);
  const others = [untilMs, forCount, forUsers, untilNextRelease];
  const isDefault = others.every((limit) => limit === undefined);
  const untilEscalation = input.untilEscalation ?? (isDefault || undefined);
  return {
    ...(untilMs !== undefined && { untilMs }),
    ...(forCount !== undefined && { untilCount: fromCount + forCount, forCount }),
    ...(forUsers !== undefined && {
      untilUsers: countUsers(issue, base.trust) + forUsers,
      forUsers,
    }),
    ...(untilEscalation && { untilEscalation, fromCount, escalation }),
    ...(untilNextRelease && { untilNextRelease, afterRelease: issue.release }),
  };
}

/**
 * True if the decisions differ only in time. The figures with which an issue is watched are no
 * difference, but a snooze that has ended is.
 */
export function isSameDecision(a: Decision, b: Decision | undefined): boolean {
  if (b === undefined || b.endedAtMs !== undefined) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of ["atMs", "fromCount", "escalation"]) names.delete(name);
  return [...names].every((name) => Reflect.get(a, name) === Reflect.get(b, name));
}

/**
 * The state of an issue at `nowMs`. A snoozed issue is open again when its time or count is
 * reached, or when a report has ended the snooze (`end-snooze.ts`).
 */
export function getCurrentState(
  issue: TrustCounts & Pick<Issue, "decision">,
  nowMs: number,
): IssueState {
  const { decision } = issue;
  if (decision === undefined) return "open";
  const never = Number.POSITIVE_INFINITY;
  const { state, untilMs = never, untilCount = never, endedAtMs } = decision;
  const isReached = nowMs >= untilMs || countForDecision(decision, issue) >= untilCount;
  const hasEnded = state === "snoozed" && (isReached || endedAtMs !== undefined);
  return hasEnded ? "open" : state;
}

/** True if the issue was snoozed, and is open because the snooze has ended. */
export function hasSnoozeEnded(
  issue: TrustCounts & Pick<Issue, "decision">,
  nowMs: number,
): boolean {
  return issue.decision?.state === "snoozed" && getCurrentState(issue, nowMs) === "open";
}

/**
 * The decision about an issue after a report that may raise its trust from `before`. The first
 * report of a higher level reopens an issue that is snoozed, archived, or resolved in a release: the
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
  const isReopened = state === "archived" || state === "snoozed";
  if (!isReopened && !(state === "resolved" && isInRelease)) return decision;
  return { v: 2, state: "open", atMs: nowMs, trust: issue.trust };
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

/** How long an escalation is shown: its rate is that of an hour. */
const ESCALATION_MS = 3_600_000;

/** True if the issue occurred far more often than usual within the last hour. */
export function isEscalating(
  { escalation }: Pick<IssueSummary, "escalation">,
  nowMs: number,
): boolean {
  return escalation !== undefined && nowMs - escalation.atMs < ESCALATION_MS;
}

/** True if the issue was resolved and then occurred again. */
export function isRegressed({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.regressedAtMs !== undefined;
}
