/**
 * One issue. The shell has the current issue if the index answered first. Otherwise it has the
 * cached copy; the current data streams in and replaces the copy without moving anything.
 */

import type { ReactNode } from "react";
import { use } from "react";
import type { WithSentAlerts } from "../../core/alerts/sent-alert.ts";
import type { Annotations } from "../../core/issue/annotations.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { findCounterpart } from "../../core/issue/related-reports.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { SimilarIssue } from "../../core/ports/storage-ports.ts";
import type { Digest, Report } from "../../core/report.ts";
import { Boundary } from "../failure/boundary.tsx";
import { haveArrived } from "../failure/note-arrival.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl, toMarkdownUrl } from "../urls/issue-urls.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { ActivityTimeline, IssueCommentForm } from "./activity/activity.tsx";
import { Counterpart } from "./counterpart.tsx";
import { IssueHeading } from "./issue-heading.tsx";
import { IssueStatus } from "./issue-status.tsx";
import { PlaceFilter } from "./place-filter.tsx";
import { SelectedReport, type SelectedReportProps } from "./selected-report.tsx";
import { ShownNotice } from "./shown-notice.tsx";
import { Aliases } from "./sidebar/aliases.tsx";
import { Grouping, SIMILAR_ID } from "./sidebar/grouping-text.tsx";
import { IssuePlaces } from "./sidebar/issue-places.tsx";
import { IssueStats } from "./sidebar/issue-stats.tsx";
import { IssueSidebar } from "./sidebar/sidebar.tsx";
import { SimilarIssues } from "./sidebar/similar-issues.tsx";

interface IssuePageProps extends SelectedReportProps {
  readonly digest: string;
  /** Shown until the fresh issue arrives: a cached copy, up to a minute old. */
  readonly snapshot: Issue;
  /** From `?place=`: only the reports of this place. */
  readonly placeKey?: string | undefined;
  /** The report that `findCounterpart` selects; null if there is none. */
  readonly counterpart: Promise<Report | null>;
  /** Null while the index is unavailable. */
  readonly annotations: Promise<(Annotations & WithSentAlerts) | null>;
  /** The deploys of the charted time; null while the source maps are unavailable. */
  readonly deploys: Promise<readonly DeployMoment[] | null>;
  /** Null while the index is unavailable. */
  readonly similar: Promise<readonly SimilarIssue[] | null>;
  /** The digests that the project splits by stack. */
  readonly splitDigests: readonly Digest[];
  /** The links to the list, and to the next issue in it. */
  readonly listPosition?: ReactNode;
}

export function IssuePage(props: IssuePageProps) {
  const { digest, snapshot, reportId, placeKey, nowMs } = props;
  return (
    <article className="issue-page">
      {props.listPosition}
      <header className="issue-header">
        <div className="digest-code">
          <h1>
            <span className="visually-hidden">Issue </span>
            <code className="digest">{digest}</code>
          </h1>
          <CopyButton text={digest} label="the digest" />
        </div>
        <WithFreshIssue {...props} name="aliases">
          {(fresh) => <Aliases issue={fresh} />}
        </WithFreshIssue>
        <Boundary name="index-unavailable" loading={null}>
          <IndexUnavailableNote {...props} />
        </Boundary>
        <p className="issue-links">
          <DeskLink href="#activity">Activity</DeskLink>{" "}
          <DeskLink href={toReceiptUrl(digest)}>Receipt</DeskLink>{" "}
          <DeskLink href={toMarkdownUrl(digest)}>Markdown</DeskLink>{" "}
          <DeskLink href={`${toIssueUrl(digest)}.json`}>JSON</DeskLink>
        </p>
      </header>
      <div className="issue-top">
        <WithFreshIssue {...props} name="heading" missing={<MissingIssue {...props} />}>
          {(fresh) => <IssueHeading issue={fresh} />}
        </WithFreshIssue>
        <WithFreshIssue {...props} name="status">
          {(fresh) => <IssueStatus issue={fresh} nowMs={nowMs} />}
        </WithFreshIssue>
      </div>
      <Boundary
        name="stats"
        loading={
          haveArrived(props.freshIssue, props.annotations, props.deploys) ? null : (
            <IssueStats issue={snapshot} nowMs={nowMs} />
          )
        }
      >
        <FreshStats {...props} />
      </Boundary>
      <div className="issue-body">
        <div className="issue-main">
          {placeKey !== undefined && (
            <WithFreshIssue {...props} name="place">
              {(fresh) => (
                <PlaceFilter issue={fresh} placeKey={placeKey} currentId={reportId} nowMs={nowMs} />
              )}
            </WithFreshIssue>
          )}
          <section className="report" id="report" aria-labelledby="report-heading">
            <Boundary name="report" loading={<Skeleton shape="stack" label="the report" />}>
              <SelectedReport {...props} />
            </Boundary>
          </section>
          <section id="activity" aria-labelledby="activity-heading">
            <h2 id="activity-heading">Activity</h2>
            <IssueCommentForm digest={digest} />
            <Boundary name="activity" loading={<p className="muted">Loading activity…</p>}>
              <FreshActivity {...props} />
            </Boundary>
          </section>
          <section id={SIMILAR_ID} aria-labelledby="similar-heading">
            <h2 id="similar-heading">Similar issues</h2>
            <Boundary name="similar" loading={<p className="muted">Loading similar issues…</p>}>
              <LoadedSimilarIssues {...props} />
            </Boundary>
          </section>
        </div>
        <aside className="issue-sidebar" aria-label="Issue details">
          <WithFreshIssue {...props} name="shown-notice">
            {(fresh) => <ShownNotice issue={fresh} />}
          </WithFreshIssue>
          <Boundary
            name="counterpart"
            loading={
              haveArrived(props.freshIssue, props.counterpart) ? null : (
                <Counterpart summary={findCounterpart(snapshot, reportId)} nowMs={nowMs} />
              )
            }
          >
            <FreshCounterpart {...props} />
          </Boundary>
          <Boundary name="places" loading={null}>
            <FreshPlaces {...props} />
          </Boundary>
          <WithFreshIssue {...props} name="grouping">
            {(fresh) => <Grouping issue={fresh} splitDigests={props.splitDigests} />}
          </WithFreshIssue>
          <WithFreshIssue {...props} name="sidebar">
            {(fresh) => <IssueSidebar issue={fresh} currentId={reportId} nowMs={nowMs} />}
          </WithFreshIssue>
        </aside>
      </div>
    </article>
  );
}

