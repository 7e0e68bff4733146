/** The issues of all projects of the caller, in one list. */
import * as v from "valibot";
import type { IssueSummary } from "../core/issue/issue.ts";
import type { IssueListPage } from "../core/issue/issue-list-page.ts";
import {
  DEFAULT_QUERY,
  formatIssueQuery,
  ISSUE_SORTS,
  type IssueSort,
  parseIssueQuery,
  SORT_NUMBERS,
} from "../core/issue/issue-query.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { issueQueryText, issueSort } from "./inputs.ts";
import { flag, issueSummary, number, toIssueSummary } from "./issue-output.ts";
import { type Call, defineRead, listOtherProjects, orNull } from "./operation.ts";
import { byErrata, byMember } from "./provenance.ts";

/** A project of the caller and the first page of its list; null if it did not answer. */
export interface ProjectListing {
  readonly id: string;
  readonly name: string;
  readonly page: IssueListPage | null;
}

/** An issue, and the project that counts it. */
export interface IssueOfProject {
  readonly project: { readonly id: string; readonly name: string };
  readonly issue: IssueSummary;
}

/** Issues of the merged list. The others are in the lists of their projects. */
const MAX_ISSUES = 50;

/**
 * The first issues of each project, at most `limits.maxOtherProjects` besides this one: one read
 * each, in parallel. Never rejects.
 */
async function loadListings(
  { caller, project, services }: Call,
  text: string,
  sort: IssueSort,
): Promise<readonly ProjectListing[]> {
  const own = (caller.projects ?? []).filter(({ id }) => id === project);
  const query = parseIssueQuery(text, sort);
  return Promise.all(
    [...own, ...listOtherProjects(caller, project)].map(async ({ id, name }) => {
      const { projectStore } = id === project ? services : services.forProject(id);
      const page = await orNull(services, projectStore.listIssues(query, undefined, MAX_ISSUES));
      return { id, name, page };
    }),
  );
}

/** The issues of all projects in the order of the sort. */
export function mergeListings(
  listings: readonly ProjectListing[],
  sort: IssueSort,
): readonly IssueOfProject[] {
  const toKey = SORT_NUMBERS[sort];
  return listings
    .flatMap(({ id, name, page }) =>
      (page?.issues ?? []).map((issue) => ({ project: { id, name }, issue })),
    )
    .sort((a, b) => toKey(b.issue) - toKey(a.issue))
    .slice(0, MAX_ISSUES);
}

/** How many issues each project has; no total if it did not answer. */
export function toProjectTotals(listings: readonly ProjectListing[]) {
  return listings.map(({ id, name, page }) => ({
    ...{ id, name, total: page?.total, isTotalCapped: page?.isTotalCapped },
  }));
}

const project = v.strictObject({ id: byErrata("The number in URLs"), name: byMember() });

export const listAllIssues = defineRead({
  name: "issues.listAll",
  summary: "List the first issues that match a query in all projects of the caller.",
  role: "viewer",
  rate: "search",
  route: "GET /all-issues",
  input: v.strictObject({
    query: v.optional(issueQueryText(), DEFAULT_QUERY),
    sort: v.optional(issueSort(), "last"),
  }),
  output: v.strictObject({
    query: byMember("The query, as Errata writes it"),
    sort: v.picklist(ISSUE_SORTS),
    issues: list(v.strictObject({ ...issueSummary.entries, project })),
    projects: list(
      v.strictObject({
        ...project.entries,
        total: v.optional(v.pipe(number, v.description("Absent if the project did not answer"))),
        isTotalCapped: v.optional(flag),
      }),
    ),
  }),
  reasons: [],
  // Pages begin before the lists arrive.
  load: async ({ query, sort }, call) => ok(loadListings(call, query, sort)),
  async toOutput(loading, { query, sort }, { services }) {
    const listings = await loading;
    return {
      query: formatIssueQuery(parseIssueQuery(query)),
      sort,
      issues: mergeListings(listings, sort).map(({ issue, project: of }) => ({
        ...toIssueSummary(issue, services.nowMs()),
        project: of,
      })),
      projects: toProjectTotals(listings),
    };
  },
});
