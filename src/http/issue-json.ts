/** JSON of issues: in lists, alone, and as lookup matches. */

import { estimateUserCount } from "../core/hyperloglog.ts";
import { getCurrentState } from "../core/issue/decision.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { formatTitle } from "../core/report/title.ts";
import { toIssueUrl } from "../ui/urls/issue-urls.ts";
import type { AppContext } from "./context.ts";
import { toProjectUrl } from "./project-url.ts";

/** A list; `state` is the status at `nowMs`, `decision` the stored decision. */
export function toIssueListJson<List extends { readonly issues: readonly IssueSummary[] }>(
  list: List,
  nowMs: number,
): List {
  return {
    ...list,
    issues: list.issues.map((issue) => ({ ...issue, state: getCurrentState(issue, nowMs) })),
  };
}

/** A single issue, with `state` as in lists. */
export function toIssueJson(c: AppContext, { userSketch, watermarks: _, ...issueFields }: Issue) {
  const { nowMs } = c.get("services");
  return {
    ...toSeenFields(issueFields),
    url: toProjectUrl(c, toIssueUrl(issueFields.digest)),
    ...issueFields,
    state: getCurrentState(issueFields, nowMs()),
    ...(userSketch !== undefined && { userCount: estimateUserCount(userSketch) }),
  };
}

/** An issue that a lookup found at `url`. */
export function toMatchJson(issue: IssueSummary, url: string) {
  const { digest, count } = issue;
  return { digest, count, ...toSeenFields(issue), url };
}

/** Title and times in readable form. */
function toSeenFields(issue: IssueSummary) {
  return {
    title: formatTitle(issue),
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
  };
}
