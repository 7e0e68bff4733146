/**
 * Which of two releases is the later one. Names that are versions say so themselves (Semantic Versioning 2.0.0, section 11);
 * of other names, hashes of commits for one, and of the builds of one version (`1.4.0+42`), which have no order there, the later
 * is the one that was first seen later.
 */

/** When a release was first seen, ms; undefined when it never was. */
export type FirstSeenLookup = (release: string) => number | undefined;

/**
 * Negative when `a` is earlier than `b`, 0 for the same, positive when it is later. What was never seen is later than all that
 * was; a version without a build is earlier than its builds.
 */
export function compareReleases(a: string, b: string, getFirstSeenMs: FirstSeenLookup): number {
  if (a === b) return 0;
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (left !== undefined && right !== undefined && left.name === right.name) {
    const difference = compareVersions(left, right);
    if (difference !== 0 || !(left.hasBuild && right.hasBuild)) return difference;
  }
  const unseenMs = Number.MAX_VALUE;
  return (getFirstSeenMs(a) ?? unseenMs) - (getFirstSeenMs(b) ?? unseenMs);
}

/** Whose release it is: `web` of `web@1.4.0`; undefined for a name that is no version. */
export function parseReleasePackage(release: string): string | undefined {
  return parseVersion(release)?.name;
}

interface Version {
  /** What stands before: `web` of `web@1.4.0`. */
  readonly name: string;
  readonly numbers: readonly number[];
  readonly preRelease: readonly string[];
  /** One of many builds of the version: what stands behind the `+` names it. */
  readonly hasBuild: boolean;
}

/** `web@1.4.0-rc.1`, `v1.4`, `1.4.0+build`: at least two numbers, so that no hash and no date is taken for one. */
const VERSION = /^(?:(.*)@)?v?(\d{1,9}(?:\.\d{1,9}){1,3})(?:-([0-9A-Za-z.-]+))?(\+.*)?$/;

function parseVersion(release: string): Version | undefined {
  const match = VERSION.exec(release);
  if (match === null) return undefined;
  const [, name = "", numbers = "", preRelease, build] = match;
  return {
    name,
    numbers: numbers.split(".").map(Number),
    preRelease: preRelease?.split(".") ?? [],
    hasBuild: build !== undefined,
  };
}

function compareVersions(a: Version, b: Version): number {
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a.preRelease, b.preRelease) || Number(a.hasBuild) - Number(b.hasBuild);
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  // A version without a pre-release is later than all of its pre-releases.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = compareIdentifiers(a[i], b[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

const IS_NUMBER = /^\d+$/;

/** Numbers by their size and before words, words by their letters; the list that ends first is the earlier. */
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [isLeft, isRight] = [IS_NUMBER.test(a), IS_NUMBER.test(b)];
  if (isLeft !== isRight) return isLeft ? -1 : 1;
  // A moment or a pipeline's number may have more digits than a number holds.
  const [left, right] = isLeft ? [BigInt(a), BigInt(b)] : [a, b];
  return left === right ? 0 : left < right ? -1 : 1;
}
