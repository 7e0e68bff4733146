/** Facts about a stored line, parsed once: parsing is half of the cost of an upload. */

import { getReportLocator } from "../../core/report/report-code.ts";
import { listReportCodes, type ReportCode } from "../../core/report/report-codes.ts";
import type { Digest, ReportId } from "../../core/report.ts";
import type { Trust } from "../../core/trust/trust.ts";
import { NO_ID } from "./packed-ids.ts";
import { parseRollupLine, parseStoredReport } from "./stored-json.ts";

/** A report, a rollup, or (without a digest) another line. */
export interface LineInfo {
  /** `NO_ID` if the line is not a report. */
  readonly id: ReportId;
  readonly digest?: Digest;
  readonly reportCount: number;
  /** When a report was received, ms. */
  readonly receivedAtMs?: number;
  /** The trust of a report. */
  readonly trust?: Trust;
  /** The trace ID and Ray ID of its request as they were sent, and the locator of its code. */
  readonly traceCodes: readonly string[];
  /** Further codes by which it is found. */
  readonly codes?: readonly ReportCode[];
}

export function parseLineInfo(line: string): LineInfo {
  const report = parseStoredReport(line);
  if (report !== null) {
    const { id, digest, receivedAtMs, trust, traceId, rayId, side } = report;
    // The Ray ID of a browser report belongs to the upload, not to a page.
    const codes = [traceId, side === "server" ? rayId : undefined, getReportLocator(report)];
    const traceCodes = codes.filter((code) => code !== undefined);
    const found = { traceCodes, codes: listReportCodes(report) };
    return { id, digest, reportCount: 1, receivedAtMs, trust, ...found };
  }
  const rollup = parseRollupLine(line);
  if (rollup === null) return { id: NO_ID, reportCount: 0, traceCodes: [] };
  return {
    id: NO_ID,
    digest: rollup.summary.digest,
    reportCount: rollup.occurrences,
    traceCodes: [],
  };
}
