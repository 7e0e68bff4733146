/**
 * Finds the issue that counts a report, and the one that lists it among its newest reports, mostly
 * by its digest: a table of report ids would cost a row per report. Synchronous.
 */
import type { Issue } from "../../../core/issue/issue.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../../core/issue/other-anonymous-reports.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import { parsePosition } from "../../kv/keys.ts";
import type { IndexTables } from "./index-tables.ts";
import { resolveLink } from "./report-links.ts";

/** The issue that counts a report. */
export function resolveIssue(tables: IndexTables, summary: ReportSummary): Digest {
  const position = parsePosition(summary.position);
  const digest = tables.merges.resolve(resolveLink(tables, summary), position);
  const isKnown = summary.trust !== "public" || tables.issues.get(digest) !== undefined;
  const others = tables.merges.resolve(OTHER_ANONYMOUS_DIGEST);
  return isKnown || tables.issues.get(others) === undefined ? digest : others;
}

/** The issue that lists a report with this digest; undefined if no candidate does. */
export function findIssueOfReport(
  tables: IndexTables,
  digest: Digest,
  id: ReportId,
): Issue | undefined {
  const { aliases, merges } = tables;
  const others = [...merges.listSplitSources(digest), ...aliases.findDigests(digest)];
  return [digest, merges.resolve(digest), ...others, merges.resolve(OTHER_ANONYMOUS_DIGEST)]
    .map((one) => tables.issues.get(one))
    .find((issue) => issue !== undefined && listsReport(issue, id));
}

/** Where a search of all issues continues; `issue` is the result. */
interface SearchedPart {
  readonly issue?: Issue;
  readonly next?: number;
}

/**
 * Searches the next `limit` issues after a cursor, 0 at first, for the one that lists a report. For
 * reports whose alias or trace led to another issue than their digest.
 */
export function searchIssueOfReport(
  { issues }: IndexTables,
  id: ReportId,
  cursor: number,
  limit: number,
): SearchedPart {
  const { found, next } = issues.findContainingAfter(id, cursor, limit);
  const issue = found
    .map(({ digest }) => issues.get(digest))
    .find((one) => one !== undefined && listsReport(one, id));
  return issue === undefined ? { next } : { issue };
}

function listsReport({ latestReports }: Issue, id: ReportId): boolean {
  return latestReports.some((report) => report.id === id);
}
