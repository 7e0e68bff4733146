/**
 * The directives of a Content-Security-Policy and their fallbacks. Source: CSP Level 3 § 6 Content
 * Security Policy Directives, § 6.8.3 Get fetch directive fallback list.
 */

/** A directive: name in lower case, values as written. */
export interface CspDirective {
  readonly name: string;
  readonly values: readonly string[];
}

/** One policy, with each directive once. If a page has several policies, all must allow a load. */
export type CspPolicy = readonly CspDirective[];

/** The fallbacks of each fetch directive, in order. */
const FALLBACKS: ReadonlyMap<string, readonly string[]> = new Map([
  ["script-src-elem", ["script-src", "default-src"]],
  ["script-src-attr", ["script-src", "default-src"]],
  ["style-src-elem", ["style-src", "default-src"]],
  ["style-src-attr", ["style-src", "default-src"]],
  ["worker-src", ["child-src", "script-src", "default-src"]],
  ["frame-src", ["child-src", "default-src"]],
  ["fenced-frame-src", ["frame-src", "child-src", "default-src"]],
  ["script-src", ["default-src"]],
  ["style-src", ["default-src"]],
  ["child-src", ["default-src"]],
  ["connect-src", ["default-src"]],
  ["font-src", ["default-src"]],
  ["img-src", ["default-src"]],
  ["manifest-src", ["default-src"]],
  ["media-src", ["default-src"]],
  ["object-src", ["default-src"]],
  ["prefetch-src", ["default-src"]],
  ["default-src", []],
]);

/** Directives with sources and without a fallback. */
const DIRECTIVES_WITHOUT_FALLBACK: ReadonlySet<string> = new Set([
  "base-uri",
  "form-action",
  "navigate-to",
]);

/** Directives without sources, and directives whose sources are not URLs of loaded resources. */
const DIRECTIVES_WITHOUT_SOURCES: ReadonlySet<string> = new Set([
  "block-all-mixed-content",
  "frame-ancestors",
  "report-to",
  "report-uri",
  "require-trusted-types-for",
  "sandbox",
  "trusted-types",
  "upgrade-insecure-requests",
]);

/** True for a fetch directive: it controls loads, and its values are sources. */
export function isFetchDirective(name: string): boolean {
  return FALLBACKS.has(name);
}

/** True for a directive whose sources can match a blocked URL. */
export function hasSourceList(name: string): boolean {
  return FALLBACKS.has(name) || DIRECTIVES_WITHOUT_FALLBACK.has(name);
}

/** True for a directive that current or former browsers support. */
export function isKnownDirective(name: string): boolean {
  return hasSourceList(name) || DIRECTIVES_WITHOUT_SOURCES.has(name);
}

/** The directive with this name in a policy; undefined if it has none. */
export function findDirective(policy: CspPolicy, name: string): CspDirective | undefined {
  return policy.find((directive) => directive.name === name);
}

/**
 * The directive of a policy that applies to `name`, with fallbacks; undefined if none does, which
 * allows everything.
 */
export function findEffectiveDirective(policy: CspPolicy, name: string): CspDirective | undefined {
  for (const candidate of [name, ...(FALLBACKS.get(name) ?? [])]) {
    const directive = findDirective(policy, candidate);
    if (directive !== undefined) return directive;
  }
  return undefined;
}
