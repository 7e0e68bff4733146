/** What the store has to know of a line of the log, read once: parsing it is half of what it costs to copy it. */
import type { Digest, ReportId } from "../../core/report.ts";
import { NO_ID } from "./packed-ids.ts";
import { parseRollupLine, parseStoredReport } from "./stored-json.ts";

/** Of a report, a sum, or (without a digest) anything else. */
export interface LineInfo {
  /** `NO_ID` where the line is no report. */
  readonly id: ReportId;
  readonly digest?: Digest;
  /** Reports that it stands for. */
  readonly reportCount: number;
  /** Of a report, ms. */
  readonly receivedAtMs?: number;
  /** What names its request: a trace, a Ray ID, as they were sent. */
  readonly traceCodes: readonly string[];
}

/** The facts of one line. */
export function parseLineInfo(line: string): LineInfo {
  const report = parseStoredReport(line);
  if (report !== null) {
    const { id, digest, receivedAtMs, traceId, rayId, side } = report;
    // The Ray ID of a browser's report is that of the report, and of no page.
    const codes = [traceId, side === "server" ? rayId : undefined];
    const traceCodes = codes.filter((code) => code !== undefined);
    return { id, digest, reportCount: 1, receivedAtMs, traceCodes };
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
