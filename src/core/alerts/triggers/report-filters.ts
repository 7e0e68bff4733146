/**
 * Filters of a rule that test single reports: environment, release, page, browser, level and tags.
 * A rule judges the reports that triggered it, because an issue has the values of all its reports.
 * Pure.
 */

import { countLevels } from "../../issue/describe-issue.ts";
import type { Issue } from "../../issue/issue.ts";
import type { FilterKey, IssueFilter, IssueQuery } from "../../issue/issue-query.ts";
import { createValueTest } from "../../issue/query-values.ts";
import type { TopValues } from "../../issue/top-values.ts";
import { DEFAULT_LEVEL } from "../../report/level.ts";
import type { ReportSummary } from "../../report/report-summary.ts";
import { countOwnLevel } from "../../stats/trust-counts.ts";

/** A query of a rule: what the issue must meet, and what a report must meet. */
export interface SplitQuery {
  readonly query: IssueQuery;
  readonly reportFilters: readonly IssueFilter[];
}

/** Separates the filters that test reports from the conditions on the issue. */
export function splitQuery(query: IssueQuery): SplitQuery {
  return {
    query: { ...query, filters: query.filters.filter(({ key }) => !isReportKey(key)) },
    reportFilters: query.filters.filter(({ key }) => isReportKey(key)),
  };
}

/** True if single reports have a value of this key. */
export function isReportKey(key: FilterKey): boolean {
  return KEYS[key] !== undefined || toTagName(key) !== undefined;
}

/** True if a report meets all filters. */
export function matchesReport(filters: readonly IssueFilter[], report: ReportSummary): boolean {
  return filters.every((filter) => {
    const value = getReportValue(report, filter.key);
    return (value !== undefined && hasValue(filter, value)) !== filter.isNegated;
  });
}

/** True if the issue had reports that meet each filter; not necessarily one that meets all. */
export function hadMatchingValues(filters: readonly IssueFilter[], issue: Issue): boolean {
  return filters.every((filter) => {
    const values = getTopValues(issue, filter.key)?.values ?? [];
    const matching = values.filter(([name]) => hasValue(filter, name));
    if (!filter.isNegated) return matching.length > 0;
    return countOwnLevel(issue) > matching.reduce((sum, [, count]) => sum + count, 0);
  });
}

/** True if a value meets a filter, before negation. */
export function hasValue(filter: IssueFilter, actual: string): boolean {
  return createValueTest(filter)(actual);
}

/** The values of a report and of an issue by key. Tags have further keys. */
const KEYS: Partial<
  Record<
    FilterKey,
    {
      readonly ofReport: (report: ReportSummary) => string | undefined;
      readonly ofIssue: (issue: Issue) => TopValues | undefined;
    }
  >
> = {
  env: { ofReport: (report) => report.environment, ofIssue: (issue) => issue.environments },
  release: { ofReport: (report) => report.release, ofIssue: (issue) => issue.releases },
  url: { ofReport: (report) => report.route, ofIssue: (issue) => issue.pages },
  browser: { ofReport: (report) => report.browser, ofIssue: (issue) => issue.browsers },
  level: { ofReport: (report) => report.level ?? DEFAULT_LEVEL, ofIssue: countLevels },
};

function toTagName(key: FilterKey): string | undefined {
  return key.startsWith("tag.") ? key.slice("tag.".length) : undefined;
}

function getReportValue(report: ReportSummary, key: FilterKey): string | undefined {
  const tag = toTagName(key);
  return tag === undefined
    ? KEYS[key]?.ofReport(report)
    : report.tags?.find(([name]) => name === tag)?.[1];
}

function getTopValues(issue: Issue, key: FilterKey): TopValues | undefined {
  const { tags = {} } = issue;
  const tag = toTagName(key);
  if (tag === undefined) return KEYS[key]?.ofIssue(issue);
  return Object.hasOwn(tags, tag) ? tags[tag] : undefined;
}
