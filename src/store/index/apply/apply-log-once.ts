/**
 * Applies each row of a log exactly once, in order, and skips a row that cannot be applied.
 * Synchronous.
 */
import { parsePosition, toOffset } from "../../kv/keys.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import { createDirtyKeys, joinDirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { isProgramError } from "../state/write-changes.ts";
import { type AppliedChanges, type ApplyLogOptions, applyLog } from "./apply-log.ts";
import { isPublicRow, listRecentErrors } from "./count-rows.ts";

/** The changes of the rows, and the last applied row of the shard. */
interface AppliedRows extends AppliedChanges {
  readonly lastSeq: number;
}

interface ApplyOptions extends ApplyLogOptions {
  /** Throw if rows are missing between the last applied row and the first new one. */
  readonly isGapless?: boolean;
  /** The changes may be staged: see `staged-changes.ts`. */
  readonly mayStage?: boolean;
}

/** Applies the rows of a shard's log that are new; rows that were sent before are ignored. */
export function applyLogOnce(
  tables: IndexTables,
  shard: string,
  rows: readonly SequencedItem[],
  nowMs: number,
  { isGapless = false, mayStage = false, ...options }: ApplyOptions = {},
): AppliedRows {
  const appliedSeq = tables.shardProgress.getAppliedSeq(shard);
  const newRows = rows.filter(({ seq }) => seq > appliedSeq);
  const lastSeq = newRows.at(-1)?.seq;
  if (lastSeq === undefined) return { lastSeq: appliedSeq, ...NO_CHANGES };
  if (isGapless && appliedSeq > 0 && newRows[0]?.seq !== appliedSeq + 1)
    throw new Error("earlier log rows are not applied yet");
  return tables.stagingTransaction(() => {
    const changes = applyTogether(tables, newRows, nowMs, options);
    const errors = listRecentErrors(newRows, nowMs);
    const progress = { seq: lastSeq, watermark: getLastOffset(newRows), errors };
    const isPublic = newRows.every(isPublicRow);
    tables.stageProgress(shard, progress, { appliedMs: nowMs, isPublic });
    if (!mayStage || !tables.shouldStage(nowMs)) tables.writeStaged();
    return { lastSeq, ...changes };
  });
}

/**
 * If the rows cannot be applied together, applies them one by one: one report must not block
 * others.
 */
function applyTogether(
  tables: IndexTables,
  rows: readonly SequencedItem[],
  nowMs: number,
  options: ApplyLogOptions,
): AppliedChanges {
  try {
    return tables.stagingTransaction(() => applyLog(tables, rows, nowMs, options));
  } catch (error) {
    if (!isProgramError(error)) throw error;
    console.error("index: cannot apply rows together, applying one by one", String(error));
  }
  return joinChanges(rows.flatMap((row) => applySingle(tables, row, nowMs, options) ?? []));
}

function applySingle(
  tables: IndexTables,
  row: SequencedItem,
  nowMs: number,
  options: ApplyLogOptions,
): AppliedChanges | null {
  try {
    return tables.stagingTransaction(() => applyLog(tables, [row], nowMs, options));
  } catch (error) {
    if (!isProgramError(error)) throw error;
    const context = "summary" in row ? { digest: row.summary.digest, report: row.summary.id } : {};
    console.error("index: row skipped", { ...context, error: String(error) });
    return null;
  }
}

export const NO_CHANGES: AppliedChanges = {
  ...createDirtyKeys({}),
  commonIssues: [],
  createLiveEvents: () => [],
  hasAlerts: false,
};

function joinChanges(all: readonly AppliedChanges[]): AppliedChanges {
  return {
    ...joinDirtyKeys(all),
    commonIssues: all.flatMap(({ commonIssues }) => commonIssues),
    createLiveEvents: () => all.flatMap((one) => one.createLiveEvents()),
    hasAlerts: all.some(({ hasAlerts }) => hasAlerts),
  };
}

/** The offset of the last report; 0 if the rows hold none. */
function getLastOffset(rows: readonly SequencedItem[]): number {
  const last = rows.findLast((row) => "summary" in row);
  if (last === undefined || !("summary" in last)) return 0;
  const position = parsePosition(last.summary.position);
  return position === null ? 0 : toOffset(position);
}
