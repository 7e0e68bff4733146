/** The URL of a lookup, relative to the origin. */
export function toLookupUrl(text: string): string {
  return `/lookup?q=${encodeURIComponent(text)}`;
}
