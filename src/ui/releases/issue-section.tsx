/** A section of a release page, such as its new issues, most frequent first. */
import { use } from "react";
import type { IssueListPage } from "../../core/issue/issue-list-page.ts";
import {
  formatIssueQuery,
  type IssueQuery,
  parseIssueQuery,
} from "../../core/issue/issue-query.ts";
import { IssueListTable } from "../issues/issues-table.tsx";
import { DeskLink } from "../parts/desk-context.tsx";
import { pluralizeTotal } from "../parts/number.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";

/** The sections, in page order. */
export type ReleaseSectionName = "new" | "regressed" | "fixed" | "other";

/** A section: its query of the issue list, and the result. */
export interface ReleaseSection {
  readonly name: ReleaseSectionName;
  readonly query: IssueQuery;
  readonly page: Promise<IssueListPage>;
}

/** The heading of each section, and its text if there are no issues. */
export const RELEASE_SECTION_TEXTS: Readonly<
  Record<ReleaseSectionName, readonly [heading: string, emptyText: string]>
> = {
  new: ["New", "No new issues in this release."],
  regressed: ["Regressed", "No regressed issues in this release."],
  fixed: ["Resolved", "No issues resolved in this release."],
  other: ["Other issues", "No other issues in this release."],
};

const MAX_SHOWN = 10;

export function ReleaseSectionIssues({
  section,
  nowMs,
}: {
  section: ReleaseSection;
  nowMs: number;
}) {
  const { name, query, page } = section;
  const loaded = use(page);
  const { issues, total, isTotalCapped } = loaded;
  const [heading, emptyText] = RELEASE_SECTION_TEXTS[name];
  if (issues.length === 0) return <p className="muted">{emptyText}</p>;
  return (
    <>
      <p className="heading-note">{pluralizeTotal(loaded, "issue")}</p>
      <IssueListTable
        issues={issues.slice(0, MAX_SHOWN)}
        nowMs={nowMs}
        caption={`${heading}, most frequent first`}
      />
      {(total > MAX_SHOWN || isTotalCapped) && isExpressibleQuery(query) && (
        <p className="muted spaced">
          <DeskLink href={toIssueListUrl({ query })}>
            Show all {pluralizeTotal(loaded, "issue")}
          </DeskLink>
        </p>
      )}
    </>
  );
}

/** False for a release name that a query cannot express. */
function isExpressibleQuery(query: IssueQuery): boolean {
  return (
    formatIssueQuery(parseIssueQuery(formatIssueQuery(query), query.sort)) ===
    formatIssueQuery(query)
  );
}
