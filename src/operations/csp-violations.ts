/** Reads the CSP violations of a project, and the pages that they occurred on. */
import type { CountedViolation } from "../core/csp/dry-run.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { type IssueQuery, parseIssueQuery } from "../core/issue/issue-query.ts";
import { findLatestReport, sortByTrust } from "../core/issue/related-reports.ts";
import { limits } from "../core/limits.ts";
import type { ReportKind } from "../core/report.ts";
import { isTrusted } from "../core/trust/trust.ts";
import type { ProjectStore } from "../store/client/project-store.ts";

/** A query for issues of a kind, in any state; either noise or not. */
export function createKindQuery(kind: ReportKind, isNoise = false): IssueQuery {
  const filter = { key: "kind", value: kind, isExact: true, isNegated: false } as const;
  return { ...parseIssueQuery("", "count"), isNoise, filters: [filter] };
}

/** The most frequent violations, and the number of all. */
interface LoadedViolations {
  readonly issues: readonly IssueSummary[];
  readonly total: number;
  readonly isTotalCapped?: true;
}

/**
 * The most frequent violations, at most `limits.maxReplayedIssues`. Rejects while the index is
 * unavailable.
 */
export async function loadViolations(projectStore: ProjectStore): Promise<LoadedViolations> {
  const count = limits.maxReplayedIssues;
  const page = await projectStore.listIssues(createKindQuery("csp"), undefined, count);
  const { issues, total, isTotalCapped } = page;
  return { issues, total, isTotalCapped };
}

/**
 * Violations for a dry run, and the origins of the pages they occurred on, most frequent first. If
 * there are trusted violations, only their pages.
 */
interface ViolationsWithPages {
  readonly violations: readonly CountedViolation[];
  readonly origins: readonly string[];
}

/**
 * Adds page URLs to violations. The most frequent ones get the page of their issue, which costs a
 * read each. The others get the most frequent origin, since lists of issues contain no pages.
 */
export async function attachPages(
  projectStore: ProjectStore,
  issues: readonly IssueSummary[],
): Promise<ViolationsWithPages> {
  const issuesWithUrl = issues.filter(({ blockedUri = "" }) => blockedUri.includes(":"));
  const found = await Promise.all(
    issuesWithUrl.slice(0, limits.maxReadPages).map(async ({ digest, trust }) => {
      const page = findPageUrl(await projectStore.getIssue(digest).catch(() => null));
      return { digest, page, isTrusted: isTrusted(trust) };
    }),
  );
  const pages = new Map(found.map(({ digest, page }) => [digest, page] as const));
  const trusted = found.filter((one) => one.isTrusted);
  const origins = countMostFrequent(
    (trusted.length > 0 ? trusted : found).flatMap(({ page }) => toOrigins(page)),
  ).map(([origin]) => origin);
  return {
    origins,
    violations: issues.map(({ digest, type, blockedUri = "something", count, trust }) => {
      const page = pages.get(digest) ?? origins[0];
      return {
        digest,
        directive: type,
        blockedUri: blockedUri,
        reportCount: count,
        ...(!isTrusted(trust) && { isPublic: true }),
        pageUrl: page,
      };
    }),
  };
}

/**
 * The policy in the newest violation of the highest trust level; undefined if there is none, or if
 * it was truncated.
 */
export async function findCurrentPolicy(projectStore: ProjectStore): Promise<string | undefined> {
  const { issues } = await projectStore.listIssues({ ...createKindQuery("csp"), sort: "last" });
  const [newest] = issues;
  const issue = newest === undefined ? null : await projectStore.getFreshIssue(newest.digest);
  const summary = issue === null ? undefined : findLatestReport(issue.latestReports);
  const report = summary === undefined ? null : await projectStore.readReport(summary);
  const detail = report?.detail;
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return undefined;
  const policy = Object.entries(detail).find(([name]) => /^original-?policy$/i.test(name))?.[1];
  return typeof policy === "string" && policy !== "" && !policy.endsWith("…") ? policy : undefined;
}

function findPageUrl(issue: Issue | null): string | undefined {
  return sortByTrust(issue?.latestReports ?? []).find(({ url }) => url !== undefined)?.url;
}

function toOrigins(url: string | undefined): readonly string[] {
  return url !== undefined && /^https?:/i.test(url) && URL.canParse(url)
    ? [new URL(url).origin]
    : [];
}

/** The distinct words with their counts, most frequent first, then alphabetically. */
function countMostFrequent(
  words: readonly string[],
): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
