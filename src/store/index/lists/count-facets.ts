/** Counts the values of a list's issues. Pure. */
import type { IssueFacet } from "../../../core/issue/issue-list-page.ts";
import type { FilterKey } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { isTrusted, type Trust } from "../../../core/trust/trust.ts";
import type { FacetValues } from "../tables/facet-values.ts";
import type { FoundIssue } from "./list-search.ts";

const FACET_KEYS = ["release", "env", "browser", "url", "kind", "trust", "assigned"] as const;

interface ValueCount {
  readonly name: string;
  issues: number;
  /** How many of them are issues of servers, and of servers and pages. */
  server: number;
  trusted: number;
}

/** The most frequent values of each key, those with most issues of servers first, then of pages. */
export function countFacets(issues: readonly FoundIssue[]): readonly IssueFacet[] {
  const tags = new Map<string, ValueCount>();
  const valuesPerKey = new Map<string, Map<string, ValueCount>>();
  for (const { valuesJson, trust } of issues) {
    for (const [key, list] of Object.entries(JSON.parse(valuesJson) as FacetValues)) {
      if (key.startsWith("tag.")) add(tags, key, trust);
      const counts = valuesPerKey.get(key) ?? new Map<string, ValueCount>();
      valuesPerKey.set(key, counts);
      for (const value of list) add(counts, value, trust);
    }
  }
  const shownTags = listMostFrequent(tags).map(({ name }) => name as FilterKey);
  return [...FACET_KEYS, ...shownTags].flatMap((key) => {
    const values = listMostFrequent(valuesPerKey.get(key) ?? new Map());
    if (!isWorthShowing(key, values)) return [];
    return { key, values: values.map(({ name, issues: count }) => [name, count]) };
  });
}

function add(counts: Map<string, ValueCount>, name: string, trust: Trust): void {
  const count = counts.get(name) ?? { name, issues: 0, server: 0, trusted: 0 };
  count.issues += 1;
  if (trust === "server") count.server += 1;
  if (isTrusted(trust)) count.trusted += 1;
  counts.set(name, count);
}

function listMostFrequent(counts: ReadonlyMap<string, ValueCount>): readonly ValueCount[] {
  return [...counts.values()]
    .sort(
      (a, b) =>
        b.server - a.server ||
        b.trusted - a.trusted ||
        b.issues - a.issues ||
        (a.name < b.name ? -1 : 1),
    )
    .slice(0, limits.valuesPerFacet);
}

/** A facet is useless if all issues have the same trust. */
function isWorthShowing(key: FilterKey, values: readonly ValueCount[]): boolean {
  return values.length > (key === "trust" ? 1 : 0);
}
