/**
 * The report of the same error from the other side: the browser's next to a server report, and vice
 * versa. Shows enough for a comparison, and links to the full report.
 */
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Frame, Report } from "../../core/report.ts";
import { OtherErrors } from "../issues/other-errors.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReportHref } from "./report/pagination.tsx";

const MESSAGE_CHARS = 240;
const LOCATION_CHARS = 80;
const MAX_SHOWN_FRAMES = 3;

/** The other report's summary, and its top frames once `report` has loaded. */
export function Counterpart({
  summary,
  report,
  nowMs,
}: {
  summary: ReportSummary | undefined;
  report?: Report | null;
  nowMs: number;
}) {
  if (summary === undefined) return null;
  const details = [summary.browser, summary.release, summary.url ?? summary.route];
  return (
    <section className="counterpart" aria-labelledby="counterpart-heading">
      <h2 id="counterpart-heading">
        {summary.side === "browser" ? "In the browser" : "On the server"}
      </h2>
      <p className="counterpart-message">
        <bdi className="type">{abbreviate(summary.type, LOCATION_CHARS)}</bdi>{" "}
        <span dir="auto">{abbreviate(summary.message, MESSAGE_CHARS)}</span>
        <OtherErrors issue={summary} />
      </p>
      <p className="counterpart-details">
        <RelativeTime atMs={summary.atMs} nowMs={nowMs} />
        {details.map(
          (fact, n) =>
            fact !== undefined && (
              // The details have no ids, and their order never changes.
              <span key={n}>
                {" "}
                <bdi>{abbreviate(fact, LOCATION_CHARS)}</bdi>
              </span>
            ),
        )}
      </p>
      <p>
        <DeskLink href={toReportHref(summary.id)}>Full report</DeskLink>
      </p>
      {/* At the end, where the reserved space of frames leaves no gap. */}
      {summary.kind === "error" && <TopFrames report={report} />}
    </section>
  );
}

/** The top frames. Reserves their space while the report is loading (undefined). */
function TopFrames({ report }: { report: Report | null | undefined }) {
  if (report === undefined) return <div className="top-frames" />;
  const frames = report?.frames ?? [];
  if (frames.length === 0) return <p className="top-frames">No stack trace.</p>;
  return (
    <ol className="top-frames">
      {frames.slice(0, MAX_SHOWN_FRAMES).map((frame, n) => (
        <li key={n} data-in-app={frame.inApp ? "" : undefined}>
          <bdi>{abbreviate(frame.function ?? "(anonymous)", LOCATION_CHARS)}</bdi>{" "}
          <bdi className="location">{formatLocation(frame)}</bdi>
        </li>
      ))}
    </ol>
  );
}

/** `cart.tsx:12` */
function formatLocation({ file = "", line }: Frame): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return abbreviate(line === undefined ? name : `${name}:${line}`, LOCATION_CHARS);
}
