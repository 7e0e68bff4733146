/**
 * Links of issues to those of trackers. The index decides what a tracker must hear and puts it into
 * the outbox of alerts, in the transaction of the change; the alert sender tells it. Synchronous.
 */

import type { FollowedIssue, TrackerNews } from "../../../core/alerts/tracker-news.ts";
import { appendActivity } from "../../../core/issue/annotations.ts";
import { getFixStatus } from "../../../core/issue/fix-status.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import {
  type FollowedLink,
  type ItemState,
  isFollowed,
  type NewTrackerLink,
  type TrackerLink,
  toIssueTracker,
} from "../../../core/issue/tracker-link.ts";
import type { ReleaseSummary } from "../../../core/release/release-summary.ts";
import type { Digest } from "../../../core/report.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";

/** Links that one call looks at. */
const MAX_REVIEWED = 500;

/** Links an issue, in place of an earlier link; `undefined` unlinks it. The activity has both. */
export function setTrackerLink(
  { annotations, issues }: IndexTables,
  issue: Issue,
  link: NewTrackerLink | undefined,
  by: string | undefined,
  nowMs: number,
): DirtyKeys {
  const { digest } = issue;
  const before = annotations.getOrEmpty(digest);
  const tracker = link && { ...link, by, atMs: nowMs };
  const entry = toLinkActivity(before.tracker, link);
  const changed = { ...before, tracker };
  annotations.save(
    digest,
    entry === undefined ? changed : appendActivity(changed, { atMs: nowMs, ...entry, by }),
  );
  issues.save({ ...issue, tracker: tracker && toIssueTracker(tracker), asOfMs: nowMs });
  return createDirtyKeys({ issues: [digest] });
}

/** What changed; undefined if the link is the same, because a call was repeated. */
function toLinkActivity(before: TrackerLink | undefined, after: NewTrackerLink | undefined) {
  if (before?.url === after?.url) return undefined;
  if (after !== undefined) return { action: "linked", label: after.label } as const;
  return before && ({ action: "unlinked", label: before.label } as const);
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
  // Snoozed and archived issues stay as they are in the tracker.
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

/** Stores the state that the tracker has, or that Errata asks for. */
export function setItemState(
  { annotations }: IndexTables,
  digest: Digest,
  link: FollowedLink,
  state: ItemState,
  stateMs: number,
): void {
  const before = annotations.getOrEmpty(digest);
  annotations.save(digest, { ...before, tracker: { ...link, state, stateMs } });
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
    const { state, proof } = getFixStatus(before.fix, issue, releases, nowMs);
    if (state !== "proven" || proof === undefined) continue;
    tables.transaction(() => {
      annotations.save(digest, { ...before, tracker: { ...link, provenMs: decidedMs } });
      const { tracker, item } = link;
      addNews(tables, digest, { do: "prove", tracker, item, proof }, nowMs);
    });
  }
}
