/**
 * Tests whether one issue matches a query of the list. The list searches the tables of the index
 * instead. Here, texts match if they occur in the title, the culprit or the route. Pure.
 */
import { getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
import {
  type IssueFilter,
  type IssueQuery,
  isMe,
  listDigests,
  listTextParts,
  NEW_ISSUE_AGE_MS,
  SORT_NUMBERS,
} from "../../issue/issue-query.ts";
import { createValueTest, isComparedKey, isInRange, parseRange } from "../../issue/query-values.ts";
import { countUsers } from "../../stats/trust-counts.ts";

/** The values of the issue by filter key, as filters find them. */
type IssueValues = Readonly<Record<string, readonly string[]>>;

/** True if the issue matches at `nowMs`. Noise matches only a query with `is:noise`. */
export function matchesQuery(
  query: IssueQuery,
  issue: Issue,
  values: IssueValues,
  nowMs: number,
): boolean {
  const { states, isRegressed, isNew, isAssigned, isUnassigned, isNoise, filters } = query;
  return (
    isNoise === (issue.noise !== undefined) &&
    (states.length === 0 || states.includes(getCurrentState(issue, nowMs))) &&
    (!isRegressed || issue.decision?.regressedAtMs !== undefined) &&
    (!isNew || issue.firstSeenMs > nowMs - NEW_ISSUE_AGE_MS) &&
    (!isUnassigned || issue.assignee === undefined) &&
    (!isAssigned || issue.assignee !== undefined) &&
    filters.every((filter) => matchesFilter(filter, issue, values, nowMs)) &&
    listTextParts(query.text).every(({ text }) => hasText(issue, text)) &&
    !query.excluded.some((text) => hasText(issue, text))
  );
}

function matchesFilter(
  filter: IssueFilter,
  issue: Issue,
  values: IssueValues,
  nowMs: number,
): boolean {
  const { key, value, isNegated } = filter;
  if (key === "digest") return listDigests(value).includes(issue.digest) !== isNegated;
  if (isMe(filter)) return isNegated;
  if (isComparedKey(key)) {
    const range = parseRange(key, value, nowMs);
    const number = key === "users" ? countUsers(issue) : SORT_NUMBERS[key](issue);
    return range === undefined || isInRange(range, number) !== isNegated;
  }
  const all = (Object.hasOwn(values, key) ? values[key] : undefined) ?? [];
  return all.some(createValueTest(filter)) !== isNegated;
}

function hasText({ type, message, culprit = "", route = "" }: Issue, text: string): boolean {
  return `${type} ${message} ${culprit} ${route}`.toLowerCase().includes(text.toLowerCase());
}
