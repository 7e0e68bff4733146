/**
 * Applies rows of a log to the index. Each report changes, in this order:
 *
 *  1. release      when its release was first seen; sessions change this too
 *  2. issue        which issue counts it: by link (`report-links.ts`), then merge (`merge-map.ts`);
 *                  over the limit of new issues the one of others (`limit-new-issues.ts`)
 *  3. aggregate    counts, days, top values and latest reports of that issue
 *  4. aliases      which codes lead to that issue
 *  5. triage       a resolved issue that happens again regresses (`update-triage.ts`)
 *  6. links        where a server report's codes and trace lead, for the browser reports after it
 *
 * and each batch of reports:
 *
 *  7. counters     from the log, and of the reports themselves
 *  8. issue rows   written once per issue
 *  9. alerts       judged from the issues before and after the batch
 * 10. search text  from the first report of an issue, and again from its first trusted one;
 *                  otherwise from its title
 * 11. dirty keys   which snapshots in KV are outdated
 *
 * Synchronous. `apply-log-once.ts` ensures that each row is applied once.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { type LiveEvent, toLiveEvent } from "../../../core/issue/live-event.ts";
import { isCommon } from "../../../core/issue/retention.ts";
import { findPlace } from "../../../core/place/stack-counts.ts";
import type { Digest } from "../../../core/report.ts";
import { isAtLeast, type Trust } from "../../../core/trust/trust.ts";
import type { SequencedItem } from "../../log/log-entries.ts";
import { type HeldAlertLogLimit, judgeBatch } from "../alerts/judge-batch.ts";
import { createDirtyKeys, type DirtyKeys } from "../state/dirty-keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import { addSearchTexts } from "./add-search-texts.ts";
import { applyReport } from "./apply-report.ts";
import { countRows, isPublicRow } from "./count-rows.ts";
import { listRecentChanges, markRecent } from "./recent-changes.ts";
import { recordReleases } from "./record-releases.ts";
import { createReportBatch, type ReportBatch } from "./report-batch.ts";

/** The changes of a batch of rows. */
export interface AppliedChanges extends DirtyKeys {
  /** Changed issues that have enough reports to keep the bodies for less time. */
  readonly commonIssues: readonly Digest[];
  /** The reports in order, for live clients; computed on demand. */
  readonly createLiveEvents: () => readonly LiveEvent[];
  /** True if the outbox of alerts has rows. */
  readonly hasAlerts: boolean;
}

/** The options of rows that arrive for the first time; a rebuild has none. */
export interface ApplyLogOptions {
  /** Judges alerts; absent during a rebuild or a catch-up. */
  readonly heldLog?: HeldAlertLogLimit;
}

/** Applies rows, even if they were applied before. Call inside a transaction. */
export function applyLog(
  tables: IndexTables,
  rows: readonly SequencedItem[],
  nowMs: number,
  { heldLog }: ApplyLogOptions = {},
): AppliedChanges {
  const batch = createReportBatch(nowMs);
  for (const row of rows) {
    // Comes first: a regression depends on when the report's own release was first seen.
    recordReleases(tables, row);
    if (!("summary" in row)) continue;
    const isLive = heldLog !== undefined && row.isImported !== true;
    applyReport(tables, batch, row.summary, isLive);
    if (isLive) markRecent(batch, row.summary, row.receivedAtMs);
  }
  stage(tables, batch, rows, heldLog !== undefined);
  const hasAlerts =
    heldLog !== undefined && judgeBatch(tables, listRecentChanges(tables, batch), heldLog, nowMs);
  if ((hasAlerts && !tables.isGathering(nowMs)) || !canWait(batch)) tables.writeStaged();
  addSearchTexts(tables, batch, rows);
  return toChanges(batch, hasAlerts);
}

/** `isLive`: the reports arrive for the first time, so that public ones use up rows. */
function stage(
  tables: IndexTables,
  batch: ReportBatch,
  rows: readonly SequencedItem[],
  isLive: boolean,
): void {
  const { issues, stored: before, collapsed } = batch;
  const counters = countRows(rows, collapsed);
  const summaries = rows.flatMap((row) => ("summary" in row ? row.summary : []));
  const chars = [...issues.keys()].map((digest) => tables.issues.getUnstagedChars(digest));
  const issueChars = chars.reduce((sum, one) => sum + one, 0);
  const publicIssues = new Set(isLive ? listChangedBy(batch, "public") : []);
  const isPublic = isLive && rows.every(isPublicRow);
  const { nowMs } = batch;
  const changes = { issues, before, counters, summaries, publicIssues, isPublic, nowMs };
  tables.stageBatch({ ...changes, issueChars });
}

/** The issues whose highest report of the batch is of this level. */
function listChangedBy({ changedBy }: ReportBatch, level: Trust): readonly Digest[] {
  return [...changedBy].flatMap(([digest, trust]) => (trust === level ? digest : []));
}

/**
 * True if the batch changed only counts, times and top values of known issues. Other changes are
 * stored with the issues or depend on them.
 */
function canWait(batch: ReportBatch): boolean {
  const { issues, stored, aliases, decisions } = batch;
  const isKnown = ({ digest, trust }: Issue) => stored.get(digest)?.trust === trust;
  return aliases.size + decisions.size === 0 && [...issues.values()].every(isKnown);
}

function toChanges(batch: ReportBatch, hasAlerts: boolean): AppliedChanges {
  const { nowMs, stored, issues, aliases, applied } = batch;
  const commonIssues = [...issues.values()].filter((issue) => isCommon(issue, nowMs));
  const isNew = ({ digest, trust }: Issue) => {
    const before = stored.get(digest) ?? null;
    return before === null || !isAtLeast(before.trust, trust);
  };
  const newIssues = [...issues.values()].filter(isNew);
  return {
    ...createDirtyKeys({
      issues: listChangedBy(batch, "server"),
      pageIssues: listChangedBy(batch, "page"),
      publicIssues: listChangedBy(batch, "public"),
      newIssues: newIssues.map(({ digest }) => digest),
      aliases,
    }),
    commonIssues: commonIssues.map(({ digest }) => digest),
    createLiveEvents: () =>
      applied.map(({ summary, isNew }) =>
        toLiveEvent(summary, isNew, findPlace(issues.get(summary.digest)?.stacks, summary)),
      ),
    hasAlerts,
  };
}
