/** The orders of lists of issues, and the cells that count occurrences and users. */
import type { ComponentProps } from "react";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueSort } from "../../core/issue/issue-query.ts";
import { formatPeopleCount } from "../../core/stats/people-count.ts";
import { NumberCell } from "../parts/number.tsx";
import { IssueSparkline } from "./sparkline.tsx";

interface Order {
  readonly label: string;
  /** The caption of a list in this order. */
  readonly caption: string;
  /** The labels of the previous and next page. */
  readonly pages: readonly [previous: string, next: string];
  /** A column of numbers: its unit, and its number if it is known. */
  readonly column?: {
    readonly unit: string;
    /** The plural, unless it ends in `s`. */
    readonly many?: string;
    readonly className: string;
    readonly read: (issue: IssueSummary) => number | undefined;
    /** How the number is written, unless it is exact. */
    readonly format?: (count: number) => string;
  };
}

/** Each order, as its links name it; one with a `column` is also a column of the table. */
export const ISSUE_ORDERS: Readonly<Record<IssueSort, Order>> = {
  last: {
    label: "Last seen",
    caption: "Issues, last seen first",
    pages: ["Newer", "Older"],
  },
  first: {
    label: "First seen",
    caption: "Issues, newest first",
    pages: ["Newer", "Older"],
  },
  users: {
    label: "People",
    caption: "Issues by affected people",
    pages: ["More people", "Fewer people"],
    column: {
      ...{ unit: "person", many: "people", className: "by-users" },
      read: ({ userCount }) => userCount,
      format: formatPeopleCount,
    },
  },
  count: {
    label: "Count",
    caption: "Issues, most frequent first",
    pages: ["More frequent", "Less frequent"],
    column: { unit: "time", className: "by-count", read: ({ count }) => count },
  },
};

/** The orders in the order of their links. */
export const LISTED_ORDERS = Object.entries(ISSUE_ORDERS) as readonly [IssueSort, Order][];

/** The columns of numbers. */
export const COUNT_COLUMNS = LISTED_ORDERS.flatMap(([sort, { label, column }]) =>
  column === undefined ? [] : { sort, label, ...column },
);

/** The cells for the period, and for each column of numbers. */
export function IssueCountCells({
  issue,
  period,
  hourNumber,
}: ComponentProps<typeof IssueSparkline>) {
  return (
    <>
      <td className="sparkline-cell">
        <IssueSparkline issue={issue} period={period} hourNumber={hourNumber} />
      </td>
      {COUNT_COLUMNS.map(({ sort, unit, many, className, read, format }) => {
        const count = read(issue);
        return (
          <td key={sort} className={`number ${className}`}>
            {count !== undefined && (
              <NumberCell count={count} one={unit} many={many} format={format} />
            )}
          </td>
        );
      })}
    </>
  );
}
