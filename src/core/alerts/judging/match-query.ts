/**
 * Tests whether one issue matches a query of the list. The list searches the tables of the index
 * instead. Here, texts match if they occur in the title, the culprit or the route. Pure.
 */
import { getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
import {
  type IssueFilter,
  type IssueQuery,
  listDigests,
  NEW_ISSUE_AGE_MS,
} from "../../issue/issue-query.ts";
import { hasValue } from "../triggers/report-filters.ts";

/** The values of the issue by filter key, as filters find them. */
type IssueValues = Readonly<Record<string, readonly string[]>>;

/** True if the issue matches at `nowMs`. Noise matches only a query with `is:noise`. */
export function matchesQuery(
  query: IssueQuery,
  issue: Issue,
  values: IssueValues,
  nowMs: number,
): boolean {
  const { states, isRegressed, isNew, isUnassigned, isNoise, filters, text } = query;
  return (
    isNoise === (issue.noise !== undefined) &&
    (states.length === 0 || states.includes(getCurrentState(issue, nowMs))) &&
    (!isRegressed || issue.decision?.regressedAtMs !== undefined) &&
    (!isNew || issue.firstSeenMs > nowMs - NEW_ISSUE_AGE_MS) &&
    (!isUnassigned || issue.assignee === undefined) &&
    filters.every((filter) => matchesFilter(filter, issue, values)) &&
    (text === "" || matchesText(text, issue))
  );
}

function matchesFilter(filter: IssueFilter, { digest }: Issue, values: IssueValues): boolean {
  if (filter.key === "digest")
    return listDigests(filter.value).includes(digest) !== filter.isNegated;
  const all = (Object.hasOwn(values, filter.key) ? values[filter.key] : undefined) ?? [];
  return all.some((one) => hasValue(filter, one)) !== filter.isNegated;
}

function matchesText(text: string, { type, message, culprit = "", route = "" }: Issue): boolean {
  const title = `${type} ${message} ${culprit} ${route}`.toLowerCase();
  return text
    .toLowerCase()
    .split(" ")
    .every((word) => title.includes(word));
}
