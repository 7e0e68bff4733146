/** What JSON says of issues: in lists, of one, and of where something pasted led. */
import { getCurrentState } from "../core/decision.ts";
import type { Issue, IssueSummary } from "../core/issue.ts";
import { formatTitle } from "../core/title.ts";
import { estimateUserCount } from "../core/visitors.ts";
import { toIssueUrl } from "../ui/issue/issue-url.ts";
import { toProjectUrl } from "./here.ts";
import type { AppContext } from "./services.ts";

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
    ...(userSketch !== undefined && { people: estimateUserCount(userSketch) }),
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
