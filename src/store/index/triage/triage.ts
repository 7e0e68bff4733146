/**
 * Triage of issues by members: decide, comment, assign, merge, split, and save views of the list.
 * Synchronous; each call is one transaction.
 */
import { findCurrentEscalation, isYoung } from "../../../core/alerts/triggers/escalating.ts";
import {
  type ActivityEntry,
  type AnnotationChange,
  type Annotations,
  type Assignment,
  appendActivity,
} from "../../../core/issue/annotations.ts";
import {
  createDecision,
  type DecisionInput,
  getCurrentState,
  isSameDecision,
  toDecisionFields,
} from "../../../core/issue/decision.ts";
import { reopenFix, toFixMark } from "../../../core/issue/fix-record.ts";
import type { Decision, Issue } from "../../../core/issue/issue.ts";
import type { SavedView } from "../../../core/issue/saved-view.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import type { UndoStep } from "../../../core/triage/undo-step.ts";
import { VIEWS_NAME } from "../../kv/keys.ts";
import { DECISION_JSON } from "../../kv/stored-json.ts";
import {
  type ChangeResult,
  createDirtyKeys,
  type DirtyKeys,
  joinDirtyKeys,
} from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { mergeIssues, splitIssue } from "../state/merge-and-split.ts";
import { tellMembers } from "./tell-members.ts";
import { followDecision, setTrackerLink } from "./tracker-links.ts";
import { addSteps } from "./undo-log.ts";

/**
 * Decides about issues; returns the changed state of those that exist. With `undoId`, the decision
 * can be undone.
 */
export function decide(
  tables: IndexTables,
  digests: readonly Digest[],
  input: DecisionInput,
  nowMs: number,
  undoId?: string,
): ChangeResult<readonly Issue[]> {
  const steps: UndoStep[] = [];
  const result = digests.flatMap((digest) => decideOne(tables, digest, input, nowMs, steps) ?? []);
  addSteps(tables, undoId, steps, nowMs);
  if (result.length === 0) return { result };
  const decided = result.map(({ digest }) => digest);
  return { result, dirtyKeys: createDirtyKeys({ issues: decided }) };
}

function decideOne(
  tables: IndexTables,
  digest: Digest,
  input: DecisionInput,
  nowMs: number,
  steps: UndoStep[],
): Issue | undefined {
  const { issues, decisions, annotations } = tables;
  const issue = issues.get(digest);
  if (issue === undefined) return undefined;
  const decision = createDecision(input, issue, nowMs, findRate(issue, nowMs));
  const isSame = isSameDecision(decision, issue.decision);
  // Resolving again has an effect: only later reports are regressions then.
  if (isSame && decision.state !== "resolved") return issue;
  return tables.transaction(() => {
    const before = annotations.getOrEmpty(digest);
    const isReopened =
      getCurrentState(issue, nowMs) === "resolved" && decision.state !== "resolved";
    const fix = isReopened ? reopenFix(before.fix, nowMs) : before.fix;
    const decided = {
      ...{ ...issue, ...toDecisionFields(issue, decision, nowMs), asOfMs: nowMs },
      ...(isReopened && { fixMark: toFixMark(fix) }),
    };
    decisions.save(digest, decision);
    issues.save(decided);
    const activity = { ...toActivity(decision), by: input.by };
    if (!isSame) annotations.save(digest, appendActivity({ ...before, fix }, activity));
    if (!isSame && decision.state === "resolved") closeAlerts(tables, issue, nowMs);
    followDecision(tables, digest, nowMs);
    const reopenedMs = isReopened ? before.fix?.reopenedMs : undefined;
    const last = issue.decision && DECISION_JSON.toWritten(issue.decision);
    steps.push({ change: "decision", digest, atMs: nowMs, before: last, reopenedMs });
    return decided;
  });
}

/** The escalation by rate that the issue is in: a snooze does not end by the same one. */
function findRate(issue: Issue, nowMs: number): Decision["escalation"] {
  const found = isYoung(issue, nowMs) ? undefined : findCurrentEscalation(issue, nowMs);
  return found && { atMs: found.atMs, limit: found.limit, value: found.value };
}

/** Destinations with incidents close that of the issue, if an alert about it was sent. */
function closeAlerts({ alerts }: IndexTables, { digest, trust }: Issue, nowMs: number): void {
  if (alerts.sent.list(digest).length === 0) return;
  const triggers = [{ kind: "resolved" as const, rules: [] }];
  alerts.add([{ atMs: nowMs, digest, trust, triggers }], nowMs);
}

function toActivity(decision: Decision): ActivityEntry {
  const { state, atMs, release, inNextRelease } = decision;
  switch (state) {
    case "open":
      return { atMs, action: "opened" };
    case "archived":
      return { atMs, action: "archived" };
    case "resolved":
      return { atMs, action: "resolved", release, inNextRelease };
    case "snoozed": {
      const { untilMs, untilCount, untilUsers, untilEscalation } = decision;
      const { untilNextRelease, afterRelease } = decision;
      const limits = { untilMs, untilCount, untilUsers, untilEscalation };
      return { atMs, action: "snoozed", ...limits, untilNextRelease, afterRelease };
    }
  }
}

/**
 * Changes the annotations of an issue and returns them. Null if the issue, or one to merge or to
 * split off, does not exist. With `undoId`, an assignment or a merge can be undone.
 */
