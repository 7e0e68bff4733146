// Looking into what a format made of a body.

import type { ParsedReport } from "../../src/core/report.ts";
import type { ParsedItem } from "../../src/ingest/items/item-outcome.ts";

/** The draft of an item that must have become one. */
export function draftOf(parsed: ParsedItem | undefined): ParsedReport {
  if (parsed === undefined || !("report" in parsed)) {
    throw new Error(`expected a draft, got ${JSON.stringify(parsed)}`);
  }
  return parsed.report;
}

/** How each item ended, in a word or two: `event → error`, `session → counted`, `event → invalid not-json`. */
export function endsOf(parsed: readonly ParsedItem[]): readonly string[] {
  return parsed.map((end) => {
    if ("report" in end) return `${end.item} → ${end.report.kind}`;
    if ("partOf" in end) return `${end.item} → part of ${end.partOf}`;
    return "reason" in end
      ? `${end.item} → ${end.outcome} ${end.reason}`
      : `${end.item} → ${end.outcome}`;
  });
}
