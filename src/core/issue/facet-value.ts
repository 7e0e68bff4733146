/** The values of one key, for completion and for the list of environments. */
import type { FilterKey, IssueQuery } from "./issue-query.ts";

/** Values to find. */
export interface AskedValues {
  /** The issues to count; all issues by default. */
  readonly query?: IssueQuery | undefined;
  readonly key: FilterKey;
  /** What the values contain, case-insensitive; empty for all. */
  readonly text: string;
}

/** At most `limits.suggestedValues` values. */
export interface FoundValues {
  /** Those of most issues first; without a count if only the newest issues were counted. */
  readonly values: readonly (readonly [value: string, issues?: number])[];
  /** True if there may be more values. */
  readonly isCut?: true;
  /** The number of newest issues that were counted, if there are too many to count all. */
  readonly sampleSize?: number;
}
