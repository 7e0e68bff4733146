/**
 * Grouping decides which reports belong to the same issue. Keys begin with a version, because a
 * digest must lead to the same issue forever. This file selects the current version.
 */
import { limits } from "../limits.ts";
import type { ReportGrouping } from "../report.ts";
import { truncateOneLine } from "../truncate.ts";
import { createKeyParts, formatKey, GROUPING_VERSION, type Groupable } from "./v1/grouping-key.ts";

export { chooseError } from "./v1/choose-error.ts";
export type { Groupable } from "./v1/grouping-key.ts";

/** A grouping key, and what it is made of. */
export interface GroupingResult {
  /** `1|error|Error|coupon * has expired`. Its SHA-256 gives the digest. */
  readonly key: string;
  readonly grouping: ReportGrouping;
}

/** The grouping key of a report in the current version. Linear in the size of the report. */
export function groupReport(report: Groupable): GroupingResult {
  const parts = createKeyParts(report);
  return {
    key: formatKey(report.kind, parts),
    grouping: {
      version: GROUPING_VERSION,
      parts: parts
        .filter(({ value }) => value !== "")
        .slice(0, limits.maxStoredKeyParts)
        .map((part) => ({
          ...part,
          value: truncateOneLine(part.value, limits.maxStoredKeyPartChars),
        })),
    },
  };
}
