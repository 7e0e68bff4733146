/**
 * Limits the issues that public reports create: invented errors would fill the storage and hide the
 * true ones. Reports beyond the limit count in the issue "Other anonymous reports". Synchronous.
 */
import {
  OTHER_ANONYMOUS_DIGEST,
  toOtherAnonymous,
} from "../../../core/issue/other-anonymous-reports.ts";
import { limits } from "../../../core/limits.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { hourToDay } from "../../kv/keys.ts";
import type { IndexTables } from "./index-tables.ts";

/**
 * The summary that an index without the issue of the report counts: the report's own, which creates
 * the issue, or over the limit of the day that of another anonymous report.
 */
export function limitNewIssue({ caps }: IndexTables, summary: ReportSummary): ReportSummary {
  const { trust, digest, position } = summary;
  if (trust !== "public" || digest === OTHER_ANONYMOUS_DIGEST) return summary;
  const max = limits.maxNewPublicIssuesPerDay;
  if (caps.take(hourToDay(position), "issue", max) > 0) return summary;
  return { ...toOtherAnonymous(summary), position };
}
