/** What JSON says of issues: in lists, of one, and of where something pasted led. */
import { stateOf } from "../core/decision.ts";
import type { Issue, IssueSummary } from "../core/issue.ts";
import { titleOf } from "../core/title.ts";
import { countVisitors } from "../core/visitors.ts";
import { issueUrl } from "../ui/issue/issue-url.ts";
import { here } from "./here.ts";
import type { AppContext } from "./services.ts";

/** Of a list: each issue's state as it stands at `nowMs`, and in `decision` what people decided. */
export function listFields<List extends { readonly issues: readonly IssueSummary[] }>(
  list: List,
  nowMs: number,
): List {
  return {
    ...list,
    issues: list.issues.map((issue) => ({ ...issue, state: stateOf(issue, nowMs) })),
  };
}

/** Of an issue itself; its state as in a list. */
export function issueFields(c: AppContext, { visitors, upTo: _, ...known }: Issue) {
  const { nowMs } = c.get("services");
  return {
    ...seenFields(known),
    url: here(c, issueUrl(known.digest)),
    ...known,
    state: stateOf(known, nowMs()),
    ...(visitors !== undefined && { people: countVisitors(visitors) }),
  };
}

/** Of an issue that something led to, by way of `url`. */
export function hitFields(issue: IssueSummary, url: string) {
  const { digest, count } = issue;
  return { digest, count, ...seenFields(issue), url };
}

/** What people read of it, and when it was seen. */
function seenFields(issue: IssueSummary) {
  return {
    title: titleOf(issue),
    firstSeen: new Date(issue.firstSeenMs).toISOString(),
    lastSeen: new Date(issue.lastSeenMs).toISOString(),
  };
}
