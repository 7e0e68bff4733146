/**
 * Issues to compare: one row each, the newest first, figures under each other. A table for those who read it as one; on a
 * phone the style sheet stacks every row.
 */
import type { IssueSummary } from "../core/issue.ts";
import { IssueRow } from "./issue-row.tsx";

/** What a table of issues shows. */
export interface IssueTableProps {
  readonly issues: readonly IssueSummary[];
  readonly nowMs: number;
  /** What the table is of, for screen readers. */
  readonly caption: string;
}

/** The table; never empty, the page says what to do when there is nothing. */
export function IssueTable({ issues, nowMs, caption }: IssueTableProps) {
  return (
    <table className="issues">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Issue</th>
          <th scope="col">Release</th>
          <th scope="col" className="number">
            Seen
          </th>
          <th scope="col" className="number">
            Linked<span className="unseen"> browser reports</span>
          </th>
          <th scope="col">First</th>
          <th scope="col">Last</th>
          <th scope="col">Digest</th>
        </tr>
      </thead>
      <tbody>
        {issues.map((issue) => (
          <IssueRow key={issue.digest} issue={issue} nowMs={nowMs} />
        ))}
      </tbody>
    </table>
  );
}
