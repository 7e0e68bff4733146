/** The result of trying the query of a rule on the newest issues. */
import type { FilterKey } from "../../issue/issue-query.ts";

export interface QueryCheck {
  /** The issues of the last `days` days that match, and all of them; noise does not count. */
  readonly matched: number;
  readonly total: number;
  readonly days: number;
  /** Only the newest `total` issues were examined. */
  readonly isCapped?: true;
  /** Tags of the query that no examined issue has. */
  readonly missing: readonly FilterKey[];
}
