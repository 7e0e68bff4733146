/**
 * A flood: one key sends far more new issues than usual. Its issues from few networks are shown as
 * one row and send no alerts of their own, because a real outage comes from many networks. Pure.
 */
import type { IssueSummary, PublicOrigin } from "../issue/issue.ts";
import type { FloodSummary } from "../issue/issue-list-page.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../issue/other-anonymous-reports.ts";
import { limits } from "../limits.ts";
import type { Digest } from "../report.ts";
import { countNetworks } from "../stats/network-sketch.ts";

/** A flood that has not ended. */
export interface Flood {
  /** The id of the key (`ingest-keys.ts`). */
  readonly key: string;
  /** When its first report was received, ms, and its last one that began an issue or would have. */
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Its reports that count in the issue "Other anonymous reports". */
  readonly otherReports: number;
  /** The networks of its reports that began an issue or would have, as a sketch. */
  readonly networkSketch?: string;
}

/** The facts of an issue that decide whether a flood folds it. An `Issue` has them too. */
export interface FoldedFacts
  extends Readonly<Pick<IssueSummary, "digest" | "trust" | "networkCount">> {
  readonly publicOrigin?: PublicOrigin;
  readonly networkSketch?: string;
}

/**
 * True if a flood folds the issue: a public report with the key of the flood began it since then,
 * and its reports came from fewer than `limits.minUnfoldedNetworks` networks. An issue of unknown
 * networks is never folded. The issue "Other anonymous reports" is folded with every flood that has
 * reports in it.
 */
export function isFolded(issue: FoldedFacts, floods: readonly Flood[]): boolean {
  return findFloodOf(issue, floods) !== undefined;
}

/** The flood that folds an issue; undefined if none does. */
export function findFloodOf(issue: FoldedFacts, floods: readonly Flood[]): Flood | undefined {
  const { digest, trust, publicOrigin: origin } = issue;
  if (trust !== "public") return undefined;
  if (digest === OTHER_ANONYMOUS_DIGEST) return floods.find(({ otherReports }) => otherReports > 0);
  const networks = issue.networkCount ?? countNetworks(issue.networkSketch);
  if (origin === undefined || networks === 0 || networks >= limits.minUnfoldedNetworks)
    return undefined;
  return floods.find(({ key, sinceMs }) => key === origin.key && origin.atMs >= sinceMs);
}

/** An issue that a flood folds, with the reports that it counts. */
export interface FoldedIssue {
  readonly digest: Digest;
  readonly flood: Flood;
  readonly reports: number;
}

/** The floods with the numbers of their issues and reports. */
export function summarizeFloods(
  floods: readonly Flood[],
  folded: readonly FoldedIssue[],
): readonly FloodSummary[] {
  return floods.map((flood) => {
    const own = folded.filter((issue) => issue.flood.key === flood.key);
    const issues = own.filter(({ digest }) => digest !== OTHER_ANONYMOUS_DIGEST);
    const { key, sinceMs, lastMs, otherReports, networkSketch } = flood;
    return {
      key,
      sinceMs,
      lastMs,
      issues: issues.length,
      reports: issues.reduce((sum, { reports }) => sum + reports, otherReports),
      networks: countNetworks(networkSketch),
    };
  });
}
