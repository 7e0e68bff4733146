/**
 * What the other side reported of the same fault: beside the server's stack what the browser said, beside the browser's what the
 * server did. Enough to compare; the report itself is one link away.
 */
import type { ReportSummary } from "../../core/report/report-summary.ts";
import type { Frame, Report } from "../../core/report.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { abbreviate } from "../parts/long-text.tsx";
import { RelativeTime } from "../parts/time.tsx";
import { toReportHref } from "./report/pagination.tsx";

const MESSAGE_CHARS = 240;
const LOCATION_CHARS = 80;
const MAX_SHOWN_FRAMES = 3;

/** The other report by its mark, and its newest frames when `report` has come; nothing without a mark. */
export function Counterpart({
  summary,
  report,
  nowMs,
}: {
  readonly summary: ReportSummary | undefined;
  readonly report?: Report | null;
  readonly nowMs: number;
}) {
  if (summary === undefined) return null;
  const details = [summary.browser, summary.release, summary.url ?? summary.route];
  return (
    <section className="other-side" aria-labelledby="other-side-heading">
      <h2 id="other-side-heading">
        {summary.side === "browser" ? "In the browser" : "On the server"}
      </h2>
      <p className="other-words">
        <bdi className="type">{abbreviate(summary.type, LOCATION_CHARS)}</bdi>{" "}
        <span dir="auto">{abbreviate(summary.message, MESSAGE_CHARS)}</span>
      </p>
      {summary.kind === "error" && <TopFrames report={report} />}
      <p className="other-facts">
        <RelativeTime atMs={summary.atMs} nowMs={nowMs} />
        {details.map(
          (fact, n) =>
            fact !== undefined && (
              // The parts have no identity but their place, and never move.
              <span key={n}>
                {" "}
                <bdi>{abbreviate(fact, LOCATION_CHARS)}</bdi>
              </span>
            ),
        )}
      </p>
      <p>
        <DeskLink href={toReportHref(summary.id)}>The whole report</DeskLink>
      </p>
    </section>
  );
}

/** The newest frames; there is room for them while the report is awaited (undefined). */
function TopFrames({ report }: { report: Report | null | undefined }) {
  if (report === undefined) return <div className="brief-frames" />;
  const frames = report?.frames ?? [];
  if (frames.length === 0) return <p className="brief-frames">No stack is known.</p>;
  return (
    <ol className="brief-frames">
      {frames.slice(0, MAX_SHOWN_FRAMES).map((frame, n) => (
        <li key={n} data-app={frame.inApp ? "" : undefined}>
          <bdi>{abbreviate(frame.function ?? "(anonymous)", LOCATION_CHARS)}</bdi>{" "}
          <bdi className="at">{formatLocation(frame)}</bdi>
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
