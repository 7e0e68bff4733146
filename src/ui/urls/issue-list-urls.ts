/** Addresses of the list of issues, and the queries that are one step from a query. All are relative to the desk's own host. */
import {
  formatCursor,
  formatFilter,
  formatIssueQuery,
  type IssueCursor,
  type IssueFilter,
  type IssueQuery,
  parseIssueQuery,
} from "../../core/issue/issue-query.ts";

/** What the list is asked when its address does not say it. */
export const DEFAULT_QUERY = "is:open";

/** A list: what is looked for, in which order, and from where on. */
export interface IssueListLocation {
  readonly query: IssueQuery;
  readonly from?: IssueCursor | undefined;
}

/** `/issues?q=…`; what is the default stands in no address. `path` may be another that takes the same. */
export function toIssueListUrl({ query, from }: IssueListLocation, path = "/issues"): string {
  const queryText = formatIssueQuery(query);
  const params = new URLSearchParams();
  if (queryText !== DEFAULT_QUERY) params.set("q", queryText);
  if (query.sort !== "last") params.set("sort", query.sort);
  if (from !== undefined) params.set("from", formatCursor(from));
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The address of what `text` asks: every issue that a page is about, say. */
export function toSearchUrl(text: string): string {
  return toIssueListUrl({ query: parseIssueQuery(text) });
}

/** True when the query has this very filter. */
export function hasFilter({ filters }: IssueQuery, filter: IssueFilter): boolean {
  return filters.some((one) => formatFilter(one) === formatFilter(filter));
}

/** The query with a filter more, or without it where it has it. */
export function toggleFilter(query: IssueQuery, filter: IssueFilter): IssueQuery {
  const others = query.filters.filter((one) => formatFilter(one) !== formatFilter(filter));
  const hasIt = others.length < query.filters.length;
  return { ...query, filters: hasIt ? others : [...others, filter] };
}

/** What narrows a query down beside the state, each as it is written with the query that is left without it. */
export function listRelaxedQueries(
  query: IssueQuery,
): readonly { readonly text: string; readonly query: IssueQuery }[] {
  const flags = (["isRegressed", "isNew", "isUnassigned"] as const)
    .filter((flag) => query[flag])
    .map((flag) => ({
      text: `is:${flag.slice(2).toLowerCase()}`,
      query: { ...query, [flag]: false },
    }));
  const filters = query.filters.map((filter) => ({
    text: formatFilter(filter),
    query: toggleFilter(query, filter),
  }));
  const text = query.text === "" ? [] : [{ text: query.text, query: { ...query, text: "" } }];
  return [...flags, ...filters, ...text];
}
