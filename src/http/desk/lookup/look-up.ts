/**
 * From what somebody pasted to the issues that it leads to. Reads the desk; knows nothing of requests.
 */

import type { Issue } from "../../../core/issue/issue.ts";
import { formatIssueQuery, parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { findLatestReport } from "../../../core/issue/related-reports.ts";
import { limits } from "../../../core/limits.ts";
import { type LookupCode, parseCodes } from "../../../core/lookup/parse-codes.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import type { ProjectStore } from "../../../core/ports/storage-ports.ts";
import type { Digest, Report } from "../../../core/report.ts";
import type { MatchLimit } from "../../../ui/lookup/matches-page.tsx";
import { toIssueListUrl, toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl, toReportUrl } from "../../../ui/urls/issue-urls.ts";
import { isReportId } from "../../forms/validators.ts";

/** One issue, and the address that shows it: for a report id, that very report. */
export interface LookupMatch {
  readonly issue: Issue;
  readonly path: string;
}

/** What was read in the text, best first, and where it led: to issues, or to the list of those that happened at an address. */
export interface LookupResult {
  readonly codes: readonly LookupCode[];
  readonly matches: readonly LookupMatch[];
  readonly listPath?: string;
  /** Where there may be more than `hits`: which of them these are. */
  readonly limit?: MatchLimit;
}

/**
 * Everything that the codes in `pasted` lead to, each issue once, in the order of the codes. Where no code leads anywhere: what
 * broke at the address that it is, else the issues that have all of its words. A misread digest leads nowhere by itself: its
 * likely readings are for the page to offer. `missing` is a digest of which the desk has just said that it has no issue: it is not asked again.
 */
export async function lookUp(
  projectStore: ProjectStore,
  input: string,
  knownMissing?: Digest,
): Promise<LookupResult> {
  const codes = parseCodes(input);
  const resolutions = await Promise.all(
    codes.map((code) => resolveCode(projectStore, code, knownMissing)),
  );
  const firstByDigest = new Map<Digest, Resolution>();
  for (const correction of resolutions.flat())
    if (!firstByDigest.has(correction.digest)) firstByDigest.set(correction.digest, correction);
  const issues = await Promise.all(
    [...firstByDigest.values()].map(({ digest, issue }) =>
      issue === undefined ? projectStore.getFreshIssue(digest) : issue,
    ),
  );
  const hits = issues
    .filter((issue) => issue !== null)
    .map((issue) => ({
      issue,
      path: firstByDigest.get(issue.digest)?.path ?? toIssueUrl(issue.digest),
    }));
  if (hits.length > 0) {
    const isCut = resolutions.some(({ length }) => length >= limits.maxIssuesPerAlias);
    return { codes, matches: hits, ...(isCut && { limit: { reason: "code" } }) };
  }
  const urlMatches = await findByUrl(projectStore, input.trim());
  if (urlMatches !== undefined) return { codes, ...urlMatches };
  // A single word may be a code of an application's own, and a word of a message; an id may be a trace's.
  const isText = codes.every(({ kind }) => kind === "alias" || kind === "report-id");
  return { codes, ...(isText ? await searchByText(projectStore, input) : { matches: [] }) };
}

/** An address of a page, or its path alone. */
const URL_PATTERN = /^(?:https?:\/\/[^\s/]+)?\/[^\s?#/][^\s?#]*(?:[?#]\S*)?$/i;

/** What broke at the path of an address: the only issue, or the list of all; undefined where nothing did, and for other texts. */
async function findByUrl(
  projectStore: ProjectStore,
  text: string,
): Promise<Omit<LookupResult, "codes"> | undefined> {
  const path = URL_PATTERN.test(text)
    ? URL.parse(text, "https://any.invalid")?.pathname
    : undefined;
  if (path === undefined || path === "/") return undefined;
  const urlQuery = `url:${path}`;
  const page = await projectStore.listIssues(parseIssueQuery(urlQuery)).catch(() => undefined);
  const [first, ...others] = page?.issues ?? [];
  if (first === undefined) {
    // A report that names a route has its address in its words.
    const found = await searchByText(projectStore, path);
    return found.matches.length === 0 ? undefined : found;
  }
  if (others.length > 0) return { matches: [], listPath: toSearchUrl(urlQuery) };
  const only = await projectStore.getFreshIssue(first.digest);
  return only === null ? undefined : { matches: [{ issue: only, path: toIssueUrl(only.digest) }] };
}

/** What has no code in it is looked for in the words of issues: a line of a message or of a stack. */
async function searchByText(
  projectStore: ProjectStore,
  text: string,
): Promise<Omit<LookupResult, "codes">> {
  const digests = await projectStore
    .searchIssues(text.slice(0, limits.maxQueryChars))
    .catch(() => []);
  const issues = await Promise.all(digests.map((digest) => projectStore.getFreshIssue(digest)));
  const hits = issues
    .filter((issue) => issue !== null)
    .map((issue) => ({ issue, path: toIssueUrl(issue.digest) }));
  if (digests.length < limits.maxSearchResults) return { matches: hits };
  return {
    matches: hits,
    limit: { reason: "text", ...omitUndefined({ listPath: toListPath(text) }) },
  };
}

/** The list of the issues that have these words; undefined where it cannot be asked for all of them. */
function toListPath(text: string): string | undefined {
  const query = { ...parseIssueQuery(""), text: text.replace(/\s+/g, " ").trim() };
  const isAsked = parseIssueQuery(formatIssueQuery(query)).text === query.text;
  return isAsked ? toIssueListUrl({ query }) : undefined;
}

/** What a misread digest may be, the plausible readings where there are any; undefined when nothing was misread. */
export function listLikelyDigests({ codes }: LookupResult): readonly Digest[] | undefined {
  const misread = codes.find((code) => code.kind === "misread");
  if (misread === undefined) return undefined;
  const plausible = misread.corrections.filter((correction) => correction.isConfusable);
  return (plausible.length > 0 ? plausible : misread.corrections).map(({ digest }) => digest);
}

/** Where a code leads; with the issue where that is known already. */
interface Resolution {
  readonly digest: Digest;
  readonly path: string;
  readonly issue?: Issue | null;
}

async function resolveCode(
  projectStore: ProjectStore,
  code: LookupCode,
  knownMissing?: Digest,
): Promise<readonly Resolution[]> {
  switch (code.kind) {
    case "digest": {
      const { digest } = code;
      // A browser's report that counts in another issue was answered with a digest of its own.
      const [issue, others] = await Promise.all([
        digest === knownMissing ? null : projectStore.getFreshIssue(digest),
        projectStore.findIssuesByAlias(digest),
      ]);
      const elsewhere = others.map((other) => ({ digest: other, path: toIssueUrl(other) }));
      return [{ digest, path: toIssueUrl(digest), issue }, ...elsewhere];
    }
    case "alias": {
      const digests = await projectStore.findIssuesByAlias(code.alias);
      return digests.map((digest) => ({ digest, path: toIssueUrl(digest) }));
    }
    case "report-id": {
      const location = await projectStore.locateReport(code.id);
      return location === null
        ? []
        : [{ digest: location.digest, path: toReportUrl(location.digest, code.id) }];
    }
    case "misread":
    case "control-flow":
      return [];
  }
}

/** The report that was asked for, else the newest occurrence, else the newest report. */
export async function findReport(
  projectStore: ProjectStore,
  issue: Issue,
  id: string | undefined,
): Promise<Report | null> {
  const named =
    id === undefined ? undefined : issue.latestReports.find((summary) => summary.id === id);
  if (named === undefined && id !== undefined) {
    const location = isReportId(id) ? await projectStore.locateReport(id) : null;
    return location?.digest === issue.digest
      ? projectStore.readReport({ position: location.position })
      : null;
  }
  const summary = named ?? findLatestReport(issue.latestReports);
  return summary === undefined ? null : projectStore.readReport(summary);
}
