/** To the neighbours of a page of the list. Each is found by where this one ends, so what comes meanwhile moves nothing. */
import type { IssuePage, IssueQuery } from "../../core/issue-query.ts";
import { Arrow } from "../marks.tsx";
import { A } from "../place.tsx";
import { listUrl } from "./list-url.ts";

/** What stands before and behind a page, by what the list is ordered by. */
const WORDS = {
  last: ["Newer", "Older"],
  first: ["Newer", "Older"],
  count: ["More often", "Less often"],
  people: ["More people", "Fewer people"],
} as const;

/** The links; nothing where the page is all there is. */
export function Pager({ query, page }: { readonly query: IssueQuery; readonly page: IssuePage }) {
  const { previous, next } = page;
  if (previous === undefined && next === undefined) return null;
  const [before, behind] = WORDS[query.sort];
  return (
    <nav className="pager" aria-label="Pages">
      {previous !== undefined && (
        <>
          <A
            className="button"
            id="page-before"
            rel="prev"
            href={listUrl({ query, from: previous })}
          >
            <Arrow to="left" /> {before}
          </A>
          <A href={listUrl({ query })}>To the first page</A>
        </>
      )}
      {next !== undefined && (
        <A className="button" id="page-behind" rel="next" href={listUrl({ query, from: next })}>
          {behind} <Arrow to="right" />
        </A>
      )}
    </nav>
  );
}
