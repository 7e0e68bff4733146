/**
 * One issue: what happened, in the order people need it. The nearest copy leaves with the shell; what is known at this
 * moment streams in and takes its place, without moving anything.
 */
import { type ReactNode, use } from "react";
import type { Issue } from "../../core/issue.ts";
import type { Report } from "../../core/report.ts";
import { Boundary } from "../boundary.tsx";
import { CopyButton } from "../copy-button.tsx";
import { IssueFacts } from "../issue/issue-facts.tsx";
import { IssueHeading } from "../issue/issue-heading.tsx";
import { IssueSide } from "../issue/issue-side.tsx";
import { IssueStanding } from "../issue/issue-standing.tsx";
import { newestReport, ReportStepper } from "../issue/report-stepper.tsx";
import { ReportView } from "../issue/report-view.tsx";
import { headOf } from "../long-text.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Time } from "../time.tsx";

/** What the page is made of. */
export interface IssuePageProps {
  readonly digest: string;
  /** The nearest copy, up to a minute old. */
  readonly issue: Issue;
  /** Everything acknowledged included; the copy when that cannot be had, null when it was erased since. */
  readonly now: Promise<Issue | null>;
  /** The report that is open; null when its body is no longer kept. */
  readonly report: Promise<Report | null>;
  /** The report that was asked for by `?report=`; absent for the newest. */
  readonly reportId?: string | undefined;
  readonly nowMs: number;
}

/** The page at `/d/<digest>`. */
export function IssuePage(props: IssuePageProps) {
  const { digest } = props;
  return (
    <article className="issue-page">
      <header className="issue-head">
        <div className="digest-code">
          <h1>
            <span className="unseen">Issue </span>
            <code className="digest">{digest}</code>
          </h1>
          <CopyButton text={digest} what="digest" />
        </div>
        <p className="issue-links">
          <a href={`/e/${digest}`}>Receipt</a> <a href={`/d/${digest}.json`}>JSON</a>
        </p>
      </header>
      <Fresh {...props} name="heading" erased={<Erased />}>
        {(fresh) => <IssueHeading issue={fresh} />}
      </Fresh>
      <Fresh {...props} name="standing">
        {(fresh) => <IssueStanding issue={fresh} nowMs={props.nowMs} />}
      </Fresh>
      <Fresh {...props} name="facts">
        {(fresh) => <IssueFacts issue={fresh} nowMs={props.nowMs} />}
      </Fresh>
      <div className="issue-body">
        <section className="report" id="report" aria-labelledby="report-heading">
          <Boundary name="report" loading={<Skeleton shape="stack" label="the report" />}>
            <OpenReport {...props} />
          </Boundary>
        </section>
        <aside className="issue-side" aria-label="More about this issue">
          <Fresh {...props} name="side">
            {(fresh) => <IssueSide issue={fresh} current={props.reportId} nowMs={props.nowMs} />}
          </Fresh>
        </aside>
      </div>
    </article>
  );
}

interface FreshProps extends Pick<IssuePageProps, "issue" | "now"> {
  readonly name: string;
  /** What stands there when the issue is gone; nothing by default. */
  readonly erased?: ReactNode;
  readonly children: (issue: Issue) => ReactNode;
}

/** Draws the copy, and draws it again from the present when that arrives: the same markup, so nothing moves. */
function Fresh({ name, issue, now, erased, children }: FreshProps) {
  return (
    <Boundary name={name} loading={children(issue)}>
      <AsOfNow now={now} erased={erased}>
        {children}
      </AsOfNow>
    </Boundary>
  );
}

function AsOfNow({ now, erased, children }: Pick<FreshProps, "now" | "erased" | "children">) {
  const issue = use(now);
  return issue === null ? erased : children(issue);
}

/** The copy that the page began with may be a minute old; what it said is taken away. */
function Erased() {
  return (
    <p className="erased">
      <b>Erased.</b> This issue and its reports are gone: somebody erased them, or they expired. The
      last copies of it go within a minute. If it happens again, it is a new issue.
    </p>
  );
}

function OpenReport({ now, report: reportPromise, reportId, nowMs }: IssuePageProps) {
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
        {report !== null && <ReportFacts report={report} nowMs={nowMs} />}
        {id !== undefined && <ReportStepper latest={issue.latest} id={id} />}
      </header>
      {report === null ? <Gone /> : <ReportView report={report} issue={issue} />}
    </>
  );
}

function headingOf(report: Report | null): string {
  if (report?.kind === "feedback") return "What a person wrote";
  return report?.linked === true ? "What the browser reported" : "Report";
}

const RELEASE_CHARS = 40;

function ReportFacts({ report, nowMs }: { report: Report; nowMs: number }) {
  return (
    <p className="report-facts">
      <Time atMs={report.occurredAtMs} nowMs={nowMs} /> <span>{report.side}</span>{" "}
      {report.release !== undefined && <bdi>{headOf(report.release, RELEASE_CHARS)}</bdi>}{" "}
      <code title="Report id">{report.id}</code>
    </p>
  );
}

function Gone() {
  return (
    <p className="aside">
      The body of this report is no longer kept. What the issue counts is still right.
    </p>
  );
}
