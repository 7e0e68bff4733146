/**
 * Columns of the table `issue` that lists sort and filter by, next to the JSON body. All of them
 * are in one SQL index, so that a list reads the body of no issue that it does not show.
 *
 *     state         as of the last change; an ignored issue is open again at `ignored_until_ms`
 *     report_count  occurrences
 *     user_count    an estimate
 */

import { countUsers } from "../../../core/issue/aggregate-report.ts";
import { isRegressed } from "../../../core/issue/decision.ts";
import type { Issue } from "../../../core/issue/issue.ts";

const COLUMNS = {
  noise: "INTEGER",
  last_seen_ms: "INTEGER",
  state: "TEXT",
  ignored_until_ms: "INTEGER",
  regressed: "INTEGER",
  first_seen_ms: "INTEGER",
  report_count: "INTEGER",
  user_count: "INTEGER",
  kind: "TEXT",
  type: "TEXT",
  trust: "TEXT",
} as const;

/** The column names, in the order of `toIssueColumns`. */
export const ISSUE_COLUMNS = Object.keys(COLUMNS);

/** The columns as SQL for `CREATE TABLE`. */
export const LIST_COLUMN_DEFINITIONS = Object.entries(COLUMNS)
  .map(([name, type]) => `${name} ${type}${name === "ignored_until_ms" ? "" : " NOT NULL"}`)
  .join(", ");

/** The values of `ISSUE_COLUMNS`. */
export function toIssueColumns(issue: Issue): readonly (string | number | null)[] {
  const { state, decision, firstSeenMs, lastSeenMs, count, kind, type, trust } = issue;
  return [
    issue.noise === undefined ? 0 : 1,
    lastSeenMs,
    state,
    decision?.state === "ignored" ? (decision.untilMs ?? null) : null,
    isRegressed(issue) ? 1 : 0,
    firstSeenMs,
    count,
    countUsers(issue),
    kind,
    type,
    trust,
  ];
}