interface WithFreshIssueProps extends Pick<IssuePageProps, "snapshot" | "freshIssue"> {
  readonly name: string;
  /** Shown if the issue no longer exists; nothing by default. */
  readonly missing?: ReactNode;
  readonly children: (issue: Issue) => ReactNode;
}

/**
 * Renders the cached copy, then the fresh issue with the same markup, so that nothing moves. If the
 * fresh issue has already arrived, renders only that.
 */
function WithFreshIssue({ name, snapshot, freshIssue, missing, children }: WithFreshIssueProps) {
  return (
    <Boundary name={name} loading={haveArrived(freshIssue) ? null : children(snapshot)}>
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

/** Shows the age of the cached copy if there is nothing newer. */
function IndexUnavailableNote({ freshIssue, annotations, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  if (use(annotations) !== null || issue === null) return null;
  return (
    <p className="unavailable" role="status">
      The index is temporarily unavailable. This is the issue as of{" "}
      <RelativeTime atMs={issue.asOfMs} nowMs={nowMs} />.
    </p>
  );
}

/** Replaces the cached copy of an issue that was merged or erased in the last minute. */
function MissingIssue({ annotations }: IssuePageProps) {
  const targetDigest = use(annotations)?.mergedInto;
  return targetDigest === undefined ? (
    <ErasedIssue />
  ) : (
    <p className="missing-issue">
      <b>Merged.</b> This issue and its reports are now part of{" "}
      <DeskLink href={toIssueUrl(targetDigest)}>{targetDigest}</DeskLink>.
    </p>
  );
}

function ErasedIssue() {
  return (
    <p className="missing-issue">
      <b>Erased.</b> This issue and its reports were erased or have expired. Remaining copies
      disappear within a minute. If the error happens again, it creates a new issue.
    </p>
  );
}

function FreshCounterpart({ freshIssue, counterpart, reportId, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const report = use(counterpart);
  if (issue === null) return null;
  return <Counterpart summary={findCounterpart(issue, reportId)} report={report} nowMs={nowMs} />;
}

function FreshPlaces({ freshIssue, placeKey }: IssuePageProps) {
  const issue = use(freshIssue);
  return issue === null ? null : <IssuePlaces issue={issue} placeKey={placeKey} />;
}

function FreshStats({ freshIssue, annotations, deploys, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const activity = use(annotations)?.activity;
  const known = use(deploys) ?? [];
  return issue === null ? null : (
    <IssueStats issue={issue} activity={activity} deploys={known} nowMs={nowMs} />
  );
}

function FreshActivity({ freshIssue, annotations: annotationsPromise, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const annotations = use(annotationsPromise);
  return issue === null ? null : (
    <ActivityTimeline issue={issue} annotations={annotations} nowMs={nowMs} />
  );
}

function LoadedSimilarIssues({ digest, freshIssue, similar, nowMs }: IssuePageProps) {
  const grouping = use(freshIssue)?.grouping;
  return <SimilarIssues digest={digest} grouping={grouping} issues={use(similar)} nowMs={nowMs} />;
}
