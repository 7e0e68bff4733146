/**
 * Limits the issues that public and page reports create: invented errors would fill the storage and
 * hide real ones. Reports beyond the limit count in the issue "Other anonymous reports".
 * Synchronous.
 */
import {
  OTHER_ANONYMOUS_DIGEST,
  toOtherAnonymousSummary,
} from "../../../core/issue/other-anonymous-reports.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { IndexTables } from "./index-tables.ts";

/**
 * The summary that counts for a report without an issue: the report's own, which creates the issue,
 * or above the daily limit that of "Other anonymous reports".
 */
export function limitNewIssue({ caps }: IndexTables, summary: ReportSummary): ReportSummary {
  const { trust, digest, position } = summary;
  if (digest === OTHER_ANONYMOUS_DIGEST) return summary;
  if (takeNewIssue(caps, hourToDay(position), trust)) return summary;
  return { ...toOtherAnonymousSummary(summary), position };
}

/** False if the day has reached the limit for this level. Issues of servers have no limit. */
export function takeNewIssue(caps: IndexTables["caps"], day: string, trust: Trust): boolean {
  if (trust === "server") return true;
  return trust === "page"
    ? caps.take(day, "page-issue", limits.maxNewPageIssuesPerDay) > 0
    : caps.take(day, "issue", limits.maxNewPublicIssuesPerDay) > 0;
}
