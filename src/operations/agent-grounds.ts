/**
 * What agents may not do. Anyone can send a public report, and an agent may believe it: an issue that
 * only public reports made is no ground for a change by an agent. A person decides about it.
 */
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import type { Digest } from "../core/report.ts";

/** The level of an issue is the highest of its reports. */
export function hasOnlyPublicReports({ trust }: Pick<IssueSummary, "trust">): boolean {
  return trust === "public";
}

/** True if one of the issues has only public reports. Unknown issues have none. */
export async function isAnyOnlyPublic(
  store: { getFreshIssue(digest: Digest): Promise<Issue | null> },
  digests: readonly Digest[],
): Promise<boolean> {
  const issues = await Promise.all(digests.map((digest) => store.getFreshIssue(digest)));
  return issues.some((issue) => issue !== null && hasOnlyPublicReports(issue));
}
