/**
 * One issue. The shell has the current issue if the index answered first. Otherwise it has the
 * cached copy; the current data streams in and replaces the copy without moving anything.
 */
import { type ReactNode, use } from "react";
import { REQUIRED_ROLES } from "../../core/accounts/required-roles.ts";
import type { WithSentAlerts } from "../../core/alerts/sent-alert.ts";
import type { Difference } from "../../core/differences/find-differences.ts";
import type { Annotations } from "../../core/issue/annotations.ts";
import { getCurrentState } from "../../core/issue/decision.ts";
import { getFixStatus } from "../../core/issue/fix-status.ts";
import type { Issue } from "../../core/issue/issue.ts";
import type { IssueState } from "../../core/issue/issue-states.ts";
import { findCounterpart, sortByTrust } from "../../core/issue/related-reports.ts";
import { limits } from "../../core/limits.ts";
import { formatCulprit, formatPlace } from "../../core/place/issue-place.ts";
import { findPlaceByKey } from "../../core/place/stack-counts.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { CurrentIssue, SimilarIssue } from "../../core/ports/storage-ports.ts";
import type { SuspectCommit } from "../../core/release/suspect-commits.ts";
import type { Digest, Report } from "../../core/report.ts";
import { Boundary } from "../failure/boundary.tsx";
import { haveArrived } from "../failure/note-arrival.ts";
import { Notice } from "../failure/notice.tsx";
import { stripTypePrefix } from "../issues/message-without-type.ts";
import { OtherErrors } from "../issues/other-errors.tsx";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import {
  type DeskInfo,
  DeskLink,
  DeskProvider,
  RequireRole,
  useDesk,
} from "../parts/desk-context.tsx";
import { abbreviate, FullText } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toIssueUrl, toMarkdownUrl, toPlaceUrl } from "../urls/issue-urls.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { IssueActions } from "./actions.tsx";
import { ActivityTimeline, IssueCommentForm } from "./activity/activity.tsx";
import { AssignForm, MergeForm } from "./activity/assign-and-merge.tsx";
import { DecisionText } from "./activity/decision-text.tsx";
import { Counterpart } from "./counterpart.tsx";
import { FixSteps } from "./fix/fix-steps.tsx";
import { HandOffForm } from "./fix/hand-off-form.tsx";
import { EraseIssueForm } from "./report/erase-forms.tsx";
import { SelectedReport, type SelectedReportProps } from "./selected-report.tsx";
import { Aliases } from "./sidebar/aliases.tsx";
import { Differences } from "./sidebar/differences.tsx";
import { Grouping, SIMILAR_ID } from "./sidebar/grouping-text.tsx";
import { IssuePlaces } from "./sidebar/issue-places.tsx";
import { IssueStats } from "./sidebar/issue-stats.tsx";
import { IssueSidebar } from "./sidebar/sidebar.tsx";
import { SimilarIssues } from "./sidebar/similar-issues.tsx";
import { SuggestedOwnerText } from "./sidebar/suggested-owner.tsx";
import { SuspectCommits } from "./sidebar/suspect-commits.tsx";
import { TrackerSection } from "./sidebar/tracker-section.tsx";
import { Trace, type TracedSummary } from "./trace.tsx";

/** The state of the fix, and the agents that a member can hand the issue to. */
export type LoadedFix = Pick<CurrentIssue, "fix" | "agents">;

