/**
 * What is different about the reports of an issue: values that are much more frequent in them than in
 * the reports of the other issues of the same days. Pure.
 *
 * The rule: the odds of the value are at least twice those of the others, with a confidence of
 * 99.9 %, and its share is at least 20 points higher. The issue has 20 reports with the attribute,
 * of five people if they are known, and 50 reports of three other issues have it. So chance, a few
 * visitors, or one other issue say nothing. The reports of one person count once in the confidence.
 */
import type { Issue } from "../issue/issue.ts";
import { SAMPLE_ENVIRONMENT } from "../report/sample-environment.ts";
import { countUsers } from "../stats/trust-counts.ts";
import { isTrusted } from "../trust/trust.ts";
import { DAY_MS } from "../utc-time.ts";
import { type Attributes, listAttributes } from "./attributes.ts";

/** A value that is more frequent than in other issues; the shares are between 0 and 1. */
export interface Difference {
  /** `browser`, `tag plan` */
  readonly attribute: string;
  readonly value: string;
  readonly share: number;
  readonly otherShare: number;
  /** How many other issues have the attribute, each with at most `MAX_REPORTS` reports. */
  readonly otherIssues: number;
  /** The reports of these issues. */
  readonly otherReports: number;
}

/** The most frequent value of an attribute, and its share in other issues. */
export type UsualShare = Pick<Difference, "attribute" | "value" | "share" | "otherShare">;

/** How an issue compares with the others. */
export interface Comparison {
  readonly differences: readonly Difference[];
  /** Of the attributes whose usual share is known. */
  readonly usual: readonly UsualShare[];
}

/** The part of an issue that is compared. */
export interface ComparedIssue
  extends Pick<Issue, "digest" | "trust" | "firstSeenMs" | "lastSeenMs" | "environment"> {
  readonly count: number;
  readonly users: number;
  readonly attributes: Attributes;
}

/** The reports of one other issue that count: a frequent error must not stand for all. */
export const MAX_REPORTS = 100;
const MIN_REPORTS = 20;
const MIN_USERS = 5;
const MIN_OTHER_REPORTS = 50;
const MIN_OTHER_ISSUES = 3;
/** Below that, a usual share is not shown: the reports may be from one incident. */
export const MIN_USUAL_REPORTS = 200;
const MIN_ODDS = Math.log(2);
const MIN_SHARE_DIFFERENCE = 0.2;
/** Standard errors of a one-sided confidence of 99.9 %. */
const CONFIDENCE = 3.09;
/** Those that texts have: further ones say the same in other words. */
export const MAX_DIFFERENCES = 2;

/** The part of an issue that is compared. */
export function toComparedIssue(issue: Issue): ComparedIssue {
  const { digest, trust, firstSeenMs, lastSeenMs, environment, count } = issue;
  const users = countUsers(issue);
  const attributes = listAttributes(issue);
  return { digest, trust, firstSeenMs, lastSeenMs, environment, count, users, attributes };
}

/** True if the issue has enough reports to be compared. */
export function isComparable({ count, users }: Pick<ComparedIssue, "count" | "users">): boolean {
  return count >= MIN_REPORTS && (users === 0 || users >= MIN_USERS);
}

/** At most `MAX_DIFFERENCES`, the strongest first; none if the reports do not tell. */
export function findDifferences(
  issue: ComparedIssue,
  all: readonly ComparedIssue[],
): readonly Difference[] {
  return compareIssue(issue, all).differences.slice(0, MAX_DIFFERENCES);
}

/** All differences, the strongest first, and the usual shares of all attributes. */
export function compareIssue(issue: ComparedIssue, all: readonly ComparedIssue[]): Comparison {
  if (!isComparable(issue)) return { differences: [], usual: [] };
  const others = all.filter((other) => isOther(issue, other));
  const usual = [...issue.attributes.keys()].flatMap(
    (attribute) => readUsualShare(issue, others, attribute) ?? [],
  );
  return { differences: listDifferences(issue, others), usual };
}

