/**
 * How long things are kept: what is rare or new three times as long as what is common and old, because the last copy of a rare
 * fault is worth more than the ten-thousandth of a common one.
 */
import type { Issue } from "./issue.ts";

/** An issue with fewer occurrences is rare. */
export const COMMON_FROM_COUNT = 100;
/** An issue is new for so long. */
export const YOUNG_MS = 7 * 86_400_000;
const RARE_TIMES = 3;
const SECONDS_PER_DAY = 86_400;

/** True for an issue of which there is plenty: neither rare nor new. */
export function isCommon(
  { count, firstSeenMs }: Pick<Issue, "count" | "firstSeenMs">,
  nowMs: number,
): boolean {
  return count >= COMMON_FROM_COUNT && nowMs - firstSeenMs >= YOUNG_MS;
}

/** How long something is kept from its last change on, in seconds, where what is common is kept for `retentionDays`. */
export function retentionSeconds(retentionDays: number, common: boolean): number {
  return retentionDays * (common ? 1 : RARE_TIMES) * SECONDS_PER_DAY;
}
