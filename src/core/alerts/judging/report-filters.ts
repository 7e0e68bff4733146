/**
 * Filters of a rule that test single reports: environment, release, page, browser and tags. A rule
 * judges the reports that triggered it, because an issue has the values of all its reports. Pure.
 */
import type { Issue } from "../../issue/issue.ts";
import type { FilterKey, IssueFilter, IssueQuery } from "../../issue/issue-query.ts";
import type { TopValues } from "../../issue/top-values.ts";
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
  return key === "env" || key === "release" || key === "url" || key === "browser" || isTagKey(key);
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
export function hasValue({ value, isExact }: IssueFilter, actual: string): boolean {
  return isExact ? actual === value : actual.toLowerCase().includes(value.toLowerCase());
}

function isTagKey(key: FilterKey): boolean {
  return key.startsWith("tag.");
}

function getReportValue(report: ReportSummary, key: FilterKey): string | undefined {
  switch (key) {
    case "env":
      return report.environment;
    case "release":
      return report.release;
    case "url":
      return report.route;
    case "browser":
      return report.browser;
    default:
      return report.tags?.find(([name]) => `tag.${name}` === key)?.[1];
  }
}

function getTopValues(issue: Issue, key: FilterKey): TopValues | undefined {
  switch (key) {
    case "env":
      return issue.environments;
    case "release":
      return issue.releases;
    case "url":
      return issue.pages;
    case "browser":
      return issue.browsers;
    default: {
      const name = key.slice("tag.".length);
      return issue.tags !== undefined && Object.hasOwn(issue.tags, name)
        ? issue.tags[name]
        : undefined;
    }
  }
}
