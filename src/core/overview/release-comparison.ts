/**
 * What differs between two releases: whether sessions crash more often, and which issues are only
 * in one of them, or more or less often. Differences that may be chance are not named. Pure.
 */
import type { IssueSummary } from "../issue/issue.ts";
import { formatNumber, pluralize } from "../numbers.ts";
import { getVersion } from "../release/application.ts";
import type { ReleaseSummary } from "../release/release-summary.ts";
import {
  getCrashFreePercent,
  hasForeignSessions,
  MIN_RATED_SESSIONS,
} from "../stats/crash-free.ts";
import { DAY_MS } from "../utc-time.ts";

/** An issue, and its occurrences in each release. */
export interface ComparedIssue {
  readonly issue: IssueSummary;
  readonly baseCount: number;
  readonly releaseCount: number;
}

/** An issue with its rates. */
export interface RatedIssue extends ComparedIssue {
  /** Occurrences in 1,000 sessions of the release that the column is about; absent if unknown. */
  readonly rate?: number | undefined;
  /** How many times as often as in the base. */
  readonly factor?: number | undefined;
}

/** The difference of the crash-free rates, in points of a percentage. */
export interface CrashFreeDifference {
  readonly base: number;
  readonly release: number;
  readonly points: number;
  /** With a probability of 95 %, the difference is at most so far from `points`. */
  readonly margin: number;
  /** The difference is greater than its margin. */
  readonly isSignificant: boolean;
  /** The sessions of the release with fewer. */
  readonly sessions: number;
}

export interface ReleaseComparison {
  readonly crashFree?: CrashFreeDifference;
  /** True if rates by session are known for both releases. */
  readonly hasRates: boolean;
  readonly onlyIn: readonly RatedIssue[];
  readonly moreOften: readonly RatedIssue[];
  readonly lessOften: readonly RatedIssue[];
  readonly gone: readonly RatedIssue[];
  /** In both, with a difference that may be chance, or without rates. */
  readonly unchanged: readonly RatedIssue[];
}

/** The quantile of the normal distribution for 95 %. */
const Z = 1.96;
/** Sessions are counted for so long: older releases have more errors than sessions. */
const SESSION_DAYS = 30;

/** The comparison; a release that is not listed has no sessions. */
export function compareReleaseSummaries(
  base: ReleaseSummary | undefined,
  release: ReleaseSummary | undefined,
  issues: readonly ComparedIssue[],
  nowMs: number,
): ReleaseComparison {
  const [before, after] = [base, release].map((one) => countRatedSessions(one, nowMs)) as [
    number,
    number,
  ];
  const hasRates = before >= MIN_RATED_SESSIONS && after >= MIN_RATED_SESSIONS;
  const rate = (one: ComparedIssue) => toRated(one, before, after, hasRates);
  const all = issues.map(rate);
  const inBoth = all.filter(({ baseCount, releaseCount }) => baseCount > 0 && releaseCount > 0);
  const changed = inBoth.filter((one) => hasRates && isChanged(one, before, after));
  const crashFree = compareCrashFree(base, release);
  return {
    ...(crashFree && { crashFree }),
    hasRates,
    onlyIn: all.filter(({ baseCount }) => baseCount === 0).sort(byRelease),
    moreOften: changed.filter(({ factor = 1 }) => factor > 1).sort(byFactor),
    lessOften: changed.filter(({ factor = 1 }) => factor < 1).sort((a, b) => -byFactor(a, b)),
    gone: all.filter(({ releaseCount }) => releaseCount === 0).sort(byBase),
    unchanged: inBoth.filter((one) => !changed.includes(one)).sort(byRelease),
  };
}

const byRelease = (a: ComparedIssue, b: ComparedIssue) => b.releaseCount - a.releaseCount;
const byBase = (a: ComparedIssue, b: ComparedIssue) => b.baseCount - a.baseCount;
const byFactor = (a: RatedIssue, b: RatedIssue) => (b.factor ?? 1) - (a.factor ?? 1);

/** The sessions that errors can be divided by; 0 if the release began before they were counted. */
function countRatedSessions(release: ReleaseSummary | undefined, nowMs: number): number {
  if (release?.sessions === undefined || hasForeignSessions(release)) return 0;
  const { firstSeenMs = 0 } = release;
  return nowMs - firstSeenMs > SESSION_DAYS * DAY_MS ? 0 : release.sessions.started;
}

