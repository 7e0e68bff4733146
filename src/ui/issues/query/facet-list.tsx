/** Links that add a filter to the query or remove one, with the values that its issues have. */
import type { ReactNode } from "react";
import type { IssueFacet } from "../../../core/issue/issue-list-page.ts";
import {
  FACETS,
  type FilterKey,
  formatFilter,
  type IssueQuery,
  isExpressible,
} from "../../../core/issue/issue-query.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { hasFilter, toggleFilter, toIssueListUrl } from "../../urls/issue-list-urls.ts";
import { QuerySuggestions } from "./query-form.tsx";

const VALUE_CHARS = 60;

/** Filters without a value. */
const FLAGS = [
  ["isNew", "New in the last 24 hours"],
  ["isRegressed", "Regressed"],
  ["isUnassigned", "Unassigned"],
] as const;

/** The facets, and the suggestions for the query field. */
export function Facets({ query, facets }: { query: IssueQuery; facets: readonly IssueFacet[] }) {
  const shownFacets = facets
    .filter(({ key, values }) => isExpressible(key) && values.length > 0)
    .map(({ key, values }) => ({
      key,
      values: values.map(([value, issues]) => ({
        filter: { key, value, isExact: true, isNegated: false },
        issues,
      })),
    }));
  const sampleSize = facets.find((facet) => facet.sampleSize !== undefined)?.sampleSize;
  const tokens = shownFacets.flatMap(({ values }) =>
    values.map(({ filter }) => formatFilter(filter)),
  );
  return (
    <>
      <QuerySuggestions query={query} tokens={tokens} />
      <FacetGroup name="Show only">
        {FLAGS.map(([flag, label]) => (
          <FacetValue
            key={flag}
            href={toIssueListUrl({ query: { ...query, [flag]: !query[flag] } })}
            isActive={query[flag]}
          >
            {label}
          </FacetValue>
        ))}
      </FacetGroup>
      {shownFacets.map(({ key, values }) => (
        <FacetGroup key={key} name={FACETS.get(key)?.heading ?? toTagName(key)}>
          {values.map(({ filter, issues }) => (
            <FacetValue
              key={filter.value}
              href={toIssueListUrl({ query: toggleFilter(query, filter) })}
              isActive={hasFilter(query, filter)}
              issueCount={issues}
            >
              {abbreviate(filter.value, VALUE_CHARS)}
            </FacetValue>
          ))}
        </FacetGroup>
      ))}
      {sampleSize !== undefined && (
        <p className="muted">
          Counts cover the newest {formatNumber(sampleSize)} issues of this list.
        </p>
      )}
    </>
  );
}

/** `tag.plan` is the tag `plan`. */
function toTagName(key: FilterKey): string {
  return abbreviate(key.slice("tag.".length), VALUE_CHARS);
}

function FacetGroup({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="facet">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

function FacetValue({
  href,
  isActive,
  issueCount,
  children,
}: {
  href: string;
  isActive: boolean;
  issueCount?: number;
  children: string;
}) {
  return (
    <li>
      <DeskLink href={href} aria-current={isActive ? "true" : undefined}>
        <bdi>{children}</bdi>
        {issueCount !== undefined && (
          <span className="facet-count">
            {formatNumber(issueCount)}
            <span className="visually-hidden"> issues</span>
          </span>
        )}
      </DeskLink>
    </li>
  );
}
