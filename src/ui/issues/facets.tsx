/** What the issues of a list have in common, as links that narrow it down, and widen it again. */
import type { ReactNode } from "react";
import {
  type Facet,
  type Filter,
  type FilterKey,
  type IssueQuery,
  isWritable,
  writeFilter,
} from "../../core/issue-query.ts";
import { figure } from "../figure.tsx";
import { headOf } from "../long-text.tsx";
import { A } from "../place.tsx";
import { hasFilter, listUrl, toggled } from "./list-url.ts";
import { QueryTokens } from "./query-form.tsx";

const VALUE_CHARS = 60;

const KEY_WORDS: ReadonlyMap<FilterKey, string> = new Map([
  ["release", "Release"],
  ["env", "Environment"],
  ["browser", "Browser"],
  ["url", "Page"],
  ["kind", "Kind"],
  ["type", "Type"],
  ["new", "New in"],
  ["regressed", "Regressed in"],
  ["fixed", "Resolved in"],
  ["assigned", "Assigned to"],
]);

/** What an issue may be beside its state. */
const FLAGS = [
  ["isNew", "New since yesterday"],
  ["isRegressed", "Regressed"],
  ["isUnassigned", "Unassigned"],
] as const;

/** The facets, and the completions of the query's field. */
export function Facets({
  query,
  facets,
}: {
  readonly query: IssueQuery;
  readonly facets: readonly Facet[];
}) {
  const offered = facets
    .filter(({ key, values }) => isWritable(key) && values.length > 0)
    .map(({ key, values }) => ({
      key,
      values: values.map(([value, issues]) => ({ filter: exactly(key, value), issues })),
    }));
  const among = facets.find((facet) => facet.among !== undefined)?.among;
  const tokens = offered.flatMap(({ values }) => values.map(({ filter }) => writeFilter(filter)));
  return (
    <>
      <QueryTokens query={query} tokens={tokens} />
      <Group name="Only">
        {FLAGS.map(([flag, word]) => (
          <Choice
            key={flag}
            href={listUrl({ query: { ...query, [flag]: !query[flag] } })}
            isOn={query[flag]}
          >
            {word}
          </Choice>
        ))}
      </Group>
      {offered.map(({ key, values }) => (
        <Group key={key} name={KEY_WORDS.get(key) ?? headOf(key.slice(4), VALUE_CHARS)}>
          {values.map(({ filter, issues }) => (
            <Choice
              key={filter.value}
              href={listUrl({ query: toggled(query, filter) })}
              isOn={hasFilter(query, filter)}
              issues={issues}
            >
              {headOf(filter.value, VALUE_CHARS)}
            </Choice>
          ))}
        </Group>
      ))}
      {among !== undefined && (
        <p className="aside">Counted among the newest {figure(among)} of these.</p>
      )}
    </>
  );
}

function exactly(key: FilterKey, value: string): Filter {
  return { key, value, isExact: true, isNot: false };
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="facet">
      <h3>
        <bdi>{name}</bdi>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

function Choice({
  href,
  isOn,
  issues,
  children,
}: {
  href: string;
  isOn: boolean;
  issues?: number;
  children: string;
}) {
  return (
    <li>
      <A href={href} aria-current={isOn ? "true" : undefined}>
        <bdi>{children}</bdi>
        {issues !== undefined && (
          <span className="facet-count">
            {figure(issues)}
            <span className="unseen"> issues</span>
          </span>
        )}
      </A>
    </li>
  );
}
