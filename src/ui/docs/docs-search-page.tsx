/** The results of the documentation's search, for browsers without scripts. */
import { type DocsMatch, MAX_DOCS_QUERY_CHARS } from "../../core/docs/search-docs.ts";

/** `matches` is null if the index could not be read. */
export function DocsSearchPage({
  query,
  matches,
}: {
  readonly query: string;
  readonly matches: readonly DocsMatch[] | null;
}) {
  return (
    <article className="docs-search-page">
      <p>
        <a href="/docs">Documentation</a>
      </p>
      <h1>Search the documentation</h1>
      <search className="lookup">
        <form action="/docs/search" method="get" className="lookup-field">
          <input
            type="search"
            name="q"
            aria-label="Search the documentation"
            defaultValue={query}
            maxLength={MAX_DOCS_QUERY_CHARS}
            required
          />
          <button type="submit">Search</button>
        </form>
      </search>
      {query !== "" && <Results matches={matches} />}
    </article>
  );
}

function Results({ matches }: { matches: readonly DocsMatch[] | null }) {
  if (matches === null) return <p>The search does not work at the moment. Please try again.</p>;
  if (matches.length === 0)
    return (
      <p>
        No page has these words. <a href="/docs">All pages</a>
      </p>
    );
  return (
    <ul className="docs-matches">
      {matches.map(({ url, title, heading, excerpt }) => (
        <li key={url}>
          <a href={url}>{heading === undefined ? title : `${title} › ${heading}`}</a>
          <p>{excerpt}</p>
        </li>
      ))}
    </ul>
  );
}
