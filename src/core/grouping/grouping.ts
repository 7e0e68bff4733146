/**
 * Grouping decides which reports belong to the same issue. Keys begin with a version, because a
 * digest must lead to the same issue forever. This file selects the current version.
 */
import { createGroupingKeyV1, type Groupable } from "./v1/grouping-key.ts";

export type { Groupable } from "./v1/grouping-key.ts";

/**
 * The grouping key of a report in the current version: `1|error|Error|coupon * has expired`. Its
 * SHA-256 gives the digest.
 */
export function createGroupingKey(report: Groupable): string {
  return createGroupingKeyV1(report);
}

/**
 * A cache key for grouping keys: reports with equal cache keys have equal grouping keys. Avoids
 * testing the two hundred patterns of a grouping key.
 */
export function createGroupingCacheKey({
  kind,
  type,
  message,
  route,
  fingerprint,
  frames,
}: Groupable): string {
  const file = frames.find(({ inApp }) => inApp)?.file;
  return JSON.stringify([kind, type, message, route, fingerprint, file]);
}
