/** A batch of reports while it is applied: the issues before and after it, and what changed. */
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import type { IndexTables } from "../state/index-tables.ts";

export interface ReportBatch {
  readonly nowMs: number;
  /** Issues before the batch (null: did not exist), and after it. */
  readonly stored: Map<Digest, Issue | null>;
  readonly issues: Map<Digest, Issue>;
  /** The highest level of the reports that changed an issue. */
  readonly changedBy: Map<Digest, Trust>;
  readonly issueOfReport: Map<ReportSummary, Digest>;
  /** The reports that count in the issue "Other anonymous reports". */
  readonly collapsed: Set<ReportSummary>;
  /** The reports that cause no alert, because a deploy explains them. */
  readonly quiet: Set<ReportSummary>;
  readonly aliases: Set<string>;
  readonly decisions: Set<Digest>;
  /** Those of `decisions` that came back. */
  readonly regressed: Set<Digest>;
  /** The reports that are recent enough for an alert, by issue. */
  readonly recent: Map<Digest, ReportSummary[]>;
  readonly applied: { readonly summary: ReportSummary; readonly isNew: boolean }[];
}

/** An empty batch, which is applied at `nowMs`. */
export function createReportBatch(nowMs: number): ReportBatch {
  return {
    nowMs,
    stored: new Map(),
    issues: new Map(),
    changedBy: new Map(),
    issueOfReport: new Map(),
    collapsed: new Set(),
    quiet: new Set(),
    aliases: new Set(),
    decisions: new Set(),
    regressed: new Set(),
    recent: new Map(),
    applied: [],
  };
}

/** An issue with the reports of the batch so far; undefined if there is none. */
export function getIssue(
  { issues }: IndexTables,
  batch: ReportBatch,
  digest: Digest,
): Issue | undefined {
  if (!batch.stored.has(digest)) batch.stored.set(digest, issues.get(digest) ?? null);
  return batch.issues.get(digest) ?? batch.stored.get(digest) ?? undefined;
}
