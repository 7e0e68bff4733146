/** What JSON says of issues: in lists, of one, and of where something pasted led. */

import { estimateUserCount } from "../core/hyperloglog.ts";
import { getCurrentState } from "../core/issue/decision.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { formatTitle } from "../core/report/title.ts";
import { toIssueUrl } from "../ui/urls/issue-urls.ts";
import type { AppContext } from "./context.ts";
import { toProjectUrl } from "./project-url.ts";

/** Of a list: each issue's state as it stands at `nowMs`, and in `decision` what people decided. */
export function toIssueListJson<List extends { readonly issues: readonly IssueSummary[] }>(
  list: List,
  nowMs: number,
): List {
  return {
    ...list,
    issues: list.issues.map((issue) => ({ ...issue, state: getCurrentState(issue, nowMs) })),
  };
}

/** Of an issue itself; its state as in a list. */
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

/** Of an issue that something led to, by way of `url`. */
export function toMatchJson(issue: IssueSummary, url: string) {
  const { digest, count } = issue;
  return { digest, count, ...toSeenFields(issue), url };
}

/** What people read of it, and when it was seen. */
function toSeenFields(issue: IssueSummary) {
  return {
    title: formatTitle(issue),
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
  };
}
