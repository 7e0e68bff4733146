/**
 * Retention: rare and new issues are kept three times as long as common old ones, because the last
 * report of a rare error is worth more than the ten-thousandth of a common one.
 */
import { isTrusted } from "../trust/trust.ts";
import type { Issue } from "./issue.ts";

type CountedIssue = Pick<Issue, "count" | "publicCount" | "trust" | "firstSeenMs">;

/** Issues with fewer occurrences are rare. */
export const COMMON_MIN_COUNT = 100;
/** An issue is new for this long. */
export const NEW_ISSUE_MS = 7 * 86_400_000;
const RARE_FACTOR = 3;
const SECONDS_PER_DAY = 86_400;

/** True if the issue is neither rare nor new. Public reports do not make a trusted issue common. */
export function isCommon(
  { count, publicCount, trust, firstSeenMs }: CountedIssue,
  nowMs: number,
): boolean {
  const ownCount = isTrusted(trust) ? count - publicCount : count;
  return ownCount >= COMMON_MIN_COUNT && nowMs - firstSeenMs >= NEW_ISSUE_MS;
}

/**
 * How long to keep something after its last change, in seconds. `retentionDays` applies to common
 * issues.
 */
export function getRetentionSeconds(retentionDays: number, isCommonIssue: boolean): number {
  return retentionDays * (isCommonIssue ? 1 : RARE_FACTOR) * SECONDS_PER_DAY;
}
