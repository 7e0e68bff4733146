/** A search for issues of a list, and its result. */
import type { IssueCursor } from "../../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import type { QueryConditions, SqlCondition } from "./issue-conditions.ts";

/** A position in the order of a list. */
export type SortPosition = Omit<IssueCursor, "isBackward">;

export interface FoundIssue extends SortPosition {
  readonly id: number;
  /** The JSON of `FacetValues`, if they were asked for. */
  readonly valuesJson: string;
}

/** Issues of a query after (or before) a cursor. */
export interface FoundIssues {
  /** The issues in the order of the list, starting at the cursor. */
  readonly issues: readonly FoundIssue[];
  /** True if more follow after the last of `issues`, or after this position. */
  readonly hasMore: boolean;
  readonly examinedUntil?: SortPosition;
  /** The issues of the whole query, counted up to a limit. */
  readonly total: number;
  readonly isTotalCapped: boolean;
}

/** The limits of `core/limits.ts` that bound the work of a list. */
export type ListBounds = Readonly<
  Record<
    | ("listedIssues" | "facetedIssues")
    | ("maxCountedIssues" | "maxSortedIssues" | "maxIssuesInSet" | "maxJoinedIssues")
    | ("maxScannedIssues" | "maxTestedIssues" | "maxReadFacetValues" | "maxValuesPerFilter"),
    number
  >
>;

export interface ListSearch {
  readonly query: IssueQuery;
  readonly conditions: QueryConditions;
  readonly from: IssueCursor | undefined;
  /** Issues to return. */
  readonly count: number;
  /** Adds the values of each issue, for facets. */
  readonly withValues?: boolean;
  /** Adds the total of the query. */
  readonly withTotal?: boolean;
  readonly bounds: ListBounds;
  /** False until a migration has filled the tops of the lists (`issue-columns.ts`). */
  readonly hasTops: boolean;
  /** The condition about issues of floods (`issue-lists.ts`). */
  readonly folded?: SqlCondition | undefined;
}
