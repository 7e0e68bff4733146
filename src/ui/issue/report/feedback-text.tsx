/** User feedback on an issue, and its author if given. */
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Json, Report } from "../../../core/report.ts";
import { abbreviate } from "../../parts/long-text.tsx";

const MESSAGE_CHARS = 200;
const AUTHOR_CHARS = 120;

/** The author of a feedback report; nothing for other reports or if not given. */
export function FeedbackAuthor({ report }: { report: Report }) {
  if (report.kind !== "feedback") return null;
  const authorParts = [getString(report.detail, "name"), getString(report.detail, "contact_email")]
    .filter((part) => part !== undefined)
    .map((part) => abbreviate(part, AUTHOR_CHARS));
  if (authorParts.length === 0) return null;
  return (
    <p className="feedback-author">
      Written by <bdi>{authorParts.join(", ")}</bdi>
    </p>
  );
}

/** A feedback message with its author, as a line in a list of reports. */
export function FeedbackLine({ summary }: { summary: ReportSummary }) {
  return (
    <>
      {summary.author !== undefined && (
        <>
          <bdi className="feedback-name">{summary.author}</bdi>{" "}
        </>
      )}
      <bdi className="feedback-text">{abbreviate(summary.message, MESSAGE_CHARS)}</bdi>
    </>
  );
}

function getString(detail: Json | undefined, name: string): string | undefined {
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return undefined;
  const value = (detail as Readonly<Record<string, Json>>)[name];
  return typeof value === "string" ? value : undefined;
}
