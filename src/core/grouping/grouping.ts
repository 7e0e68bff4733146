/**
 * Grouping: which reports are of one issue. Versioned, because a digest on somebody's screenshot must lead to the
 * same issue for ever; the key begins with its version. Here stands which version is current, and what a key of it can be remembered by.
 */
import { createGroupingKeyV1, type Groupable } from "./v1/grouping-key.ts";

export type { Groupable } from "./v1/grouping-key.ts";

/** The key of a fault in the current version: `1|error|Error|coupon * has expired`. Its SHA-256 makes the digest. */
export function createGroupingKey(report: Groupable): string {
  return createGroupingKeyV1(report);
}

/**
 * All that a key is made of, as one text: where it is equal, the keys are. What a key was can be remembered by it, and the two hundred
 * patterns that make one need not be tried again.
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
