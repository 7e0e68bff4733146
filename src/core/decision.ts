/**
 * What people decided about an issue, and what becomes of it when the issue goes on: a resolved one that returns is open again,
 * an ignored one when its time is over. Pure, so that a rebuilt index comes to the same.
 */
import type { Issue, IssueState, Mark } from "./issue.ts";
import { present } from "./present.ts";
import { compareReleases, type KnownReleases } from "./releases.ts";
import type { Digest } from "./report.ts";

/** A decision as it is stored (version 1): fields may be added, never renamed. */
export interface Decision {
  readonly v: 1;
  readonly state: IssueState;
  readonly atMs: number;
  /** Resolved in this release: what happens in earlier ones is known. */
  readonly release?: string;
  /** Resolved in whatever release was first seen after the decision. */
  readonly inNext?: true;
  /** Ignored until then, ms. */
  readonly untilMs?: number;
  /** Ignored until the issue has so many occurrences. */
  readonly untilCount?: number;
  /** Open because it was resolved and returned: when, and in which release. */
  readonly regressedAtMs?: number;
  readonly regressedIn?: string;
  /** The release in which it had been resolved. */
  readonly resolvedIn?: string;
}

/** A decision and the issue that it is about. */
export interface Decided {
  readonly digest: Digest;
  readonly decision: Decision;
}

/** What a person may choose; `by` is who. Without a condition `resolved` means now, and `ignored` for good until it is opened again. */
export type Choice = { readonly by?: string | undefined } & (
  | { readonly state: "open" | "muted" }
  | { readonly state: "resolved"; readonly release?: string; readonly inNext?: true }
  | { readonly state: "ignored"; readonly forMs?: number; readonly forCount?: number }
);

/** The decision that a choice at `nowMs` makes of an issue with `count` occurrences. */
export function decide(choice: Choice, { count }: Pick<Issue, "count">, nowMs: number): Decision {
  const made = { v: 1, state: choice.state, atMs: nowMs } as const;
  if (choice.state === "resolved") {
    const { release, inNext } = choice;
    return { ...made, ...present({ release, inNext }) };
  }
  if (choice.state === "ignored") {
    const { forMs, forCount } = choice;
    const untilMs = forMs === undefined ? undefined : nowMs + forMs;
    const untilCount = forCount === undefined ? undefined : count + forCount;
    return { ...made, ...present({ untilMs, untilCount }) };
  }
  return made;
}

/** True when both say the same, whenever they were made. */
export function isSameDecision(one: Decision, other: Decision | undefined): boolean {
  if (other === undefined) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  names.delete("atMs");
  return [...names].every((name) => Reflect.get(one, name) === Reflect.get(other, name));
}

/** How an issue stands at `nowMs`: an ignored one is open again when its time is over, or its number is reached. */
export function stateOf(
  { decision, count }: Pick<Issue, "decision" | "count">,
  nowMs: number,
): IssueState {
  if (decision === undefined) return "open";
  const never = Number.POSITIVE_INFINITY;
  const { state, untilMs = never, untilCount = never } = decision;
  const isOver = state === "ignored" && (nowMs >= untilMs || count >= untilCount);
  return isOver ? "open" : state;
}

/** What an issue says of a decision about it; nothing where there is none. */
export function standing(
  issue: Issue,
  decision: Decision | undefined,
  nowMs: number,
): Pick<Issue, "decision" | "state"> | Record<never, never> {
  if (decision === undefined) return {};
  return { decision, state: stateOf({ ...issue, decision }, nowMs) };
}

/** True when the issue had been resolved and returned. */
export function isRegressed({ decision }: Pick<Issue, "decision">): boolean {
  return decision?.regressedAtMs !== undefined;
}

/**
 * The decision after an occurrence: a resolved issue that returns is open and regressed. It returns when what happened after the
 * decision was in the release that should have been right, or in a later one; without a release in the decision, wherever it was.
 */
export function decisionAfter(
  decision: Decision,
  { atMs, untilMs = atMs, release, linked }: Pick<Mark, "atMs" | "untilMs" | "release" | "linked">,
  known: KnownReleases,
): Decision {
  if (decision.state !== "resolved" || linked || untilMs <= decision.atMs) return decision;
  if (!returnsIn(release, decision, known)) return decision;
  return {
    v: 1,
    state: "open",
    atMs: decision.atMs,
    regressedAtMs: untilMs,
    ...present({ regressedIn: release, resolvedIn: decision.release }),
  };
}

function returnsIn(
  release: string | undefined,
  { release: fixedIn, inNext, atMs }: Decision,
  known: KnownReleases,
): boolean {
  if (fixedIn === undefined && inNext === undefined) return true;
  // A sender that does not say where it happened cannot say that it returned.
  if (release === undefined) return false;
  if (fixedIn !== undefined) return compareReleases(release, fixedIn, known) >= 0;
  return (known(release) ?? Number.POSITIVE_INFINITY) > atMs;
}
