/**
 * One issue: what happened, in the order people need it. The nearest copy leaves with the shell; what is known at this
 * moment streams in and takes its place, without moving anything.
 */
import type { ReactNode } from "react";
import { use } from "react";
import type { Annotations } from "../../core/issue/annotations.ts";
import type { Issue, IssueSummary } from "../../core/issue/issue.ts";
import { findCounterpart } from "../../core/issue/related-reports.ts";
import type { Report } from "../../core/report.ts";
import { Boundary } from "../failure/boundary.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl } from "../urls/issue-urls.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { ActivityTimeline, IssueCommentForm } from "./activity/activity.tsx";
import { Counterpart } from "./counterpart.tsx";
import { IssueHeading } from "./issue-heading.tsx";
import { IssueStatus } from "./issue-status.tsx";
import { NoticeAsShown } from "./notice-as-shown.tsx";
import { SelectedReport, type SelectedReportProps } from "./selected-report.tsx";
import { Aliases } from "./sidebar/aliases.tsx";
import { IssueStats } from "./sidebar/issue-stats.tsx";
import { IssueSidebar } from "./sidebar/sidebar.tsx";
import { SimilarIssues } from "./sidebar/similar-issues.tsx";

/** What the page is made of. */
export interface IssuePageProps extends SelectedReportProps {
  readonly digest: string;
  /** The nearest copy, up to a minute old. */
  readonly snapshot: Issue;
  /** The report that `otherSideOf` names beside it; null where there is none. */
  readonly counterpart: Promise<Report | null>;
  /** What people added; null while the index is away. */
  readonly annotations: Promise<Annotations | null>;
  /** Issues that say nearly the same; null while the index is away. */
  readonly similar: Promise<readonly IssueSummary[] | null>;
}

/** The page at `/d/<digest>`. */
export function IssuePage(props: IssuePageProps) {
  const { digest, snapshot, reportId, nowMs } = props;
  return (
    <article className="issue-page">
      <header className="issue-head">
        <div className="digest-code">
          <h1>
            <span className="visually-hidden">Issue </span>
            <code className="digest">{digest}</code>
          </h1>
          <CopyButton text={digest} label="the digest" />
        </div>
        <WithFreshIssue {...props} name="also-known">
          {(fresh) => <Aliases issue={fresh} />}
        </WithFreshIssue>
        <Boundary name="away" loading={null}>
          <IndexUnavailableNote {...props} />
        </Boundary>
        <p className="issue-links">
          <DeskLink href="#activity">Activity</DeskLink>{" "}
          <DeskLink href={toReceiptUrl(digest)}>Receipt</DeskLink>{" "}
          <DeskLink href={`${toIssueUrl(digest)}.md`}>Markdown</DeskLink>{" "}
          <DeskLink href={`${toIssueUrl(digest)}.json`}>JSON</DeskLink>
        </p>
      </header>
      <div className="issue-top">
        <WithFreshIssue {...props} name="heading" missing={<MissingIssue {...props} />}>
          {(fresh) => <IssueHeading issue={fresh} />}
        </WithFreshIssue>
        <WithFreshIssue {...props} name="as-seen">
          {(fresh) => <NoticeAsShown issue={fresh} />}
        </WithFreshIssue>
        <WithFreshIssue {...props} name="standing">
          {(fresh) => <IssueStatus issue={fresh} nowMs={nowMs} />}
        </WithFreshIssue>
      </div>
      <WithFreshIssue {...props} name="facts">
        {(fresh) => <IssueStats issue={fresh} nowMs={nowMs} />}
      </WithFreshIssue>
      <div className="issue-body">
        <div className="issue-main">
          <section className="report" id="report" aria-labelledby="report-heading">
            <Boundary name="report" loading={<Skeleton shape="stack" label="the report" />}>
              <SelectedReport {...props} />
            </Boundary>
          </section>
          <section id="activity" aria-labelledby="activity-heading">
            <h2 id="activity-heading">Activity</h2>
            <IssueCommentForm digest={digest} />
            <Boundary name="activity" loading={<p className="muted">Loading what was said…</p>}>
              <FreshActivity {...props} />
            </Boundary>
          </section>
          <section aria-labelledby="similar-heading">
            <h2 id="similar-heading">Similar issues</h2>
            <Boundary name="similar" loading={<p className="muted">Looking for them…</p>}>
              <LoadedSimilarIssues {...props} />
            </Boundary>
          </section>
        </div>
        <aside className="issue-side" aria-label="More about this issue">
          <Boundary
            name="other-side"
            loading={<Counterpart summary={findCounterpart(snapshot, reportId)} nowMs={nowMs} />}
          >
            <FreshCounterpart {...props} />
          </Boundary>
          <WithFreshIssue {...props} name="side">
            {(fresh) => <IssueSidebar issue={fresh} currentId={reportId} nowMs={nowMs} />}
          </WithFreshIssue>
        </aside>
      </div>
    </article>
  );
}

interface WithFreshIssueProps extends Pick<IssuePageProps, "snapshot" | "freshIssue"> {
  readonly name: string;
  /** What stands there when the issue is gone; nothing by default. */
  readonly missing?: ReactNode;
  readonly children: (issue: Issue) => ReactNode;
}

/** Draws the copy, and draws it again from the present when that arrives: the same markup, so nothing moves. */
function WithFreshIssue({ name, snapshot, freshIssue, missing, children }: WithFreshIssueProps) {
  return (
    <Boundary name={name} loading={children(snapshot)}>
      <FreshIssue freshIssue={freshIssue} missing={missing}>
        {children}
      </FreshIssue>
    </Boundary>
  );
}

function FreshIssue({
  freshIssue,
  missing,
  children,
}: Pick<WithFreshIssueProps, "freshIssue" | "missing" | "children">) {
  const issue = use(freshIssue);
  return issue === null ? missing : children(issue);
}

/** Says how old the copy is when there is nothing newer. */
function IndexUnavailableNote({ freshIssue, annotations, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  if (use(annotations) !== null || issue === null) return null;
  return (
    <p className="away" role="status">
      The index is away. This is how the issue stood{" "}
      <RelativeTime atMs={issue.asOfMs} nowMs={nowMs} />.
    </p>
  );
}

/** The copy that the page began with may be a minute old; what it said is taken away. */
function MissingIssue({ annotations }: IssuePageProps) {
  const targetDigest = use(annotations)?.mergedInto;
  return targetDigest === undefined ? (
    <ErasedIssue />
  ) : (
    <p className="erased">
      <b>Merged.</b> This issue is counted in{" "}
      <DeskLink href={toIssueUrl(targetDigest)}>{targetDigest}</DeskLink> now, with all that it had.
    </p>
  );
}

function ErasedIssue() {
  return (
    <p className="erased">
      <b>Erased.</b> This issue and its reports are gone: somebody erased them, or they expired. The
      last copies of it go within a minute. If it happens again, it is a new issue.
    </p>
  );
}

function FreshCounterpart({ freshIssue, counterpart, reportId, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const report = use(counterpart);
  if (issue === null) return null;
  return <Counterpart summary={findCounterpart(issue, reportId)} report={report} nowMs={nowMs} />;
}

function FreshActivity({ freshIssue, annotations: notes, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const annotations = use(notes);
  return issue === null ? null : (
    <ActivityTimeline issue={issue} annotations={annotations} nowMs={nowMs} />
  );
}

function LoadedSimilarIssues({ digest, similar, nowMs }: IssuePageProps) {
  return <SimilarIssues digest={digest} issues={use(similar)} nowMs={nowMs} />;
}
