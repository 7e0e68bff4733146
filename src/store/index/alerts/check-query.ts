/**
 * Tries the query of a rule on the newest issues, as judging would. The number of issues that it
 * reads is limited. Pure, apart from reading.
 */
import { matchesQuery } from "../../../core/alerts/judging/match-query.ts";
import { asksForQuiet, isQuietIssue } from "../../../core/alerts/judging/quiet-issues.ts";
import type { QueryCheck } from "../../../core/alerts/queries/check-rule-query.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { DAY_MS } from "../../../core/utc-time.ts";
import { toFacetValues } from "../tables/facet-values.ts";

const CHECKED_DAYS = 7;
const MAX_CHECKED_ISSUES = 300;

/** `listNewest` returns the newest issues without noise, last seen first. */
export function checkQuery(
  query: IssueQuery,
  listNewest: (count: number) => readonly Issue[],
  nowMs: number,
): QueryCheck {
  const newest = listNewest(MAX_CHECKED_ISSUES);
  const sinceMs = nowMs - CHECKED_DAYS * DAY_MS;
  const recent = newest.filter(({ lastSeenMs }) => lastSeenMs >= sinceMs);
  const values = new Map(newest.map((issue) => [issue, toFacetValues(issue)]));
  const isMatch = (issue: Issue) =>
    (asksForQuiet(query) || !isQuietIssue(issue)) &&
    matchesQuery(query, issue, values.get(issue) ?? {}, nowMs);
  const keys = new Set([...values.values()].flatMap((one) => Object.keys(one)));
  const tags = query.filters.flatMap(({ key }) => (key.startsWith("tag.") ? key : []));
  return {
    matched: recent.filter(isMatch).length,
    total: recent.length,
    days: CHECKED_DAYS,
    ...(recent.length >= MAX_CHECKED_ISSUES && { isCapped: true }),
    missing: newest.length === 0 ? [] : [...new Set(tags)].filter((key) => !keys.has(key)),
  };
}
