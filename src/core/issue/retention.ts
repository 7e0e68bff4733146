/**
 * How long things are kept: what is rare or new three times as long as what is common and old, because the last copy of a rare
 * fault is worth more than the ten-thousandth of a common one.
 */
import type { Issue } from "./issue.ts";

/** An issue with fewer occurrences is rare. */
export const COMMON_MIN_COUNT = 100;
/** An issue is new for so long. */
export const NEW_ISSUE_MS = 7 * 86_400_000;
const RARE_FACTOR = 3;
const SECONDS_PER_DAY = 86_400;

/** True for an issue of which there is plenty: neither rare nor new. */
export function isCommon(
  { count, firstSeenMs }: Pick<Issue, "count" | "firstSeenMs">,
  nowMs: number,
): boolean {
  return count >= COMMON_MIN_COUNT && nowMs - firstSeenMs >= NEW_ISSUE_MS;
}

/** How long something is kept from its last change on, in seconds, where what is common is kept for `retentionDays`. */
export function getRetentionSeconds(retentionDays: number, isCommonIssue: boolean): number {
  return retentionDays * (isCommonIssue ? 1 : RARE_FACTOR) * SECONDS_PER_DAY;
}
