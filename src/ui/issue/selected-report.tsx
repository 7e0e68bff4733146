/** The report that is open on an issue's page: what it is, where it stands among the others, and all that it says. */
import { use } from "react";
import type { Issue } from "../../core/issue/issue.ts";
import { issueToMarkdown } from "../../core/issue/issue-to-markdown.ts";
import { findLatestReport } from "../../core/issue/related-reports.ts";
import type { Report } from "../../core/report.ts";
import { abbreviate } from "../parts/long-text.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { CopyMarkdownButton } from "./copy-markdown.tsx";
import { ReportPagination } from "./report/pagination.tsx";
import { ReportView } from "./report/report-view.tsx";

const RELEASE_CHARS = 40;
const LEVEL_CHARS = 20;

/** What is shown of the report that is open. */
export interface SelectedReportProps {
  /** Everything acknowledged included; the copy when that cannot be had, null when it was erased since. */
  readonly freshIssue: Promise<Issue | null>;
  /** The report that is open; null when its body is no longer kept. */
  readonly report: Promise<Report | null>;
  /** The report that was asked for by `?report=`; absent for the newest. */
  readonly reportId?: string | undefined;
  /** The page's address with its origin, for what leaves the desk. */
  readonly url: string;
  readonly nowMs: number;
}

/** Waits for the report and for the issue as it is now; an unseen heading when the issue is gone. */
export function SelectedReport({
  freshIssue,
  report: reportPromise,
  reportId,
  url,
  nowMs,
}: SelectedReportProps) {
  const issue = use(freshIssue);
  const report = use(reportPromise);
  if (issue === null) {
    return (
      <h2 id="report-heading" className="visually-hidden">
        No report
      </h2>
    );
  }
  const id = report?.id ?? reportId ?? findLatestReport(issue.latestReports)?.id;
  return (
    <>
      <header className="report-head">
        <h2 id="report-heading">{formatHeading(report)}</h2>
        <div className="report-tools">
          <CopyMarkdownButton markdown={issueToMarkdown({ issue, report, url, nowMs })} />
          {id !== undefined && <ReportPagination summaries={issue.latestReports} id={id} />}
        </div>
        {report !== null && <ReportStats report={report} nowMs={nowMs} />}
      </header>
      {report === null ? <ExpiredReport /> : <ReportView report={report} issue={issue} />}
    </>
  );
}

function formatHeading(report: Report | null): string {
  if (report?.kind === "feedback") return "What a person wrote";
  return report?.isLinked === true ? "What the browser reported" : "Report";
}

function ReportStats({ report, nowMs }: { report: Report; nowMs: number }) {
  return (
    <p className="report-facts">
      <RelativeTime atMs={report.occurredAtMs} nowMs={nowMs} /> <span>{report.side}</span>{" "}
      <ReportLevel report={report} />{" "}
      {report.release !== undefined && <bdi>{abbreviate(report.release, RELEASE_CHARS)}</bdi>}{" "}
      <code title="Report id">{report.id}</code>
    </p>
  );
}

/** Nearly all are errors. */
function ReportLevel({ report: { level } }: { report: Report }) {
  if (level === undefined || level === "error") return null;
  return <span>{abbreviate(level, LEVEL_CHARS)}</span>;
}

function ExpiredReport() {
  return (
    <p className="muted">
      The body of this report is no longer kept. What the issue counts is still right.
    </p>
  );
}
