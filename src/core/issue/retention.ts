/**
 * Retention: rare and new issues are kept three times as long as common old ones, because the last
 * report of a rare error is more useful than the ten-thousandth of a common one.
 */

import { countOwnLevel, type TrustCounts } from "../stats/trust-counts.ts";
import type { Issue } from "./issue.ts";

type CountedIssue = TrustCounts & Pick<Issue, "trust">;

/** Issues with fewer occurrences are rare. */
const COMMON_MIN_COUNT = 100;
/** An issue is new for this long. */
export const NEW_ISSUE_MS = 7 * 86_400_000;
const RARE_FACTOR = 3;
const SECONDS_PER_DAY = 86_400;

/** True if the issue is neither rare nor new. */
export function isCommon(issue: CountedIssue & Pick<Issue, "firstSeenMs">, nowMs: number): boolean {
  return isFrequent(issue) && nowMs - issue.firstSeenMs >= NEW_ISSUE_MS;
}

/** True if the issue is not rare. Reports below its level do not make it frequent. */
export function isFrequent(issue: CountedIssue): boolean {
  return countOwnLevel(issue) >= COMMON_MIN_COUNT;
}

/**
 * The time to keep an item after its last change, in seconds. `retentionDays` applies to common
 * issues.
 */
export function getRetentionSeconds(retentionDays: number, isCommonIssue: boolean): number {
  return retentionDays * (isCommonIssue ? 1 : RARE_FACTOR) * SECONDS_PER_DAY;
}
