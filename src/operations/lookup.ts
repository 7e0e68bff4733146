/** Finds the issues of pasted text, in the project and in the caller's other projects. */
import * as v from "valibot";
import { hasRole } from "../core/accounts/actors.ts";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import type { Issue, IssueSummary } from "../core/issue/issue.ts";
import { formatIssueQuery, parseIssueQuery } from "../core/issue/issue-query.ts";
import { limits } from "../core/limits.ts";
import { isRayId } from "../core/lookup/alias.ts";
import { describeErrorName } from "../core/lookup/error-names.ts";
import { type CodeStory, describeForeignCode } from "../core/lookup/foreign-formats.ts";
import { type LookupCode, toReportCode } from "../core/lookup/lookup-code.ts";
import { parseCodes, parsePasted } from "../core/lookup/parse-codes.ts";
import { parseReportCode } from "../core/report/report-code.ts";
import type { Digest, ReportId } from "../core/report.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { isTrusted } from "../core/trust/trust.ts";
import { digestText } from "./inputs.ts";
import { number, toSeenMembers } from "./issue-output.ts";
import {
  type Call,
  defineRead,
  listOtherProjects,
  type OperationServices,
  orNull,
} from "./operation.ts";
import { byErrata, byMember, isoTime, reported, time, trustLevel } from "./provenance.ts";

type ProjectStore = OperationServices["projectStore"];
type TracedReport = Awaited<ReturnType<ProjectStore["findReports"]>>[number];

/** An issue; for a report id, with the report. */
export interface LookupMatch<
  Found extends { readonly digest: Digest } = { readonly digest: Digest },
> {
  readonly issue: Found;
  readonly report?: ReportId;
}

/** The codes found in the text, best first, and their issues, or the query of a list of issues. */
export interface LookupResult {
  readonly codes: readonly LookupCode[];
  /** What may be a code: looked up in other projects too. */
  readonly guesses?: readonly LookupCode[];
  readonly matches: readonly LookupMatch<Issue>[];
  /** The issues of digests that a misread digest may have been, at most a few. */
  readonly corrected?: readonly IssueSummary[];
  /** Without matches: a query that finds several issues at the URL in the text. */
  readonly query?: string;
  /**
   * The text, if its words were searched. The matches are then not certain: other projects may have
   * the text too.
   */
  readonly searchText?: string;
  /** Set if there may be further matches. */
  readonly limit?: MatchLimit;
  /** The person whose reports the matches have, and the number of these reports. */
  readonly person?: { readonly name: string; readonly reports: number };
}

/** Why there can be more issues: only the best text matches, or the newest per code, are found. */
interface MatchLimit {
  readonly reason: "text" | "code";
  /** A query for all issues with the text, if one can express it. */
  readonly query?: string;
}

/**
 * Finds the issues of all codes in `input`, each once, in the order of the codes. Without a match:
 * the issues at the URL, then the issues that contain all words. What only may be a code never hides
 * these: its issues are added. A misread digest matches nothing by itself; the page offers its
 * corrections.
 */
export async function lookUp(
  projectStore: ProjectStore,
  input: string,
  { knownMissing, canSeePersons = false }: LookupOptions = {},
): Promise<LookupResult> {
  const { codes, guesses } = parsePasted(input);
  const found = await lookUpCodes(projectStore, codes, knownMissing);
  if (found.matches.length > 0) return { codes, ...found };
  const { likely, misread, corrected } = await lookUpGuesses(projectStore, codes, guesses);
  const person = likely.length > 0 ? undefined : await lookUpPerson(projectStore, guesses);
  if (person !== undefined)
    return { codes, matches: person.matches, ...(canSeePersons && { person: person.person }) };
  const isToken = isSingleToken(input);
  const wrong = misread ?? (isToken ? guesses.find(({ kind }) => kind === "misread") : undefined);
  const others = codes.filter((code) => code !== wrong);
  const read = { codes: wrong === undefined ? codes : [wrong, ...others], guesses, corrected };
  if (codes.some((code) => isNoText(code, input))) return { ...read, matches: likely };
  const byUrl = await findByUrl(projectStore, input.trim());
  if (byUrl !== undefined) return { ...read, ...addMatches(byUrl, likely) };
  const named = await findByErrorName(projectStore, codes);
  if (named !== undefined) return { ...read, matches: likely, query: named };
  if (likely.length > 0 && countWords(input) < MIN_SEARCHED_WORDS)
    return { ...read, matches: likely };
  const byText = await searchByText(projectStore, input);
  return { ...read, searchText: input, ...addMatches(byText, likely) };
}

