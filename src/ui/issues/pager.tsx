/** To the neighbours of a page of the list. Each is found by where this one ends, so what comes meanwhile moves nothing. */
import type { IssueListPage, IssueQuery } from "../../core/issue/issue-query.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";

/** What stands before and behind a page, by what the list is ordered by. */
const LABELS = {
  last: ["Newer", "Older"],
  first: ["Newer", "Older"],
  count: ["More often", "Less often"],
  users: ["More people", "Fewer people"],
} as const;

/** The links; nothing where the page is all there is. */
export function Pager({
  query,
  page,
}: {
  readonly query: IssueQuery;
  readonly page: IssueListPage;
}) {
  const { previous, next } = page;
  if (previous === undefined && next === undefined) return null;
  const [previousLabel, nextLabel] = LABELS[query.sort];
  return (
    <nav className="pager" aria-label="Pages">
      {previous !== undefined && (
        <>
          <DeskLink
            className="button"
            id="page-before"
            rel="prev"
            href={toIssueListUrl({ query, from: previous })}
          >
            <ArrowIcon direction="left" /> {previousLabel}
          </DeskLink>
          <DeskLink href={toIssueListUrl({ query })}>To the first page</DeskLink>
        </>
      )}
      {next !== undefined && (
        <DeskLink
          className="button"
          id="page-behind"
          rel="next"
          href={toIssueListUrl({ query, from: next })}
        >
          {nextLabel} <ArrowIcon direction="right" />
        </DeskLink>
      )}
    </nav>
  );
}
