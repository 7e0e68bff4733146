/** The address of a release's page. */

/** What a browser takes for a step in a path, and what an address ends in that asks for JSON. */
const UNSAFE_SEGMENT = /^\.\.?$|\.json$/;

/**
 * `/releases/web%402.1.0`, or `/releases?name=..` where the name cannot stand in a path. Half a surrogate, which no address can
 * have, is replaced in it.
 */
export function toReleaseUrl(name: string): string {
  const encodedName = String(new URLSearchParams({ name }));
  if (UNSAFE_SEGMENT.test(name)) return `/releases?${encodedName}`;
  return `/releases/${encodedName.slice("name=".length).replaceAll("+", "%20")}`;
}
