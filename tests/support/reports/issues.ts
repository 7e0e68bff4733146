/** Issues for tests of the index's tables. */
import { aggregateReport } from "#src/core/issue/aggregate-report.ts";
import type { Issue } from "#src/core/issue/issue.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import type { Report } from "#src/core/report.ts";
import { createReport } from "./reports.ts";

/** The issue of one report with these members. */
export function createIssue(report: Partial<Report> = {}): Issue {
  const summary = summarizeReport(createReport(1, report), "2026112117/0.00000009:0");
  return aggregateReport(undefined, summary, summary.atMs);
}
