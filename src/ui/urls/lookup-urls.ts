/** The address of the lookup of whatever was pasted, relative to the desk's own host. */
export function toLookupUrl(text: string): string {
  return `/lookup?q=${encodeURIComponent(text)}`;
}
