/** The path of the OpenSearch description, relative to the project. */
export const OPENSEARCH_PATH = "/opensearch.xml";

/** The URL of a lookup, relative to the origin; with `state`, of its issues in that state. */
export function toLookupUrl(text: string, state?: string): string {
  return `/lookup?q=${encodeURIComponent(text)}${state === undefined ? "" : `&state=${state}`}`;
}
