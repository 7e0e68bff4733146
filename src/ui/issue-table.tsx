/**
 * Issues to compare: one row each, figures under each other. A table for those who read it as one; on a phone the style sheet
 * stacks every row.
 */
import { type ReactNode, use } from "react";
import type { IssueSummary } from "../core/issue.ts";
import type { Sort } from "../core/issue-query.ts";
import { IssueRow, type IssueRowProps, rowOf } from "./issue-row.tsx";
import { A, usePlace } from "./place.tsx";
import { RowMarkup } from "./row-markup.ts";

/** What a table of issues shows. */
export interface IssueTableProps {
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** What the table is of, for screen readers. */
  readonly caption: string;
  /** Each row begins with a checkbox, for the form around the table. */
  readonly canPick?: boolean | undefined;
  /** What the rows are ordered by, and the address of each other order; without it the heads are no links. */
  readonly order?: { readonly by: Sort; readonly urlOf: (sort: Sort) => string } | undefined;
}

/** The table; never empty, the page says what to do when there is nothing. */
export function IssueTable({ issues, nowMs, caption, canPick = false, order }: IssueTableProps) {
  const { base } = usePlace();
  const rows = issues.map((issue) => rowOf(issue, nowMs, { base, canPick }));
  return (
    <table className="issues" data-picks={canPick ? "" : undefined}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {canPick && (
            <th scope="col" className="pick">
              <span className="unseen">Selected</span>
            </th>
          )}
          <th scope="col">Issue</th>
          <th scope="col" className="spark">
            14 days
          </th>
          <Head sort="count" order={order} className="number">
            Seen
          </Head>
          <Head sort="people" order={order} className="number">
            People
          </Head>
          <Head sort="first" order={order}>
            First
          </Head>
          <Head sort="last" order={order}>
            Last
          </Head>
          <th scope="col">Release</th>
        </tr>
      </thead>
      <Rows rows={rows} />
    </table>
  );
}

function Rows({ rows }: { rows: readonly IssueRowProps[] }) {
  const markupOf = use(RowMarkup);
  if (markupOf === null) {
    return (
      <tbody>
        {rows.map((row) => (
          <IssueRow key={row.issue.digest} {...row} />
        ))}
      </tbody>
    );
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: React has made it, of the very same rows
  return <tbody dangerouslySetInnerHTML={{ __html: rows.map(markupOf).join("") }} />;
}

/** A column's head; where there is an order, a link that orders by it. The greatest stand first in every one. */
function Head({
  sort,
  order,
  className,
  children,
}: {
  sort: Sort;
  order: IssueTableProps["order"];
  className?: string;
  children: ReactNode;
}) {
  const isBy = order?.by === sort;
  return (
    <th scope="col" className={className} aria-sort={isBy ? "descending" : undefined}>
      {order === undefined ? (
        children
      ) : (
        <A href={order.urlOf(sort)} id={`by-${sort}`}>
          {children}
        </A>
      )}
    </th>
  );
}
