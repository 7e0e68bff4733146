/** The issues of a batch for which alerts are judged. */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { IssueChange } from "../../../core/alerts/judging/detect-triggers.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { maxTrust } from "../../../core/trust/trust.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { ReportBatch } from "./report-batch.ts";

/**
 * Marks the issue of a report that is not imported. Ignores a report that arrived long after it
 * occurred, because its alert would be too late.
 */
export function markRecent(batch: ReportBatch, summary: ReportSummary): void {
  const { atMs, lastAtMs = atMs, kind, trust } = summary;
  if (lastAtMs <= batch.nowMs - alertLimits.maxReportAgeMs) return;
  const digest = batch.issueOfReport.get(summary) ?? summary.digest;
  const { feedbackTrust } = batch.recent.get(digest) ?? {};
  const isFeedback = kind === "feedback";
  const highest = isFeedback ? maxTrust(trust, feedbackTrust ?? "public") : feedbackTrust;
  batch.recent.set(digest, omitUndefined({ feedbackTrust: highest }));
}

/** The marked issues, before and after the batch. */
export function listRecentChanges(tables: IndexTables, batch: ReportBatch): readonly IssueChange[] {
  return [...batch.recent].flatMap(([digest, feedback]) => {
    const after = batch.issues.get(digest);
    if (after === undefined) return [];
    const before = batch.stored.get(digest) ?? null;
    // An issue that expired and returned is known if members have worked on it.
    const isKnown =
      before === null &&
      (after.decision !== undefined || tables.annotations.get(digest) !== undefined);
    return [{ before, after, isKnown, ...feedback }];
  });
}
