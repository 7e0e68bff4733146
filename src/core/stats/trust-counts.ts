/**
 * Counts by trust level. The counts of an issue include all reports. For decisions and for
 * strangers, reports below the level of the issue do not count. Pure.
 */

import { estimateUserCount, mergeUserSketches } from "../hyperloglog.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { isTrusted, type Trust, toTrustRank } from "../trust/trust.ts";

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
export interface UserSketches {
  readonly serverUserSketch?: string;
  readonly pageUserSketch?: string;
  readonly publicUserSketch?: string;
}

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

/** The occurrences of this level and higher ones. */
export function countFrom(trust: Trust, { count, publicCount, pageCount }: TrustCounts): number {
  switch (trust) {
    case "server":
      return count - publicCount - pageCount;
    case "page":
      return count - publicCount;
    case "public":
      return count;
  }
}

/**
 * The occurrences of the issue's own level. Lists show and sort by them, and alerts use them,
 * because strangers can add endless public ones, and visitors of a signed page many of its level.
 */
export function countShown({ trust, ...counts }: TrustCounts & { readonly trust: Trust }): number {
  return countFrom(trust, counts);
}

/** The occurrences of each level below the issue's, which lists also show. */
export function listCountsBelow({
  trust,
  pageCount,
  publicCount,
}: TrustCounts & { readonly trust: Trust }): readonly (readonly [trust: Trust, count: number])[] {
  const counts = [["page", pageCount] as const, ["public", publicCount] as const];
  return counts.filter(([level, count]) => count > 0 && toTrustRank(level) < toTrustRank(trust));
}

/** The sketches after one more report. */
export function addUser(
  { serverUserSketch, pageUserSketch, publicUserSketch }: UserSketches,
  { userSketch, trust }: { userSketch?: string; trust: Trust },
): UserSketches {
  if (userSketch === undefined) return {};
  switch (trust) {
    case "server":
      return { serverUserSketch: mergeUserSketches(serverUserSketch, userSketch) };
    case "page":
      return { pageUserSketch: mergeUserSketches(pageUserSketch, userSketch) };
    case "public":
      return { publicUserSketch: mergeUserSketches(publicUserSketch, userSketch) };
  }
}

/** The users of two issues together. */
export function mergeUsers(a: UserSketches, b: UserSketches): UserSketches {
  return omitUndefined({
    serverUserSketch: mergeOptional(a.serverUserSketch, b.serverUserSketch),
    pageUserSketch: mergeOptional(a.pageUserSketch, b.pageUserSketch),
    publicUserSketch: mergeOptional(a.publicUserSketch, b.publicUserSketch),
  });
}

/**
 * The estimated number of users that reports of the issue's level and higher ones named; 0 if they
 * named none. If reports of servers named none, those of page reports count.
 */
export function countUsers(issue: UserSketches & { readonly trust: Trust }): number {
  return estimateUserCount(selectUserSketch(issue));
}

/**
 * The estimated number of users that any of the issues affects, each counted once. Public issues
 * count only if there are no others.
 */
export function countUsersOfAll(
  issues: readonly (UserSketches & { readonly trust: Trust })[],
): number {
  const trusted = issues.filter(({ trust }) => isTrusted(trust));
  const counted = trusted.length > 0 ? trusted : issues;
  return estimateUserCount(
    counted.map(selectUserSketch).reduce(mergeOptional, undefined as string | undefined),
  );
}

function selectUserSketch({
  trust,
  ...issue
}: UserSketches & { readonly trust: Trust }): string | undefined {
  const { serverUserSketch, pageUserSketch, publicUserSketch } = issue;
  const isByPage = toTrustRank(trust) <= 1 || serverUserSketch === undefined;
  const ofPages = isByPage ? mergeOptional(serverUserSketch, pageUserSketch) : serverUserSketch;
  return trust === "public" ? mergeOptional(ofPages, publicUserSketch) : ofPages;
}

function mergeOptional(a: string | undefined, b: string | undefined): string | undefined {
  return a === undefined || b === undefined ? (a ?? b) : mergeUserSketches(a, b);
}
