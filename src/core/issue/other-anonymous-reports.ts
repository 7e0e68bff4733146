/**
 * The issue "Other anonymous reports": it counts public reports beyond the budgets, so that
 * invented errors cannot create endless issues or log lines.
 */

import type { ReportSummary } from "../report/report-summary.ts";
import type { Digest } from "../report.ts";

/**
 * The text whose hash is the digest. It cannot collide with a grouping key, which begins with a
 * version.
 */
export const OTHER_ANONYMOUS_KEY = "trust\nother anonymous reports";

/** `digestFromHash(sha256(OTHER_ANONYMOUS_KEY))`. */
export const OTHER_ANONYMOUS_DIGEST: Digest = "J0JC-1F4C";

/**
 * The summary of a public report or rollup as this issue counts it: number, time and users, without
 * any other value of the sender. The caller adds the position.
 */
export function toOtherAnonymousSummary(
  summary: Omit<ReportSummary, "position">,
): Omit<ReportSummary, "position"> {
  const { id, atMs, userSketch, occurrences, lastAtMs } = summary;
  return {
    id,
    digest: OTHER_ANONYMOUS_DIGEST,
    isLinked: false,
    trust: "public",
    kind: "message",
    side: "browser",
    atMs,
    type: "Other anonymous reports",
    message: "Public reports beyond the limits for new issues and distinct errors",
    userSketch,
    occurrences,
    lastAtMs,
  };
}