interface IssuePageProps extends SelectedReportProps {
  readonly digest: string;
  /** Shown until the fresh issue arrives: a cached copy, up to a minute old. */
  readonly snapshot: Issue;
  /** From `?place=`: only the reports of this place. */
  readonly placeKey?: string | undefined;
  /** The report that `findCounterpart` selects; null if there is none. */
  readonly counterpart: Promise<Report | null>;
  /** The reports of the selected report's trace, itself included. */
  readonly trace: Promise<readonly TracedSummary[] | null>;
  /** Null while the index is unavailable. */
  readonly annotations: Promise<(Annotations & WithSentAlerts) | null>;
  /** The deploys of the charted time; null while the source maps are unavailable. */
  readonly deploys: Promise<readonly DeployMoment[] | null>;
  /** Of the release that the issue is new in. */
  readonly suspects: Promise<readonly SuspectCommit[]>;
  /** Null while the index is unavailable. */
  readonly similar: Promise<readonly SimilarIssue[] | null>;
  readonly differences: Promise<readonly Difference[]>;
  /** Null while the index is unavailable. */
  readonly fix: Promise<LoadedFix | null>;
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
        name="fix"
        loading={
          haveArrived(props.fix) ? null : (
            <FixSteps fix={getFixStatus(undefined, snapshot, [], nowMs)} nowMs={nowMs} />
          )
        }
      >
        <FoundFix {...props} />
      </Boundary>
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
          <WithFreshIssue {...props} name="tracker">
            {(fresh) => <TrackerSection issue={fresh} />}
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
          <Boundary name="trace" loading={null}>
            <Trace reports={props.trace} />
          </Boundary>
          <Boundary name="owner" loading={null}>
            <FoundOwner {...props} />
          </Boundary>
          <Boundary name="suspects" loading={null}>
            <FoundSuspects {...props} />
          </Boundary>
          <Boundary name="agents" loading={null}>
            <FoundAgents {...props} />
          </Boundary>
          <Boundary name="differences" loading={null}>
            <FoundDifferences {...props} />
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

function FoundFix({ fix: loading, nowMs }: IssuePageProps) {
  const { fix } = use(loading) ?? {};
  return fix === undefined ? null : <FixSteps fix={fix} nowMs={nowMs} />;
}

function FoundAgents({ fix: loading, freshIssue, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const { fix, agents = [] } = use(loading) ?? {};
  return issue === null ? null : (
    <HandOffForm issue={issue} fix={fix} agents={agents} nowMs={nowMs} />
  );
}

function FoundOwner({ freshIssue, code }: IssuePageProps) {
  const issue = use(freshIssue);
  const owner = use(code)?.owner;
  return issue === null ? null : <SuggestedOwnerText issue={issue} owner={owner} />;
}

function FoundSuspects({ snapshot, suspects, nowMs }: IssuePageProps) {
  return <SuspectCommits suspects={use(suspects)} release={snapshot.firstRelease} nowMs={nowMs} />;
}

function FoundDifferences({ differences }: IssuePageProps) {
  return <Differences differences={use(differences)} />;
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

// The error's type, message and location.

const MESSAGE_CHARS = 300;
const LOCATION_CHARS = 120;

/** The heading. Reported markup is shown as text. */
function IssueHeading({ issue }: { issue: Issue }) {
  const culprit = formatCulprit(issue);
  return (
    <div className="issue-text">
      <h2 className="issue-title">
        <bdi className="type">{abbreviate(issue.type || issue.kind, LOCATION_CHARS)}</bdi>{" "}
        <span className="message" dir="auto">
          {abbreviate(stripTypePrefix(issue), MESSAGE_CHARS) || "(no message)"}
        </span>
        <OtherErrors issue={issue} />
      </h2>
      {issue.count === 0 && (
        <p className="muted">
          Only browsers have reported this digest. If the server’s report could not be stored,
          search the Worker’s log for <code>{issue.digest}</code>.
        </p>
      )}
      <FullText text={issue.message} maxChars={MESSAGE_CHARS} />
      <p className="issue-location">
        {issue.kind !== "error" && <span>{issue.kind}</span>}{" "}
        {culprit !== undefined && <bdi>{abbreviate(culprit, LOCATION_CHARS)}</bdi>}{" "}
        {issue.route !== undefined && <bdi>{abbreviate(issue.route, LOCATION_CHARS)}</bdi>}
      </p>
    </div>
  );
}

// An issue's state and assignee, and the forms that change them or erase the issue.

/** The state and assignee, with the buttons below. */
export function IssueStatus({ issue, nowMs }: { issue: Issue; nowMs: number }) {
  const { assignee, digest, release } = issue;
  const { unreadAlerts: _, hasFailingAlerts: _failing, projects: _projects, ...desk } = useDesk();
  const forms = { desk, digest, assignee, release, state: getCurrentState(issue, nowMs) };
  return (
    <div className="issue-status">
      <div className="status-text">
        <DecisionText issue={issue} nowMs={nowMs} />
        {assignee !== undefined && (
          <p className="assignee">
            Assigned to <bdi>{abbreviate(assignee, limits.maxAssigneeChars)}</bdi>
          </p>
        )}
      </div>
      <CachedParts
        tag="div"
        attributes={{ className: "actions" }}
        part={IssueForms}
        items={[forms]}
      />
    </div>
  );
}

interface IssueFormsProps {
  readonly desk: Omit<DeskInfo, "projects">;
  readonly digest: Digest;
  readonly state: IssueState;
  readonly release: string | undefined;
  readonly assignee: string | undefined;
}

function IssueForms({ desk, digest, state, release, assignee }: IssueFormsProps) {
  return (
    <DeskProvider desk={{ ...desk, projects: [] }}>
      <RequireRole requiredRole={REQUIRED_ROLES.triage}>
        <IssueActions digest={digest} state={state} release={release} />
        <AssignForm digest={digest} assignee={assignee} />
        <MergeForm digest={digest} />
      </RequireRole>
      <EraseIssueForm digest={digest} />
    </DeskProvider>
  );
}

// The reports of an issue that fail at one place: the page with `?place=`.

const PLACE_CHARS = 120;

/** The counts of the place, its newest stored reports, and the link to all reports. */
function PlaceFilter({
  issue,
  placeKey,
  currentId,
  nowMs,
}: {
  issue: Issue;
  placeKey: string;
  currentId: string | undefined;
  nowMs: number;
}) {
  const place = findPlaceByKey(issue.stacks, placeKey);
  const all = <DeskLink href={`${toIssueUrl(issue.digest)}#places`}>All places</DeskLink>;
  if (place === undefined) {
    return (
      <p id="place" className="place-filter">
        No known report of this issue fails at <bdi>{abbreviate(placeKey, PLACE_CHARS)}</bdi>. {all}
      </p>
    );
  }
  const { count, firstMs, lastMs, reports } = place;
  return (
    <section id="place" className="place-filter" aria-label="Reports of one place">
      <p>
        Only <bdi className="location">{abbreviate(formatPlace(place), PLACE_CHARS)}</bdi>:{" "}
        {formatNumber(count)} of {pluralize(issue.count, "report")}, first{" "}
        <RelativeTime atMs={firstMs} nowMs={nowMs} />, last{" "}
        <RelativeTime atMs={lastMs} nowMs={nowMs} />. {all}
      </p>
      {reports.length > 0 && (
        <p className="muted">
          Stored:{" "}
          {reports.map(([id, atMs]) => (
            <span key={id}>
              <DeskLink
                href={toPlaceUrl(issue.digest, placeKey, id)}
                aria-current={id === currentId ? "true" : undefined}
              >
                <RelativeTime atMs={atMs} nowMs={nowMs} />
              </DeskLink>{" "}
            </span>
          ))}
        </p>
      )}
    </section>
  );
}

// The notice or code that visitors saw, if a browser has reported that it was shown.

/**
 * The notice as an example if it was Errata's own. Otherwise only the code, because frameworks and
 * sites have other texts around it. Nothing if no browser has reported showing a code.
 */
function ShownNotice({ issue }: { issue: Issue }) {
  const { base } = useDesk();
  const code = findShownCode(issue);
  if (code === undefined) return null;
  const isOwnNotice = code === issue.digest;
  return (
    <section className="shown-notice" aria-labelledby="notice-heading">
      <h2 id="notice-heading">
        {isOwnNotice ? "Notice on the visitor’s screen" : "Code on the visitor’s screen"}
      </h2>
      {isOwnNotice ? (
        <Notice digest={code} isCompact isExample base={base} />
      ) : (
        <div className="shown-code">
          <p>
            <code>{code}</code> <CopyButton text={code} label="the code" />
          </p>
          <p className="muted">
            This text is from the page’s framework. The site may show other text around it.{" "}
            <a href={base + toReceiptUrl(issue.digest)}>Receipt</a>
          </p>
        </div>
      )}
    </section>
  );
}

/**
 * The code in the notice, which browsers report. A digest of Errata only links the report to the
 * issue; a framework's code, such as a Next.js digest, is stored as an alias. Only notices of the
 * highest trust level count.
 */
function findShownCode({ digest, latestReports }: Issue): string | undefined {
  const all = latestReports.filter(({ isLinked, kind }) => isLinked && kind === "notice");
  const level = sortByTrust(all)[0]?.trust;
  const notices = all.filter(({ trust }) => trust === level);
  if (notices.length === 0) return undefined;
  const foreignCodes = notices.map(({ aliases }) => aliases?.[0]);
  return foreignCodes.includes(undefined) ? digest : foreignCodes[0];
}
