/** Links to an issue's newest reports: time, browser or release, and location. */
import type { ReactNode } from "react";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { PublicMark } from "../../issues/trust-text.tsx";
import { DeskLink } from "../../parts/desk-context.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toReportHref } from "../report/pagination.tsx";

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
const MAX_SHOWN = 8;

/** The links, newest first. */
export function ReportList(props: ReportListProps) {
  const { summaries, currentId } = props;
  const hidden = summaries.slice(MAX_SHOWN);
  return (
    <>
      <ReportItems {...props} summaries={summaries.slice(0, MAX_SHOWN)} />
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
