/**
 * Exports and imports the work of members: decisions, annotations, saved views, repositories and
 * owners. Synchronous.
 */
import type { Annotations } from "../../../core/issue/annotations.ts";
import { type IssueDecision, toDecisionFields } from "../../../core/issue/decision.ts";
import { toFixMark } from "../../../core/issue/fix-record.ts";
import { toIssueTracker } from "../../../core/issue/tracker-link.ts";
import type { TriageRecord } from "../../../core/issue/triage-record.ts";
import type { Digest } from "../../../core/report.ts";
import { CODE_OWNERS_NAME, REPOSITORIES_NAME } from "../../kv/keys.ts";
import { createDirtyKeys, type DirtyKeys, joinDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { mergePair } from "../state/merge-and-split.ts";
import type { DocumentTable } from "../tables/document-table.ts";
import { listViews, saveView } from "./triage.ts";

/** A part of the triage of a project; `next` is the cursor of the next part. */
export interface TriagePart {
  readonly records: readonly TriageRecord[];
  readonly next?: string;
}

/** The most that one call returns. */
const MAX_RECORDS = 500;
const MAX_CHARS = 2_000_000;

/** The records after a cursor, or the first ones. `next` is absent after the last one. */
export function exportTriage(tables: IndexTables, cursor = ""): TriagePart {
  const records: TriageRecord[] = [];
  let chars = 0;
  for (const [next, record] of listRecords(tables, cursor)) {
    records.push(record);
    chars += JSON.stringify(record).length;
    if (records.length >= MAX_RECORDS || chars >= MAX_CHARS) return { records, next };
  }
  return { records };
}

/** The records after a cursor, each with the cursor after it. */
function* listRecords(
  tables: IndexTables,
  cursor: string,
): Generator<readonly [cursor: string, TriageRecord]> {
  const { decisions, annotations } = tables;
  const [kind = "decision", after = ""] = cursor === "" ? [] : cursor.split(" ");
  if (kind === "decision") {
    for (const digest of walkNames(decisions, after)) {
      const decision = decisions.get(digest);
      if (decision === undefined) continue;
      yield [`decision ${digest}`, { kind: "decision", decision: { digest, decision } }];
    }
  }
  if (kind === "decision" || kind === "annotations") {
    for (const digest of walkNames(annotations, kind === "annotations" ? after : "")) {
      const entry = annotations.get(digest);
      if (entry === undefined) continue;
      yield [`annotations ${digest}`, { kind: "annotations", digest, annotations: entry }];
    }
  }
  const isAfterViews = kind === "repositories" || kind === "code-owners";
  for (const [n, view] of isAfterViews ? [] : listViews(tables).entries())
    if (kind !== "view" || n > Number(after)) yield [`view ${n}`, { kind: "view", view }];
  const settings = tables.repositories.get(REPOSITORIES_NAME);
  if (settings !== undefined && !isAfterViews)
    yield ["repositories", { kind: "repositories", settings }];
  const codeOwners = tables.codeOwners.get(CODE_OWNERS_NAME);
  if (codeOwners !== undefined && kind !== "code-owners")
    yield ["code-owners", { kind: "code-owners", codeOwners }];
}

function* walkNames(
  table: Pick<DocumentTable<unknown>, "listNames">,
  after: string,
): Generator<string> {
  let names = table.listNames(after, MAX_RECORDS);
  for (let last = names.at(-1); last !== undefined; last = names.at(-1)) {
    yield* names;
    names = table.listNames(last, MAX_RECORDS);
  }
}

/** Imports records; what exists already is not replaced. Returns the outdated snapshots. */
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
      return createDirtyKeys({});
    }
    case "repositories":
      if (tables.repositories.get(REPOSITORIES_NAME) === undefined)
        tables.repositories.save(REPOSITORIES_NAME, record.settings);
      return createDirtyKeys({});
    case "code-owners":
      if (tables.codeOwners.get(CODE_OWNERS_NAME) === undefined)
        tables.codeOwners.save(CODE_OWNERS_NAME, record.codeOwners);
      return createDirtyKeys({});
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
  if (issue === undefined) return createDirtyKeys({});
  issues.save({ ...issue, ...toDecisionFields(issue, decision, nowMs) });
  return createDirtyKeys({ issues: [digest] });
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
  const { assignee, mergedInto, splitOff, tracker } = imported;
  const fixMark = toFixMark(imported.fix);
  const marks = { assignee, fixMark, tracker: tracker && toIssueTracker(tracker) };
  const isMarked = issue !== undefined && Object.values(marks).some((one) => one !== undefined);
  if (isMarked) issues.save({ ...issue, ...marks });
  const ownKeys = { issues: isMarked ? [digest] : [] };
  const aliases = mergedInto === undefined ? [] : mergePair(tables, mergedInto, digest, nowMs);
  if (mergedInto !== undefined || splitOff !== undefined) merges.clearCache();
  if (mergedInto === undefined || aliases.length === 0) return createDirtyKeys(ownKeys);
  return createDirtyKeys({ issues: [mergedInto], aliases });
}
