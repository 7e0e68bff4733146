/** A report as it is stored: one line of JSON. Its size is measured by that line too. */
import type { Report } from "./report.ts";

const lines = new WeakMap<Report, string>();

/** The line of a report, without what is for the log alone. It is written once, whoever asks for it: half of what a report's JSON costs. */
export function lineOf(report: Report): string {
  const known = lines.get(report);
  if (known !== undefined) return known;
  const kept = report.retryId === undefined ? report : { ...report, retryId: undefined };
  const line = JSON.stringify(kept);
  lines.set(report, line);
  return line;
}
