/** Finds the issues of pasted text. Independent of HTTP. */

import type { Issue } from "../../../core/issue/issue.ts";
import { formatIssueQuery, parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { isRayId } from "../../../core/lookup/alias.ts";
import { type LookupCode, parseCodes } from "../../../core/lookup/parse-codes.ts";
import { omitUndefined } from "../../../core/omit-undefined.ts";
import { parseReportCode } from "../../../core/report/report-code.ts";
import type { Digest } from "../../../core/report.ts";
import { isTrusted } from "../../../core/trust/trust.ts";
import type { ProjectStore } from "../../../store/client/project-store.ts";
import type { MatchLimit } from "../../../ui/lookup/matches-page.tsx";
import { toIssueListUrl, toSearchUrl } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl, toReportUrl } from "../../../ui/urls/issue-urls.ts";

/** An issue and the path that shows it; for a report id, the path of that report. */
interface LookupMatch {
  readonly issue: Issue;
  readonly path: string;
}

/** The codes found in the text, best first, and their issues, or a list of issues at a URL. */
export interface LookupResult {
  readonly codes: readonly LookupCode[];
  readonly matches: readonly LookupMatch[];
  readonly listPath?: string;
  /** The text, if its words were searched. */
  readonly searchText?: string;
  /** Set if there may be further matches. */
  readonly limit?: MatchLimit;
}

/**
 * Finds the issues of all codes in `input`, each once, in the order of the codes. Without a match:
 * the issues at the URL, then the issues that contain all words. A misread digest matches nothing
 * by itself; the page offers its corrections. `knownMissing` is a digest known to have no issue; it
 * is not read again.
 */
export async function lookUp(
  projectStore: ProjectStore,
  input: string,
  knownMissing?: Digest,
): Promise<LookupResult> {
  const codes = parseCodes(input);
  const found = await lookUpCodes(projectStore, codes, knownMissing);
  if (found.matches.length > 0) return { codes, ...found };
  const urlMatches = await findByUrl(projectStore, input.trim());
  if (urlMatches !== undefined) return { codes, ...urlMatches };
  // A single word may be an application's code or part of a message; an id may be a trace id.
  const isText = codes.every(({ kind }) => kind === "alias" || kind === "report-id");
  if (!isText) return { codes, matches: [] };
  return { codes, searchText: input, ...(await searchByText(projectStore, input)) };
}

/**
 * The issues of codes whose report may have arrived since they were last looked up. The index is
 * asked first: it rejects while it is unavailable, when `lookUpCodes` would read copies in KV,
 * which remembers for a minute that a key is missing.
 */
