/**
 * Whom an issue affects and what is different about it, as one sentence: "110 people since 15:22,
 * all on shop@1.0.0, first 4 min after its deploy; 98 % Chrome (usually 61 %)." A part that does
 * not pass its threshold is left out, so that little data says only the count. Pure.
 */

import type { Issue } from "../issue/issue.ts";
import type { TopValues } from "../issue/top-values.ts";
import { formatShare, pluralize } from "../numbers.ts";
import type { DeployMoment } from "../release/release-facts.ts";
import { formatPeople } from "../stats/people-count.ts";
import { countUsers, type UserSketches } from "../stats/trust-counts.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../utc-time.ts";
import { type Difference, MIN_USUAL_REPORTS, type UsualShare } from "./find-differences.ts";

/** The part of an issue that the sentence is about. */
export type AffectingIssue = Pick<
  Issue,
  "count" | "firstSeenMs" | "lastSeenMs" | "releases" | "firstRelease" | "environment"
> &
  UserSketches;

/** What is known besides the issue; each is empty while it is not. */
export interface ImpactContext {
  readonly differences: readonly Difference[];
  readonly usual: readonly UsualShare[];
  readonly deploys: readonly DeployMoment[];
  readonly nowMs: number;
}

/** A piece of the sentence: words of Errata, a value as it was reported, or a time. */
export type ImpactPiece =
  | {
      readonly kind: "words" | "value";
      readonly text: string;
      /** The figures and suspects, on which the eye should rest. */
      readonly isStrong?: boolean;
    }
  | {
      /** A moment of the past: `15:22` or `5 min ago`. */
      readonly kind: "clock" | "ago";
      readonly atMs: number;
    };

/** A value that has this share of the reports is said to be the one of the issue. */
const MIN_CONCENTRATION = 0.8;
/** Of fewer reports, a share below one is no figure. */
const MIN_SHARED_REPORTS = 20;
/** An error that begins later was not caused by the deploy alone. */
const MAX_AFTER_DEPLOY_MS = DAY_MS;
/** An issue that was not seen for this long says so. */
const QUIET_MS = DAY_MS;

/** The pieces of the sentence; none for an issue without occurrences. */
export function describeImpact(
  issue: AffectingIssue,
  context: ImpactContext,
): readonly ImpactPiece[] {
  if (issue.count === 0) return [];
  const release = findConcentration(issue, context.usual);
  return [
    ...describeCount(issue, context.nowMs),
    ...(release === undefined ? [] : describeRelease(release)),
    ...(release === undefined ? [] : describeDeploy(issue, release.value, context.deploys)),
    ...describeDifference(context.differences, release !== undefined),
    words("."),
  ];
}

/** The sentence as text. Times are omitted. */
export function formatImpact(pieces: readonly ImpactPiece[]): string {
  return pieces.map((piece) => ("text" in piece ? piece.text : "…")).join("");
}

function words(text: string): ImpactPiece {
  return { kind: "words", text };
}

function strong(text: string): ImpactPiece {
  return { kind: "words", text, isStrong: true };
}

function strongValue(text: string): ImpactPiece {
  return { kind: "value", text, isStrong: true };
}

/** People if reports name them: one person can meet an error a hundred times. */
function describeCount(issue: AffectingIssue, nowMs: number): readonly ImpactPiece[] {
  const { count, firstSeenMs, lastSeenMs } = issue;
  const people = countUsers(issue);
  if (count === 1) return [strong("1 report"), words(", "), { kind: "ago", atMs: lastSeenMs }];
  const lead =
    people === 0
      ? [strong(pluralize(count, "report"))]
      : [
          strong(formatPeople(people).replace(/^a/, "A")),
          ...(people === 1 ? [words(`, ${pluralize(count, "report")}`)] : []),
        ];
  return [
    ...lead,
    words(" since "),
    { kind: "clock", atMs: firstSeenMs },
    ...(nowMs - lastSeenMs > QUIET_MS
      ? [words(", last seen "), { kind: "ago", atMs: lastSeenMs } as const]
      : []),
  ];
}

interface Concentration {
  readonly value: string;
  readonly share: number;
}

/**
 * The release of nearly all reports; undefined if there is none, and if nearly all reports of the
 * project are of this release, so that it says nothing.
 */
function findConcentration(
  { releases }: AffectingIssue,
  usual: readonly UsualShare[],
): Concentration | undefined {
  const top = readTop(releases);
  if (top === undefined || top.total < 2) return undefined;
  const { value, share, total } = top;
  if (share < MIN_CONCENTRATION || (share < 1 && total < MIN_SHARED_REPORTS)) return undefined;
  const known = usual.find((one) => one.attribute === "release" && one.value === value);
  return (known?.otherShare ?? 0) >= MIN_CONCENTRATION ? undefined : { value, share };
}

function readTop(values: TopValues | undefined) {
  const [top] = values?.values ?? [];
  if (values === undefined || top === undefined) return undefined;
  const total = values.values.reduce((sum, [, count]) => sum + count, values.otherCount);
  return { value: top[0], share: top[1] / total, total };
}

function describeRelease({ value, share }: Concentration): readonly ImpactPiece[] {
  return [words(", "), strong(`${formatPart(share)} on `), strongValue(value)];
}

function formatPart(share: number): string {
  return share === 1 ? "all" : formatShare(share);
}

/** How long after the deploy of its first release the issue began. */
function describeDeploy(
  { firstSeenMs, firstRelease, environment }: AffectingIssue,
  release: string,
  deploys: readonly DeployMoment[],
): readonly ImpactPiece[] {
  if (firstRelease !== release) return [];
  const before = deploys.filter(
    (deploy) =>
      deploy.release === release &&
      (deploy.environment ?? environment) === environment &&
      deploy.atMs <= firstSeenMs,
  );
  const afterMs = Math.min(...before.map(({ atMs }) => firstSeenMs - atMs));
  if (afterMs > MAX_AFTER_DEPLOY_MS) return [];
  return [words(`, first ${formatDuration(afterMs)} after its deploy`)];
}

/** `40 s`, `4 min`, `3 h`. */
function formatDuration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return `${Math.round(ms / HOUR_MS)} h`;
}

/** The strongest difference whose usual share is known. */
function describeDifference(
  differences: readonly Difference[],
  isReleaseSaid: boolean,
): readonly ImpactPiece[] {
  const largest = differences.find(
    ({ attribute, otherReports }) =>
      otherReports >= MIN_USUAL_REPORTS && !(isReleaseSaid && attribute === "release"),
  );
  if (largest === undefined) return [];
  const { attribute, value, share, otherShare } = largest;
  const [before, shown, after] = nameValue(attribute, value);
  return [
    words("; "),
    strong(`${formatPart(share)} ${before}`),
    ...(shown === "" ? [] : [strongValue(shown)]),
    ...(after === "" ? [] : [strong(after)]),
    words(` (usually ${formatShare(otherShare)})`),
  ];
}

/** The words before and after a value of an attribute: `98 % on iOS`, `all with plan free`. */
function nameValue(
  attribute: string,
  value: string,
): readonly [before: string, value: string, after: string] {
  switch (attribute) {
    case "browser":
    case "browser version":
      return ["", value, ""];
    case "release":
    case "page":
    case "system":
      return ["on ", value, ""];
    case "screen":
      return ["on ", value, "s"];
    case "environment":
      return ["in ", value, ""];
    case "translated":
      return ["on a translated page", "", ""];
    default:
      return ["with ", `${attribute.replace(/^tag /, "")} ${value}`, ""];
  }
}
