/** The addresses of an issue, relative to the desk's own host. */
import type { Digest, ReportId } from "../../core/report.ts";

/** Its page; `.json` and `.md` behind it say the same in other forms. */
export function issueUrl(digest: Digest): string {
  return `/d/${digest}`;
}

/** Its page with one of its reports. */
export function reportUrl(digest: Digest, id: ReportId): string {
  return `/d/${digest}${reportSearch(id)}`;
}

/** One of its reports as JSON. */
export function reportJsonUrl(digest: Digest, id: ReportId): string {
  return `${issueUrl(digest)}.json${reportSearch(id)}`;
}

/** The file that came `nth` (from 0) with one of its reports. */
export function attachmentUrl(digest: Digest, id: ReportId, nth: number): string {
  return `${issueUrl(digest)}/files/${nth}${reportSearch(id)}`;
}

/** What takes a decision about it, what people add to it, or that it is to be erased. */
export function issueAction(digest: Digest, action: "state" | "notes" | "erase"): string {
  return `${issueUrl(digest)}/${action}`;
}

/** Says at any address of an issue which of its reports is meant. */
export function reportSearch(id: ReportId): string {
  return `?report=${encodeURIComponent(id)}`;
}
