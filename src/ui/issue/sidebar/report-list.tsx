/** The newest reports of an issue as lines to choose from: when, in which browser or release, where. */
import type { ReactNode } from "react";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { RelativeTime } from "../../parts/time.tsx";
import { toReportHref } from "../report/pagination.tsx";

/** What the list is made of. `current` is the id of the report that is open. */
export interface ReportListProps {
  readonly summaries: readonly ReportSummary[];
  readonly currentId?: string | undefined;
  readonly nowMs: number;
  /** What a line says behind its moment; who and where if nothing else. */
  readonly renderSummary?: (props: { readonly summary: ReportSummary }) => ReactNode;
}

/** So many stand open; the others wait behind a summary, unless the open report is among them. */
const MAX_SHOWN = 8;

/** The lines, newest first. */
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

function ReportOrigin({ summary: reportSummary }: { readonly summary: ReportSummary }) {
  return (
    <>
      <span className="report-who">
        <bdi>{reportSummary.browser ?? reportSummary.release ?? reportSummary.side}</bdi>
      </span>{" "}
      <span className="report-where">
        <bdi>{formatLocation(reportSummary)}</bdi>
      </span>
    </>
  );
}

/** The path of the address, else the route, else nothing: of one issue's reports it is what differs. */
function formatLocation(reportSummary: ReportSummary): string {
  if (reportSummary.url === undefined) return reportSummary.route ?? "";
  return URL.canParse(reportSummary.url) ? new URL(reportSummary.url).pathname : reportSummary.url;
}
