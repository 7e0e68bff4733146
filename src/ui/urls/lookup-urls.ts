/** The URL of a lookup, relative to the origin; with `state`, of its issues in that state. */
export function toLookupUrl(text: string, state?: string): string {
  return `/lookup?q=${encodeURIComponent(text)}${state === undefined ? "" : `&state=${state}`}`;
}
