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
