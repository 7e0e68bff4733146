/** One part of a release's page: the issues that are new in it, say; the most frequent first. */
import { use } from "react";
import {
  formatIssueQuery,
  type IssueListPage,
  type IssueQuery,
  parseIssueQuery,
} from "../../core/issue/issue-query.ts";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { formatNumber, pluralize } from "../parts/number.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";

/** The parts, in their order on the page. */
export type ReleaseSectionName = "new" | "regressed" | "fixed" | "other";

/** A part: what it asks the list for, and the answer. */
export interface ReleaseSection {
  readonly name: ReleaseSectionName;
  readonly query: IssueQuery;
  readonly page: Promise<IssueListPage>;
}

/** The heading of each part, and what stands there when there is nothing. */
export const RELEASE_SECTION_TEXTS: Readonly<
  Record<ReleaseSectionName, readonly [heading: string, none: string]>
> = {
  new: ["New", "Nothing broke in it for the first time."],
  regressed: ["Came back", "Nothing that was resolved has come back in it."],
  fixed: ["Resolved in it", "Nothing is marked as resolved in it."],
  other: ["Also seen", "Nothing that was known before has happened in it."],
};

const MAX_SHOWN = 10;

/** The issues of a part. */
export function ReleaseSectionIssues({
  section,
  nowMs,
}: {
  readonly section: ReleaseSection;
  readonly nowMs: number;
}) {
  const { name, query, page } = section;
  const { issues, total } = use(page);
  const [heading, none] = RELEASE_SECTION_TEXTS[name];
  if (issues.length === 0) return <p className="muted">{none}</p>;
  return (
    <>
      <p className="beside-heading">{pluralize(total, "issue")}</p>
      <IssueListTable
        issues={issues.slice(0, MAX_SHOWN)}
        nowMs={nowMs}
        caption={`${heading}, the most frequent first`}
      />
      {total > MAX_SHOWN && isExpressibleQuery(query) && (
        <p className="muted apart">
          <DeskLink href={toIssueListUrl({ query })}>
            All {formatNumber(total)} in the list
          </DeskLink>
        </p>
      )}
    </>
  );
}

/** False for a release whose name a query cannot say. */
function isExpressibleQuery(query: IssueQuery): boolean {
  return (
    formatIssueQuery(parseIssueQuery(formatIssueQuery(query), query.sort)) ===
    formatIssueQuery(query)
  );
}
