// Reads parsed items in tests.

import type { ParsedReport } from "#src/core/report.ts";
import type { ParsedItem } from "#src/ingest/format/ingest-format.ts";

/** The report of an item; throws if there is none. */
export function getReport(parsed: ParsedItem | undefined): ParsedReport {
  if (parsed === undefined || !("report" in parsed)) {
    throw new Error(`expected a report, got ${JSON.stringify(parsed)}`);
  }
  return parsed.report;
}

/** Each outcome in short: `event → error`, `session → counted`, `event → invalid not-json`. */
export function listOutcomes(parsed: readonly ParsedItem[]): readonly string[] {
  return parsed.map((item) => {
    if ("report" in item) return `${item.item} → ${item.report.kind}`;
    if ("partOf" in item) return `${item.item} → part of ${item.partOf}`;
    return "reason" in item
      ? `${item.item} → ${item.outcome} ${item.reason}`
      : `${item.item} → ${item.outcome}`;
  });
}
