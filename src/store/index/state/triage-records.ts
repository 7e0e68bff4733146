/** Exports and imports what members did: decisions, annotations and saved views. Synchronous. */
import type { Annotations } from "../../../core/issue/annotations.ts";
import { type IssueDecision, toDecisionFields } from "../../../core/issue/decision.ts";
import type { TriageRecord } from "../../../core/issue/triage-record.ts";
import type { Digest } from "../../../core/report.ts";
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

/** Imports records; a decision, annotations or view that exists already is not replaced. */
export function importTriage(
  tables: IndexTables,
  records: readonly TriageRecord[],
  nowMs: number,
): void {
  for (const record of records) importRecord(tables, record, nowMs);
}

function importRecord(tables: IndexTables, record: TriageRecord, nowMs: number): void {
  switch (record.kind) {
    case "decision":
      importDecision(tables, record.decision, nowMs);
      break;
    case "annotations":
      importAnnotations(tables, record.digest, record.annotations, nowMs);
      break;
    case "view": {
      const { name } = record.view;
      const isKnown = listViews(tables).some((view) => view.name === name);
      if (!isKnown) saveView(tables, name, record.view);
    }
  }
}

function importDecision(
  { issues, decisions }: IndexTables,
  { digest, decision }: IssueDecision,
  nowMs: number,
): void {
  if (decisions.get(digest) !== undefined) return;
  decisions.save(digest, decision);
  const issue = issues.get(digest);
  if (issue !== undefined) issues.save({ ...issue, ...toDecisionFields(issue, decision, nowMs) });
}

function importAnnotations(
  tables: IndexTables,
  digest: Digest,
  imported: Annotations,
  nowMs: number,
): void {
  const { issues, annotations, merges } = tables;
  if (annotations.get(digest) !== undefined) return;
  annotations.save(digest, imported);
  const issue = issues.get(digest);
  const { assignee, mergedInto } = imported;
  if (issue !== undefined && assignee !== undefined) issues.save({ ...issue, assignee });
  if (mergedInto !== undefined) mergePair(tables, mergedInto, digest, nowMs);
  merges.clearCache();
}
