/** Addresses of the list of issues, and the queries that are one step from a query. All are relative to the desk's own host. */
import {
  type Cursor,
  type Filter,
  type IssueQuery,
  readQuery,
  writeCursor,
  writeFilter,
  writeQuery,
} from "../../core/issue-query.ts";

/** What the list is asked when its address does not say it. */
export const DEFAULT_QUERY = "is:open";

/** A list: what is looked for, in which order, and from where on. */
export interface ListPlace {
  readonly query: IssueQuery;
  readonly from?: Cursor | undefined;
}

/** `/issues?q=…`; what is the default stands in no address. `path` may be another that takes the same. */
export function listUrl({ query, from }: ListPlace, path = "/issues"): string {
  const written = writeQuery(query);
  const asked = new URLSearchParams();
  if (written !== DEFAULT_QUERY) asked.set("q", written);
  if (query.sort !== "last") asked.set("sort", query.sort);
  if (from !== undefined) asked.set("from", writeCursor(from));
  return asked.size === 0 ? path : `${path}?${asked}`;
}

/** The address of what `text` asks: every issue that a page is about, say. */
export function searchUrl(text: string): string {
  return listUrl({ query: readQuery(text) });
}

/** True when the query has this very filter. */
export function hasFilter({ filters }: IssueQuery, filter: Filter): boolean {
  return filters.some((one) => writeFilter(one) === writeFilter(filter));
}

/** The query with a filter more, or without it where it has it. */
export function toggled(query: IssueQuery, filter: Filter): IssueQuery {
  const others = query.filters.filter((one) => writeFilter(one) !== writeFilter(filter));
  const isThere = others.length < query.filters.length;
  return { ...query, filters: isThere ? others : [...others, filter] };
}

/** What narrows a query down beside the state, each as it is written with the query that is left without it. */
export function narrowings(
  query: IssueQuery,
): readonly { readonly written: string; readonly without: IssueQuery }[] {
  const flags = (["isRegressed", "isNew", "isUnassigned"] as const)
    .filter((flag) => query[flag])
    .map((flag) => ({
      written: `is:${flag.slice(2).toLowerCase()}`,
      without: { ...query, [flag]: false },
    }));
  const filters = query.filters.map((filter) => ({
    written: writeFilter(filter),
    without: toggled(query, filter),
  }));
  const text = query.text === "" ? [] : [{ written: query.text, without: { ...query, text: "" } }];
  return [...flags, ...filters, ...text];
}
