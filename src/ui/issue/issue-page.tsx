/**
 * One issue. The shell has the current issue if the index answered first. Otherwise it has the
 * cached copy; the current data streams in and replaces the copy without moving anything.
 */
import { type ReactNode, use } from "react";
import type { WithSentAlerts } from "../../core/alerts/sent-alert.ts";
import type { Comparison } from "../../core/differences/find-differences.ts";
import type { Annotations } from "../../core/issue/annotations.ts";
import { getFixStatus } from "../../core/issue/fix-status.ts";
import type { Issue } from "../../core/issue/issue.ts";
import { findCounterpart, sortByTrust } from "../../core/issue/related-reports.ts";
import { formatPlace } from "../../core/place/issue-place.ts";
import { findPlaceByKey } from "../../core/place/stack-counts.ts";
import type { DeployMoment } from "../../core/ports/source-maps-port.ts";
import type { CurrentIssue, SimilarIssue } from "../../core/ports/storage-ports.ts";
import type { SuspectCommit } from "../../core/release/suspect-commits.ts";
import type { Digest, Report } from "../../core/report.ts";
import { Boundary } from "../failure/boundary.tsx";
import { haveArrived } from "../failure/note-arrival.ts";
import { Notice } from "../failure/notice.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { Wordmark } from "../parts/wordmark.tsx";
import { toIssueUrl, toPlaceUrl } from "../urls/issue-urls.ts";
import { toReceiptUrl } from "../urls/receipt-urls.ts";
import { ActivityTimeline, IssueCommentForm } from "./activity/activity.tsx";
import { DecisionText } from "./activity/decision-text.tsx";
import { Counterpart } from "./counterpart.tsx";
import { FixSteps } from "./fix/fix-steps.tsx";
import { HandOffForm } from "./fix/hand-off-form.tsx";
import { ImpactText } from "./heading/impact-text.tsx";
import { IssueHeading, IssueVerdicts } from "./heading/issue-heading.tsx";
import { IssueStatus } from "./issue-bar.tsx";
import { AllReports } from "./report/report-list.tsx";
import { SelectedReport, type SelectedReportProps } from "./selected-report.tsx";
import { AllAliases } from "./sidebar/aliases.tsx";
import { Grouping, SIMILAR_ID } from "./sidebar/grouping-text.tsx";
import { IssuePlaces } from "./sidebar/issue-places.tsx";
import { IssueStats } from "./sidebar/issue-stats.tsx";
import { MergedIssues } from "./sidebar/merged-issues.tsx";
import { SimilarIssues } from "./sidebar/similar-issues.tsx";
import { SuggestedOwnerText } from "./sidebar/suggested-owner.tsx";
import { SuspectCommits } from "./sidebar/suspect-commits.tsx";
import { TagRows } from "./sidebar/tag-rows.tsx";
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
  readonly comparison: Promise<Comparison>;
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
      <div className="issue-bar">
        <HomeLink />
        {props.listPosition}
        <WithFreshIssue {...props} name="status">
          {(fresh, isFresh) => (
            <IssueStatus
              issue={fresh}
              nowMs={nowMs}
              handOff={
                isFresh && (
                  <Boundary name="agents" loading={null}>
                    <FoundAgents {...props} />
                  </Boundary>
                )
              }
            />
          )}
        </WithFreshIssue>
      </div>
      <div className="issue-body">
        <div className="issue-main">
          <header className="issue-header">
            <Boundary name="index-unavailable" loading={null}>
              <IndexUnavailableNote {...props} />
            </Boundary>
            <WithFreshIssue {...props} name="heading" missing={<MissingIssue {...props} />}>
              {(fresh) => <IssueHeading issue={fresh} />}
            </WithFreshIssue>
            <Boundary
              name="impact"
              loading={
                haveArrived(props.freshIssue, props.comparison, props.deploys) ? null : (
                  <ImpactText issue={snapshot} nowMs={nowMs} />
                )
              }
            >
              <FreshImpact {...props} />
            </Boundary>
            <WithFreshIssue {...props} name="verdicts">
              {(fresh) => (
                <>
                  {fresh.decision !== undefined && <DecisionText issue={fresh} nowMs={nowMs} />}
                  <IssueVerdicts issue={fresh} />
                </>
              )}
            </WithFreshIssue>
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
          </header>
          {placeKey !== undefined && (
            <WithFreshIssue {...props} name="place">
              {(fresh) => (
                <PlaceFilter issue={fresh} placeKey={placeKey} currentId={reportId} nowMs={nowMs} />
              )}
            </WithFreshIssue>
          )}
          <section className="report" id="report" aria-labelledby="report-heading">
            <Boundary name="report" loading={<Skeleton shape="stack" label="the report" />}>
              <SelectedReport {...props}>
                <FreshGrouping {...props} />
                <Boundary name="trace" loading={null}>
                  <Trace reports={props.trace} digest={digest} />
                </Boundary>
              </SelectedReport>
            </Boundary>
          </section>
          <WithFreshIssue {...props} name="reports">
            {(fresh) => <AllReports issue={fresh} currentId={reportId} nowMs={nowMs} />}
          </WithFreshIssue>
          <section id="activity" aria-labelledby="activity-heading">
            <div className="section-head">
              <h2 id="activity-heading">Activity</h2>
            </div>
            <IssueCommentForm digest={digest} />
            <Boundary name="activity" loading={<p className="muted">Loading activity…</p>}>
              <FreshActivity {...props} />
            </Boundary>
          </section>
          <section id={SIMILAR_ID} aria-labelledby="similar-heading">
            <div className="section-head">
              <h2 id="similar-heading">Similar issues</h2>
            </div>
            <Boundary name="similar" loading={<p className="muted">Loading similar issues…</p>}>
              <LoadedSimilarIssues {...props} />
            </Boundary>
          </section>
        </div>
        <aside className="issue-sidebar" aria-label="Issue details">
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
          <Boundary name="owner" loading={null}>
            <FoundOwner {...props} />
          </Boundary>
          <Boundary name="suspects" loading={null}>
            <FoundSuspects {...props} />
          </Boundary>
          <Boundary name="differences" loading={null}>
            <FreshTags {...props} />
          </Boundary>
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
          <WithFreshIssue {...props} name="shown-notice">
            {(fresh) => <ShownNotice issue={fresh} />}
          </WithFreshIssue>
          <WithFreshIssue {...props} name="tracker">
            {(fresh) => <TrackerSection issue={fresh} />}
          </WithFreshIssue>
          <Boundary name="places" loading={null}>
            <FreshPlaces {...props} />
          </Boundary>
          <WithFreshIssue {...props} name="aliases">
            {(fresh) => (
              <>
                <AllAliases issue={fresh} />
                <MergedIssues issue={fresh} />
              </>
            )}
          </WithFreshIssue>
        </aside>
      </div>
    </article>
  );
}

