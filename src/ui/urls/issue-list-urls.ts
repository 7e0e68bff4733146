/** URLs of the issue list, and queries with one filter changed. URLs are relative to the origin. */
import { formatCursor, type IssueCursor } from "../../core/issue/issue-list-page.ts";
import {
  DEFAULT_QUERY,
  formatFilter,
  formatIssueQuery,
  type IssueFilter,
  type IssueQuery,
  listQueryParts,
  parseIssueQuery,
  parseSort,
} from "../../core/issue/issue-query.ts";

/** A position in the list: the query with its order, and the cursor. */
interface IssueListLocation {
  readonly query: IssueQuery;
  readonly from?: IssueCursor | undefined;
}

/** `/issues?q=…`, without default values. `path` can be another route with these parameters. */
export function toIssueListUrl({ query, from }: IssueListLocation, path = "/issues"): string {
  const queryText = formatIssueQuery(query);
  const params = new URLSearchParams();
  if (queryText !== DEFAULT_QUERY) params.set("q", queryText);
  if (query.sort !== "last") params.set("sort", query.sort);
  if (from !== undefined) params.set("from", formatCursor(from));
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The URL of the list for a query in text form. */
export function toSearchUrl(text: string): string {
  return toIssueListUrl({ query: parseIssueQuery(text) });
}

/** Names the list without conditions in a form or URL, where an empty value means none. */
const ALL = "*";

/** The query as a value that is never empty. */
export function formatListName(query: IssueQuery): string {
  return formatIssueQuery(query) || ALL;
}

/** The query of `formatListName`. */
export function parseListName(text: string, sort?: string): IssueQuery {
  return parseIssueQuery(text === ALL ? "" : text, parseSort(sort));
}

/** The query string of an issue's URL that names the list in which it was opened. */
export function toListSearch(query: IssueQuery): string {
  const params = new URLSearchParams({ list: formatListName(query) });
  if (query.sort !== "last") params.set("sort", query.sort);
  return `?${params}`;
}

/** True if the query has exactly this filter. */
export function hasFilter({ filters }: IssueQuery, filter: IssueFilter): boolean {
  return filters.some((other) => formatFilter(other) === formatFilter(filter));
}

/** Adds a filter to the query, or removes it if the query has it. */
export function toggleFilter(query: IssueQuery, filter: IssueFilter): IssueQuery {
  const others = query.filters.filter((other) => formatFilter(other) !== formatFilter(filter));
  const hasIt = others.length < query.filters.length;
  return { ...query, filters: hasIt ? others : [...others, filter] };
}

/** The parts of a query other than the state, each as text with the query without it. */
export function listRelaxedQueries(
  query: IssueQuery,
): readonly { readonly text: string; readonly query: IssueQuery }[] {
  const states = query.states.map((state) => `is:${state}`);
  const parts = listQueryParts(query)
    .filter(({ part }) => !states.includes(part) && part !== "is:noise")
    .map(({ part, rest }) => ({ text: part, query: rest }));
  const text = query.text === "" ? [] : [{ text: query.text, query: { ...query, text: "" } }];
  return [...parts, ...text];
}

/** The query of a URL or a form, which has the parts of a field apart. */
export function readQueryParams(params: readonly string[] | undefined): string {
  return params?.join(" ") ?? DEFAULT_QUERY;
}
