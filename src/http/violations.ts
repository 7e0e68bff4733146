/** What was reported against policies, gathered from the desk for a page. */
import type { Issue, IssueSummary } from "../core/issue.ts";
import { type Cursor, type IssueQuery, readQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { mostFrequent } from "../core/most-frequent.ts";
import type { CountedViolation } from "../core/policy/trial.ts";
import type { Desk } from "../core/ports.ts";
import type { ReportKind } from "../core/report.ts";
import type { Violations } from "../ui/policies/violation-list.tsx";

/** Of the page itself, or of what is kept apart; whatever was decided about them. */
export function queryOf(kind: ReportKind, isNoise = false): IssueQuery {
  const filter = { key: "kind", value: kind, isExact: true, isNot: false } as const;
  return { ...readQuery("", "count"), isNoise, filters: [filter] };
}

/** The violations of policies: the `limits.maxReplayedIssues` most frequent. Rejects while the index is away. */
export async function violationsIn(desk: Desk): Promise<Violations> {
  const issues: IssueSummary[] = [];
  let total = 0;
  let from: Cursor | undefined;
  do {
    const page = await desk.list(queryOf("csp"), from);
    issues.push(...page.issues);
    total = page.total;
    from = page.next;
  } while (from !== undefined && issues.length < limits.maxReplayedIssues);
  return { issues: issues.slice(0, limits.maxReplayedIssues), total };
}

/** The violations as a policy is tried on them, and the origins of the pages on which they happened, the most frequent first. */
export interface OnPages {
  readonly violations: readonly CountedViolation[];
  readonly origins: readonly string[];
}

/**
 * Says of violations on which page they happened: of the most frequent ones the page that the issue names, of the others the origin
 * that these have most often. A list of issues has no pages, and an issue is a read.
 */
export async function onPages(desk: Desk, issues: readonly IssueSummary[]): Promise<OnPages> {
  const asked = issues.filter(({ blocked = "" }) => blocked.includes(":"));
  const found = await Promise.all(
    asked.slice(0, limits.maxReadPages).map(async ({ digest }) => {
      const page = pageOf(await desk.issue(digest).catch(() => null));
      return [digest, page] as const;
    }),
  );
  const pages = new Map(found);
  const origins = mostFrequent(found.flatMap(([, page]) => originOf(page))).map(
    ([origin]) => origin,
  );
  return {
    origins,
    violations: issues.map(({ digest, type, blocked = "something", count }) => {
      const page = pages.get(digest) ?? origins[0];
      return { digest, directive: type, blocked, count, ...(page !== undefined && { page }) };
    }),
  };
}

/** The policy that the newest violation names as the one in force; undefined where there is none, or not all of it. */
export async function policyInForce(desk: Desk): Promise<string | undefined> {
  const { issues } = await desk.list({ ...queryOf("csp"), sort: "last" });
  const issue = issues[0] === undefined ? null : await desk.issue(issues[0].digest);
  const mark = issue?.latest.find(({ linked }) => !linked);
  const report = mark === undefined ? null : await desk.report(mark);
  const detail = report?.detail;
  if (typeof detail !== "object" || detail === null || Array.isArray(detail)) return undefined;
  const said = Object.entries(detail).find(([name]) => /^original-?policy$/i.test(name))?.[1];
  return typeof said === "string" && said !== "" && !said.endsWith("…") ? said : undefined;
}

function pageOf(issue: Issue | null): string | undefined {
  return issue?.latest.find(({ url }) => url !== undefined)?.url;
}

function originOf(url: string | undefined): readonly string[] {
  return url !== undefined && /^https?:/i.test(url) && URL.canParse(url)
    ? [new URL(url).origin]
    : [];
}
