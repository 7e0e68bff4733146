/**
 * Compares releases. Versions of the same package compare as in Semantic Versioning 2.0.0, section
 * 11. Other names, such as commit hashes, and builds of one version (`1.4.0+42`), which have no
 * order there, compare by when they were first seen.
 */

/** When a release was first seen, ms; undefined if never. */
export type FirstSeenLookup = (release: string) => number | undefined;

/**
 * Negative if `a` is earlier than `b`, 0 if equal, positive if later. A release that was never seen
 * is later than all seen ones; a version without a build is earlier than its builds.
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

/** The package of a release: `web` of `web@1.4.0`; undefined for a name that is not a version. */
export function parseReleasePackage(release: string): string | undefined {
  return parseVersion(release)?.name;
}

interface Version {
  /** The package: `web` of `web@1.4.0`. */
  readonly name: string;
  readonly numbers: readonly number[];
  readonly preRelease: readonly string[];
  /** The version has build metadata after a `+`. */
  readonly hasBuild: boolean;
}

/**
 * `web@1.4.0-rc.1`, `v1.4`, `1.4.0+build`. At least two numbers, so that hashes and dates do not
 * match.
 */
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

/**
 * Numbers compare by value and precede words; words compare by their characters; the shorter of two
 * lists with the same beginning is earlier.
 */
function compareIdentifiers(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [isLeft, isRight] = [IS_NUMBER.test(a), IS_NUMBER.test(b)];
  if (isLeft !== isRight) return isLeft ? -1 : 1;
  // Timestamps and pipeline numbers may exceed the safe integers.
  const [left, right] = isLeft ? [BigInt(a), BigInt(b)] : [a, b];
  return left === right ? 0 : left < right ? -1 : 1;
}
