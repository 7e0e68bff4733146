/** What a query says that is not understood, in outputs. */
import * as v from "valibot";
import { type FilterKey, formatIssueQuery, type IssueQuery } from "../core/issue/issue-query.ts";
import { findQueryProblems } from "../core/issue/query-problems.ts";
import { list } from "../core/schema/stored-object.ts";
import { byErrata, byMember } from "./provenance.ts";

/** Absent if everything is understood. */
export const queryProblems = v.optional(
  list(
    v.strictObject({
      part: byMember("The part of the query"),
      reason: byErrata("Why it is not understood"),
      suggestion: v.optional(byMember("The query that was probably meant")),
    }),
  ),
);

export function toProblems(query: IssueQuery, unknown?: readonly FilterKey[]) {
  const problems = findQueryProblems(query, unknown);
  if (problems.length === 0) return undefined;
  return problems.map(({ part, reason, suggestion }) => ({
    part,
    reason,
    suggestion: suggestion && formatIssueQuery(suggestion.query),
  }));
}
