/** The issues of all projects of a person, in one list. */
import { use } from "react";
import { getProjectBasePath } from "../../core/accounts/project-path.ts";
import type { IssueSummary } from "../../core/issue/issue.ts";
import type { IssueQuery, IssueSort } from "../../core/issue/issue-query.ts";
import { Boundary } from "../failure/boundary.tsx";
import { formatNumber, pluralizeTotal } from "../parts/number.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { toIssueListUrl } from "../urls/issue-list-urls.ts";
import { IssueListTable, type RowProject } from "./issues-table.tsx";
import { QueryForm } from "./query/query-form.tsx";
import { QuerySay } from "./query/query-say.tsx";

/** The first issues of a project; `total` is undefined if it did not answer. */
interface ProjectTotal {
  readonly id: string;
  readonly name: string;
  readonly total: number | undefined;
  readonly isTotalCapped?: true | undefined;
}

/** The list, and how many issues each project has. */
export interface AllIssues {
  readonly issues: readonly {
    readonly issue: IssueSummary;
    readonly project: { readonly id: string; readonly name: string };
  }[];
  readonly projects: readonly ProjectTotal[];
}

interface AllIssuesPageProps {
  readonly query: IssueQuery;
  readonly listing: Promise<AllIssues>;
  readonly nowMs: number;
}

/** The path of the page within a project. */
export const ALL_ISSUES_PATH = "/all-issues";

export function AllIssuesPage(props: AllIssuesPageProps) {
  return (
    <div className="issues-page wide-page">
      <header className="list-header">
        <h1>Issues of all projects</h1>
        <QueryForm query={props.query} action={ALL_ISSUES_PATH} />
      </header>
      <p className="list-count">
        <QuerySay query={props.query} action={ALL_ISSUES_PATH} />
      </p>
      <section aria-label="Issue list">
        <Boundary name="list" loading={<Skeleton shape="rows" label="the issues" />}>
          <LoadedIssues {...props} />
        </Boundary>
      </section>
    </div>
  );
}

function LoadedIssues({ query, listing, nowMs }: AllIssuesPageProps) {
  const { issues, projects } = use(listing);
  const rowProjects = new Map<IssueSummary, RowProject>(
    issues.map(({ issue, project: { id, name } }) => [
      issue,
      { name, base: getProjectBasePath(id) },
    ]),
  );
  const toUrl = (sort: IssueSort) => toIssueListUrl({ query: { ...query, sort } }, ALL_ISSUES_PATH);
  return (
    <>
      <nav className="tabs" aria-label="Projects">
        <ul>
          {projects.map((one) => (
            <li key={one.id}>
              <a href={getProjectBasePath(one.id) + toIssueListUrl({ query })} target="_self">
                <bdi>{one.name}</bdi> <ProjectTotalText {...one} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {issues.length === 0 ? (
        <div className="empty-state">
          <p className="empty-heading">No issues match in your projects.</p>
        </div>
      ) : (
        <IssueListTable
          issues={issues.map(({ issue }) => issue)}
          nowMs={nowMs}
          caption="Issues of all projects"
          words={query.text}
          sorting={{ by: query.sort, toUrl }}
          projects={rowProjects}
        />
      )}
      {issues.length > 0 && hasMore(issues.length, projects) && (
        <p className="muted">
          The first {formatNumber(issues.length)}. The list of each project has all of its issues.
        </p>
      )}
    </>
  );
}

function ProjectTotalText({ total, isTotalCapped }: ProjectTotal) {
  return (
    <span className="muted">
      {total === undefined ? "unavailable" : pluralizeTotal({ total, isTotalCapped }, "issue")}
    </span>
  );
}

function hasMore(shown: number, projects: readonly ProjectTotal[]): boolean {
  return projects.reduce((sum, { total = 0 }) => sum + total, 0) > shown;
}
