/**
 * One issue: what happened, in the order people need it. The nearest copy leaves with the shell; what is known at this
 * moment streams in and takes its place, without moving anything.
 */
import type { ReactNode } from "react";
import { use } from "react";
import type { Issue, IssueSummary } from "../../core/issue.ts";
import type { Notes } from "../../core/notes.ts";
import { otherSideOf } from "../../core/open-report.ts";
import type { Report } from "../../core/report.ts";
import { Boundary } from "../boundary.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Activity, CommentForm } from "../issue/activity.tsx";
import { AlsoKnown } from "../issue/also-known.tsx";
import { AsSeen } from "../issue/as-seen.tsx";
import { IssueFacts } from "../issue/issue-facts.tsx";
import { IssueHeading } from "../issue/issue-heading.tsx";
import { IssueSide } from "../issue/issue-side.tsx";
import { IssueStanding } from "../issue/issue-standing.tsx";
import { issueUrl } from "../issue/issue-url.ts";
import { OpenReport, type OpenReportProps } from "../issue/open-report.tsx";
import { OtherSide } from "../issue/other-side.tsx";
import { Similar } from "../issue/similar.tsx";
import { A } from "../place.tsx";
import { receiptUrl } from "../receipt/receipt-url.ts";
import { Skeleton } from "../skeleton.tsx";
import { Time } from "../time.tsx";

/** What the page is made of. */
export interface IssuePageProps extends OpenReportProps {
  readonly digest: string;
  /** The nearest copy, up to a minute old. */
  readonly issue: Issue;
  /** The report that `otherSideOf` names beside it; null where there is none. */
  readonly other: Promise<Report | null>;
  /** What people added; null while the index is away. */
  readonly notes: Promise<Notes | null>;
  /** Issues that say nearly the same; null while the index is away. */
  readonly similar: Promise<readonly IssueSummary[] | null>;
}

/** The page at `/d/<digest>`. */
export function IssuePage(props: IssuePageProps) {
  const { digest, issue, reportId, nowMs } = props;
  return (
    <article className="issue-page">
      <header className="issue-head">
        <div className="digest-code">
          <h1>
            <span className="unseen">Issue </span>
            <code className="digest">{digest}</code>
          </h1>
          <CopyButton text={digest} what="the digest" />
        </div>
        <Fresh {...props} name="also-known">
          {(fresh) => <AlsoKnown issue={fresh} />}
        </Fresh>
        <Boundary name="away" loading={null}>
          <AwayNote {...props} />
        </Boundary>
        <p className="issue-links">
          <A href="#activity">Activity</A> <A href={receiptUrl(digest)}>Receipt</A>{" "}
          <A href={`${issueUrl(digest)}.md`}>Markdown</A>{" "}
          <A href={`${issueUrl(digest)}.json`}>JSON</A>
        </p>
      </header>
      <div className="issue-top">
        <Fresh {...props} name="heading" gone={<Gone {...props} />}>
          {(fresh) => <IssueHeading issue={fresh} />}
        </Fresh>
        <Fresh {...props} name="as-seen">
          {(fresh) => <AsSeen issue={fresh} />}
        </Fresh>
        <Fresh {...props} name="standing">
          {(fresh) => <IssueStanding issue={fresh} nowMs={nowMs} />}
        </Fresh>
      </div>
      <Fresh {...props} name="facts">
        {(fresh) => <IssueFacts issue={fresh} nowMs={nowMs} />}
      </Fresh>
      <div className="issue-body">
        <div className="issue-main">
          <section className="report" id="report" aria-labelledby="report-heading">
            <Boundary name="report" loading={<Skeleton shape="stack" label="the report" />}>
              <OpenReport {...props} />
            </Boundary>
          </section>
          <section id="activity" aria-labelledby="activity-heading">
            <h2 id="activity-heading">Activity</h2>
            <CommentForm digest={digest} />
            <Boundary name="activity" loading={<p className="aside">Loading what was said…</p>}>
              <ActivityNow {...props} />
            </Boundary>
          </section>
          <section aria-labelledby="similar-heading">
            <h2 id="similar-heading">Similar issues</h2>
            <Boundary name="similar" loading={<p className="aside">Looking for them…</p>}>
              <SimilarNow {...props} />
            </Boundary>
          </section>
        </div>
        <aside className="issue-side" aria-label="More about this issue">
          <Boundary
            name="other-side"
            loading={<OtherSide mark={otherSideOf(issue, reportId)} nowMs={nowMs} />}
          >
            <OtherSideNow {...props} />
          </Boundary>
          <Fresh {...props} name="side">
            {(fresh) => <IssueSide issue={fresh} current={reportId} nowMs={nowMs} />}
          </Fresh>
        </aside>
      </div>
    </article>
  );
}

interface FreshProps extends Pick<IssuePageProps, "issue" | "now"> {
  readonly name: string;
  /** What stands there when the issue is gone; nothing by default. */
  readonly gone?: ReactNode;
  readonly children: (issue: Issue) => ReactNode;
}

/** Draws the copy, and draws it again from the present when that arrives: the same markup, so nothing moves. */
function Fresh({ name, issue, now, gone, children }: FreshProps) {
  return (
    <Boundary name={name} loading={children(issue)}>
      <AsOfNow now={now} gone={gone}>
        {children}
      </AsOfNow>
    </Boundary>
  );
}

function AsOfNow({ now, gone, children }: Pick<FreshProps, "now" | "gone" | "children">) {
  const issue = use(now);
  return issue === null ? gone : children(issue);
}

/** Says how old the copy is when there is nothing newer. */
function AwayNote({ now, notes, nowMs }: IssuePageProps) {
  const issue = use(now);
  if (use(notes) !== null || issue === null) return null;
  return (
    <p className="away" role="status">
      The index is away. This is how the issue stood <Time atMs={issue.asOfMs} nowMs={nowMs} />.
    </p>
  );
}

/** The copy that the page began with may be a minute old; what it said is taken away. */
function Gone({ notes }: IssuePageProps) {
  const into = use(notes)?.mergedInto;
  return into === undefined ? (
    <Erased />
  ) : (
    <p className="erased">
      <b>Merged.</b> This issue is counted in <A href={issueUrl(into)}>{into}</A> now, with all that
      it had.
    </p>
  );
}

function Erased() {
  return (
    <p className="erased">
      <b>Erased.</b> This issue and its reports are gone: somebody erased them, or they expired. The
      last copies of it go within a minute. If it happens again, it is a new issue.
    </p>
  );
}

function OtherSideNow({ now, other, reportId, nowMs }: IssuePageProps) {
  const issue = use(now);
  const report = use(other);
  if (issue === null) return null;
  return <OtherSide mark={otherSideOf(issue, reportId)} report={report} nowMs={nowMs} />;
}

function ActivityNow({ now, notes, nowMs }: IssuePageProps) {
  const issue = use(now);
  const said = use(notes);
  return issue === null ? null : <Activity issue={issue} notes={said} nowMs={nowMs} />;
}

function SimilarNow({ digest, similar, nowMs }: IssuePageProps) {
  return <Similar digest={digest} issues={use(similar)} nowMs={nowMs} />;
}
