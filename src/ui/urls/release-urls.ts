/** The URL of a release's page. */

/** Path segments that browsers resolve, and the suffix that requests JSON. */
const UNSAFE_SEGMENT = /^\.\.?$|\.json$/;

/**
 * `/releases/web%402.1.0`, or `/releases?name=..` if the name cannot be a path segment. Replaces
 * lone surrogates, which a URL cannot contain.
 */
export function toReleaseUrl(name: string): string {
  const encodedName = String(new URLSearchParams({ name }));
  if (UNSAFE_SEGMENT.test(name)) return `/releases?${encodedName}`;
  return `/releases/${encodedName.slice("name=".length).replaceAll("+", "%20")}`;
}

/** The form that compares two releases: `?base=1.3.0&release=1.4.0`, or `?release=` twice. */
export const COMPARE_URL = "/releases/compare";
/** Between the names in a path. */
const RANGE = "...";

/**
 * `/releases/compare/web%401.3.0...web%401.4.0`, or `/releases/compare?base=…&release=…` if a name
 * contains the dots or cannot be a part of a path.
 */
export function toCompareUrl(base: string, release: string): string {
  const path = `${base}${RANGE}${release}`;
  const isAmbiguous = path.split(RANGE).length !== 2 || path.includes("....");
  if (isAmbiguous || UNSAFE_SEGMENT.test(path))
    return `${COMPARE_URL}?${new URLSearchParams({ base, release })}`;
  const encode = (name: string) =>
    String(new URLSearchParams({ name })).slice("name=".length).replaceAll("+", "%20");
  return `${COMPARE_URL}/${encode(base)}${RANGE}${encode(release)}`;
}

/** The names in the decoded last part of such a path; undefined if there are not two. */
export function parseCompareRange(
  range: string,
): { readonly base: string; readonly release: string } | undefined {
  const [base = "", release = "", ...others] = range.split(RANGE);
  return base === "" || release === "" || others.length > 0 ? undefined : { base, release };
}
