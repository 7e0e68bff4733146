/** A report as it is stored: one line of JSON, whose bytes it is measured by as well. */
import type { Report } from "./report.ts";

const lines = new WeakMap<Report, string>();

/** The line of a report, without what is for the log alone. It is written once, whoever asks for it: half of what JSON costs here. */
export function lineOf(report: Report): string {
  const known = lines.get(report);
  if (known !== undefined) return known;
  const line = JSON.stringify({ ...report, retryId: undefined });
  lines.set(report, line);
  return line;
}
