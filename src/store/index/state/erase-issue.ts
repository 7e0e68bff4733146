/** Erases an issue from the index, or erased reports from their issues. Synchronous. */
import { ERASED } from "../../../core/erased-mark.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { forgetReport } from "../../../core/place/stack-counts.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import type { ErasedLine } from "../../kv/erase-lines.ts";
import { ISSUE_LIST_NAME } from "../../kv/keys.ts";
import { containsText } from "../../redact-text.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import { findIssueOfReport } from "./find-issue-of-report.ts";
import type { IndexTables } from "./index-tables.ts";
import { toTitleSearchText } from "./title-search-text.ts";

/** Erases an issue, its decision and annotations, and the aliases and traces that lead to it. */
export function eraseIssue(tables: IndexTables, digest: Digest): DirtyKeys {
  const { issues, aliases, search, decisions, annotations, merges, traces, tombstones, alerts } =
    tables;
  const { awaitedCommits } = tables;
  const { mergedDigests: merged = [], splitOff = [] } = issues.get(digest) ?? {};
  const removedAliases = aliases.remove(digest);
  search.remove(digest);
  issues.remove(digest);
  decisions.erase(digest);
  for (const one of [digest, ...merged]) {
    alerts.removeIssue(one);
    // Otherwise a browser error of that page would restore the issue.
    traces.remove(one);
    annotations.erase(one);
    awaitedCommits.removeIssue(one);
  }
  merges.clearCache();
  tombstones.add("issue", digest);
  for (const alias of removedAliases) tombstones.add("alias", alias);
  tombstones.add("issue-list", ISSUE_LIST_NAME);
  return createDirtyKeys({
    // The snapshots of merged issues may still wait for that of this issue.
    issues: [digest, ...merged, ...splitOff.filter((one) => issues.get(one) === undefined)],
    aliases: removedAliases,
  });
}

/**
 * Erases the summaries of reports that contain a text, and titles that came from them if they
 * contain the text. Without `text`, erases the whole reports.
 */
export function eraseReports(
  tables: IndexTables,
  erased: readonly Omit<ErasedLine, "line" | "isRemoved">[],
  text?: string,
): DirtyKeys {
  const digests = new Set<Digest>();
  for (const { id, digest, message } of erased) {
    if (id === undefined || digest === undefined) continue;
    const issue = findIssueOfReport(tables, digest, id) ?? tables.issues.get(digest);
    if (issue === undefined) continue;
    const keepsTitle = text !== undefined && !containsText([issue.type, issue.message], text);
    eraseFromIssue(tables, issue, id, { message, keepsTitle });
    digests.add(issue.digest);
  }
  return createDirtyKeys({ issues: digests });
}

/**
 * Erases an erased report from its issue. `message` is the report's, if known. With `keepsTitle`, a
 * title that came from it stays.
 */
export function eraseFromIssue(
  tables: IndexTables,
  issue: Issue,
  id: ReportId,
  {
    message,
    keepsTitle,
  }: { readonly message?: string | undefined; readonly keepsTitle?: boolean } = {},
): DirtyKeys {
  const summary = issue.latestReports.find((report) => report.id === id);
  const latestReports = issue.latestReports.filter((report) => report !== summary);
  const title = keepsTitle ? {} : replaceTitle(issue, message ?? summary?.message, latestReports);
  const stacks = issue.stacks && forgetReport(issue.stacks, id);
  const { grouping: _grouping, mergedGroupings: _merged, ...unnamed } = issue;
  const kept = title.message === ERASED ? unnamed : issue;
  saveErased(tables, { ...kept, latestReports, ...title, stacks });
  return createDirtyKeys({ issues: [issue.digest] });
}

/** The search text may come from an erased report, so the title replaces it. */
export function saveErased({ issues, tombstones, search }: IndexTables, issue: Issue): void {
  issues.save(issue);
  // Until KV has the new snapshot, a rebuild must not use the old one.
  tombstones.add("issue", issue.digest);
  tombstones.add("issue-list", ISSUE_LIST_NAME);
  search.remove(issue.digest);
  search.add([[issue.digest, toTitleSearchText(issue)]]);
}

/** If the title came only from the erased report, uses that of the newest remaining one. */
function replaceTitle(
  { type, message, trust }: Issue,
  erasedMessage: string | undefined,
  latest: readonly ReportSummary[],
): Partial<Issue> {
  const own = latest.filter((report) => !report.isLinked && report.trust === trust);
  if (erasedMessage !== message || own.some((report) => report.message === message)) return {};
  const [newest] = own;
  return { message: newest?.message ?? ERASED, type: newest?.type ?? type };
}
