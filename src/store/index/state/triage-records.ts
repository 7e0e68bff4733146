/** Exports and imports what members did: decisions, annotations and saved views. Synchronous. */
import type { Annotations } from "../../../core/issue/annotations.ts";
import { type IssueDecision, toDecisionFields } from "../../../core/issue/decision.ts";
import type { TriageRecord } from "../../../core/issue/triage-record.ts";
import type { Digest } from "../../../core/report.ts";
import { createDirtyKeys, type DirtyKeys, joinDirtyKeys } from "./dirty-keys.ts";
import type { IndexTables } from "./index-tables.ts";
import { mergePair } from "./merge-and-split.ts";
import { listViews } from "./queries.ts";
import { saveView } from "./triage.ts";

export function exportTriage(tables: IndexTables): readonly TriageRecord[] {
  const decisions = tables.decisions.list().map(
    ([digest, decision]): TriageRecord => ({
      kind: "decision",
      decision: { digest, decision },
    }),
  );
  const annotations = tables.annotations
    .list()
    .map(([digest, entry]): TriageRecord => ({ kind: "annotations", digest, annotations: entry }));
  const views = listViews(tables).map((view): TriageRecord => ({ kind: "view", view }));
  return [...decisions, ...annotations, ...views];
}

/**
 * Imports records; a decision, annotations or view that exists already is not replaced. Returns the
 * outdated snapshots.
 */
export function importTriage(
  tables: IndexTables,
  records: readonly TriageRecord[],
  nowMs: number,
): DirtyKeys {
  return joinDirtyKeys(records.map((record) => importRecord(tables, record, nowMs)));
}

function importRecord(tables: IndexTables, record: TriageRecord, nowMs: number): DirtyKeys {
  switch (record.kind) {
    case "decision":
      return importDecision(tables, record.decision, nowMs);
    case "annotations":
      return importAnnotations(tables, record.digest, record.annotations, nowMs);
    case "view": {
      const { name } = record.view;
      const isKnown = listViews(tables).some((view) => view.name === name);
      if (!isKnown) saveView(tables, name, record.view);
      return createDirtyKeys({ views: !isKnown });
    }
  }
}

function importDecision(
  { issues, decisions }: IndexTables,
  { digest, decision }: IssueDecision,
  nowMs: number,
): DirtyKeys {
  if (decisions.get(digest) !== undefined) return createDirtyKeys({});
  decisions.save(digest, decision);
  const issue = issues.get(digest);
  if (issue === undefined) return createDirtyKeys({ decisions: [digest] });
  issues.save({ ...issue, ...toDecisionFields(issue, decision, nowMs) });
  return createDirtyKeys({ issues: [digest], decisions: [digest] });
}

function importAnnotations(
  tables: IndexTables,
  digest: Digest,
  imported: Annotations,
  nowMs: number,
): DirtyKeys {
  const { issues, annotations, merges } = tables;
  if (annotations.get(digest) !== undefined) return createDirtyKeys({});
  annotations.save(digest, imported);
  const issue = issues.get(digest);
  const { assignee, mergedInto, splitOff } = imported;
  const isAssigned = issue !== undefined && assignee !== undefined;
  if (isAssigned) issues.save({ ...issue, assignee });
  const ownKeys = { annotations: [digest], issues: isAssigned ? [digest] : [] };
  const aliases = mergedInto === undefined ? [] : mergePair(tables, mergedInto, digest, nowMs);
  if (mergedInto !== undefined || splitOff !== undefined) merges.clearCache();
  if (mergedInto === undefined || aliases.length === 0) return createDirtyKeys(ownKeys);
  return createDirtyKeys({ ...ownKeys, issues: [mergedInto], aliases, decisions: [digest] });
}
