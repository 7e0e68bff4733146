/**
 * What the server said about this page in `Server-Timing`: the digest of a failed render, the trace
 * of the request and the page token. Every framework can set this header.
 */

/**
 * The text of `errata-<name>` in the header of the navigation. Undefined without one, and in
 * browsers that do not read the header.
 */
export function readServerTiming(name: "digest" | "trace" | "token"): string | undefined {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return page?.serverTiming?.find((entry) => entry.name === `errata-${name}`)?.description;
}
