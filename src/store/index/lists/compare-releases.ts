/** Reads the issues of two releases, with their occurrences in each. Bounded work, synchronous. */
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import type { ComparedIssue } from "../../../core/overview/release-comparison.ts";
import type { IndexTables } from "../state/index-tables.ts";
import type { IssueLists } from "./issue-lists.ts";

/** The most frequent issues of each release. */
const MAX_ISSUES = 100;

/** Each issue once. One that was only resolved in a release did not occur in it. */
export function compareReleaseIssues(
  { issues }: Pick<IndexTables, "issues">,
  lists: Pick<IssueLists, "listPage">,
  releases: readonly [base: string, release: string],
  nowMs: number,
): readonly ComparedIssue[] {
  const found = releases.flatMap(
    (name) => lists.listPage(toQuery(name), undefined, nowMs, MAX_ISSUES).issues,
  );
  const all = new Map(found.map((issue) => [issue.digest, issue]));
  return [...all.values()].flatMap((issue): readonly ComparedIssue[] => {
    const values = issues.get(issue.digest)?.releases?.values ?? [];
    const count = (name: string) => values.find(([known]) => known === name)?.[1] ?? 0;
    const [baseCount, releaseCount] = [count(releases[0]), count(releases[1])];
    return baseCount + releaseCount === 0 ? [] : [{ issue, baseCount, releaseCount }];
  });
}

function toQuery(release: string): IssueQuery {
  const filter = { key: "release", value: release, isExact: true, isNegated: false } as const;
  return { ...parseIssueQuery("", "count"), filters: [filter] };
}
