/** Fits an issue into its row, so that one sender cannot block counting. Pure. */
import type { Issue } from "../../../core/issue/issue.ts";
import { isTrusted } from "../../../core/trust/trust.ts";

/** At most 3 bytes per character: well below SQLite's 2 MB per row. */
const MAX_BODY_CHARS = 500_000;

/**
 * The issue as it is stored, and its JSON. If that exceeds the row limit, the issue drops the
 * summaries of public reports, then its oldest ones, then its facets.
 */
export function fitIssue(issue: Issue): { readonly stored: Issue; readonly body: string } {
  let stored = issue;
  let body = JSON.stringify(stored);
  if (body.length > MAX_BODY_CHARS) {
    const latestReports = issue.latestReports.filter(({ trust }) => isTrusted(trust));
    stored = { ...issue, latestReports };
    body = JSON.stringify(stored);
  }
  while (body.length > MAX_BODY_CHARS && stored.latestReports.length > 0) {
    stored = {
      ...stored,
      latestReports: stored.latestReports.slice(0, stored.latestReports.length >> 1),
    };
    body = JSON.stringify(stored);
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
    body = JSON.stringify(stored);
  }
  return { stored, body };
}
