/**
 * What people decided about an issue, and what becomes of it when the issue goes on: a resolved one that returns is open again,
 * an ignored one when its time is over. Pure, so that a rebuilt index comes to the same.
 */

import { omitUndefined } from "../omit-undefined.ts";
import { compareReleases, type FirstSeenLookup } from "../release/compare-releases.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest } from "../report.ts";
import type { Decision, Issue, IssueState } from "./issue.ts";

/** A decision and the issue that it is about. */
export interface IssueDecision {
  readonly digest: Digest;
  readonly decision: Decision;
}

/** What a person may choose; `by` is who. Without a condition `resolved` means now, and `ignored` for good until it is opened again. */
export type DecisionInput = { readonly by?: string | undefined } & (
  | { readonly state: "open" | "muted" }
  | { readonly state: "resolved"; readonly release?: string; readonly inNextRelease?: true }
  | { readonly state: "ignored"; readonly forMs?: number; readonly forCount?: number }
);

/** The decision that a choice at `nowMs` makes of an issue with `count` occurrences. */
export function createDecision(
  input: DecisionInput,
  { count }: Pick<Issue, "count">,
  nowMs: number,
): Decision {
  const base = { v: 1, state: input.state, atMs: nowMs } as const;
  if (input.state === "resolved") {
    const { release, inNextRelease } = input;
    return { ...base, ...omitUndefined({ release, inNextRelease }) };
  }
  if (input.state === "ignored") {
    const { forMs, forCount } = input;
    const untilMs = forMs === undefined ? undefined : nowMs + forMs;
    const untilCount = forCount === undefined ? undefined : count + forCount;
    return { ...base, ...omitUndefined({ untilMs, untilCount }) };
  }
  return base;
}

/** True when both say the same, whenever they were made. */
export function isSameDecision(a: Decision, b: Decision | undefined): boolean {
  if (b === undefined) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  names.delete("atMs");
  return [...names].every((name) => Reflect.get(a, name) === Reflect.get(b, name));
}

/** How an issue stands at `nowMs`: an ignored one is open again when its time is over, or its number is reached. */
export function getCurrentState(
  { decision, count }: Pick<Issue, "decision" | "count">,
  nowMs: number,
): IssueState {
  if (decision === undefined) return "open";
  const never = Number.POSITIVE_INFINITY;
  const { state, untilMs = never, untilCount = never } = decision;
  const isExpired = state === "ignored" && (nowMs >= untilMs || count >= untilCount);
  return isExpired ? "open" : state;
}

/** What an issue says of a decision about it; nothing where there is none. */
export function toDecisionFields(
  issue: Issue,
  decision: Decision | undefined,
  nowMs: number,
): Pick<Issue, "decision" | "state"> | Record<never, never> {
  if (decision === undefined) return {};
  return { decision, state: getCurrentState({ ...issue, decision }, nowMs) };
}

/** True when the issue had been resolved and returned. */
export function isRegressed({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.regressedAtMs !== undefined;
}

/**
 * The decision after an occurrence: a resolved issue that returns is open and regressed. It returns when what happened after the
 * decision was in the release that should have been right, or in a later one; without a release in the decision, wherever it was.
 */
export function applyRegression(
  decision: Decision,
  {
    atMs,
    lastAtMs = atMs,
    release,
    isLinked,
  }: Pick<ReportSummary, "atMs" | "lastAtMs" | "release" | "isLinked">,
  getFirstSeenMs: FirstSeenLookup,
): Decision {
  if (decision.state !== "resolved" || isLinked || lastAtMs <= decision.atMs) return decision;
  if (!isRegressionIn(release, decision, getFirstSeenMs)) return decision;
  return {
    v: 1,
    state: "open",
    atMs: decision.atMs,
    regressedAtMs: lastAtMs,
    ...omitUndefined({ regressedInRelease: release, resolvedInRelease: decision.release }),
  };
}

function isRegressionIn(
  release: string | undefined,
  { release: fixedIn, inNextRelease, atMs }: Decision,
  getFirstSeenMs: FirstSeenLookup,
): boolean {
  if (fixedIn === undefined && inNextRelease === undefined) return true;
  // A sender that does not say where it happened cannot say that it returned.
  if (release === undefined) return false;
  if (fixedIn !== undefined) return compareReleases(release, fixedIn, getFirstSeenMs) >= 0;
  return (getFirstSeenMs(release) ?? Number.POSITIVE_INFINITY) > atMs;
}
