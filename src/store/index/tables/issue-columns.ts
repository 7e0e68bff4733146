/**
 * What lists of issues are ordered and filtered by, beside the JSON of each: columns of the table `issue`, all of them in one index,
 * so that no list reads the JSON of an issue that it does not show.
 *
 *     state     as it stood when the issue changed last; an ignored one is open again at `until_ms`
 *     n         occurrences
 *     people    about how many it has met
 */

import { estimateUserCount } from "../../../core/hyperloglog.ts";
import { isRegressed } from "../../../core/issue/decision.ts";
import type { Issue } from "../../../core/issue/issue.ts";

const COLUMNS = {
  noise: "INTEGER",
  last_ms: "INTEGER",
  state: "TEXT",
  until_ms: "INTEGER",
  regressed: "INTEGER",
  first_ms: "INTEGER",
  n: "INTEGER",
  people: "INTEGER",
  kind: "TEXT",
  type: "TEXT",
} as const;

/** The columns, in the order of `listColumnsOf`. */
export const ISSUE_COLUMNS = Object.keys(COLUMNS);

/** The columns as `CREATE TABLE` has them; only `until_ms` may be null. */
export const LIST_COLUMN_DEFINITIONS = Object.entries(COLUMNS)
  .map(([name, type]) => `${name} ${type}${name === "until_ms" ? "" : " NOT NULL"}`)
  .join(", ");

/** The values of the columns. */
export function toIssueColumns(issue: Issue): readonly (string | number | null)[] {
  const { state, decision, firstSeenMs, lastSeenMs, count, userSketch: users, kind, type } = issue;
  return [
    issue.noise === undefined ? 0 : 1,
    lastSeenMs,
    state,
    decision?.state === "ignored" ? (decision.untilMs ?? null) : null,
    isRegressed(issue) ? 1 : 0,
    firstSeenMs,
    count,
    estimateUserCount(users),
    kind,
    type,
  ];
}
