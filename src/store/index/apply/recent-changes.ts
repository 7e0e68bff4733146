/** The issues of a batch for which alerts are judged. */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { IssueChange } from "../../../core/alerts/triggers/trigger.ts";
import { isFolded } from "../../../core/flood/flood.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { countNetworks } from "../../../core/stats/network-sketch.ts";
import { parseUtcHour } from "../../../core/utc-time.ts";
import { parsePosition } from "../../kv/keys.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { ReportBatch } from "./report-batch.ts";

/**
 * Marks a report that is not imported. Ignores one that was received long after it occurred,
 * because its alert would be too late. The moment of receipt decides, not that of applying: senders
 * choose times that are just recent enough for the one.
 */
export function markRecent(
  batch: ReportBatch,
  summary: ReportSummary,
  receivedAtMs: number | undefined,
): void {
  const { atMs, lastAtMs = atMs, position } = summary;
  const receiptMs = receivedAtMs ?? parseUtcHour(parsePosition(position)?.hour ?? "");
  if (lastAtMs < receiptMs - alertLimits.maxReportAgeMs) return;
  const digest = batch.issueOfReport.get(summary) ?? summary.digest;
  const known = batch.recent.get(digest);
  if (known === undefined) batch.recent.set(digest, [summary]);
  else known.push(summary);
}

/** The changes of the issues with marked reports. */
export function listRecentChanges(tables: IndexTables, batch: ReportBatch): readonly IssueChange[] {
  const floods = tables.floods.listFloods(batch.nowMs);
  return [...batch.recent].flatMap(([digest, reports]) => {
    const after = batch.issues.get(digest);
    if (after === undefined) return [];
    const before = batch.stored.get(digest) ?? null;
    // An issue that expired and returned is known if members have worked on it.
    const isKnown =
      before === null &&
      (after.decision !== undefined || tables.annotations.get(digest) !== undefined);
    return [
      {
        before,
        after,
        isKnown,
        reports,
        isFolded: isFolded(after, floods),
        isSpreading: before !== null && isSpreading(tables, before, after),
        isWidespread: isWidespread(after),
      },
    ];
  });
}

/** True if an issue that a flood has folded, and that had no message, has many networks now. */
function isSpreading(
  { floods, alerts }: IndexTables,
  before: Issue,
  { digest, ...after }: Issue,
): boolean {
  const { publicOrigin: origin } = before;
  if (origin === undefined || isWidespread(before) || !isWidespread(after)) return false;
  return floods.wasFlooding(origin.key, origin.atMs) && alerts.sent.list(digest).length === 0;
}

function isWidespread({ networkSketch }: Pick<Issue, "networkSketch">): boolean {
  return countNetworks(networkSketch) >= limits.minUnfoldedNetworks;
}