function toRated(one: ComparedIssue, before: number, after: number, hasRates: boolean): RatedIssue {
  if (!hasRates) return one;
  const { baseCount, releaseCount } = one;
  const isGone = releaseCount === 0;
  const rate = 1_000 * (isGone ? baseCount / before : releaseCount / after);
  if (isGone || baseCount === 0) return { ...one, rate };
  return { ...one, rate, factor: releaseCount / after / (baseCount / before) };
}

/** True if the difference of two rates of rare events is hardly chance. */
function isChanged({ baseCount, releaseCount }: RatedIssue, before: number, after: number) {
  const difference = releaseCount / after - baseCount / before;
  const deviation = Math.sqrt(releaseCount / after ** 2 + baseCount / before ** 2);
  return Math.abs(difference) > Z * deviation;
}

/** The difference; undefined if one of the releases has too few sessions. */
export function compareCrashFree(
  base: ReleaseSummary | undefined,
  release: ReleaseSummary | undefined,
): CrashFreeDifference | undefined {
  const [before, after] = [base, release].map((one) => {
    const percent = one && getCrashFreePercent(one);
    const sessions = one?.sessions?.started ?? 0;
    return percent === undefined || sessions < MIN_RATED_SESSIONS
      ? undefined
      : { percent, sessions };
  });
  if (before === undefined || after === undefined) return undefined;
  // A rate of 0 or 100 % has no variance of its own, however few its sessions are.
  const variance = ({ percent, sessions }: typeof before) => {
    const share = (percent / 100) * (sessions / (sessions + 4)) + 2 / (sessions + 4);
    return (share * (1 - share)) / (sessions + 4);
  };
  const margin = 100 * Z * Math.sqrt(variance(before) + variance(after));
  const points = after.percent - before.percent;
  return {
    base: before.percent,
    release: after.percent,
    points: Math.round(points * 100) / 100,
    margin: Math.round(margin * 100) / 100,
    isSignificant: Math.abs(points) > margin,
    sessions: Math.min(before.sessions, after.sessions),
  };
}

/** A part of the sentence; a strong one is the finding. */
export interface ComparisonPart {
  readonly text: string;
  readonly isStrong: boolean;
}

/** Whether the release crashes more often, or how many issues came and went. */
export function writeComparisonSentence(
  release: string,
  {
    crashFree,
    onlyIn,
    moreOften,
    lessOften,
    gone,
  }: Omit<ReleaseComparison, "hasRates" | "unchanged">,
): readonly ComparisonPart[] {
  const name = getVersion(release);
  const issues = `${pluralize(onlyIn.length, "issue")} only in it, ${formatNumber(moreOften.length)} more often, ${formatNumber(lessOften.length)} less often, ${formatNumber(gone.length)} gone.`;
  if (crashFree === undefined) {
    return [
      { text: `${name}: ${issues}`, isStrong: true },
      { text: " Too few sessions to compare crashes.", isStrong: false },
    ];
  }
  const { points, margin, isSignificant, base, sessions } = crashFree;
  const rates = `${format(crashFree.release)} % crash-free, ${format(base)} % before: ${formatSigned(points)} ± ${format(margin)} points, ${formatNumber(sessions)} sessions.`;
  if (!isSignificant) {
    return [
      { text: `${name} crashes as often as before`, isStrong: true },
      { text: ` as far as sessions tell: ${rates} ${issues}`, isStrong: false },
    ];
  }
  return [
    { text: `${name} crashes ${points < 0 ? "more" : "less"} often:`, isStrong: true },
    { text: ` ${rates} ${issues}`, isStrong: false },
  ];
}

/** `−0.99`, with the sign of mathematics. */
export function formatSigned(points: number): string {
  return points < 0 ? `\u2212${format(-points)}` : `+${format(points)}`;
}

function format(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** `222`, `4.7`: occurrences in 1,000 sessions. */
export function formatRate(rate: number): string {
  return rate < 10 ? String(Math.round(rate * 10) / 10) : formatNumber(Math.round(rate));
}

/** `9 ×`, `0.4 ×`. */
export function formatFactor(factor: number): string {
  return `${factor < 10 ? Math.round(factor * 10) / 10 : formatNumber(Math.round(factor))} ×`;
}
