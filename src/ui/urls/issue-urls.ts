/** The addresses of an issue, relative to the desk's own host. */
import type { Digest, ReportId } from "../../core/report.ts";

/** Its page; `.json` and `.md` behind it say the same in other forms. */
export function toIssueUrl(digest: Digest): string {
  return `/d/${digest}`;
}

/** Its page with one of its reports. */
export function toReportUrl(digest: Digest, id: ReportId): string {
  return `/d/${digest}${toReportSearch(id)}`;
}

/** One of its reports as JSON. */
export function toReportJsonUrl(digest: Digest, id: ReportId): string {
  return `${toIssueUrl(digest)}.json${toReportSearch(id)}`;
}

/** The file that came `nth` (from 0) with one of its reports. */
export function toAttachmentUrl(digest: Digest, id: ReportId, nth: number): string {
  return `${toIssueUrl(digest)}/files/${nth}${toReportSearch(id)}`;
}

/** What takes a decision about it, what people add to it, or that it is to be erased. */
export function toIssueActionUrl(
  digest: Digest,
  action: "state" | "annotations" | "erase",
): string {
  return `${toIssueUrl(digest)}/${action}`;
}

/** Says at any address of an issue which of its reports is meant. */
export function toReportSearch(id: ReportId): string {
  return `?report=${encodeURIComponent(id)}`;
}
