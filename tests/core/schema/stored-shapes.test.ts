// The schemas of reports and issues accept what ingest and the index make of every capture.

import { expect, it } from "vitest";
import { aggregateReport, summarizeIssue } from "#src/core/issue/aggregate-report.ts";
import { type Issue, issueListSchema, issueSchema } from "#src/core/issue/issue.ts";
import { summarizeReport } from "#src/core/report/report-summary.ts";
import { reportSchema } from "#src/core/report.ts";
import { decodeStored } from "#src/core/schema/stored-object.ts";
import { listCaptures } from "#support/reports/captures.ts";
import { ingestBytes } from "#support/reports/ingest-bytes.ts";
import { createMemoryLog } from "#support/reports/memory-log.ts";
import { createProcessingOptions } from "#support/reports/processing-options.ts";

it("every captured report, its issue and the list of issues are valid", async () => {
  const log = createMemoryLog();
  const context = { ...createProcessingOptions(), writer: log };
  for (const { body, name } of listCaptures())
    if (name !== "reports.preflight.options") await ingestBytes(body, context);
  expect(log.reports.size).toBeGreaterThan(30);
  const issues = new Map<string, Issue>();
  for (const { retryId: _, ...report } of log.reports.values()) {
    expect(decodeStored(reportSchema, report)).toEqual(report);
    const summary = summarizeReport(report, "2026112117/0.00000000:1");
    const issue = aggregateReport(issues.get(report.digest), summary, 0);
    expect(decodeStored(issueSchema, issue)).toEqual(issue);
    issues.set(report.digest, issue);
  }
  const list = {
    v: 2,
    issues: [...issues.values()].map(summarizeIssue),
    total: issues.size,
    asOfMs: 0,
  };
  expect(decodeStored(issueListSchema, list)).toEqual(list);
});
