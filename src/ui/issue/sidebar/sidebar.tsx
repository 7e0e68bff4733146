/** The side column of an issue: feedback, its reports, common values, aliases and merged issues. */
import type { ReactNode } from "react";
import { countLevels } from "../../../core/issue/describe-issue.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { type FilterKey, formatFilter, isExpressible } from "../../../core/issue/issue-query.ts";
import { findLatestReport, sortByTrust } from "../../../core/issue/related-reports.ts";
import type { TopValues } from "../../../core/issue/top-values.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { PublicMark } from "../../issues/trust-text.tsx";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toSearchUrl } from "../../urls/issue-list-urls.ts";
import { FeedbackLine } from "../report/feedback-text.tsx";
import { toReportHref } from "../report/pagination.tsx";
import { MergedIssues } from "./merged-issues.tsx";

export const ALIASES_ID = "aliases";

/** The data of the side column. `currentId` is the report from `?report=`. */
interface IssueSidebarProps {
  readonly issue: Issue;
  readonly currentId?: string | undefined;
  readonly nowMs: number;
}

/** The sections; empty ones are omitted. */
export function IssueSidebar({ issue, currentId: requestedId, nowMs }: IssueSidebarProps) {
  const currentId = requestedId ?? findLatestReport(issue.latestReports)?.id;
  // Sorted by trust: by time, strangers could move trusted reports into the collapsed part.
  const reports = sortByTrust(issue.latestReports);
  const occurrences = reports.filter(({ isLinked }) => !isLinked);
  const linked = reports.filter((summary) => summary.isLinked && summary.kind !== "feedback");
  const feedback = issue.latestReports.filter(
    (summary) => summary.isLinked && summary.kind === "feedback",
  );
  return (
    <>
      {feedback.length > 0 && (
        <SidebarSection heading="User feedback">
          <ReportList
            summaries={feedback}
            currentId={currentId}
            nowMs={nowMs}
            renderSummary={FeedbackLine}
          />
        </SidebarSection>
      )}
      {occurrences.length > 0 && (
        <SidebarSection heading="Stored reports">
          <ReportList summaries={occurrences} currentId={currentId} nowMs={nowMs} />
          {isSampled(issue, occurrences) && (
            <p className="muted">
              {pluralize(issue.count, "time")} in total. At high rates, only a sample is stored.
            </p>
          )}
        </SidebarSection>
      )}
      {linked.length > 0 && (
        <SidebarSection heading="Linked reports">
          <ReportList summaries={linked} currentId={currentId} nowMs={nowMs} />
        </SidebarSection>
      )}
      <CommonValues heading="Releases" values={issue.releases} filter="release" />
      <CommonValues heading="Environments" values={issue.environments} filter="env" />
      <CommonValues heading="Browsers" values={issue.browsers} filter="browser" />
      <CommonValues heading="Pages" values={issue.pages} filter="url" />
      <CommonValues heading="Levels" values={countLevels(issue)} filter="level" />
      <TagDistribution tags={issue.tags} />
      {issue.aliases.length > 0 && (
        <SidebarSection heading="Also known as" id={ALIASES_ID}>
          <ul className="aliases">
            {issue.aliases.map((alias) => (
              <li key={alias}>
                <code dir="ltr">{alias}</code>
              </li>
            ))}
          </ul>
        </SidebarSection>
      )}
      <MergedIssues issue={issue} />
    </>
  );
}

/** True if the newest occurrences were counted but not stored. */
function isSampled({ count, lastSeenMs }: Issue, storedReports: Issue["latestReports"]): boolean {
  return count > storedReports.length && (storedReports[0]?.atMs ?? 0) < lastSeenMs;
}

function SidebarSection({
  heading,
  id,
  children,
}: {
  heading: string;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section id={id}>
      <h2>{heading}</h2>
      {children}
    </section>
  );
}

/** Nothing if there is only one value, which the stats already show. */
function CommonValues({
  heading,
  values,
  filter,
}: {
  heading: string;
  values: TopValues | undefined;
  filter: FilterKey;
}) {
  if (!hasSeveralValues(values)) return null;
  return (
    <SidebarSection heading={heading}>
      <TopValueList topValues={values} filter={filter} />
    </SidebarSection>
  );
}

/** An issue's tags and how its occurrences are distributed over their values. */
const KEY_CHARS = 40;
const MAX_SHOWN_VALUES = 4;
/** Further keys are collapsed. */
const MAX_SHOWN_KEYS = 4;

/** A list of values per key. Keys with several values come first. */
function TagDistribution({ tags }: { tags: Issue["tags"] }) {
  const all = Object.entries(tags ?? {});
  if (all.length === 0) return null;
  const sorted = [
    ...all.filter(([, topValues]) => hasSeveralValues(topValues)),
    ...all.filter(([, topValues]) => !hasSeveralValues(topValues)),
  ];
  const hiddenKeys = sorted.slice(MAX_SHOWN_KEYS);
  return (
    <section className="tag-distribution">
      <h2>Tags</h2>
      <TagKeys tags={sorted.slice(0, MAX_SHOWN_KEYS)} />
      {hiddenKeys.length > 0 && (
        <details>
          <summary>{hiddenKeys.length} more</summary>
          <TagKeys tags={hiddenKeys} />
        </details>
      )}
    </section>
  );
}