export function annotate(
  tables: IndexTables,
  digest: Digest,
  change: AnnotationChange,
  nowMs: number,
  undoId?: string,
): ChangeResult<Annotations | null> {
  const { issues, annotations } = tables;
  const issue = issues.get(digest);
  const from = change.change === "merge" ? change.from : [];
  const isPossible =
    from.every((one) => issues.get(one) !== undefined) &&
    (change.change !== "split" || issue?.mergedDigests?.includes(change.digest));
  if (issue === undefined || !isPossible) return { result: null };
  return tables.transaction(() => {
    const dirtyKeys = applyChange(tables, issue, change, nowMs);
    addSteps(tables, undoId, toUndoSteps(issue, change, nowMs), nowMs);
    return { result: annotations.getOrEmpty(digest), dirtyKeys };
  });
}

/** Assigns several issues, or removes their assignee. Returns the digests of those that exist. */
export function assignMany(
  tables: IndexTables,
  digests: readonly Digest[],
  change: Assignment,
  nowMs: number,
  undoId?: string,
): ChangeResult<readonly Digest[]> {
  return tables.transaction(() => {
    const changed = digests.map((digest) => annotate(tables, digest, change, nowMs, undoId));
    return {
      result: digests.filter((_, n) => changed[n]?.result !== null),
      dirtyKeys: joinDirtyKeys(changed.flatMap(({ dirtyKeys }) => dirtyKeys ?? [])),
    };
  });
}

function toUndoSteps(
  { digest, assignee }: Issue,
  change: AnnotationChange,
  nowMs: number,
): readonly UndoStep[] {
  const step = { digest, atMs: nowMs };
  if (change.change === "merge") {
    const from = change.from.filter((one) => one !== digest);
    return [{ ...step, change: "merge", from }];
  }
  if (change.change !== "assign" || change.to === assignee) return [];
  return [{ ...step, change: "assignee", before: assignee, to: change.to }];
}

function applyChange(
  tables: IndexTables,
  issue: Issue,
  change: AnnotationChange,
  nowMs: number,
): DirtyKeys {
  const { annotations } = tables;
  const { digest } = issue;
  switch (change.change) {
    case "comment": {
      const { id, text, by, mentions } = change;
      const before = annotations.getOrEmpty(digest);
      const comment = { atMs: nowMs, action: "commented", id, text, mentions, by } as const;
      const after = appendActivity(before, comment);
      // A repeated comment.
      if (after === before) return createDirtyKeys({});
      annotations.save(digest, after);
      tellMembers(tables, digest, comment, nowMs);
      return createDirtyKeys({});
    }
    case "delete-comment": {
      const before = annotations.getOrEmpty(digest);
      const activity = before.activity.filter(
        (entry) => entry.action !== "commented" || entry.id !== change.id,
      );
      annotations.save(digest, { ...before, activity });
      return createDirtyKeys({});
    }
    case "assign":
      return assign(tables, issue, change.to, change.by, nowMs);
    case "merge":
      return mergeIssues(tables, issue, change.from, change.by, nowMs);
    case "split":
      return splitIssue(tables, issue, change.digest, change.by, nowMs);
    case "link-tracker":
      return setTrackerLink(tables, issue, change.link, change.by, nowMs);
    case "unlink-tracker":
      return setTrackerLink(tables, issue, undefined, change.by, nowMs);
  }
}

function assign(
  tables: IndexTables,
  { assignee: before, ...issue }: Issue,
  to: string | undefined,
  by: string | undefined,
  nowMs: number,
): DirtyKeys {
  if (before === to) return createDirtyKeys({});
  const { annotations, issues } = tables;
  const { digest } = issue;
  const entry =
    to === undefined ? ({ action: "unassigned" } as const) : ({ action: "assigned", to } as const);
  const changed = { ...annotations.getOrEmpty(digest), assignee: to };
  const activity = { atMs: nowMs, ...entry, by };
  annotations.save(digest, appendActivity(changed, activity));
  issues.save({ ...issue, assignee: to, asOfMs: nowMs });
  tellMembers(tables, digest, activity, nowMs);
  return createDirtyKeys({ issues: [digest] });
}

export function listViews({ views }: IndexTables): readonly SavedView[] {
  return views.get(VIEWS_NAME)?.views ?? [];
}

/**
 * Saves a view under its name, or deletes it (null). At most `limits.maxSavedViews` are saved. It
 * keeps the address of its feed unless `feedHash` is another, or empty.
 */
export function saveView(
  tables: IndexTables,
  name: string,
  view: Omit<SavedView, "name"> | null,
): ChangeResult<readonly SavedView[]> {
  const before = listViews(tables);
  const others = before.filter((one) => one.name !== name);
  if (view !== null && others.length >= limits.maxSavedViews) return { result: before };
  const saved = before.find((one) => one.name === name);
  const feedHash = view?.feedHash ?? saved?.feedHash ?? "";
  const { feedHash: _, ...rest } = view ?? {};
  const views =
    view === null
      ? others
      : [...others, { name, ...(rest as Omit<SavedView, "name">), ...(feedHash && { feedHash }) }];
  tables.views.save(VIEWS_NAME, { v: 1, views });
  return { result: views, dirtyKeys: createDirtyKeys({}) };
}
