/**
 * Deploy skew: a page of one release asks for what only another release has, because it was open
 * during a deploy. A report is skew if its text says so (`skew-texts.ts`) and a release was deployed
 * after that of its page. Build tools say what is deployed; otherwise, in a project with one
 * environment, the releases that reports name. Pure.
 */
import * as v from "valibot";
import { limits } from "../limits.ts";
import { formatNumber, pluralize } from "../numbers.ts";
import { compareReleases, parseReleasePackage } from "../release/compare-releases.ts";
import type { DeployMoment } from "../release/release-facts.ts";
import type { ReportSummary } from "../report/report-summary.ts";
import { number, type StoredValue, storedObject, text } from "../schema/stored-object.ts";
import { isTrusted, type Trust } from "../trust/trust.ts";
import { MINUTE_MS } from "../utc-time.ts";
import { findSkewKind } from "./skew-texts.ts";

/** How long skew causes no alert after a deploy. */
const QUIET_MS = 10 * MINUTE_MS;

/** A release, and when its first report or session came. */
export interface SeenRelease {
  readonly name: string;
  readonly firstSeenMs: number;
  /** The highest level that named it. */
  readonly trust: Trust;
}

/** What is known of the releases of a project. */
export interface KnownReleases {
  /** Deploys that build tools named, the newest first. */
  readonly deploys: readonly DeployMoment[];
  /** The newest releases by first report; none if the project has several environments. */
  readonly listSeen: () => readonly SeenRelease[];
  readonly getFirstSeenMs: (release: string) => number | undefined;
}

/** The verdict about a report. */
export interface SkewVerdict {
  /** The release of the page; undefined if a server reported, which does not know it. */
  readonly page: string | undefined;
  readonly deployed: string;
  /** The deploy was at most ten minutes before, and no stranger can have invented it. */
  readonly isQuiet: boolean;
}

/** The reports of an issue that are skew. Stored (version 1): fields may be added. */
export type IssueSkew = StoredValue<typeof issueSkewSchema>;
const release = /* @__PURE__ */ text(limits.maxReleaseChars);
export const issueSkewSchema = /* @__PURE__ */ storedObject({
  count: number,
  /** Those of them that were within ten minutes of the deploy. */
  quietCount: number,
  /** The two releases of the last one, as in a verdict. */
  page: v.optional(release),
  deployed: release,
});

type JudgedReport = Pick<
  ReportSummary,
  ("kind" | "side" | "message" | "atMs") | ("release" | "environment" | "isLinked" | "trust")
>;

/** The verdict; undefined for a report that is not skew, or of which it is not known. */
export function judgeSkew(report: JudgedReport, known: KnownReleases): SkewVerdict | undefined {
  const { release: own, atMs, isLinked } = report;
  const kind = isLinked || own === undefined ? undefined : findSkewKind(report);
  if (kind === undefined || own === undefined) return undefined;
  const deploys = known.deploys.filter((deploy) => isDeployFor(deploy, report));
  const ofServer = kind === "function" && report.side === "server";
  const deployed = ofServer
    ? findMoment(own, deploys, isTrusted(report.trust), known)
    : findNewer(own, atMs, deploys, known);
  if (deployed === undefined) return undefined;
  const { isProven, sinceMs } = deployed;
  return {
    page: ofServer ? undefined : own,
    deployed: deployed.name,
    isQuiet: isProven && atMs >= sinceMs && atMs < sinceMs + QUIET_MS,
  };
}

interface Deployed {
  readonly name: string;
  readonly sinceMs: number;
  /** A build tool, a server or a signed page named it. */
  readonly isProven: boolean;
}

/** A deploy without an environment, and a report without one, belong to all of them. */
function isDeployFor(deploy: DeployMoment, { release: own, environment }: JudgedReport): boolean {
  const isOfApp = parseReleasePackage(deploy.release) === parseReleasePackage(own ?? "");
  const places = [deploy.environment, environment];
  return isOfApp && (places.includes(undefined) || deploy.environment === environment);
}

