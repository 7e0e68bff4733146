/** The issues and the alerts of all projects of the caller, each in one list. */
import * as v from "valibot";
import type { AlertMessage } from "../core/alerts/alert-message.ts";
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
import type { AlertInbox } from "../core/ports/alerts-port.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { alertMessage } from "./alerts.ts";
import { issueQueryText, issueSort } from "./inputs.ts";
import { flag, issueSummary, number, toIssueSummary } from "./issue-output.ts";
import {
  type Call,
  defineRead,
  listOtherProjects,
  type OperationServices,
  orNull,
} from "./operation.ts";
import { readOwnInbox } from "./own-inbox.ts";
import { parseOwnQuery } from "./own-query.ts";
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
 * What `read` returns of each project, of at most `limits.maxOtherProjects` besides this one, in
 * parallel; null of one that does not answer. Never rejects.
 */
export function readEach<T>(
  { caller, project, services }: Call,
  read: (of: OperationServices, id: string) => Promise<T>,
) {
  const own = (caller.projects ?? []).filter(({ id }) => id === project);
  return Promise.all(
    [...own, ...listOtherProjects(caller, project)].map(async ({ id, name }) => ({
      ...{ id, name },
      answer: await orNull(services, read(id === project ? services : services.forProject(id), id)),
    })),
  );
}

/** The first issues of each project. Never rejects. */
async function loadListings(
  call: Call,
  text: string,
  sort: IssueSort,
): Promise<readonly ProjectListing[]> {
  const query = parseOwnQuery(text, call, sort);
  const read = await readEach(call, ({ projectStore }) =>
    projectStore.listIssues(query, undefined, MAX_ISSUES),
  );
  return read.map(({ answer: page, ...of }) => ({ ...of, page }));
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

/** A project of the caller and its inbox; null if it did not answer. */
export interface ProjectInbox {
  readonly id: string;
  readonly name: string;
  readonly inbox: AlertInbox | null;
}

/** A message, its project, and whether the caller has not read it. */
export interface MessageOfProject {
  readonly project: { readonly id: string; readonly name: string };
  readonly message: AlertMessage;
  readonly isUnread: boolean;
}

/** Messages of the merged inbox. The others are in the inboxes of their projects. */
const MAX_MESSAGES = 50;

/** The messages of all projects, newest first. */
export function mergeInboxes(inboxes: readonly ProjectInbox[]): readonly MessageOfProject[] {
  return inboxes
    .flatMap(({ id, name, inbox }) =>
      (inbox?.messages ?? []).map((message, n) => ({
        ...{ project: { id, name }, message, isUnread: n < (inbox?.unread ?? 0) },
      })),
    )
    .sort((a, b) => b.message.atMs - a.message.atMs)
    .slice(0, MAX_MESSAGES);
}

export const listAllAlerts = defineRead({
  name: "alerts.listAll",
  summary: "List the newest alerts of all projects of the caller.",
  role: "viewer",
  rate: "search",
  dependency: "alerts",
  route: "GET /all-alerts",
  input: v.strictObject({}),
  output: v.strictObject({
    messages: list(v.strictObject({ ...alertMessage.entries, isUnread: v.optional(flag) })),
    projects: list(
      v.strictObject({
        ...project.entries,
        unread: v.optional(v.pipe(number, v.description("Absent if the project did not answer"))),
        isFailing: v.optional(flag),
      }),
    ),
  }),
  reasons: [],
  // Pages begin before the inboxes arrive.
  load: async (_, call) => {
    const loading = readEach(call, (of, id) => readOwnInbox(call, of, id));
    return ok(loading.then((read) => read.map(({ answer: inbox, ...of }) => ({ ...of, inbox }))));
  },
  async toOutput(loading) {
    const inboxes = await loading;
    return {
      messages: mergeInboxes(inboxes).map(({ message, isUnread }) => ({
        ...message,
        isUnread: isUnread || undefined,
      })),
      projects: inboxes.map(({ id, name, inbox }) => ({
        ...{ id, name, unread: inbox?.unread, isFailing: inbox?.isFailing || undefined },
      })),
    };
  },
});
