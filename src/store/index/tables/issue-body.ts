/**
 * The body of an issue: the JSON of everything that lists do not show, in a row of its own. With
 * the columns of the issue it is the whole issue. Pure.
 */
import type { Issue, IssueSummary } from "../../../core/issue/issue.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import { parseStoredIssue } from "../../kv/stored-json.ts";
import { type IssueColumns, toIssueSummary } from "./issue-columns.ts";

/** At most 3 bytes per character: well below SQLite's 2 MB per row. */
const MAX_BODY_CHARS = 500_000;

/**
 * The issue as it is stored, and its body. If that exceeds the row limit, the issue drops the
 * summaries of public reports, then its oldest ones, then its facets: one sender cannot block
 * counting.
 */
export function fitIssue(issue: Issue): { readonly stored: Issue; readonly body: string } {
  let stored = issue;
  let body = formatBody(stored);
  if (body.length > MAX_BODY_CHARS) {
    const latestReports = issue.latestReports.filter(({ trust }) => isTrusted(trust));
    stored = { ...issue, latestReports };
    body = formatBody(stored);
  }
  while (body.length > MAX_BODY_CHARS && stored.latestReports.length > 0) {
    stored = {
      ...stored,
      latestReports: stored.latestReports.slice(0, stored.latestReports.length >> 1),
    };
    body = formatBody(stored);
  }
  if (body.length > MAX_BODY_CHARS) {
    const {
      releases: _r,
      environments: _e,
      browsers: _b,
      pages: _p,
      tags: _t,
      ...minimal
    } = stored;
    stored = { ...minimal, aliases: [], trustedAliasCount: 0, serverAliasCount: 0 };
    body = formatBody(stored);
  }
  return { stored, body };
}

/** The issue of a stored row and body; undefined for an unknown version. */
export function toIssue(digest: Digest, columns: IssueColumns, body: string): Issue | undefined {
  const { userCount: _, recentDays: __, ...summary } = toIssueSummary(digest, columns);
  return parseStoredIssue({ ...summary, ...JSON.parse(body) }) ?? undefined;
}

function formatBody(issue: Issue): string {
  return JSON.stringify({ ...issue, ...WITHOUT_SUMMARY });
}

/** The members of a summary, all undefined: JSON omits them. */
const WITHOUT_SUMMARY: Record<keyof IssueSummary, undefined> = {
  ...{ digest: undefined, kind: undefined, type: undefined, message: undefined },
  ...{ culprit: undefined, route: undefined, release: undefined, environment: undefined },
  ...{ state: undefined, trust: undefined, decision: undefined, noise: undefined },
  ...{ count: undefined, publicCount: undefined, userCount: undefined, linkedCount: undefined },
  ...{ firstSeenMs: undefined, lastSeenMs: undefined, recentDays: undefined },
  ...{ assignee: undefined, blockedUri: undefined },
};
