/** URLs of an issue, relative to the origin. */
import type { Digest, ReportId } from "../../core/report.ts";

/** The page of an issue. Append `.json` or `.md` for other formats. */
export function toIssueUrl(digest: Digest): string {
  return `/d/${digest}`;
}

/** The page with one of its reports selected. */
export function toReportUrl(digest: Digest, id: ReportId): string {
  return `/d/${digest}${toReportSearch(id)}`;
}

/** The page with the reports that fail at one place. `key` is from `toPlaceKey`. */
export function toPlaceUrl(digest: Digest, key: string, id?: ReportId): string {
  const report = id === undefined ? "" : `&report=${encodeURIComponent(id)}`;
  return `/d/${digest}?place=${encodeURIComponent(key)}${report}#place`;
}

export function toReportJsonUrl(digest: Digest, id: ReportId): string {
  return `${toIssueUrl(digest)}.json${toReportSearch(id)}`;
}

/**
 * An issue as Markdown, with one report or the newest. `isRaw` leaves its stacks as they were sent.
 */
export function toMarkdownUrl(digest: Digest, id?: ReportId, isRaw = false): string {
  const search = id === undefined ? "" : `${toReportSearch(id)}${isRaw ? "&raw=1" : ""}`;
  return `${toIssueUrl(digest)}.md${search}`;
}

/** A report's attachment by index. */
export function toAttachmentUrl(digest: Digest, id: ReportId, index: number): string {
  return `${toIssueUrl(digest)}/files/${index}${toReportSearch(id)}`;
}

/** The route that changes its state, changes its annotations, or erases it. */
export function toIssueActionUrl(
  digest: Digest,
  action: "state" | "annotations" | "erase",
): string {
  return `${toIssueUrl(digest)}/${action}`;
}

/** The query string that selects a report at any of the issue's URLs. */
export function toReportSearch(id: ReportId): string {
  return `?report=${encodeURIComponent(id)}`;
}