/** Fewer words beside a code are its label. */
const MIN_SEARCHED_WORDS = 3;

/** The words of three letters and more in the parts of a text that are no codes. */
function countWords(text: string): number {
  const parts = text.split(/\s+/).filter((part) => !/\d{2}/.test(part));
  return parts.flatMap((part) => part.match(/\p{L}{3,}/gu) ?? []).length;
}

/** True for a code that is nothing else: a digest as Errata writes it, the signal of a framework. */
function isNoText(code: LookupCode, input: string): boolean {
  if (code.kind === "digest") return input.includes(code.digest);
  return code.kind === "control-flow";
}

/** The result with the issues that the text may name, first. */
function addMatches<Found extends Pick<LookupResult, "matches">>(
  result: Found,
  likely: LookupResult["matches"],
): Found {
  const digests = new Set(likely.map(({ issue }) => issue.digest));
  const others = result.matches.filter(({ issue }) => !digests.has(issue.digest));
  return { ...result, matches: [...likely, ...others] };
}

interface LookupOptions {
  /** A digest known to have no issue; it is not read again. */
  readonly knownMissing?: Digest | undefined;
  /** True if the caller sees that the matches are those of a person. */
  readonly canSeePersons?: boolean;
}

/** The query of the reports about a named error, if there are any. */
async function findByErrorName(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<string | undefined> {
  for (const query of listErrorQueries(codes)) {
    const page = await projectStore.listIssues(parseIssueQuery(query)).catch(() => undefined);
    if (page !== undefined && page.issues.length > 0) return query;
  }
  return undefined;
}

function listErrorQueries(codes: readonly LookupCode[]): readonly string[] {
  return codes.flatMap((code) =>
    code.kind === "error-name" && code.error.query !== undefined ? [code.error.query] : [],
  );
}

/** True for a text that is a code rather than words. */
function isSingleToken(input: string): boolean {
  return /^\s*[\dA-Za-z]{3,5}-?[\dA-Za-z]{3,5}\s*$/.test(input) && /\d/.test(input);
}

/** The issues of a person's newest reports, the newest first; undefined if there are none. */
async function lookUpPerson(
  projectStore: ProjectStore,
  guesses: readonly LookupCode[],
): Promise<Pick<LookupResult, "matches" | "person"> | undefined> {
  for (const code of guesses) {
    if (code.kind !== "person") continue;
    const found = await projectStore.findReports({ kind: "person", text: code.person });
    const matches = await Promise.all(
      keepNewest(found).map(async ({ digest, report }) => {
        const issue = await projectStore.getFreshIssue(digest);
        return issue === null ? [] : [{ issue, report }];
      }),
    );
    if (matches.flat().length > 0)
      return { matches: matches.flat(), person: { name: code.person, reports: found.length } };
  }
  return undefined;
}

/** The issues of reports, the newest first, each with its newest report. */
function keepNewest(
  reports: readonly TracedReport[],
): readonly Required<Omit<Resolution, "issue">>[] {
  const newest = new Map<Digest, ReportId>();
  for (const { digest, summary } of reports)
    if (!newest.has(digest)) newest.set(digest, summary.id);
  return Array.from(newest, ([digest, report]) => ({ digest, report }));
}

/** Each asks the logs. */
const MAX_GUESSED_IDS = 5;

/** What guesses lead to. */
interface GuessedIssues {
  /** The issues of guesses as they are read. */
  readonly likely: readonly LookupMatch<Issue>[];
  /** The digest with a wrong character of which a correction has an issue. */
  readonly misread: LookupCode | undefined;
  /** The issues of its corrections. */
  readonly corrected: readonly IssueSummary[];
}

/** The issues that guesses and misread codes lead to, in one read, besides ids of reports. */
async function lookUpGuesses(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
  guesses: readonly LookupCode[],
): Promise<GuessedIssues> {
  const uncertain = [...codes.filter(({ kind }) => kind === "misread"), ...guesses];
  const names = [...new Set(uncertain.flatMap(listPossibleNames))];
  const found = names.length === 0 ? [] : await projectStore.findMatches(names).catch(() => []);
  const misread = uncertain.find(
    (code) =>
      code.kind === "misread" &&
      code.corrections.some(({ digest }) => found.some((issue) => issue.digest === digest)),
  );
  const corrections = new Set(misread === undefined ? [] : listPossibleNames(misread));
  const corrected = found.filter(({ digest }) => corrections.has(digest));
  const ids = guesses
    .filter((code) => code.kind !== "digest" && isInLogs(code))
    .slice(0, MAX_GUESSED_IDS);
  const exact = found.filter((issue) => !corrected.includes(issue));
  const [located, issues] = await Promise.all([
    lookUpCodes(projectStore, ids),
    Promise.all(exact.map(({ digest }) => projectStore.getFreshIssue(digest))),
  ]);
  const others = issues.filter((issue) => issue !== null).map((issue) => ({ issue }));
  return { likely: addMatches({ matches: others }, located.matches).matches, misread, corrected };
}

/**
 * The issues of codes whose report may have arrived since they were last looked up. The index is
 * asked first: it rejects while it is unavailable, when `lookUpCodes` would read copies in KV,
 * which remembers for a minute that a key is missing.
 */
export async function findArrived(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<readonly LookupMatch<Issue>[]> {
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
  return code.kind === "report-id" || code.kind === "request" || code.kind === "short-id";
}

/** The issues of all codes, each once, in the order of the codes. */
async function lookUpCodes(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
  knownMissing?: Digest,
): Promise<Pick<LookupResult, "matches" | "limit">> {
  const texts = new Set(
    codes.flatMap((code) =>
      code.kind === "alias" ? code.alias : code.kind === "report-id" ? code.id : [],
    ),
  );
  const resolutions = await Promise.all(
    codes.map((code) =>
      // An id of a request that is a UUID, a trace or a Ray ID is found as such.
      code.kind === "request" && texts.has(code.foreign.id)
        ? []
        : resolveCode(projectStore, code, knownMissing),
    ),
  );
  const firstByDigest = new Map<Digest, Resolution>();
  for (const resolution of resolutions.flat())
    if (!firstByDigest.has(resolution.digest)) firstByDigest.set(resolution.digest, resolution);
  const issues = await Promise.all(
    [...firstByDigest.values()].map(({ digest, issue }) =>
      issue === undefined ? projectStore.getFreshIssue(digest) : issue,
    ),
  );
  const claimed = listClaims(codes, resolutions, issues);
  const matches = issues
    .filter((issue) => issue !== null)
    .filter((issue) => !claimed.has(issue.digest))
    .map((issue) => ({ issue, report: firstByDigest.get(issue.digest)?.report }));
  const isCut = resolutions.some(({ length }) => length >= limits.maxIssuesPerAlias);
  return { matches, limit: isCut ? { reason: "code" } : undefined };
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

/** The path of a text that is a URL; undefined for other text and for a start page. */
function readPath(text: string): string | undefined {
  const path = URL_PATTERN.test(text)
    ? URL.parse(text, "https://any.invalid")?.pathname
    : undefined;
  return path === "/" ? undefined : path;
}

/**
 * The only issue at the path of a URL, or the query of all; undefined if there is none, or for other
 * text.
 */
async function findByUrl(
  projectStore: ProjectStore,
  text: string,
): Promise<Omit<LookupResult, "codes"> | undefined> {
  const path = readPath(text);
  if (path === undefined) return undefined;
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
  if (others.length > 0) return { matches: [], query: urlQuery };
  const only = await projectStore.getFreshIssue(first.digest);
  return only === null ? undefined : { matches: [{ issue: only }] };
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
  const matches = issues.filter((issue) => issue !== null).map((issue) => ({ issue }));
  return digests.length < limits.maxSearchResults
    ? { matches }
    : { matches, limit: { reason: "text", query: toTextQuery(text) } };
}

/** The query of issues with these words; undefined if none can express them. */
function toTextQuery(words: string): string | undefined {
  const text = words.replace(/\s+/g, " ").trim();
  const query = formatIssueQuery({ ...parseIssueQuery(""), text });
  return parseIssueQuery(query).text === text ? query : undefined;
}

/**
 * Corrections of a misread digest, plausible ones if there are any; undefined if no digest was
 * misread.
 */
function listLikelyDigests({ codes }: LookupResult): readonly Digest[] | undefined {
  const misread = codes.find((code) => code.kind === "misread");
  if (misread === undefined) return undefined;
  const plausible = misread.corrections.filter((correction) => correction.isConfusable);
  return (plausible.length > 0 ? plausible : misread.corrections).map(({ digest }) => digest);
}

/** The digest that a code leads to, with its report, and the issue if it was already read. */
interface Resolution {
  readonly digest: Digest;
  readonly report?: ReportId;
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
      const elsewhere = (isOwn ? [] : others).map((other) => ({ digest: other }));
      const found = { digest, issue };
      if (issue !== null || elsewhere.length > 0) return [found, ...elsewhere];
      return [found, ...(await resolveReportCode(projectStore, digest))];
    }
    case "alias": {
      const digests = await projectStore.findIssuesByAlias(code.alias);
      return digests.map((digest) => ({ digest }));
    }
    case "report-id": {
      const location = await projectStore.locateReport(code.id);
      return location === null ? [] : [{ digest: location.digest, report: location.id ?? code.id }];
    }
    case "request":
    case "short-id":
    case "person":
      return resolveInLogs(projectStore, code);
    case "misread":
    case "control-flow":
    case "error-name":
      return [];
  }
}

/**
 * The newest report with a code of the logs, of a trusted sender if there is one. A person has one
 * of each issue.
 */
async function resolveInLogs(
  projectStore: ProjectStore,
  code: LookupCode,
): Promise<readonly Resolution[]> {
  const wanted = toReportCode(code);
  const found = wanted === undefined ? [] : await projectStore.findReports(wanted);
  const matching = found.filter(
    // Summaries have the id of the sender only at the highest level.
    ({ summary: { id, trust } }) =>
      code.kind !== "short-id" || trust !== "server" || id.startsWith(code.prefix),
  );
  if (code.kind === "person") return keepNewest(matching);
  const trusted = matching.filter(({ summary }) => isTrusted(summary.trust));
  const [newest] = trusted.length > 0 ? trusted : matching;
  return newest === undefined ? [] : [{ digest: newest.digest, report: newest.summary.id }];
}

/** The issue of a failure that only the browser saw, by its notice's code (`report-code.ts`). */
async function resolveReportCode(
  projectStore: ProjectStore,
  digest: Digest,
): Promise<readonly Resolution[]> {
  const locator = parseReportCode(digest);
  const found = locator === undefined ? [] : await projectStore.findIssuesByAlias(locator);
  return found.map((other) => ({ digest: other }));
}

// Other projects.

/** The matches of another project, at most `limits.maxMatchesPerOtherProject`. */
export interface ProjectMatches {
  readonly id: string;
  readonly name: string;
  readonly matches: readonly LookupMatch<IssueSummary>[];
}

/** The matches in other projects. */
export interface OtherProjectsResult {
  /** The projects with matches, in order of creation. */
  readonly found: readonly ProjectMatches[];
  /** The number of projects that were searched, and of those that did not answer. */
  readonly searched: number;
  readonly unanswered: number;
}

/**
 * Looks up what a lookup read, in the caller's other projects, at most `limits.maxOtherProjects`:
 * one read each, in parallel. Without a match of a code, a project searches for the text and for
 * what may be a code, such as the possible readings of a misread digest. Never rejects.
 */
export async function lookUpInOtherProjects(
  { caller, project, services }: Call,
  read: Pick<LookupResult, "codes" | "guesses" | "searchText">,
): Promise<OtherProjectsResult> {
  const projects = listOtherProjects(caller, project);
  const answers = await Promise.all(
    projects.map(async ({ id, name }) => {
      const { projectStore } = services.forProject(id);
      const matches = await orNull(services, findMatches(projectStore, read));
      return matches && { id, name, matches };
    }),
  );
  const answered = answers.filter((answer) => answer !== null);
  return {
    found: answered.filter(({ matches }) => matches.length > 0),
    searched: projects.length,
    unanswered: projects.length - answered.length,
  };
}

async function findMatches(
  projectStore: ProjectStore,
  read: Pick<LookupResult, "codes" | "guesses" | "searchText">,
): Promise<readonly LookupMatch<IssueSummary>[]> {
  const indexed = await findInIndex(projectStore, read);
  if (indexed.length > 0) return indexed;
  const { codes, guesses = [], searchText } = read;
  const inLogs = await findInLogs(projectStore, [...codes, ...guesses]);
  if (inLogs.length > 0 || searchText === undefined) return inLogs;
  const path = readPath(searchText.trim());
  const [query] = [...listErrorQueries(codes), ...(path === undefined ? [] : [`url:${path}`])];
  if (query === undefined) return [];
  const { issues } = await projectStore.listIssues(parseIssueQuery(query));
  return issues.slice(0, limits.maxMatchesPerOtherProject).map((issue) => ({ issue }));
}

/** The issues of codes that only the logs know: ids of requests, ids cut short, persons. */
async function findInLogs(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<readonly LookupMatch<IssueSummary>[]> {
  const wanted = codes.filter(
    (code) => toReportCode(code) !== undefined || (code.kind === "alias" && isRayId(code.alias)),
  );
  const found = await Promise.all(
    wanted.slice(0, MAX_GUESSED_IDS).map((code) => resolveCode(projectStore, code)),
  );
  const reports = new Map(found.flat().map(({ digest, report }) => [digest, report]));
  if (reports.size === 0) return [];
  const issues = await projectStore.findMatches([...reports.keys()]);
  return issues.map((issue) => ({ issue, report: reports.get(issue.digest) }));
}

async function findInIndex(
  projectStore: ProjectStore,
  { codes, guesses = [], searchText }: Pick<LookupResult, "codes" | "guesses" | "searchText">,
): Promise<readonly LookupMatch<IssueSummary>[]> {
  const uncertain = [...codes.filter(({ kind }) => kind === "misread"), ...guesses];
  const reportId = [...codes, ...guesses].find((code) => code.kind === "report-id")?.id;
  const located = reportId === undefined ? null : await projectStore.locateReport(reportId);
  const names = located === null ? codes.flatMap(listNames) : [located.digest];
  const guessed = located === null ? uncertain.flatMap(listPossibleNames) : [];
  const text = searchText?.slice(0, limits.maxQueryChars);
  if (names.length + guessed.length === 0 && text === undefined) return [];
  const found = await projectStore.findMatches(names, text, guessed);
  const issues = found.length > 0 ? found : await findByReportCode(projectStore, codes);
  return issues.map((issue) => ({
    issue,
    report: issue.digest === located?.digest ? located.id : undefined,
  }));
}

/** The issues of failures that only the browser saw, by the code in their notices. */
async function findByReportCode(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<readonly IssueSummary[]> {
  const locators = codes.flatMap((code) =>
    code.kind === "digest" ? (parseReportCode(code.digest) ?? []) : [],
  );
  const digests = await Promise.all(locators.map(projectStore.findIssuesByAlias));
  return digests.flat().length === 0 ? [] : projectStore.findMatches(digests.flat());
}

function listPossibleNames(code: LookupCode): readonly string[] {
  return code.kind === "misread" ? code.corrections.map(({ digest }) => digest) : listNames(code);
}

// What is known of a code without a report.

/** What a code of another system says of itself, and the errors at its time. */
export interface ToldCode {
  readonly story: CodeStory;
  /** The time of these errors, ms: five seconds before and after the code was made. */
  readonly around?: { readonly fromMs: number; readonly toMs: number };
  readonly issues: readonly (LookupMatch<IssueSummary> & { readonly atMs: number })[];
}

const AROUND_MS = 5_000;

/** Tells the first code of another system in the text; undefined if there is none. */
export async function tellCode(
  projectStore: ProjectStore,
  codes: readonly LookupCode[],
): Promise<ToldCode | undefined> {
  const [story] = codes.flatMap((code) =>
    code.kind === "request"
      ? describeForeignCode(code.foreign)
      : code.kind === "error-name"
        ? describeErrorName(code.error)
        : [],
  );
  if (story === undefined) return undefined;
  const { madeMs } = story;
  if (madeMs === undefined) return { story, issues: [] };
  const around = { fromMs: madeMs - AROUND_MS, toMs: madeMs + AROUND_MS };
  const found = await projectStore.findIssuesAt(around.fromMs, around.toMs).catch(() => []);
  return { story, around, issues: found };
}

// The operation.

const hits = list(
  v.strictObject({
    digest: byErrata(),
    trust: trustLevel,
    title: reported("Type and message in one line"),
    count: number,
    publicCount: number,
    firstSeen: isoTime,
    lastSeen: isoTime,
    report: v.optional(byErrata("The id of the report that the text names")),
  }),
);

export const lookUpIssues = defineRead({
  name: "issues.lookUp",
  summary: "Find the issues that a pasted text leads to: a digest, an id, a URL, or words.",
  role: "viewer",
  rate: "search",
  route: "GET /lookup",
  input: v.strictObject({
    text: v.pipe(v.string(), v.description("a digest, an id, a URL, or words of an error")),
    codes: v.optional(
      v.pipe(
        v.picklist(["here", "all"]),
        v.description("codes to be here or all: looks only for reports that have just arrived"),
      ),
    ),
    missing: v.optional(digestText("a digest that is known to have no issue")),
  }),
  output: v.strictObject({
    hits,
    code: v.optional(
      v.strictObject({
        owner: byErrata("Whose code it is; empty if unknown"),
        what: byErrata("What it identifies, or what the error means"),
        code: byMember("The code in the text"),
        madeMs: v.optional(time),
        places: list(byErrata("A location of the system, as it names it")),
        command: v.optional(byErrata("A command that shows the request in the system's log")),
        note: v.optional(byErrata()),
        errors: list(
          v.strictObject({
            digest: byErrata(),
            trust: trustLevel,
            title: reported("Type and message in one line"),
            atMs: time,
          }),
        ),
      }),
    ),
    person: v.optional(
      v.strictObject({ name: byMember("The person whose reports the hits have"), reports: number }),
    ),
    query: v.optional(byMember("A query that finds further issues, with words of the text")),
    likely: v.optional(
      list(
        byErrata("What a misread digest may have been; the hits have the only one with an issue"),
      ),
    ),
    otherProjects: v.optional(
      list(
        v.strictObject({
          project: byMember("The name of another project"),
          id: byErrata(),
          hits,
        }),
      ),
    ),
  }),
  reasons: [],
  async load({ text, codes: scope, missing }, { caller, services: { projectStore } }) {
    const canSeePersons = hasRole(caller.role, REQUIRED_ROLES.persons);
    if (scope === undefined)
      return ok(await lookUp(projectStore, text, { knownMissing: missing, canSeePersons }));
    const codes = parseCodes(text);
    return ok<LookupResult>({ codes, matches: await findArrived(projectStore, codes) });
  },
  async toOutput(result, { codes: scope }, call) {
    const { codes, matches, corrected = [], searchText, query } = result;
    const isFound = matches.length > 0;
    const isRead = scope === undefined && (!isFound || corrected.length > 0);
    // By chance, one of the corrections has an issue for one text in a million.
    const read = corrected.length === 1 ? corrected.map((issue) => ({ issue })) : [];
    const isCertain = (isFound || query !== undefined) && searchText === undefined;
    const { found } =
      isCertain || scope === "here" ? { found: [] } : await lookUpInOtherProjects(call, result);
    const told = isFound ? undefined : await tellCode(call.services.projectStore, codes);
    return {
      code: told && { ...told.story, errors: told.issues.map(toErrorAt) },
      person: result.person,
      hits: [...matches, ...read].map(toHit),
      query: query ?? result.limit?.query,
      likely: isRead ? listLikelyDigests(result) : undefined,
      otherProjects:
        found.length === 0
          ? undefined
          : found.map(({ id, name, matches: others }) => ({
              project: name,
              id,
              hits: others.map(toHit),
            })),
    };
  },
});

function toErrorAt({ issue, atMs }: ToldCode["issues"][number]) {
  const { digest, trust } = issue;
  return { digest, trust, title: toSeenMembers(issue).title, atMs };
}

function toHit({ issue, report }: LookupMatch<IssueSummary>) {
  return {
    ...issue,
    ...toSeenMembers(issue),
    report,
  };
}
