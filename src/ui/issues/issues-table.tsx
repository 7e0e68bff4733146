/** A table of issues, one per row. On a phone, the style sheet shows each row as a card. */
import type { ReactNode } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueQuery, IssueSort } from "../../core/issue/issue-query.ts";
import { CachedParts } from "../parts/cached-parts/cached-parts.tsx";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { toListSearch } from "../urls/issue-list-urls.ts";
import { IssueRow, toIssueRow } from "./issue-row.tsx";

export interface IssueListTableProps {
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** The caption, for screen readers. */
  readonly caption: string;
  /** True if each row begins with a checkbox for the form around the table. */
  readonly isSelectable?: boolean | undefined;
  /** The query of the list, for links to the next issue on the page of each. */
  readonly list?: IssueQuery | undefined;
  /** Words to mark; by default those of the query. */
  readonly words?: string | undefined;
  /** The current order and the URL of each order. Without it, headers are not links. */
  readonly sorting?:
    | { readonly by: IssueSort; readonly toUrl: (sort: IssueSort) => string }
    | undefined;
}

/** The table. `issues` is not empty; the page shows an empty state instead. */
export function IssueListTable({
  issues,
  nowMs,
  caption,
  isSelectable = false,
  list,
  words = list?.text ?? "",
  sorting,
}: IssueListTableProps) {
  const { base } = useDesk();
  const listSearch = list === undefined ? "" : toListSearch(list);
  const options = { base, isSelectable, listSearch, words };
  const isSortedByTime = sorting?.by === "last" || sorting?.by === "first";
  const rows = issues.map((issue) => toIssueRow(issue, nowMs, options));
  return (
    <table className="list-table issues" data-selectable={isSelectable ? "" : undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {isSelectable && (
            <th scope="col" className="select-cell">
              <label>
                <input type="checkbox" data-select-all="" />
                <span className="visually-hidden">Select all on this page</span>
              </label>
            </th>
          )}
          <th scope="col">Issue</th>
          <th scope="col" className="sparkline-cell">
            14 days
          </th>
          <SortableHeader sort="count" sorting={sorting} className="number">
            Count
          </SortableHeader>
          <SortableHeader sort="users" sorting={sorting} className="number">
            Users
          </SortableHeader>
          <th scope="col" className="seen" aria-sort={isSortedByTime ? "descending" : undefined}>
            <SortLink sort="last" sorting={sorting}>
              Last
            </SortLink>
            {" · "}
            <SortLink sort="first" sorting={sorting}>
              first
            </SortLink>
            {" seen"}
          </th>
        </tr>
      </thead>
      <CachedParts tag="tbody" part={IssueRow} items={rows} />
    </table>
  );
}

/** A column header. If the table can be sorted, a link that sorts by it, descending. */
function SortableHeader({
  sort,
  sorting,
  className,
  children,
}: {
  sort: IssueSort;
  sorting: IssueListTableProps["sorting"];
  className?: string;
  children: ReactNode;
}) {
  const isSorted = sorting?.by === sort;
  return (
    <th scope="col" className={className} aria-sort={isSorted ? "descending" : undefined}>
      <SortLink sort={sort} sorting={sorting}>
        {children}
      </SortLink>
    </th>
  );
}

function SortLink({
  sort,
  sorting,
  children,
}: {
  sort: IssueSort;
  sorting: IssueListTableProps["sorting"];
  children: ReactNode;
}) {
  if (sorting === undefined) return children;
  return (
    <DeskLink
      href={sorting.toUrl(sort)}
      id={`sort-${sort}`}
      aria-current={sorting.by === sort ? "true" : undefined}
    >
      {children}
    </DeskLink>
  );
}
