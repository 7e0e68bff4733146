/** Who erased a report, and when: from the newest entries of the audit log. */
import type { AuditEntry } from "../core/accounts/audit-entry.ts";
import type { ReportErasure } from "../core/erasure.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { eraseReport } from "./erasure.ts";
import { startErasure } from "./project-data.ts";

/**
 * The erasure of a report without contents; the last erasure of a text since it arrived if the
 * report was not erased by its id. Null if the newest entries have neither. `receivedMs` is unknown
 * for reports that the issue no longer lists.
 */
export function findErasure(
  entries: readonly AuditEntry[],
  digest: Digest,
  { id: report, receivedMs = 0 }: { readonly id?: ReportId; readonly receivedMs?: number },
): ReportErasure | null {
  const done = entries.filter(({ outcome }) => outcome === "done" || outcome === "started");
  const isOfReport = ({ action, subject, details }: AuditEntry) =>
    action === eraseReport.name &&
    subject === digest &&
    report !== undefined &&
    details?.includes(report) === true;
  const own = done.find(isOfReport);
  const found =
    own ?? done.find(({ action, atMs }) => action === startErasure.name && atMs >= receivedMs);
  if (found === undefined) return null;
  return { atMs: found.atMs, by: found.by, of: own === undefined ? "text" : "report" };
}
