/** Links that add a filter to the query or remove one, with the values that its issues have. */
import type { ReactNode } from "react";
import type { IssueFacet } from "../../../core/issue/issue-list-page.ts";
import {
  FACETS,
  type FilterKey,
  type IssueFilter,
  type IssueQuery,
  isExpressible,
} from "../../../core/issue/issue-query.ts";
import { DeskLink } from "../../parts/desk-context.tsx";
import { abbreviate } from "../../parts/long-text.tsx";
import { formatNumber } from "../../parts/number.tsx";
import { hasFilter, toggleFilter, toIssueListUrl } from "../../urls/issue-list-urls.ts";

const VALUE_CHARS = 60;

/** Filters without a value. */
const FLAGS = [
  ["isNew", "New in the last 24 hours"],
  ["isRegressed", "Regressed"],
  ["isUnassigned", "Unassigned"],
] as const;

const ASSIGNED_TO_ME: IssueFilter = {
  key: "assigned",
  value: "me",
  isExact: false,
  isNegated: false,
};

/** Tags of SDKs, which are seldom a reason to look at an issue. */
const TECHNICAL_TAGS: ReadonlySet<FilterKey> = new Set([
  "tag.handled",
  "tag.mechanism",
  "tag.routeType",
] as const);

/** The facets. */
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
  const technical = shownFacets.filter(({ key }) => TECHNICAL_TAGS.has(key));
  const listed = shownFacets.filter((facet) => !technical.includes(facet));
  const sampleSize = facets.find((facet) => facet.sampleSize !== undefined)?.sampleSize;
  return (
    <>
      <FacetGroup name="Show only">
        <FacetValue
          href={toIssueListUrl({ query: toggleFilter(query, ASSIGNED_TO_ME) })}
          isActive={hasFilter(query, ASSIGNED_TO_ME)}
        >
          Assigned to me
        </FacetValue>
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
      {listed.map((facet) => (
        <ShownFacet key={facet.key} query={query} facetKey={facet.key} values={facet.values} />
      ))}
      {technical.length > 0 && (
        <details className="facet-group" open={technical.some(({ key }) => hasKey(query, key))}>
          <summary>Tags</summary>
          {technical.map((facet) => (
            <ShownFacet key={facet.key} query={query} facetKey={facet.key} values={facet.values} />
          ))}
        </details>
      )}
      {sampleSize !== undefined && (
        <p className="muted">
          Counts cover the newest {formatNumber(sampleSize)} issues of this list.
        </p>
      )}
    </>
  );
}

interface ShownFacetProps {
  readonly query: IssueQuery;
  readonly facetKey: FilterKey;
  readonly values: readonly { readonly filter: IssueFilter; readonly issues: number }[];
}

function ShownFacet({ query, facetKey, values }: ShownFacetProps) {
  return (
    <FacetGroup name={FACETS.get(facetKey)?.heading ?? toTagName(facetKey)} facetKey={facetKey}>
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
  );
}

function hasKey({ filters }: IssueQuery, key: FilterKey): boolean {
  return filters.some((filter) => filter.key === key);
}

/** `tag.plan` is the tag `plan`. */
function toTagName(key: FilterKey): string {
  return abbreviate(key.slice("tag.".length), VALUE_CHARS);
}

function FacetGroup({
  name,
  facetKey,
  children,
}: {
  readonly name: string;
  /** The key of the values; the script completes it. */
  readonly facetKey?: FilterKey;
  readonly children: ReactNode;
}) {
  return (
    <section className="facet" data-key={facetKey}>
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
