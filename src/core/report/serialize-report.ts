/** A report as it is stored: one line of JSON. Its size is measured by that line too. */
import type { Report } from "../report.ts";

const lineCache = new WeakMap<Report, string>();

/** The line of a report, without what is for the log alone. It is written once, whoever asks for it: half of what a report's JSON costs. */
export function serializeReport(report: Report): string {
  const cached = lineCache.get(report);
  if (cached !== undefined) return cached;
  const stored = report.retryId === undefined ? report : { ...report, retryId: undefined };
  const line = JSON.stringify(stored);
  lineCache.set(report, line);
  return line;
}
