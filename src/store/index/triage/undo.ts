/** Undoes actions of members. Synchronous; each call is one transaction. */
import { createDecision, toDecisionFields } from "../../../core/issue/decision.ts";
import { toFixMark, undoReopening } from "../../../core/issue/fix-record.ts";
import type { Digest } from "../../../core/report.ts";
import type { UndoResult, UndoStep } from "../../../core/triage/undo-step.ts";
import { DECISION_JSON } from "../../kv/stored-json.ts";
import {
  type ChangeResult,
  createDirtyKeys,
  type DirtyKeys,
  joinDirtyKeys,
} from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { splitIssue } from "../state/merge-and-split.ts";
import { withdrawHandOff } from "./hand-offs.ts";
import { followDecision } from "./tracker-links.ts";
import { getSteps, removeSteps } from "./undo-log.ts";

/** The issues that an undone step restored, and their outdated snapshots. */
interface Undone {
  readonly digests: readonly Digest[];
  readonly dirtyKeys: DirtyKeys;
}

/**
 * Undoes an action once. Issues that were changed again stay as they are. Null if the action is
 * unknown or too old.
 */
export function undo(
  tables: IndexTables,
  id: string,
  nowMs: number,
): ChangeResult<UndoResult | null> {
  const steps = getSteps(tables, id, nowMs);
  const [first] = steps ?? [];
  if (steps === undefined || first === undefined) return { result: null };
  return tables.transaction(() => {
    // The last one first: an action that was sent again has two steps of an issue.
    const undone = steps.toReversed().flatMap((step) => undoStep(tables, step, nowMs) ?? []);
    removeSteps(tables, id);
    const digests = new Set(undone.toReversed().flatMap((one) => one.digests));
    return {
      result: { change: first.change, digests: [...digests] },
      dirtyKeys: joinDirtyKeys(undone.map(({ dirtyKeys }) => dirtyKeys)),
    };
  });
}

function undoStep(tables: IndexTables, step: UndoStep, nowMs: number): Undone | undefined {
  switch (step.change) {
    case "decision":
      return undoDecision(tables, step, nowMs);
    case "assignee":
      return undoAssignment(tables, step, nowMs);
    case "merge":
      return undoMerge(tables, step, nowMs);
    case "hand-off":
      return withdrawHandOff(tables, step.digest, step.atMs)
        ? { digests: [step.digest], dirtyKeys: createDirtyKeys({}) }
        : undefined;
  }
}

function undoDecision(
  tables: IndexTables,
  { digest, before, atMs, reopenedMs }: Extract<UndoStep, { change: "decision" }>,
  nowMs: number,
): Undone | undefined {
  const { issues, decisions, annotations } = tables;
  const issue = issues.get(digest);
  if (issue?.decision?.atMs !== atMs) return undefined;
  const decision =
    before === undefined
      ? createDecision({ state: "open" }, issue, nowMs)
      : DECISION_JSON.parse(before);
  const annotated = annotations.getOrEmpty(digest);
  const fix = undoReopening(annotated.fix, atMs, reopenedMs);
  if (fix !== annotated.fix) annotations.save(digest, { ...annotated, fix });
  const fixMark = toFixMark(fix);
  decisions.save(digest, decision);
  issues.save({ ...issue, ...toDecisionFields(issue, decision, nowMs), fixMark, asOfMs: nowMs });
  removeActivity(tables, digest, ["opened", "archived", "resolved", "snoozed"], atMs);
  followDecision(tables, digest, nowMs);
  return { digests: [digest], dirtyKeys: createDirtyKeys({ issues: [digest] }) };
}

function undoAssignment(
  tables: IndexTables,
  { digest, before, to, atMs }: Extract<UndoStep, { change: "assignee" }>,
  nowMs: number,
): Undone | undefined {
  const { issues, annotations } = tables;
  const found = issues.get(digest);
  if (found === undefined || found.assignee !== to) return undefined;
  annotations.save(digest, { ...annotations.getOrEmpty(digest), assignee: before });
  issues.save({ ...found, assignee: before, asOfMs: nowMs });
  removeActivity(tables, digest, ["assigned", "unassigned"], atMs);
  return { digests: [digest], dirtyKeys: createDirtyKeys({ issues: [digest] }) };
}

/** Splits the merged issues off again. Reports counted since the merge stay. */
function undoMerge(
  tables: IndexTables,
  { digest, from }: Extract<UndoStep, { change: "merge" }>,
  nowMs: number,
): Undone | undefined {
  const split = from.flatMap((one) => {
    const issue = tables.issues.get(digest);
    return issue?.mergedDigests?.includes(one)
      ? splitIssue(tables, issue, one, undefined, nowMs)
      : [];
  });
  if (split.length === 0) return undefined;
  return { digests: [digest], dirtyKeys: joinDirtyKeys(split) };
}

/** Removes the entries of an action from the activity. */
function removeActivity(
  { annotations }: IndexTables,
  digest: Digest,
  actions: readonly string[],
  atMs: number,
): void {
  const before = annotations.getOrEmpty(digest);
  const activity = before.activity.filter(
    (entry) => entry.atMs !== atMs || !actions.includes(entry.action),
  );
  annotations.save(digest, { ...before, activity });
}
