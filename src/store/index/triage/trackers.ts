/**
 * Links of issues to those of trackers, and what keeps both in the same state. The index decides
 * what a tracker must hear and puts it into the outbox of alerts, in the transaction of the change;
 * the alert sender tells it. Synchronous.
 */
import { type DecisionInput, getCurrentState } from "../../../core/issue/decision.ts";
import { type FixProof, findFixProof } from "../../../core/issue/fix-proof.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import type { Digest } from "../../../core/report.ts";
import type { FixEvent, StateEvent } from "../../../core/trackers/tracker-event.ts";
import {
  type FollowedLink,
  type ItemState,
  isFollowed,
  type NewTrackerLink,
  toIssueTracker,
} from "../../../core/trackers/tracker-link.ts";
import type { FollowedIssue, TrackerNews } from "../../../core/trackers/tracker-news.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** Sessions without the error that prove a fix. */
const MIN_PROVING_SESSIONS = 100;
/** Links that one call looks at. */
const MAX_REVIEWED = 500;

/** Links an issue, in place of an earlier link; `undefined` unlinks it. */
export function setTrackerLink(
  { annotations, issues }: IndexTables,
  issue: Issue,
  link: NewTrackerLink | undefined,
  nowMs: number,
): DirtyKeys {
  const { digest } = issue;
  const before = annotations.getOrEmpty(digest);
  const tracker = link && { ...link, atMs: nowMs };
  annotations.save(digest, { ...before, tracker });
  issues.save({ ...issue, tracker: tracker && toIssueTracker(tracker), asOfMs: nowMs });
  return createDirtyKeys({ issues: [digest] });
}

/**
 * Tells the tracker of an issue to close or to reopen its own, if the decision has another state
 * than the tracker. True if the outbox has something new.
 */
export function followDecision(tables: IndexTables, digest: Digest, nowMs: number): boolean {
  const decision = tables.decisions.get(digest);
  const { tracker: link } = tables.annotations.getOrEmpty(digest);
  if (!isFollowed(link) || decision === undefined) return false;
  const { state, regressedAtMs, regressedInRelease: release } = decision;
  // Ignored and muted issues stay as they are in the tracker.
  if (state !== "resolved" && state !== "open") return false;
  const wanted: ItemState = state === "resolved" ? "closed" : "open";
  if (wanted === (link.state ?? "open")) return false;
  setItemState(tables, digest, link, wanted, nowMs);
  const { tracker, item } = link;
  const cause = regressedAtMs === undefined ? "decided" : "regressed";
  const news: TrackerNews =
    wanted === "closed"
      ? { do: "close", tracker, item }
      : { do: "reopen", tracker, item, cause, release };
  addNews(tables, digest, news, nowMs);
  return true;
}

function addNews({ alerts }: IndexTables, digest: Digest, tracker: TrackerNews, nowMs: number) {
  // An alert sender of the release before takes it as an alert that was held back for no rule.
  alerts.add([{ atMs: nowMs, digest, triggers: [], held: "no-rule", tracker }], nowMs);
}

function setItemState(
  { annotations }: IndexTables,
  digest: Digest,
  link: FollowedLink,
  state: ItemState,
  stateMs: number,
): void {
  const before = annotations.getOrEmpty(digest);
  annotations.save(digest, { ...before, tracker: { ...link, state, stateMs } });
}

/**
 * The decision that a change in the tracker asks for, after which both have the same state.
 * Undefined if it is an echo of Errata's own change, too old, or of an issue without a link.
 */
