/** Stores staged changes in the tables of the index. Synchronous. */
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import type { CounterTable } from "../tables/counter-table.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";
import type { FloodTable } from "../tables/flood-table.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { ShardProgressTable } from "../tables/shard-progress-table.ts";
import { type StagedChanges, sumCounters } from "../tables/staged-changes.ts";

/** The tables that changes are stored in; `IndexTables` implements it. */
interface ChangedTables {
  readonly issues: Pick<IssueTable, "saveAll">;
  readonly counters: Pick<CounterTable, "add">;
  readonly shardProgress: Pick<ShardProgressTable, "setApplied">;
  readonly caps: Pick<DailyCapTable, "save">;
  readonly floods: Pick<FloodTable, "save">;
  stagingTransaction<T>(work: () => T): T;
}

/** Stores changes. Call inside a transaction. */
export function writeChanges(tables: ChangedTables, changes: StagedChanges): void {
  const staged = [...changes.issues.values()];
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
  for (const daily of sumCounters(changes)) tables.counters.add(daily);
  for (const [shard, { seq, watermark }] of changes.progress)
    tables.shardProgress.setApplied(shard, seq, watermark);
  tables.caps.save();
  tables.floods.save();
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

/** True for a bug rather than a storage error: the same write would fail again. */
export function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
