/**
 * Counts by trust level. Lists, charts and figures count the reports of all levels. For decisions
 * of members and for strangers, reports below a level do not count. Pure.
 */

import { estimateUserCount, mergeUserSketches } from "../hyperloglog.ts";
import { isAtLeast, TRUST_LEVELS, type Trust } from "../trust/trust.ts";

/** The occurrences of an issue. */
export interface TrustCounts {
  readonly count: number;
  /** How many of them came from public reports, and how many from page reports. */
  readonly publicCount: number;
  readonly pageCount: number;
}

/**
 * The affected users that reports of each level named, including linked ones: sketches of
 * `hyperloglog.ts`. `countUsers` reads them.
 */
export type UserSketches = { readonly [K in `${Trust}UserSketch`]?: string };

/** The counts after `occurrences` more reports of this level. */
export function addToCounts(
  { count, publicCount, pageCount }: TrustCounts,
  trust: Trust,
  occurrences: number,
): TrustCounts {
  return {
    count: count + occurrences,
    publicCount: publicCount + (trust === "public" ? occurrences : 0),
    pageCount: pageCount + (trust === "page" ? occurrences : 0),
  };
}

/** The counts of two issues together. */
export function sumCounts(a: TrustCounts, b: TrustCounts): TrustCounts {
  return {
    count: a.count + b.count,
    publicCount: a.publicCount + b.publicCount,
    pageCount: a.pageCount + b.pageCount,
  };
}

/** The occurrences of each level that has any, the most reliable level first. */
export function listLevelCounts(
  counts: TrustCounts,
): readonly (readonly [level: Trust, count: number])[] {
  const byLevel = toLevelCounts(counts);
  return TRUST_LEVELS.map((level) => [level, byLevel[level]] as const).filter(([, n]) => n > 0);
}

function toLevelCounts(counts: TrustCounts): Readonly<Record<Trust, number>> {
  const { count, publicCount, pageCount } = counts;
  return { server: count - publicCount - pageCount, page: pageCount, public: publicCount };
}

/** The occurrences of this level and higher ones. */
export function countFrom(trust: Trust, counts: TrustCounts): number {
  const byLevel = toLevelCounts(counts);
  return listFrom(trust).reduce((sum, level) => sum + byLevel[level], 0);
}

/** The occurrences of the issue's own level, by which alert rules judge its history. */
export function countOwnLevel(issue: TrustCounts & { readonly trust: Trust }): number {
  return countFrom(issue.trust, issue);
}

/** The sketches after one more report. */
export function addUser(
  sketches: UserSketches,
  { userSketch, trust }: { userSketch?: string; trust: Trust },
): UserSketches {
  if (userSketch === undefined) return {};
  const key = `${trust}UserSketch` as const;
  return { [key]: mergeUserSketches(sketches[key], userSketch) };
}

/** The users of two issues together. */
export function mergeUsers(a: UserSketches, b: UserSketches): UserSketches {
  return {
    serverUserSketch: mergeOptional(a.serverUserSketch, b.serverUserSketch),
    pageUserSketch: mergeOptional(a.pageUserSketch, b.pageUserSketch),
    publicUserSketch: mergeOptional(a.publicUserSketch, b.publicUserSketch),
  };
}

/**
 * The estimated number of users that reports named, of all levels or of at least `minTrust`; 0 if
 * they named none.
 */
export function countUsers(issue: UserSketches, minTrust: Trust = "public"): number {
  return estimateUserCount(joinSketches(issue, minTrust));
}

/** The estimated number of users that any of the issues affects, each counted once. */
export function countUsersOfAll(issues: readonly UserSketches[]): number {
  const sketches = issues.map((issue) => joinSketches(issue, "public"));
  return estimateUserCount(sketches.reduce(mergeOptional, undefined));
}

function joinSketches(issue: UserSketches, minTrust: Trust): string | undefined {
  const sketches = listFrom(minTrust).map((level) => issue[`${level}UserSketch`]);
  return sketches.reduce(mergeOptional, undefined);
}

function listFrom(trust: Trust): readonly Trust[] {
  return TRUST_LEVELS.filter((level) => isAtLeast(level, trust));
}

function mergeOptional(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || b === undefined ? (a ?? b) : mergeUserSketches(a, b);
}