function listDifferences(
  issue: ComparedIssue,
  others: readonly ComparedIssue[],
): readonly Difference[] {
  const found = [...issue.attributes.keys()]
    .flatMap((attribute) => findStrongest(issue, others, attribute) ?? [])
    .sort((a, b) => b.strength - a.strength);
  // A version says the same as its browser: the stronger of both remains.
  const groups = found.map(({ attribute }) => attribute.replace(/^browser .*/, "browser"));
  return found
    .filter((_, n) => groups.indexOf(groups[n] ?? "") === n)
    .map(({ strength: _, ...difference }) => difference);
}

/** Another issue of the same days. Strangers do not change what a trusted issue is compared with. */
function isOther(issue: ComparedIssue, other: ComparedIssue): boolean {
  const isSample = ({ environment }: ComparedIssue) => environment === SAMPLE_ENVIRONMENT;
  return (
    other.digest !== issue.digest &&
    other.lastSeenMs >= issue.firstSeenMs - DAY_MS &&
    other.firstSeenMs <= issue.lastSeenMs + DAY_MS &&
    (isTrusted(other.trust) || !isTrusted(issue.trust)) &&
    isSample(other) === isSample(issue)
  );
}

/** The value of an attribute that differs most; undefined if none differs enough. */
function findStrongest(
  { users, attributes }: ComparedIssue,
  others: readonly ComparedIssue[],
  attribute: string,
): (Difference & { readonly strength: number }) | undefined {
  const own = attributes.get(attribute);
  if (own === undefined || own.total < MIN_REPORTS) return undefined;
  const { otherTotal, otherIssues, countOther } = weighOthers(others, attribute);
  if (otherTotal < MIN_OTHER_REPORTS || otherIssues < MIN_OTHER_ISSUES) return undefined;
  const otherReports = Math.round(otherTotal);
  const people = users === 0 ? own.total : Math.min(users, own.total);
  let strongest: ReturnType<typeof findStrongest>;
  for (const [value, count] of own.counts) {
    // The heading of the issue has the only page.
    if (attribute === "page" && count === own.total) continue;
    const share = count / own.total;
    const otherShare = countOther(value) / otherTotal;
    const strength = getLeastOdds([share, people], [otherShare, otherTotal]);
    if (strength < MIN_ODDS || share - otherShare < MIN_SHARE_DIFFERENCE) continue;
    if (strength > (strongest?.strength ?? 0))
      strongest = { attribute, value, share, otherShare, otherIssues, otherReports, strength };
  }
  return strongest;
}

/** The most frequent value; undefined if the others have too few reports to say what is usual. */
function readUsualShare(
  { attributes }: ComparedIssue,
  others: readonly ComparedIssue[],
  attribute: string,
): UsualShare | undefined {
  const own = attributes.get(attribute);
  const { otherTotal, otherIssues, countOther } = weighOthers(others, attribute);
  if (own === undefined || otherTotal < MIN_USUAL_REPORTS || otherIssues < MIN_OTHER_ISSUES)
    return undefined;
  const [value, count] = [...own.counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
  if (count === 0) return undefined;
  return {
    attribute,
    value,
    share: count / own.total,
    otherShare: countOther(value) / otherTotal,
  };
}

/** The reports of other issues that have an attribute. A frequent issue does not stand for all. */
function weighOthers(others: readonly ComparedIssue[], attribute: string) {
  const ofOthers = others.flatMap((other) => other.attributes.get(attribute) ?? []);
  const weigh = (total: number) => Math.min(1, MAX_REPORTS / total);
  return {
    otherTotal: ofOthers.reduce((sum, { total }) => sum + total * weigh(total), 0),
    otherIssues: ofOthers.length,
    countOther: (value: string) =>
      ofOthers.reduce((sum, { counts, total }) => sum + (counts.get(value) ?? 0) * weigh(total), 0),
  };
}

/** The logarithm of the ratio of odds that the shares prove, with Haldane's correction. */
function getLeastOdds(
  [share, total]: readonly [number, number],
  [otherShare, otherTotal]: readonly [number, number],
): number {
  const cells = [
    share * total + 0.5,
    (1 - otherShare) * otherTotal + 0.5,
    (1 - share) * total + 0.5,
    otherShare * otherTotal + 0.5,
  ] as const;
  const [a, b, c, d] = cells;
  const variance = cells.reduce((sum, cell) => sum + 1 / cell, 0);
  return Math.log((a * b) / (c * d)) - CONFIDENCE * Math.sqrt(variance);
}