/** On phones, where the bar takes the place of the header. */
function HomeLink() {
  const { base } = useDesk();
  return (
    <div className="phone-only">
      <Wordmark href={`${base}/`} />
    </div>
  );
}

interface WithFreshIssueProps extends Pick<IssuePageProps, "snapshot" | "freshIssue"> {
  readonly name: string;
  /** Shown if the issue no longer exists; nothing by default. */
  readonly missing?: ReactNode;
  /** `isFresh` is false for the cached copy, which must not contain a boundary. */
  readonly children: (issue: Issue, isFresh: boolean) => ReactNode;
}

/**
 * Renders the cached copy, then the fresh issue with the same markup, so that nothing moves. If the
 * fresh issue has already arrived, renders only that.
 */
function WithFreshIssue({ name, snapshot, freshIssue, missing, children }: WithFreshIssueProps) {
  return (
    <Boundary name={name} loading={haveArrived(freshIssue) ? null : children(snapshot, false)}>
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
  return issue === null ? missing : children(issue, true);
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

function FreshTags({ freshIssue, comparison }: IssuePageProps) {
  const issue = use(freshIssue);
  const found = use(comparison);
  return issue === null ? null : <TagRows issue={issue} comparison={found} />;
}

function FreshImpact({ freshIssue, comparison, deploys, nowMs }: IssuePageProps) {
  const issue = use(freshIssue);
  const known = { comparison: use(comparison), deploys: use(deploys) ?? [] };
  return issue === null ? null : <ImpactText issue={issue} {...known} nowMs={nowMs} />;
}

function FreshGrouping({ freshIssue, splitDigests }: IssuePageProps) {
  const issue = use(freshIssue);
  return issue === null ? null : <Grouping issue={issue} splitDigests={splitDigests} />;
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
