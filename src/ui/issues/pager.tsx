/**
 * Links to the previous and next page of the list. A page begins where its neighbor ends, so new
 * issues do not move it.
 */
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import type { IssueQuery } from "../../core/issue/issue-query.ts";
import { DeskLink } from "../parts/desk-context.tsx";
import { ArrowIcon } from "../parts/icons.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";

/** The labels of the previous and next page for each order. */
const LABELS = {
  last: ["Newer", "Older"],
  first: ["Newer", "Older"],
  count: ["More frequent", "Less frequent"],
  users: ["More users", "Fewer users"],
} as const;

/** The links; nothing if there is only one page. */
export function Pager({ query, page }: { query: IssueQuery; page: IssueListPage }) {
  const { previous, next } = page;
  if (previous === undefined && next === undefined) return null;
  const [previousLabel, nextLabel] = LABELS[query.sort];
  return (
    <nav className="pager" aria-label="Pages">
      {previous !== undefined && (
        <>
          <DeskLink
            className="button"
            id="previous-page"
            rel="prev"
            href={toIssueListUrl({ query, from: previous })}
          >
            <ArrowIcon direction="left" /> {previousLabel}
          </DeskLink>
          <DeskLink href={toIssueListUrl({ query })}>First page</DeskLink>
        </>
      )}
      {next !== undefined && (
        <DeskLink
          className="button"
          id="next-page"
          rel="next"
          href={toIssueListUrl({ query, from: next })}
        >
          {nextLabel} <ArrowIcon direction="right" />
        </DeskLink>
      )}
    </nav>
  );
}