export async function findArrived(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<readonly LookupMatch[]> {
  const found = await projectStore.findMatches(codes.flatMap(listNames));
  if (found.length === 0 && !codes.some(isInLogs)) return [];
  return (await lookUpCodes(projectStore, codes)).matches;
}

/** The digests and aliases by which the index knows the issue of a code. */
function listNames(code: LookupCode): readonly string[] {
  if (code.kind === "alias") return [code.alias];
  return code.kind === "digest" ? [code.digest] : [];
}

/** True for a code that may identify a report or its request, which only the logs know. */
function isInLogs(code: LookupCode): boolean {
  if (code.kind === "alias") return isRayId(code.alias);
  if (code.kind === "digest") return parseReportCode(code.digest) !== undefined;
  return code.kind === "report-id";
}

/** The issues of all codes, each once, in the order of the codes. */
async function lookUpCodes(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
  knownMissing?: Digest,
): Promise<Pick<LookupResult, "matches" | "limit">> {
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
  const claimed = listClaims(codes, resolutions, issues);
  const hits = issues
    .filter((issue) => issue !== null)
    .filter((issue) => !claimed.has(issue.digest))
    .map((issue) => ({
      issue,
      path: firstByDigest.get(issue.digest)?.path ?? toIssueUrl(issue.digest),
    }));
  const isCut = resolutions.some(({ length }) => length >= limits.maxIssuesPerAlias);
  return { matches: hits, ...(isCut && { limit: { reason: "code" } }) };
}

/**
 * Public issues that only an alias leads to, if the same text is the id of a report in a trusted
 * issue: a stranger may have sent the id as a digest.
 */
function listClaims(
  codes: readonly LookupCode[],
  resolutions: readonly (readonly Resolution[])[],
  issues: readonly (Issue | null)[],
): ReadonlySet<Digest> {
  const trusted = new Set(
    issues.flatMap((issue) => (issue !== null && isTrusted(issue.trust) ? issue.digest : [])),
  );
  const isTrustedId = (text: string) =>
    codes.some(
      (code, n) =>
        code.kind === "report-id" &&
        code.id === text &&
        resolutions[n]?.some(({ digest }) => trusted.has(digest)),
    );
  const isClaim = (code: LookupCode) => code.kind === "alias" && isTrustedId(code.alias);
  const listDigests = (areClaims: boolean) =>
    codes.flatMap((code, n) =>
      isClaim(code) === areClaims ? (resolutions[n] ?? []).map(({ digest }) => digest) : [],
    );
  const others = new Set([...trusted, ...listDigests(false)]);
  return new Set(listDigests(true).filter((digest) => !others.has(digest)));
}

/** A page URL, or only its path. */
const URL_PATTERN = /^(?:https?:\/\/[^\s/]+)?\/[^\s?#/][^\s?#]*(?:[?#]\S*)?$/i;

/**
 * The only issue at the path of a URL, or the list of all; undefined if there is none, or for other
 * text.
 */
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
  const listed = page?.issues ?? [];
  const trusted = listed.filter(({ trust }) => isTrusted(trust));
  // Anyone can report public issues with this URL.
  const [first, ...others] = trusted.length === 1 ? trusted : listed;
  if (first === undefined) {
    // The search text of reports with a route contains the path.
    const found = await searchByText(projectStore, path);
    const trustedMatches = found.matches.filter(({ issue }) => isTrusted(issue.trust));
    const others = found.matches.filter(({ issue }) => !isTrusted(issue.trust));
    if (trustedMatches.length === 1) return { matches: trustedMatches };
    return found.matches.length === 0
      ? undefined
      : { ...found, matches: [...trustedMatches, ...others] };
  }
  if (others.length > 0) return { matches: [], listPath: toSearchUrl(urlQuery) };
  const only = await projectStore.getFreshIssue(first.digest);
  return only === null ? undefined : { matches: [{ issue: only, path: toIssueUrl(only.digest) }] };
}

/** Searches issues by text, such as a line of a message or stack. */
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

/** The list of issues with these words; undefined if the words cannot be expressed as a query. */
function toListPath(text: string): string | undefined {
  const query = { ...parseIssueQuery(""), text: text.replace(/\s+/g, " ").trim() };
  const isAsked = parseIssueQuery(formatIssueQuery(query)).text === query.text;
  return isAsked ? toIssueListUrl({ query }) : undefined;
}

/**
 * Corrections of a misread digest, plausible ones if there are any; undefined if no digest was
 * misread.
 */
export function listLikelyDigests({ codes }: LookupResult): readonly Digest[] | undefined {
  const misread = codes.find((code) => code.kind === "misread");
  if (misread === undefined) return undefined;
  const plausible = misread.corrections.filter((correction) => correction.isConfusable);
  return (plausible.length > 0 ? plausible : misread.corrections).map(({ digest }) => digest);
}

/** The digest and path that a code leads to, with the issue if it was already read. */
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
      // The sender of a linked browser report received the report's own digest.
      const [issue, others] = await Promise.all([
        digest === knownMissing ? null : projectStore.getFreshIssue(digest),
        projectStore.findIssuesByAlias(digest),
      ]);
      // Public reports can claim a digest before its issue exists.
      const isOwn = issue !== null && isTrusted(issue.trust);
      const elsewhere = (isOwn ? [] : others).map((other) => ({
        digest: other,
        path: toIssueUrl(other),
      }));
      const found = { digest, path: toIssueUrl(digest), issue };
      if (issue !== null || elsewhere.length > 0) return [found, ...elsewhere];
      return [found, ...(await resolveReportCode(projectStore, digest))];
    }
    case "alias": {
      const digests = await projectStore.findIssuesByAlias(code.alias);
      return digests.map((digest) => ({ digest, path: toIssueUrl(digest) }));
    }
    case "report-id": {
      const location = await projectStore.locateReport(code.id);
      return location === null
        ? []
        : [
            {
              digest: location.digest,
              path: toReportUrl(location.digest, location.id ?? code.id),
            },
          ];
    }
    case "misread":
    case "control-flow":
      return [];
  }
}

/** The issue of a failure that only the browser saw, by its notice's code (`report-code.ts`). */
async function resolveReportCode(
  projectStore: ProjectStore,
  digest: Digest,
): Promise<readonly Resolution[]> {
  const locator = parseReportCode(digest);
  const found = locator === undefined ? [] : await projectStore.findIssuesByAlias(locator);
  return found.map((other) => ({ digest: other, path: toIssueUrl(other) }));
}
