/** What content security policies blocked within a day, by directive. Pure. */
import type { IssueSummary } from "../issue/issue.ts";
import { DAY_MS, toUtcDay } from "../utc-time.ts";
import type { PolicyNews } from "./project-overview.ts";

const MAX_POLICIES = 3;
/** How the message of a violation of a policy that is not enforced begins. */
const REPORT_ONLY = "would block ";

/** The directives with the most violations of today and yesterday, from issues of the kind `csp`. */
export function countPolicyNews(
  issues: readonly IssueSummary[],
  nowMs: number,
): readonly PolicyNews[] {
  const days = [toUtcDay(nowMs), toUtcDay(nowMs - DAY_MS)];
  const recent = issues.filter(({ lastSeenMs }) => lastSeenMs > nowMs - DAY_MS);
  const groups = new Map<string, IssueSummary[]>();
  for (const issue of recent) {
    const key = JSON.stringify([issue.type, issue.message.startsWith(REPORT_ONLY)]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [issue]);
    else group.push(issue);
  }
  return [...groups.values()]
    .map((group): PolicyNews => {
      const [first] = group;
      const counts = group.flatMap(({ recentDays = [] }) =>
        recentDays.flatMap(([day, count]) => (days.includes(day) ? count : [])),
      );
      return {
        directive: first?.type ?? "",
        isReportOnly: first?.message.startsWith(REPORT_ONLY) === true,
        sources: new Set(group.map(({ blockedUri, message }) => toSource(blockedUri ?? message)))
          .size,
        count: counts.reduce((sum, one) => sum + one, 0),
      };
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_POLICIES);
}

/** The host of a URL; `inline` and other words as they are. */
function toSource(uri: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(uri)?.[1] ?? uri;
}
