/**
 * Issues that alert nobody unless a rule asks for them: the visitor saw the page, or the cause is
 * often the visitor's own software. Pure.
 */

import { countLevels } from "../../issue/describe-issue.ts";
import type { Issue } from "../../issue/issue.ts";
import type { IssueQuery } from "../../issue/issue-query.ts";

/**
 * True for errors that React recovered from, and for failed resources and requests that no report
 * calls an error: images, files of other sites, requests without a response. The grouping keeps
 * both apart from others, so that no first alert is missed.
 */
export function isQuietIssue(issue: Issue): boolean {
  if (issue.kind === "recovered") return true;
  return (
    issue.kind === "network" &&
    countLevels(issue).values.every(([level]) => level !== "error" && level !== "fatal")
  );
}

/** True if a rule asks for such issues: it names a kind or a level. */
export function asksForQuiet({ filters }: Pick<IssueQuery, "filters">): boolean {
  return filters.some(({ key, isNegated }) => !isNegated && (key === "kind" || key === "level"));
}
