/** Links to the newest reports of an issue: time, browser or release, and location. */
import type { ReactNode } from "react";
import type { Issue } from "../../../core/issue/issue.ts";
import { findLatestReport, sortByTrust } from "../../../core/issue/related-reports.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { PublicMark } from "../../issues/trust-text.tsx";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber, pluralize } from "../../parts/number.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { FeedbackLine } from "./feedback-text.tsx";
import { toReportHref } from "./pagination.tsx";

/** The others are collapsed, unless the selected report is among them. */
const MAX_SHOWN_REPORTS = 5;
const NAME_CHARS = 48;

/** The stored occurrences, what browsers and traces added, and feedback; each if there is any. */
export function AllReports({
  issue,
  currentId: requestedId,
  nowMs,
}: {
  readonly issue: Issue;
  /** The report from `?report=`. */
  readonly currentId: string | undefined;
  readonly nowMs: number;
}) {
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
        <ReportSection id="feedback" heading="User feedback">
          <ReportList
            summaries={feedback}
            currentId={currentId}
            nowMs={nowMs}
            renderSummary={FeedbackLine}
          />
        </ReportSection>
      )}
      {occurrences.length > 0 && (
        <ReportSection
          id="reports"
          heading="All reports"
          note={
            isSampled(issue, occurrences)
              ? `${formatNumber(issue.count)} in total. At high rates, only a sample is stored.`
              : formatNumber(issue.count)
          }
        >
          <ReportList summaries={occurrences} currentId={currentId} nowMs={nowMs} />
        </ReportSection>
      )}
      {linked.length > 0 && (
        <ReportSection
          id="linked"
          heading="From the browser"
          note={`${pluralize(issue.linkedCount, "report")} that belong to this error`}
        >
          <ReportList summaries={linked} currentId={currentId} nowMs={nowMs} />
        </ReportSection>
      )}
    </>
  );
}

/** True if the newest occurrences were counted but not stored. */
function isSampled({ count, lastSeenMs }: Issue, storedReports: Issue["latestReports"]): boolean {
  return count > storedReports.length && (storedReports[0]?.atMs ?? 0) < lastSeenMs;
}

function ReportSection({
  id,
  heading,
  note,
  children,
}: {
  id: string;
  heading: string;
  note?: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={`${id}-heading`}>
      <div className="section-head">
        <h2 id={`${id}-heading`}>{heading}</h2>
        {note !== undefined && <span className="section-note">{note}</span>}
      </div>
      {children}
    </section>
  );
}

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

function ReportOrigin({ summary }: SummaryProps) {
  return (
    <>
      <span className="report-origin">
        <bdi>{summary.browser ?? summary.release ?? summary.side}</bdi>
      </span>{" "}
      <span className="report-location">
        <bdi>{formatLocation(summary)}</bdi> <PublicMark trust={summary.trust} />
      </span>{" "}
      <span className="report-release">
        <bdi>{summary.browser !== undefined && abbreviate(summary.release ?? "", NAME_CHARS)}</bdi>
      </span>
    </>
  );
}

/** The path of the URL, else the route, because reports of one issue mostly differ in it. */
function formatLocation(summary: ReportSummary): string {
  if (summary.url === undefined) return summary.route ?? "";
  return URL.canParse(summary.url) ? new URL(summary.url).pathname : summary.url;
}