/** When the release of a server was deployed. */
function findMoment(
  name: string,
  deploys: readonly DeployMoment[],
  isProven: boolean,
  { getFirstSeenMs }: KnownReleases,
): Deployed | undefined {
  const sinceMs = deploys.find((deploy) => deploy.release === name)?.atMs ?? getFirstSeenMs(name);
  return sinceMs === undefined ? undefined : { name, sinceMs, isProven };
}

/** The release that was deployed last, if it was after that of the page. */
function findNewer(
  own: string,
  atMs: number,
  deploys: readonly DeployMoment[],
  known: KnownReleases,
): Deployed | undefined {
  const newest = deploys.length > 0 ? toDeployed(deploys, atMs) : findSeen(own, atMs, known);
  if (newest === undefined || newest.name === own) return undefined;
  const before = deploys.some((deploy) => deploy.release === own && deploy.atMs < newest.sinceMs);
  const getMs = (name: string) =>
    name === newest.name ? newest.sinceMs : known.getFirstSeenMs(name);
  return before || compareReleases(own, newest.name, getMs) < 0 ? newest : undefined;
}

function toDeployed(deploys: readonly DeployMoment[], beforeMs: number): Deployed | undefined {
  const last = deploys.find(({ atMs }) => atMs <= beforeMs);
  return last && { name: last.release, sinceMs: last.atMs, isProven: true };
}

function findSeen(own: string, atMs: number, { listSeen }: KnownReleases): Deployed | undefined {
  const isOfApp = ({ name, firstSeenMs }: SeenRelease) =>
    firstSeenMs <= atMs && parseReleasePackage(name) === parseReleasePackage(own);
  const last = listSeen().find(isOfApp);
  return last && { name: last.name, sinceMs: last.firstSeenMs, isProven: isTrusted(last.trust) };
}

/** The count with a report; the same without a verdict. */
export function countSkew(
  before: IssueSkew | undefined,
  verdict: SkewVerdict | undefined,
  occurrences: number,
): IssueSkew | undefined {
  if (verdict === undefined) return before;
  const { page, deployed, isQuiet } = verdict;
  return {
    count: (before?.count ?? 0) + occurrences,
    quietCount: (before?.quietCount ?? 0) + (isQuiet ? occurrences : 0),
    page,
    deployed,
  };
}

/** The sum of both, with the releases of the second. */
export function mergeSkew(
  earlier: IssueSkew | undefined,
  later: IssueSkew | undefined,
): IssueSkew | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const count = earlier.count + later.count;
  return { ...later, count, quietCount: earlier.quietCount + later.quietCount };
}

/** A piece of the sentences about skew: plain text, or the name of a release. */
interface SkewPiece {
  readonly text: string;
  readonly isValue: boolean;
}

/**
 * "41 of 52 reports come from pages that were open while another release was deployed. The last page
 * is of `1.4.0`; `1.5.0` was deployed before." `total`: the reports among which they are counted.
 */
export function describeSkew(skew: IssueSkew, total: number): readonly SkewPiece[] {
  const { count, page, deployed } = skew;
  const isOne = count === 1;
  const all = count < total ? `${formatNumber(count)} of ${pluralize(total, "report")}` : undefined;
  const subject = all ?? (isOne ? "The report" : `All ${pluralize(total, "report")}`);
  const pages = isOne ? "comes from a page that was" : "come from pages that were";
  const text = (words: string): SkewPiece => ({ text: words, isValue: false });
  const name = (words: string): SkewPiece => ({ text: words, isValue: true });
  const counted = text(`${subject} ${pages} open while another release was deployed. `);
  return page === undefined
    ? [counted, text("The last one reached "), name(deployed), text(".")]
    : [
        ...[counted, text("The last page is of "), name(page)],
        ...[text("; "), name(deployed), text(" was deployed before.")],
      ];
}
