/**
 * The life of the fix of an issue: proposed, merged, deployed, proven, or the issue came back. A
 * function of facts, so that events that arrive late, twice or in another order lead to the same
 * state. Pure.
 *
 *     none ─▶ proposed ─▶ merged ─▶ deployed ─▶ proven
 *      ▲         │          └──────────┴──────────┴─▶ came-back ─▶ proposed …
 *      ├─ closed ┘                     │
 *      └──── somebody opens the issue ─┘
 */

import type { ReleaseSummary } from "../release/release-summary.ts";
import type { TrustCounts } from "../stats/trust-counts.ts";
import { getCurrentState } from "./decision.ts";
import type { FixEvent } from "./fix-event.ts";
import { findFixRelease, getFixProgress } from "./fix-progress.ts";
import { type FixProof, findFixProof } from "./fix-proof.ts";
import {
  type FixRecord,
  findCurrentChange,
  findCurrentHandOff,
  type HandOff,
  listCurrentEvents,
} from "./fix-record.ts";
import type { Issue } from "./issue.ts";

/**
 * `proposed`: a change is open. `merged`: it is in the default branch, or a member says in which
 * release the fix will be. `deployed`: a build or reports named a release that has it. `proven`: its sessions show
 * it (`isProven`). `came-back`: the resolved issue occurred again, and nobody has proposed another
 * change.
 */
export const FIX_STATES = [
  "none",
  "proposed",
  "merged",
  "deployed",
  "proven",
  "came-back",
] as const;

export type FixState = (typeof FIX_STATES)[number];

export interface FixStatus {
  readonly state: FixState;
  /** The change that fixes it, as its host names it; absent if only a member says so. */
  readonly change?: Pick<FixEvent, "url" | "title" | "commit" | "author">;
  readonly proposedMs?: number;
  readonly mergedMs?: number;
  readonly deployedMs?: number;
  /** The release with the fix, seen or not. */
  readonly release?: string;
  readonly proof?: FixProof;
  /** The last return of the issue, until another fix is deployed, or somebody opens the issue. */
  readonly cameBackMs?: number;
  /** The last hand-off to an agent since then. */
  readonly handOff?: HandOff;
}

/** The issue as the state of its fix depends on it. */
type FixedIssue = TrustCounts &
  Pick<Issue, "decision" | "trust" | "fixMark" | "releases" | "firstSeenMs">;

/** The state at `nowMs`. `releases` are those seen so far, with the sessions of thirty days. */
export function getFixStatus(
  record: FixRecord | undefined,
  issue: FixedIssue,
  releases: readonly ReleaseSummary[],
  nowMs: number,
): FixStatus {
  const known = record ?? {};
  const { decision } = issue;
  const change = findCurrentChange(known);
  const isResolved = getCurrentState(issue, nowMs) === "resolved";
  const seen = isResolved ? findFixRelease(issue, releases) : undefined;
  const deployed = findReleased(known, change, decision);
  const release = (isResolved ? decision?.release : undefined) ?? seen?.name ?? deployed?.release;
  const proof = isResolved ? proveFix(issue, seen?.name, releases, nowMs) : undefined;
  const isDeployed =
    seen !== undefined ||
    deployed !== undefined ||
    (change !== undefined && isResolved && getFixProgress(issue, releases, nowMs) === "fixed");
  const isMerged = change?.kind === "merged" || (isResolved && release !== undefined);
  const isAwaited = isResolved && decision?.inNextRelease !== undefined;
  const returnedMs = Math.max(known.cameBackMs ?? 0, decision?.regressedAtMs ?? 0);
  const cameBackMs = returnedMs > (known.reopenedMs ?? 0) ? returnedMs : 0;
  const state: FixState = isDeployed
    ? proof !== undefined && isProven(proof)
      ? "proven"
      : "deployed"
    : isMerged || isAwaited
      ? "merged"
      : change !== undefined
        ? "proposed"
        : cameBackMs > 0 && !isResolved
          ? "came-back"
          : "none";
  const times = findTimes(known, change);
  const deployedMs = isDeployed ? (seen?.firstSeenMs ?? deployed?.atMs) : undefined;
  const handOff = findCurrentHandOff(known);
  return {
    state,
    ...(change !== undefined && { change: toChange(change) }),
    ...times,
    ...(deployedMs !== undefined && { deployedMs }),
    ...(release !== undefined && { release }),
    ...(proof !== undefined && { proof }),
    ...(cameBackMs > 0 && !isDeployed && { cameBackMs }),
    ...(handOff !== undefined && { handOff }),
  };
}

/**
 * The proof of an issue that is resolved in a release, or in the next one, of which `seen` is the
 * first; undefined for others, and before the first session of the release.
 */
function proveFix(
  issue: FixedIssue,
  seen: string | undefined,
  releases: readonly ReleaseSummary[],
  nowMs: number,
): FixProof | undefined {
  const { decision } = issue;
  const release = decision?.release ?? seen;
  if (decision === undefined || release === undefined) return undefined;
  return findFixProof({ ...issue, decision: { ...decision, release } }, releases, nowMs);
}

/**
 * The release with the merged commit, unless a member has opened the issue since, or another change
 * was merged since.
 */
function findReleased(
  { deployed, reopenedMs = 0 }: FixRecord,
  change: FixEvent | undefined,
  decision: Issue["decision"],
) {
  if (deployed === undefined || deployed.atMs <= reopenedMs) return undefined;
  const isReopened = decision?.state === "open" && decision.regressedAtMs === undefined;
  if (isReopened && decision.atMs >= deployed.atMs) return undefined;
  // Hosts send the merge of the same commit again, at times later.
  const isOther = change?.kind === "merged" && change.commit !== deployed.commit;
  return isOther && change.atMs > deployed.atMs ? undefined : deployed;
}

/** Sessions without a report that prove a fix if the rate before is unknown. */
const MIN_SESSIONS = 100;
/** The reports that the rate before would have made of these sessions: 95 % certainty. */
const MIN_EXPECTED = 3;

/**
 * True if no report came, and enough sessions to expect at least three at the rate before (the rule
 * of three); without such a rate, after a hundred sessions.
 */
export function isProven({ since, before }: FixProof): boolean {
  if (since.reports > 0) return false;
  if (before === undefined || before.reports === 0) return since.sessions >= MIN_SESSIONS;
  return since.sessions * before.reports >= MIN_EXPECTED * before.sessions;
}

function toChange({ url, title, commit, author }: FixEvent): FixStatus["change"] {
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(commit !== undefined && { commit }),
    ...(author !== undefined && { author }),
  };
}

/** When the change was proposed and merged. */
function findTimes(
  record: FixRecord,
  change: FixEvent | undefined,
): Pick<FixStatus, "proposedMs" | "mergedMs"> {
  if (change === undefined) return {};
  const own = listCurrentEvents(record).filter(({ url, commit }) =>
    change.url === undefined ? commit === change.commit : url === change.url,
  );
  const proposedMs = own.find(({ kind }) => kind === "proposed")?.atMs;
  return {
    ...(proposedMs !== undefined && { proposedMs }),
    ...(change.kind === "merged" && { mergedMs: change.atMs }),
  };
}

/** True if the state depends on which releases have been seen. */
export function needsReleasesForFix(
  record: FixRecord | undefined,
  { decision }: Pick<Issue, "decision">,
): boolean {
  const isNamed = decision?.release !== undefined || decision?.inNextRelease !== undefined;
  return (decision?.state === "resolved" && isNamed) || record?.deployed !== undefined;
}
