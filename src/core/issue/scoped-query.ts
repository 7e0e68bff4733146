/** The environment that pages show as a part of a query. Pure. */
import type { Scope } from "../scope.ts";
import type { IssueFilter, IssueQuery } from "./issue-query.ts";

/** The query with the environment of the scope, unless the query names environments itself. */
export function applyScope(query: IssueQuery, { environment }: Scope): IssueQuery {
  if (environment === undefined || query.filters.some(({ key }) => key === "env")) return query;
  return { ...query, filters: [...query.filters, toFilter(environment)] };
}

/** The query without the environment that `applyScope` adds. */
export function withoutScope(query: IssueQuery, { environment }: Scope): IssueQuery {
  if (environment === undefined) return query;
  const added = JSON.stringify(toFilter(environment));
  const filters = query.filters.filter((filter) => JSON.stringify(filter) !== added);
  return filters.length === query.filters.length ? query : { ...query, filters };
}

function toFilter(value: string): IssueFilter {
  return { key: "env", value, isExact: true, isNegated: false };
}
