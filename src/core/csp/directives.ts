/**
 * The directives of a Content-Security-Policy, and which of them decides when the one that is asked for is not there.
 * Source: CSP Level 3 § 6 Content Security Policy Directives, § 6.8.3 Get fetch directive fallback list.
 */

/** A directive with its values as they were written; its name in lower case. */
export interface CspDirective {
  readonly name: string;
  readonly values: readonly string[];
}

/** One policy: each directive once. A page may have several, and all of them must allow. */
export type CspPolicy = readonly CspDirective[];

/** Of each fetch directive those that stand in for it, the first that is there. */
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

/** Directives with sources that nothing stands in for. */
const DIRECTIVES_WITHOUT_FALLBACK: ReadonlySet<string> = new Set([
  "base-uri",
  "form-action",
  "navigate-to",
]);

/** Directives without sources, and those whose sources are no addresses of what a page loads. */
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

/** True for what decides about a load; its values are sources. */
export function isFetchDirective(name: string): boolean {
  return FALLBACKS.has(name);
}

/** True for what has a list of sources that a blocked address can be looked for in. */
export function hasSourceList(name: string): boolean {
  return FALLBACKS.has(name) || DIRECTIVES_WITHOUT_FALLBACK.has(name);
}

/** True for a directive that browsers know, or knew. */
export function isKnownDirective(name: string): boolean {
  return hasSourceList(name) || DIRECTIVES_WITHOUT_SOURCES.has(name);
}

/** The directive of this name in a policy. */
export function findDirective(policy: CspPolicy, name: string): CspDirective | undefined {
  return policy.find((directive) => directive.name === name);
}

/** The directive that decides about `name` in a policy; undefined where it says nothing, which allows everything. */
export function findEffectiveDirective(policy: CspPolicy, name: string): CspDirective | undefined {
  for (const candidate of [name, ...(FALLBACKS.get(name) ?? [])]) {
    const directive = findDirective(policy, candidate);
    if (directive !== undefined) return directive;
  }
  return undefined;
}