export function followTracker(
  tables: IndexTables,
  tracker: string,
  event: StateEvent,
  nowMs: number,
): { readonly digest: Digest; readonly input: Omit<DecisionInput, "by"> } | undefined {
  const { item, state, atMs = nowMs, resolution, isRead } = event;
  const linked = tables.annotations.findTrackerItem(tracker, item);
  const link = linked === undefined ? undefined : tables.annotations.get(linked)?.tracker;
  if (linked === undefined || !isFollowed(link)) return undefined;
  const isKnown = link.state === state;
  // Both clocks differ a little, and GitHub counts seconds.
  if (isKnown || (link.stateMs !== undefined && atMs < link.stateMs - 1_000)) return undefined;
  setItemState(tables, linked, link, state, nowMs);
  // Nothing happened: Errata learns the state for the first time.
  if (isRead === true && link.state === undefined) return undefined;
  const digest = tables.merges.resolve(linked);
  const issue = tables.issues.get(digest);
  if (issue === undefined) return undefined;
  const own = getCurrentState(issue, nowMs);
  if (state === "open")
    return own === "resolved" || own === "ignored" ? { digest, input: { state } } : undefined;
  if (own === "resolved" || resolution === "duplicate") return undefined;
  if (resolution === "not-planned") return { digest, input: { state: "ignored" } };
  return { digest, input: toResolution(issue) };
}

/** In the next release; at once for an issue whose reports name no release. */
function toResolution({ release }: Pick<Issue, "release">) {
  return release === undefined
    ? ({ state: "resolved" } as const)
    : ({ state: "resolved", inNextRelease: true } as const);
}

/** The issues that a merged change fixes and that are not resolved, with their decision. */
export function listMerged(tables: IndexTables, { digests, stage }: FixEvent, nowMs: number) {
  if (stage !== "merged") return [];
  return digests.flatMap((one) => {
    const digest = tables.merges.resolve(one);
    const issue = tables.issues.get(digest);
    const isOpen = issue !== undefined && getCurrentState(issue, nowMs) !== "resolved";
    return isOpen ? [{ digest, input: toResolution(issue) }] : [];
  });
}

/** The issues that connections follow, `limit` after one, in the order of their digests. */
export function listFollowed(
  { annotations }: IndexTables,
  after: Digest,
  limit: number,
): readonly FollowedIssue[] {
  return annotations.listTrackerItems(after, limit).flatMap(({ digest }) => {
    const link = annotations.get(digest)?.tracker;
    return isFollowed(link)
      ? [{ digest, tracker: link.tracker, item: link.item, state: link.state }]
      : [];
  });
}

/** Tells trackers the proofs of fixes that they have not heard, each once. */
export function tellProofs(
  tables: IndexTables,
  releases: readonly ReleaseSummary[],
  nowMs: number,
): void {
  const { annotations, issues } = tables;
  for (const { digest } of annotations.listTrackerItems("", MAX_REVIEWED)) {
    const before = annotations.getOrEmpty(digest);
    const { tracker: link } = before;
    const issue = issues.get(tables.merges.resolve(digest));
    const decidedMs = issue?.decision?.atMs;
    if (!isFollowed(link) || issue === undefined || link.provenMs === decidedMs) continue;
    const proof = findProof(issue, releases, nowMs);
    if (proof === undefined) continue;
    tables.transaction(() => {
      annotations.save(digest, { ...before, tracker: { ...link, provenMs: decidedMs } });
      const { tracker, item } = link;
      addNews(tables, digest, { do: "prove", tracker, item, proof }, nowMs);
    });
  }
}

/** The proof, if it has enough sessions and no report. */
function findProof(
  issue: Issue,
  releases: readonly ReleaseSummary[],
  nowMs: number,
): FixProof | undefined {
  const { decision } = issue;
  if (decision?.state !== "resolved") return undefined;
  // The next release is the first one that was seen after the decision.
  const next = releases
    .filter(({ firstSeenMs = 0 }) => firstSeenMs > decision.atMs)
    .toSorted((a, b) => (a.firstSeenMs ?? 0) - (b.firstSeenMs ?? 0))[0]?.name;
  const release = decision.release ?? (decision.inNextRelease ? next : undefined);
  const proof = findFixProof({ ...issue, decision: { ...decision, release } }, releases, nowMs);
  const { reports = 1, sessions = 0 } = proof?.since ?? {};
  return reports === 0 && sessions >= MIN_PROVING_SESSIONS ? proof : undefined;
}
