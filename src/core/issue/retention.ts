/**
 * Retention: rare and new issues are kept three times as long as common old ones, because the last
 * report of a rare error is worth more than the ten-thousandth of a common one.
 */
import type { Issue } from "./issue.ts";

/** Issues with fewer occurrences are rare. */
export const COMMON_MIN_COUNT = 100;
/** An issue is new for this long. */
export const NEW_ISSUE_MS = 7 * 86_400_000;
const RARE_FACTOR = 3;
const SECONDS_PER_DAY = 86_400;

/** True if the issue is neither rare nor new. */
export function isCommon(
  { count, firstSeenMs }: Pick<Issue, "count" | "firstSeenMs">,
  nowMs: number,
): boolean {
  return count >= COMMON_MIN_COUNT && nowMs - firstSeenMs >= NEW_ISSUE_MS;
}

/**
 * How long to keep something after its last change, in seconds. `retentionDays` applies to common
 * issues.
 */
export function getRetentionSeconds(retentionDays: number, isCommonIssue: boolean): number {
  return retentionDays * (isCommonIssue ? 1 : RARE_FACTOR) * SECONDS_PER_DAY;
}
