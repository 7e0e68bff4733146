/** Stores staged changes in the tables of the index. Synchronous. */
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { Unreadable } from "../../../core/schema/stored.ts";
import type { RowMeter } from "../../row-meter.ts";
import type { MatchTable } from "../alerts/match-table.ts";
import type { CounterTable } from "../tables/counter-table.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { ShardProgressTable } from "../tables/shard-progress-table.ts";
import { type StagedChanges, type StagedIssue, sumCounters } from "../tables/staged-changes.ts";
import type { FloodTable } from "./flood-table.ts";
import type { PublicRows } from "./public-rows.ts";

/** The tables that changes are stored in; `IndexTables` implements it. */
interface ChangedTables {
  readonly issues: Pick<IssueTable, "saveAll">;
  readonly counters: Pick<CounterTable, "add">;
  readonly shardProgress: Pick<ShardProgressTable, "setApplied">;
  readonly caps: Pick<DailyCapTable, "save">;
  readonly meter: Pick<RowMeter, "rows">;
  readonly publicRows: Pick<PublicRows, "onWritten">;
  readonly floods: Pick<FloodTable, "save">;
  readonly alerts: { readonly matches: Pick<MatchTable, "save"> };
  stagingTransaction<T>(work: () => T): T;
}

/** Stores changes, and counts the rows of public reports. Call inside a transaction. */
export function writeChanges(tables: ChangedTables, changes: StagedChanges): void {
  const { meter, publicRows } = tables;
  const all = [...changes.issues.values()];
  const start = meter.rows;
  const ofPublic = all.filter(({ isPublic }) => isPublic);
  saveIssues(tables, ofPublic);
  const rowsOfIssues = meter.rows - start;
  saveIssues(
    tables,
    all.filter(({ isPublic }) => !isPublic),
  );
  for (const daily of sumCounters(changes)) tables.counters.add(daily);
  for (const [shard, { seq, watermark, errors }] of changes.progress)
    tables.shardProgress.setApplied(shard, seq, watermark, { errors, nowMs: changes.appliedMs });
  for (const { digest, rule, counts } of changes.matches.values())
    tables.alerts.matches.save(digest, rule, counts);
  tables.floods.save();
  tables.caps.save();
  // Its own row is written with the next caps.
  const rows = changes.isPublic ? meter.rows - start : rowsOfIssues;
  publicRows.onWritten(rows, changes.appliedMs);
}

function saveIssues(tables: ChangedTables, staged: readonly StagedIssue[]): void {
  if (staged.length === 0) return;
  const before = new Map<Digest, Issue | null>(
    staged.map(({ issue, stored }) => [issue.digest, stored]),
  );
  const issues = staged.map(({ issue }) => issue);
  try {
    tables.stagingTransaction(() => tables.issues.saveAll(issues, before));
  } catch (error) {
    if (!isProgramError(error)) throw error;
    console.error("index: cannot store issues together, storing one by one", String(error));
    for (const issue of issues) saveSingle(tables, issue, before);
  }
}

/** One issue must not block others. */
function saveSingle(
  tables: ChangedTables,
  issue: Issue,
  before: ReadonlyMap<Digest, Issue | null>,
): void {
  try {
    tables.stagingTransaction(() => tables.issues.saveAll([issue], before));
  } catch (error) {
    if (!isProgramError(error)) throw error;
    console.error("index: issue not stored", { digest: issue.digest, error: String(error) });
  }
}

/**
 * True for a bug, or an issue that cannot be read, rather than a storage error: the same write would
 * fail again, and must not make the other reports of its shard wait.
 */
export function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof Unreadable;
}
