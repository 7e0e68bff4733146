/**
 * Applies what trackers say: the state of their issues, and changes that fix issues. Synchronous.
 */
import { type DecisionInput, getCurrentState } from "../../../core/issue/decision.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { isFollowed } from "../../../core/issue/tracker-link.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import type { Tracker } from "../../../core/trackers/tracker.ts";
import type { FixEvent, StateEvent, TrackerEvent } from "../../../core/trackers/tracker-event.ts";
import { getBase, isSameProject } from "../../../core/trackers/tracker-kind.ts";
import { getTrackerKind } from "../../../core/trackers/trackers.ts";
import { truncateText } from "../../../core/truncate.ts";
import { type ChangeResult, type DirtyKeys, joinDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { recordFixEvents } from "./fixes.ts";
import { readCodeSettings } from "./repositories.ts";
import { setItemState } from "./tracker-links.ts";
import { decide } from "./triage.ts";

/** A connection without its secrets. */
export type FollowingTracker = Pick<Tracker, "id" | "kind" | "project" | "baseUrl">;

/**
 * The decision that a change in the tracker asks for, after which both have the same state.
 * Undefined if it is an echo of Errata's own change, too old, or of an issue without a link.
 */
function followTracker(
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
  if (state === "open") return own === "open" ? undefined : { digest, input: { state } };
  if (own === "resolved" || resolution === "duplicate") return undefined;
  if (resolution === "not-planned") return { digest, input: { state: "archived" } };
  return { digest, input: toResolution(issue) };
}

/** In the next release; at once for an issue whose reports name no release. */
function toResolution({ release }: Pick<Issue, "release">) {
  return release === undefined
    ? ({ state: "resolved" } as const)
    : ({ state: "resolved", inNextRelease: true } as const);
}

/**
 * Applies what a tracker says, in order. Each event of an issue that changes nothing is ignored.
 */
export function applyTrackerEvents(
  tables: IndexTables,
  tracker: FollowingTracker,
  events: readonly TrackerEvent[],
  nowMs: number,
): ChangeResult<void> {
  const { label } = getTrackerKind(tracker.kind);
  const dirtyKeys: DirtyKeys[] = [];
  const keep = <T>({ result, dirtyKeys: dirty }: ChangeResult<T>) => {
    if (dirty !== undefined) dirtyKeys.push(dirty);
    return result;
  };
  for (const event of events) {
    if (event.kind === "state") {
      const { by } = event;
      const change = tables.transaction(() => followTracker(tables, tracker.id, event, nowMs));
      if (change === undefined) continue;
      const author = { by: nameAuthor(by, label) };
      keep(decide(tables, [change.digest], { ...change.input, ...author }, nowMs));
    } else if (isConfigured(tables, tracker, event.repository)) {
      const { kind: _, stage, repository: __, atMs = nowMs, ...facts } = event;
      keep(recordFixEvents(tables, [{ ...facts, kind: stage, atMs }], nowMs));
      const by = nameAuthor(event.author, label);
      for (const { digest, input } of listMerged(tables, event, nowMs))
        keep(decide(tables, [digest], { ...input, by }, nowMs));
    }
  }
  return dirtyKeys.length === 0
    ? { result: undefined }
    : { result: undefined, dirtyKeys: joinDirtyKeys(dirtyKeys) };
}

/** `ada on GitHub`; the tracker alone if it does not say who. */
function nameAuthor(by: string | undefined, label: string): string {
  return truncateText(by === undefined ? label : `${by} on ${label}`, limits.maxAssigneeChars);
}

/** True for the repository of the connection, and for those of the project. */
function isConfigured(tables: IndexTables, tracker: FollowingTracker, name: string): boolean {
  if (isSameProject(name, tracker.project)) return true;
  const base = getBase(tracker, getTrackerKind(tracker.kind).baseUrl);
  const { repositories } = readCodeSettings(tables).settings;
  return repositories.some(({ url }) => isSameProject(url, `${base}/${name}`));
}

/** The issues that a merged change fixes and that are not resolved, with their decision. */
function listMerged(tables: IndexTables, { digests, stage }: FixEvent, nowMs: number) {
  if (stage !== "merged") return [];
  return digests.flatMap((one) => {
    const digest = tables.merges.resolve(one);
    const issue = tables.issues.get(digest);
    const isOpen = issue !== undefined && getCurrentState(issue, nowMs) !== "resolved";
    return isOpen ? [{ digest, input: toResolution(issue) }] : [];
  });
}
