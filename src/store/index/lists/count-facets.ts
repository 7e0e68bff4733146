/** Counts the values of a list's issues. Pure. */
import type { IssueFacet } from "../../../core/issue/issue-list-page.ts";
import { FACETS, type FilterKey } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import type { FacetValues } from "../tables/facet-values.ts";
import type { FoundIssue } from "./list-search.ts";

/** The number of issues by value. */
type ValueCounts = Map<string, number>;

/** The values of each key that most issues have. */
export function countFacets(issues: readonly FoundIssue[]): readonly IssueFacet[] {
  const tags: ValueCounts = new Map();
  const valuesPerKey = new Map<string, ValueCounts>();
  for (const { valuesJson } of issues) {
    for (const [key, list] of Object.entries(JSON.parse(valuesJson) as FacetValues)) {
      if (key.startsWith("tag.")) add(tags, key);
      const counts: ValueCounts = valuesPerKey.get(key) ?? new Map();
      valuesPerKey.set(key, counts);
      for (const value of list) add(counts, value);
    }
  }
  const shownTags = listMostFrequent(tags).map(([name]) => name as FilterKey);
  return [...FACETS.keys(), ...shownTags].flatMap((key) => {
    const values = listMostFrequent(valuesPerKey.get(key) ?? new Map());
    return isWorthShowing(key, values) ? [{ key, values }] : [];
  });
}

function add(counts: ValueCounts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listMostFrequent(counts: ValueCounts): IssueFacet["values"] {
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, limits.valuesPerFacet);
}

function isWorthShowing(key: FilterKey, values: IssueFacet["values"]): boolean {
  return values.length > (FACETS.get(key)?.isCommon === true ? 1 : 0);
}