function TagKeys({ tags }: { tags: readonly (readonly [key: string, topValues: TopValues])[] }) {
  return tags.map(([key, topValues]) => {
    const filter = `tag.${key}` as const;
    return (
      <div key={key} className="tag-values">
        <h3>
          <bdi>{abbreviate(key, KEY_CHARS)}</bdi>
        </h3>
        <TopValueList
          topValues={topValues}
          filter={isExpressible(filter) ? filter : undefined}
          limit={MAX_SHOWN_VALUES}
        />
      </div>
    );
  });
}

// Links to an issue's newest reports: time, browser or release, and location.

/** The data of the list. `currentId` is the selected report. */
interface ReportListProps {
  readonly summaries: readonly ReportSummary[];
  readonly currentId?: string | undefined;
  readonly nowMs: number;
  /** The text of a line after the time; origin and location by default. */
  readonly renderSummary?: (props: SummaryProps) => ReactNode;
}

interface SummaryProps {
  readonly summary: ReportSummary;
}

/** The others are collapsed, unless the selected report is among them. */
const MAX_SHOWN_REPORTS = 8;

/** The links, newest first. */
function ReportList(props: ReportListProps) {
  const { summaries, currentId } = props;
  const hidden = summaries.slice(MAX_SHOWN_REPORTS);
  return (
    <>
      <ReportItems {...props} summaries={summaries.slice(0, MAX_SHOWN_REPORTS)} />
      {hidden.length > 0 && (
        <details open={hidden.some(({ id }) => id === currentId)}>
          <summary>{hidden.length} more</summary>
          <ReportItems {...props} summaries={hidden} />
        </details>
      )}
    </>
  );
}

function ReportItems({
  summaries,
  currentId,
  nowMs,
  renderSummary = ReportOrigin,
}: ReportListProps) {
  const Summary = renderSummary;
  return (
    <ol className="reports">
      {summaries.map((reportSummary) => (
        <li key={reportSummary.id}>
          <DeskLink
            href={toReportHref(reportSummary.id)}
            aria-current={reportSummary.id === currentId ? "true" : undefined}
          >
            <RelativeTime atMs={reportSummary.atMs} nowMs={nowMs} />{" "}
            <Summary summary={reportSummary} />
          </DeskLink>
        </li>
      ))}
    </ol>
  );
}

function ReportOrigin({ summary: reportSummary }: SummaryProps) {
  return (
    <>
      <span className="report-origin">
        <bdi>{reportSummary.browser ?? reportSummary.release ?? reportSummary.side}</bdi>
      </span>{" "}
      <span className="report-location">
        <bdi>{formatLocation(reportSummary)}</bdi> <PublicMark trust={reportSummary.trust} />
      </span>
    </>
  );
}

/** The path of the URL, else the route, because reports of one issue mostly differ in it. */
function formatLocation(reportSummary: ReportSummary): string {
  if (reportSummary.url === undefined) return reportSummary.route ?? "";
  return URL.canParse(reportSummary.url) ? new URL(reportSummary.url).pathname : reportSummary.url;
}

// The most frequent values among an issue's occurrences, each with a bar for its share.

const MAX_LISTED_VALUES = 5;
const NAME_CHARS = 60;

/** The data of the list. `filter` is the query key of the values; without it they are not links. */
interface TopValueListProps {
  readonly topValues: TopValues;
  readonly filter?: FilterKey | undefined;
  /** Values shown, 5 by default. */
  readonly limit?: number;
}

/** The values, most frequent first, and the count of all others. */
export function TopValueList({ topValues, filter, limit = MAX_LISTED_VALUES }: TopValueListProps) {
  const total = topValues.values.reduce((sum, [, count]) => sum + count, topValues.otherCount);
  const values = topValues.values.slice(0, limit);
  const others = total - values.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <ol className="top-values">
        {values.map(([name, count]) => (
          <li key={name}>
            <ShareBar share={count / total} />
            <ValueLink name={name} filter={filter} />{" "}
            <span className="number">{formatNumber(count)}</span>
          </li>
        ))}
      </ol>
      {others > 0 && <p className="muted">{pluralize(others, "time")} with other values</p>}
    </>
  );
}

/** True if there is more than one value, so that a list adds to the stats. */
function hasSeveralValues(topValues: TopValues | undefined): topValues is TopValues {
  return topValues !== undefined && (topValues.values.length > 1 || topValues.otherCount > 0);
}

/** Hidden from screen readers: the number next to it has the same information. */
export function ShareBar({ share }: { share: number }) {
  return (
    <svg className="share" width="48" height="6" aria-hidden="true">
      <rect className="track" width="48" height="6" />
      <rect width={Math.max(1, Math.round(48 * share))} height="6" />
    </svg>
  );
}

function ValueLink({ name, filter }: { name: string; filter: FilterKey | undefined }) {
  const text = <bdi>{abbreviate(name, NAME_CHARS) || "(empty)"}</bdi>;
  if (filter === undefined) return text;
  const url = toSearchUrl(
    formatFilter({ key: filter, value: name, isExact: true, isNegated: false }),
  );
  return (
    <DeskLink href={url} title="Find issues with this value">
      {text}
    </DeskLink>
  );
}
