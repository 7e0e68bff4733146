/** Queries of a caller: `assigned:me` is the person who asks. */
import { LOCAL_ASSIGNEE } from "../core/accounts/names.ts";
import {
  type IssueQuery,
  type IssueSort,
  parseIssueQuery,
  resolveMe,
} from "../core/issue/issue-query.ts";
import type { Call } from "./operation.ts";

/** Parses a query of the caller. */
export function parseOwnQuery(
  text: string,
  call: Pick<Call, "caller">,
  sort: IssueSort = "last",
): IssueQuery {
  return toOwnQuery(parseIssueQuery(text, sort), call);
}

/** The query with the caller in place of `me`; nobody for a program without a person. */
export function toOwnQuery(query: IssueQuery, { caller }: Pick<Call, "caller">): IssueQuery {
  const { actor, name } = caller;
  return resolveMe(query, actor.kind === "local" ? LOCAL_ASSIGNEE : name);
}
