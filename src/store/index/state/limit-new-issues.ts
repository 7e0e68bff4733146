/**
 * Limits the issues that public and page reports create: invented errors would fill the storage
 * and hide the true ones. Reports beyond the limit count in the issue "Other anonymous reports".
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
 * The summary that an index without the issue of the report counts: the report's own, which creates
 * the issue, or over the limit of the day that of another anonymous report.
 */
export function limitNewIssue({ caps }: IndexTables, summary: ReportSummary): ReportSummary {
  const { trust, digest, position } = summary;
  if (digest === OTHER_ANONYMOUS_DIGEST) return summary;
  if (takeNewIssue(caps, hourToDay(position), trust)) return summary;
  return { ...toOtherAnonymousSummary(summary), position };
}

/** False if the day has no room for another issue of this level. Those of servers have no limit. */
export function takeNewIssue(caps: IndexTables["caps"], day: string, trust: Trust): boolean {
  if (trust === "server") return true;
  return trust === "page"
    ? caps.take(day, "page-issue", limits.maxNewPageIssuesPerDay) > 0
    : caps.take(day, "issue", limits.maxNewPublicIssuesPerDay) > 0;
}
