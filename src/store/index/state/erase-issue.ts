/** Erases from the index: an issue, what issues show of erased reports, or a text. Synchronous. */
import { ERASED } from "../../../core/erased.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { ReportSummary } from "../../../core/report/report-summary.ts";
import type { Digest, ReportId } from "../../../core/report.ts";
import type { ErasedLine } from "../../kv/erase-lines.ts";
import { ISSUE_LIST_NAME } from "../../kv/keys.ts";
import { containsText, redactText } from "../../redact-text.ts";
import { createDirtyKeys, type DirtyKeys } from "./dirty-keys.ts";
import { findIssueOfReport } from "./find-issue-of-report.ts";
import type { IndexTables } from "./index-tables.ts";
import { toTitleSearchText } from "./title-search-text.ts";

/** Erases an issue, its decision and annotations, and the aliases and traces that lead to it. */
export function eraseIssue(tables: IndexTables, digest: Digest): DirtyKeys {
  const { issues, aliases, search, decisions, annotations, merges, traces, tombstones } = tables;
  const { mergedDigests: merged = [], splitOff = [] } = issues.get(digest) ?? {};
  const removedAliases = aliases.remove(digest);
  search.remove(digest);
  issues.remove(digest);
  decisions.remove(digest);
  for (const one of [digest, ...merged]) {
    // Otherwise a browser error of that page would bring the issue back.
    traces.remove(one);
    annotations.remove(one);
    // KV may refuse the deletion of snapshots until after a restart.
    tombstones.add("annotations", one);
  }
  merges.clearCache();
  tombstones.add("issue", digest);
  tombstones.add("decision", digest);
  for (const alias of removedAliases) tombstones.add("alias", alias);
  tombstones.add("issue-list", ISSUE_LIST_NAME);
  return createDirtyKeys({
    // The snapshots of merged issues may still wait for that of this one.
    issues: [digest, ...merged, ...splitOff.filter((one) => issues.get(one) === undefined)],
    aliases: removedAliases,
    decisions: [digest],
    annotations: [digest, ...merged],
  });
}

/** Erases what issues show of erased reports: their summaries, and titles that came from them. */
export function eraseReports(
  tables: IndexTables,
  erased: readonly Omit<ErasedLine, "line" | "isRemoved">[],
): DirtyKeys {
  const digests = new Set<Digest>();
  for (const { id, digest, message } of erased) {
    if (id === undefined || digest === undefined) continue;
    const issue = findIssueOfReport(tables, digest, id) ?? tables.issues.get(digest);
    if (issue === undefined) continue;
    eraseFromIssue(tables, issue, id, message);
    digests.add(issue.digest);
  }
  return createDirtyKeys({ issues: digests });
}

/** Erases what an issue shows of an erased report. `message` is that of the report, if known. */
export function eraseFromIssue(
  tables: IndexTables,
  issue: Issue,
  id: ReportId,
  message?: string,
): DirtyKeys {
  const summary = issue.latestReports.find((report) => report.id === id);
  const latestReports = issue.latestReports.filter((report) => report !== summary);
  const title = replaceTitle(issue, message ?? summary?.message, latestReports);
  saveErased(tables, { ...issue, latestReports, ...title });
  return createDirtyKeys({ issues: [issue.digest] });
}

/** A part of an erasure that is done, and where the next part begins; absent after the last. */
interface ErasedPart {
  readonly dirtyKeys: DirtyKeys;
  readonly next?: string | undefined;
}

/** Issues, aliases or annotations that are searched in one turn. */
const MAX_PER_PART = 100;

/** Redacts a text in some issues and their search texts. */
export function eraseFromIssues(tables: IndexTables, text: string, cursor = "0"): ErasedPart {
  const { issues, search } = tables;
  const after = Number(cursor);
  const { digests: own, next } = issues.findContainingAfter(text, after, MAX_PER_PART);
  const found = search.findContaining(text, after, next ?? Number.MAX_SAFE_INTEGER);
  const digests = new Set([...own, ...found]);
  for (const digest of digests) {
    const issue = issues.get(digest);
    if (issue !== undefined) saveErased(tables, redactText(issue, text));
  }
  return { dirtyKeys: createDirtyKeys({ issues: digests }), next: next?.toString() };
}

/** Removes some aliases that contain a text. */
export function eraseFromAliases(
  { aliases, tombstones }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const names = aliases.listNames(cursor, MAX_PER_PART);
  const matching = names.filter((alias) => containsText(alias, text));
  for (const alias of matching) {
    aliases.removeAlias(alias);
    tombstones.add("alias", alias);
  }
  return { dirtyKeys: createDirtyKeys({ aliases: matching }), next: names.at(-1) };
}

/** Forgets some page paths that contain a text. */
export function eraseFromTraces({ traces }: IndexTables, text: string, cursor = ""): ErasedPart {
  const names = traces.listNames(cursor, MAX_PER_PART);
  for (const trace of names) traces.erasePaths(trace, text);
  return { dirtyKeys: createDirtyKeys({}), next: names.at(-1) };
}

/** Redacts a text in some annotations, and at the end in the saved views. */
export function eraseFromTriage(
  { annotations, views, tombstones }: IndexTables,
  text: string,
  cursor = "",
): ErasedPart {
  const names = annotations.listNames(cursor, MAX_PER_PART);
  const matching = names.filter((name) => containsText(annotations.get(name), text));
  for (const name of matching) {
    annotations.save(name, redactText(annotations.getOrEmpty(name), text));
    tombstones.add("annotations", name);
  }
  if (names.length > 0)
    return { dirtyKeys: createDirtyKeys({ annotations: matching }), next: names.at(-1) };
  const matchingViews = views.list().filter(([, document]) => containsText(document, text));
  for (const [name, document] of matchingViews) {
    views.save(name, redactText(document, text));
    tombstones.add("views", name);
  }
  return { dirtyKeys: createDirtyKeys({ views: matchingViews.length > 0 }) };
}

/** The search text may be that of an erased report, so the title replaces it. */
function saveErased({ issues, tombstones, search }: IndexTables, issue: Issue): void {
  issues.save(issue);
  // Until KV has the new snapshot, a rebuild must not use the old one.
  tombstones.add("issue", issue.digest);
  tombstones.add("issue-list", ISSUE_LIST_NAME);
  search.remove(issue.digest);
  search.add([[issue.digest, toTitleSearchText(issue)]]);
}

/** If the title came from the erased report alone: the title of the newest remaining report. */
function replaceTitle(
  { message, trust }: Issue,
  erasedMessage: string | undefined,
  latest: readonly ReportSummary[],
): Partial<Issue> {
  const own = latest.filter((report) => !report.isLinked && report.trust === trust);
  if (erasedMessage !== message || own.some((report) => report.message === message)) return {};
  const [newest] = own;
  return { message: newest?.message ?? ERASED, ...(newest !== undefined && { type: newest.type }) };
}
