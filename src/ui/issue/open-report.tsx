/** The report that is open on an issue's page: what it is, where it stands among the others, and all that it says. */
import { use } from "react";
import type { Issue } from "../../core/issue.ts";
import { issueMarkdown } from "../../core/issue-markdown.ts";
import { newestReport } from "../../core/open-report.ts";
import type { Report } from "../../core/report.ts";
import { headOf } from "../long-text.tsx";
import { Time } from "../time.tsx";
import { CopyMarkdown } from "./copy-markdown.tsx";
import { ReportStepper } from "./report-stepper.tsx";
import { ReportView } from "./report-view.tsx";

const RELEASE_CHARS = 40;
const LEVEL_CHARS = 20;

/** What is shown of the report that is open. */
export interface OpenReportProps {
  /** Everything acknowledged included; the copy when that cannot be had, null when it was erased since. */
  readonly now: Promise<Issue | null>;
  /** The report that is open; null when its body is no longer kept. */
  readonly report: Promise<Report | null>;
  /** The report that was asked for by `?report=`; absent for the newest. */
  readonly reportId?: string | undefined;
  /** The page's address with its origin, for what leaves the desk. */
  readonly url: string;
  readonly nowMs: number;
}

/** Waits for the report and for the issue as it is now; an unseen heading when the issue is gone. */
export function OpenReport({ now, report: reportPromise, reportId, url, nowMs }: OpenReportProps) {
  const issue = use(now);
  const report = use(reportPromise);
  if (issue === null) {
    return (
      <h2 id="report-heading" className="unseen">
        No report
      </h2>
    );
  }
  const id = report?.id ?? reportId ?? newestReport(issue.latest)?.id;
  return (
    <>
      <header className="report-head">
        <h2 id="report-heading">{headingOf(report)}</h2>
        <div className="report-tools">
          <CopyMarkdown markdown={issueMarkdown({ issue, report, url, nowMs })} />
          {id !== undefined && <ReportStepper latest={issue.latest} id={id} />}
        </div>
        {report !== null && <ReportFacts report={report} nowMs={nowMs} />}
      </header>
      {report === null ? <Gone /> : <ReportView report={report} issue={issue} />}
    </>
  );
}

function headingOf(report: Report | null): string {
  if (report?.kind === "feedback") return "What a person wrote";
  return report?.linked === true ? "What the browser reported" : "Report";
}

function ReportFacts({ report, nowMs }: { report: Report; nowMs: number }) {
  return (
    <p className="report-facts">
      <Time atMs={report.occurredAtMs} nowMs={nowMs} /> <span>{report.side}</span>{" "}
      <Level report={report} />{" "}
      {report.release !== undefined && <bdi>{headOf(report.release, RELEASE_CHARS)}</bdi>}{" "}
      <code title="Report id">{report.id}</code>
    </p>
  );
}

/** Nearly all are errors. */
function Level({ report: { level } }: { report: Report }) {
  if (level === undefined || level === "error") return null;
  return <span>{headOf(level, LEVEL_CHARS)}</span>;
}

function Gone() {
  return (
    <p className="aside">
      The body of this report is no longer kept. What the issue counts is still right.
    </p>
  );
}
