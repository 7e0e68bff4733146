/** Stores staged changes in the tables of the index. Synchronous. */
import type { Issue } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { toUtcDay } from "../../../core/utc-time.ts";
import type { MatchTable } from "../alerts/match-table.ts";
import type { CounterTable } from "../tables/counter-table.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { ShardProgressTable } from "../tables/shard-progress-table.ts";
import { type StagedChanges, sumCounters } from "../tables/staged-changes.ts";
import type { FloodTable } from "./flood-table.ts";

/** The tables that changes are stored in; `IndexTables` implements it. */
interface ChangedTables {
  readonly issues: Pick<IssueTable, "saveAll">;
  readonly counters: Pick<CounterTable, "add">;
  readonly shardProgress: Pick<ShardProgressTable, "setApplied">;
  readonly caps: Pick<DailyCapTable, "add" | "save">;
  readonly floods: Pick<FloodTable, "save">;
  readonly alerts: { readonly matches: Pick<MatchTable, "save"> };
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
  const counters = sumCounters(changes);
  for (const daily of counters) tables.counters.add(daily);
  if (changes.isPublic && changes.reportCount > 0) {
    const names = counters.reduce((sum, daily) => sum + daily.counters.length, 0);
    const rows = names + staged.reduce((sum, { stored }) => sum + estimateRows(stored), 0);
    for (const { asOfMs } of issues.slice(0, 1)) tables.caps.add(toUtcDay(asOfMs), "row", rows);
  }
  for (const [shard, { seq, watermark }] of changes.progress)
    tables.shardProgress.setApplied(shard, seq, watermark);
  for (const { digest, rule, counts } of changes.matches.values())
    tables.alerts.matches.save(digest, rule, counts);
  tables.caps.save();
  tables.floods.save();
}

/** The rows of an issue: those of a new one have its values and its search text. */
function estimateRows(stored: Issue | null): number {
  return stored === null ? 13 : 3;
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
