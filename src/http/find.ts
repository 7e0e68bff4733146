/**
 * From what somebody pasted to the issues that it leads to. Reads the desk; knows nothing of requests.
 */
import { type Code, readCodes } from "../core/codes.ts";
import type { Issue } from "../core/issue.ts";
import { readQuery, writeQuery } from "../core/issue-query.ts";
import { limits } from "../core/limits.ts";
import { newestReport } from "../core/open-report.ts";
import type { Desk } from "../core/ports.ts";
import { present } from "../core/present.ts";
import type { Digest, Report } from "../core/report.ts";
import { issueUrl, reportUrl } from "../ui/issue/issue-url.ts";
import { listUrl, searchUrl } from "../ui/issues/list-url.ts";
import type { HitsCut } from "../ui/pages/hits-page.tsx";
import { isId } from "./field-values.ts";

/** One issue, and the address that shows it: for a report id, that very report. */
export interface Hit {
  readonly issue: Issue;
  readonly url: string;
}

/** What was read in the text, best first, and where it led: to issues, or to the list of those that happened at an address. */
export interface Found {
  readonly codes: readonly Code[];
  readonly hits: readonly Hit[];
  readonly list?: string;
  /** Where there may be more than `hits`: which of them these are. */
  readonly cut?: HitsCut;
}

/**
 * Everything that the codes in `pasted` lead to, each issue once, in the order of the codes. Where no code leads anywhere: what
 * broke at the address that it is, else the issues that have all of its words. A misread digest leads nowhere by itself: its
 * likely readings are for the page to offer. `missing` is a digest of which the desk has just said that it has no issue: it is not asked again.
 */
export async function find(desk: Desk, pasted: string, missing?: Digest): Promise<Found> {
  const codes = readCodes(pasted);
  const led = await Promise.all(codes.map((code) => follow(desk, code, missing)));
  const firsts = new Map<Digest, Led>();
  for (const one of led.flat()) if (!firsts.has(one.digest)) firsts.set(one.digest, one);
  const issues = await Promise.all(
    [...firsts.values()].map(({ digest, issue }) =>
      issue === undefined ? desk.issueNow(digest) : issue,
    ),
  );
  const hits = issues
    .filter((issue) => issue !== null)
    .map((issue) => ({ issue, url: firsts.get(issue.digest)?.url ?? issueUrl(issue.digest) }));
  if (hits.length > 0) {
    const isCut = led.some(({ length }) => length >= limits.maxIssuesPerAlias);
    return { codes, hits, ...(isCut && { cut: { by: "code" } }) };
  }
  const there = await issuesAt(desk, pasted.trim());
  if (there !== undefined) return { codes, ...there };
  // A single word may be a code of an application's own, and a word of a message; an id may be a trace's.
  const isText = codes.every(({ kind }) => kind === "alias" || kind === "report-id");
  return { codes, ...(isText ? await search(desk, pasted) : { hits: [] }) };
}

/** An address of a page, or its path alone. */
const ADDRESS = /^(?:https?:\/\/[^\s/]+)?\/[^\s?#/][^\s?#]*(?:[?#]\S*)?$/i;

/** What broke at the path of an address: the only issue, or the list of all; undefined where nothing did, and for other texts. */
async function issuesAt(desk: Desk, text: string): Promise<Omit<Found, "codes"> | undefined> {
  const path = ADDRESS.test(text) ? URL.parse(text, "https://any.invalid")?.pathname : undefined;
  if (path === undefined || path === "/") return undefined;
  const asked = `url:${path}`;
  const page = await desk.list(readQuery(asked)).catch(() => undefined);
  const [first, ...others] = page?.issues ?? [];
  if (first === undefined) {
    // A report that names a route has its address in its words.
    const found = await search(desk, path);
    return found.hits.length === 0 ? undefined : found;
  }
  if (others.length > 0) return { hits: [], list: searchUrl(asked) };
  const only = await desk.issueNow(first.digest);
  return only === null ? undefined : { hits: [{ issue: only, url: issueUrl(only.digest) }] };
}

/** What has no code in it is looked for in the words of issues: a line of a message or of a stack. */
async function search(desk: Desk, text: string): Promise<Omit<Found, "codes">> {
  const digests = await desk.search(text.slice(0, limits.maxQueryChars)).catch(() => []);
  const issues = await Promise.all(digests.map((digest) => desk.issueNow(digest)));
  const hits = issues
    .filter((issue) => issue !== null)
    .map((issue) => ({ issue, url: issueUrl(issue.digest) }));
  if (digests.length < limits.maxFoundIssues) return { hits };
  return { hits, cut: { by: "words", ...present({ list: listOf(text) }) } };
}

/** The list of the issues that have these words; undefined where it cannot be asked for all of them. */
function listOf(text: string): string | undefined {
  const query = { ...readQuery(""), text: text.replace(/\s+/g, " ").trim() };
  const isAsked = readQuery(writeQuery(query)).text === query.text;
  return isAsked ? listUrl({ query }) : undefined;
}

/** What a misread digest may be, the plausible readings where there are any; undefined when nothing was misread. */
export function likelyDigests({ codes }: Found): readonly Digest[] | undefined {
  const misread = codes.find((code) => code.kind === "misread");
  if (misread === undefined) return undefined;
  const plausible = misread.likely.filter((one) => one.plausible);
  return (plausible.length > 0 ? plausible : misread.likely).map(({ digest }) => digest);
}

/** Where a code leads; with the issue where that is known already. */
interface Led {
  readonly digest: Digest;
  readonly url: string;
  readonly issue?: Issue | null;
}

async function follow(desk: Desk, code: Code, missing?: Digest): Promise<readonly Led[]> {
  switch (code.kind) {
    case "digest": {
      const { digest } = code;
      // A browser's report that counts in another issue was answered with a digest of its own.
      const [issue, others] = await Promise.all([
        digest === missing ? null : desk.issueNow(digest),
        desk.aliases(digest),
      ]);
      const elsewhere = others.map((other) => ({ digest: other, url: issueUrl(other) }));
      return [{ digest, url: issueUrl(digest), issue }, ...elsewhere];
    }
    case "alias": {
      const digests = await desk.aliases(code.alias);
      return digests.map((digest) => ({ digest, url: issueUrl(digest) }));
    }
    case "report-id": {
      const at = await desk.locate(code.id);
      return at === null ? [] : [{ digest: at.digest, url: reportUrl(at.digest, code.id) }];
    }
    case "misread":
    case "control-flow":
      return [];
  }
}

/** The report that was asked for, else the newest occurrence, else the newest report. */
export async function reportFor(
  desk: Desk,
  known: Issue,
  id: string | undefined,
): Promise<Report | null> {
  const named = id === undefined ? undefined : known.latest.find((mark) => mark.id === id);
  if (named === undefined && id !== undefined) {
    const at = isId(id) ? await desk.locate(id) : null;
    return at?.digest === known.digest ? desk.report({ position: at.position }) : null;
  }
  const mark = named ?? newestReport(known.latest);
  return mark === undefined ? null : desk.report(mark);
}
