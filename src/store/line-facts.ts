/** What the store has to know of a line of the log, read once: parsing it is half of what it costs to copy it. */
import type { Digest, ReportId } from "../core/report.ts";
import { NO_ID } from "./packed-ids.ts";
import { parseStoredReport, parseSumLine } from "./stored.ts";

/** Of a report, a sum, or (without a digest) anything else. */
export interface LineFacts {
  /** `NO_ID` where the line is no report. */
  readonly id: ReportId;
  readonly digest?: Digest;
  /** Reports that it stands for. */
  readonly times: number;
  /** Of a report, ms. */
  readonly receivedAtMs?: number;
  /** What names its request: a trace, a Ray ID, as they were sent. */
  readonly codes: readonly string[];
}

/** The facts of one line. */
export function factsOf(line: string): LineFacts {
  const report = parseStoredReport(line);
  if (report !== null) {
    const { id, digest, receivedAtMs, traceId, rayId, side } = report;
    // The Ray ID of a browser's report is that of the report, and of no page.
    const codes = [traceId, side === "server" ? rayId : undefined];
    const named = codes.filter((code) => code !== undefined);
    return { id, digest, times: 1, receivedAtMs, codes: named };
  }
  const sum = parseSumLine(line);
  if (sum === null) return { id: NO_ID, times: 0, codes: [] };
  return { id: NO_ID, digest: sum.mark.digest, times: sum.times, codes: [] };
}
