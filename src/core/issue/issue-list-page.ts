/** A page of the issue list, and where an issue is in the list. */
import type { Digest } from "../report.ts";
import type { IssueSummary } from "./issue.ts";
import type { FilterKey } from "./issue-query.ts";

/**
 * A count as lists sort by it: rounded down to two digits. The rank of an issue then seldom
 * changes, which saves rows.
 */
export function roundCount(count: number): number {
  const step = 10 ** Math.max(0, String(count).length - 2);
  return Math.floor(count / step) * step;
}

/**
 * The position after the last issue of a page, or (`isBackward`) before its first. New issues do
 * not shift pages.
 */
export interface IssueCursor {
  /** The value of the sort column. */
  readonly sortValue: number;
  readonly digest: string;
  readonly isBackward: boolean;
}

export interface IssueListPage {
  readonly v: 1;
  readonly issues: readonly IssueSummary[];
  /** The number of matching issues, counted up to `limits.maxCountedIssues`. */
  readonly total: number;
  /** True if more issues may match than `total`. */
  readonly isTotalCapped?: true;
  readonly next?: IssueCursor;
  readonly previous?: IssueCursor;
  /** The floods whose issues the list hides; absent if there are none. */
  readonly floods?: readonly FloodSummary[];
  /** Tags of the query that no issue has (`query-problems.ts`); absent if there are none. */
  readonly unknownTags?: readonly FilterKey[];
  readonly asOfMs: number;
}

/** A flood (`core/flood/flood.ts`) as lists show it. */
export interface FloodSummary {
  /** The id of its key. */
  readonly key: string;
  readonly sinceMs: number;
  readonly lastMs: number;
  readonly reports: number;
  readonly issues: number;
  /** At most `MAX_NETWORKS`. */
  readonly networks: number;
}

/** An issue in the list of a query. Its position is known up to `limits.maxCountedIssues`. */
export interface IssueNeighbors {
  readonly previous?: Digest;
  readonly next?: Digest;
  /** From 1; absent if the issue does not match the query, or is too far down. */
  readonly position?: number;
  readonly total: number;
  readonly isTotalCapped?: true;
  /** The page of the list that has the issue, or would have it; absent for the first page. */
  readonly page?: IssueCursor;
}

/** The most frequent values of one key among the matching issues, with the number of issues. */
export interface IssueFacet {
  readonly key: FilterKey;
  readonly values: readonly (readonly [value: string, issues: number])[];
  /** The number of newest issues that were examined, if there are too many to examine all. */
  readonly sampleSize?: number;
}

/**
 * A cursor as a URL parameter: `1763740000000.7F3K-Q2M9`, with a leading `-` for the previous
 * page.
 */
export function formatCursor({ sortValue, digest, isBackward }: IssueCursor): string {
  return `${isBackward ? "-" : ""}${sortValue}.${digest}`;
}

/** Parses a cursor; undefined if absent or invalid. */
export function parseCursor(text: string | undefined): IssueCursor | undefined {
  const match = /^(-?)(\d{1,16})\.([0-9A-Z-]{9})$/.exec(text ?? "");
  if (match === null) return undefined;
  const [, minus, at, digest = ""] = match;
  return { sortValue: Number(at), digest, isBackward: minus === "-" };
}
