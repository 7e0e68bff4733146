/**
 * Issues to compare: one row each, figures under each other. A table for those who read it as one; on a phone the style sheet
 * stacks every row.
 */
import { type ReactNode, use } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueSort } from "../../core/issue/issue-query.ts";
import { DeskLink, useDesk } from "../parts/desk-context.tsx";
import { IssueRow, type IssueRowProps, toIssueRow } from "./issue-row.tsx";
import { RowMarkup } from "./row-markup.ts";

/** What a table of issues shows. */
export interface IssueListTableProps {
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** What the table is of, for screen readers. */
  readonly caption: string;
  /** Each row begins with a checkbox, for the form around the table. */
  readonly isSelectable?: boolean | undefined;
  /** What the rows are ordered by, and the address of each other order; without it the heads are no links. */
  readonly sorting?:
    | { readonly by: IssueSort; readonly toUrl: (sort: IssueSort) => string }
    | undefined;
}

/** The table; never empty, the page says what to do when there is nothing. */
export function IssueListTable({
  issues,
  nowMs,
  caption,
  isSelectable = false,
  sorting,
}: IssueListTableProps) {
  const { base } = useDesk();
  const rows = issues.map((issue) => toIssueRow(issue, nowMs, { base, isSelectable }));
  return (
    <table className="issues" data-selectable={isSelectable ? "" : undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {isSelectable && (
            <th scope="col" className="pick">
              <span className="visually-hidden">Selected</span>
            </th>
          )}
          <th scope="col">Issue</th>
          <th scope="col" className="spark">
            14 days
          </th>
          <SortableHeader sort="count" sorting={sorting} className="number">
            Seen
          </SortableHeader>
          <SortableHeader sort="people" sorting={sorting} className="number">
            People
          </SortableHeader>
          <SortableHeader sort="first" sorting={sorting}>
            First
          </SortableHeader>
          <SortableHeader sort="last" sorting={sorting}>
            Last
          </SortableHeader>
          <th scope="col">Release</th>
        </tr>
      </thead>
      <IssueRows rows={rows} />
    </table>
  );
}

function IssueRows({ rows }: { rows: readonly IssueRowProps[] }) {
  const renderRow = use(RowMarkup);
  if (renderRow === null) {
    return (
      <tbody>
        {rows.map((row) => (
          <IssueRow key={row.issue.digest} {...row} />
        ))}
      </tbody>
    );
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has made it, of the very same rows
  return <tbody dangerouslySetInnerHTML={{ __html: rows.map(renderRow).join("") }} />;
}

/** A column's head; where there is an order, a link that orders by it. The greatest stand first in every one. */
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
      {sorting === undefined ? (
        children
      ) : (
        <DeskLink href={sorting.toUrl(sort)} id={`by-${sort}`}>
          {children}
        </DeskLink>
      )}
    </th>
  );
}
