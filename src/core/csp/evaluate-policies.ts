/**
 * Evaluates a reported violation against a policy, using only what the report contains: the blocked
 * resource, the directive and the page. If the result depends on anything else (a nonce, a hash,
 * the script that loaded the resource), it is undecided. Source: CSP Level 3 § 4.1, § 4.2, § 6.7.1
 * Script directive checks, § 6.7.3 Element Matching Algorithms.
 */
import {
  type CspPolicy,
  findDirective,
  findEffectiveDirective,
  hasSourceList,
  isFetchDirective,
} from "./directives.ts";
import {
  matchesSource,
  parseSourceExpression,
  type SourceExpression,
  toUrlParts,
  type UrlParts,
} from "./source-expression.ts";

/** A reported violation. */
export interface CspViolation {
  /** The effective directive: `script-src-elem`. */
  readonly directive: string;
  /** A URL, the scheme of one (`data`), or `inline`, `eval`, `wasm-eval`. */
  readonly blockedUri: string;
  /** The document's URL or its origin, if known. */
  readonly pageUrl?: string;
}

/** The missing fact that a verdict depends on. */
export type UndecidedReason =
  | "nonce"
  | "hash"
  | "strict-dynamic"
  | "page-url"
  | "frame-ancestor"
  | "policy-name"
  | "directive"
  | "resource";

/** The result for a violation. `directive` is the one that applies; absent if none does. */
export type PolicyVerdict =
  | { readonly verdict: "allowed" | "blocked"; readonly directive?: string }
  | {
      readonly verdict: "undecided";
      readonly directive?: string;
      readonly reason: UndecidedReason;
    };

/** The blocked resource as policies see it. */
type BlockedResource =
  | { readonly kind: "inline" | "eval" | "wasm" | "other" }
  | { readonly kind: "url"; readonly url: UrlParts };

/**
 * The verdict of all policies together: blocked if any policy blocks, otherwise undecided if any
 * is, otherwise allowed, as without a policy.
 */
export function evaluatePolicies(
  policies: readonly CspPolicy[],
  violation: CspViolation,
): PolicyVerdict {
  const verdicts = policies.map((policy) => evaluatePolicy(policy, violation));
  const find = (wanted: PolicyVerdict["verdict"]) =>
    verdicts.find(({ verdict }) => verdict === wanted);
  return find("blocked") ?? find("undecided") ?? verdicts[0] ?? { verdict: "allowed" };
}

/**
 * True for a resource of the origin of the page, and for code in the page itself: inline code,
 * `eval` and WebAssembly.
 */
export function isOwnResource({ blockedUri, pageUrl }: CspViolation): boolean {
  const resource = parseBlockedUri(blockedUri);
  if (resource.kind !== "url") return resource.kind !== "other";
  const page = pageUrl === undefined ? undefined : toUrlParts(pageUrl);
  return resource.url.host !== undefined && matchesSource({ kind: "self" }, resource.url, page);
}

/**
 * The resource of a report's blocked URI; `other` if the text is neither a keyword, a scheme nor a
 * URL.
 */
export function parseBlockedUri(text: string): BlockedResource {
  if (text === "inline" || text === "eval") return { kind: text };
  if (text === "wasm-eval") return { kind: "wasm" };
  if (text === "something" || /^trusted-types-/.test(text)) return { kind: "other" };
  const scheme = /^[a-z][a-z0-9+-]*$/i.test(text) ? text.toLowerCase() : undefined;
  const url = scheme === undefined ? toUrlParts(text) : { scheme, path: "" };
  return url === undefined ? { kind: "other" } : { kind: "url", url };
}

/** The verdict of one policy, with the directive that applies. */
export function evaluatePolicy(policy: CspPolicy, violation: CspViolation): PolicyVerdict {
  const name = getEvaluatedDirective(violation);
  if (!hasSourceList(name)) return evaluateOther(policy, name);
  if (name === "default-src" && findDirective(policy, name) === undefined) {
    // The report does not name the kind of resource, so any fetch directive may apply.
    const hasFetchDirective = policy.some((directive) => isFetchDirective(directive.name));
    return hasFetchDirective
      ? { verdict: "undecided", reason: "directive" }
      : { verdict: "allowed" };
  }
  const effective = findEffectiveDirective(policy, name);
  if (effective === undefined) return { verdict: "allowed" };
  const list = { sources: effective.values.map(parseSourceExpression), directive: effective.name };
  return evaluateSourceList(list, name, violation);
}

/** `script-src` controls `eval`, even if a report names another directive. */
function getEvaluatedDirective({ directive, blockedUri }: CspViolation): string {
  const { kind } = parseBlockedUri(blockedUri);
  return kind === "eval" || kind === "wasm" ? "script-src" : directive;
}

/** Directives without a list of URLs. Most block by being present. */
function evaluateOther(policy: CspPolicy, name: string): PolicyVerdict {
  const directive = findDirective(policy, name);
  switch (name) {
    case "block-all-mixed-content":
    case "require-trusted-types-for":
    case "sandbox":
    case "upgrade-insecure-requests":
      return directive === undefined
        ? { verdict: "allowed" }
        : { verdict: "blocked", directive: name };
    case "frame-ancestors":
    case "trusted-types": {
      if (directive === undefined) return { verdict: "allowed" };
      const [first = "'none'", ...others] = directive.values;
      if (first === "'none'" && others.length === 0) return { verdict: "blocked", directive: name };
      if (directive.values.includes("*")) return { verdict: "allowed", directive: name };
      const reason = name === "trusted-types" ? "policy-name" : "frame-ancestor";
      return { verdict: "undecided", directive: name, reason };
    }
    default:
      return { verdict: "undecided", reason: "directive" };
  }
}

interface SourceList {
  readonly sources: readonly SourceExpression[];
  readonly directive: string;
}

function evaluateSourceList(
  list: SourceList,
  name: string,
  violation: CspViolation,
): PolicyVerdict {
  const { sources, directive } = list;
  if (sources.every(({ kind }) => kind === "none")) return { verdict: "blocked", directive };
  const resource = parseBlockedUri(violation.blockedUri);
  const hasKeyword = (keyword: string) =>
    sources.some((source) => source.kind === "keyword" && source.name === keyword);
  switch (resource.kind) {
    case "eval":
      return { verdict: hasKeyword("unsafe-eval") ? "allowed" : "blocked", directive };
    case "wasm": {
      const isAllowed = hasKeyword("unsafe-eval") || hasKeyword("wasm-unsafe-eval");
      return { verdict: isAllowed ? "allowed" : "blocked", directive };
    }
    case "other":
      return { verdict: "undecided", directive, reason: "resource" };
    case "inline":
      return evaluateInline(list, name, hasKeyword);
    case "url":
      return evaluateUrl(list, name, { url: resource.url, pageUrl: violation.pageUrl }, hasKeyword);
  }
}

type HasKeyword = (keyword: string) => boolean;

function evaluateInline(
  { sources, directive }: SourceList,
  name: string,
  hasKeyword: HasKeyword,
): PolicyVerdict {
  const hasKind = (wanted: SourceExpression["kind"]) => sources.some(({ kind }) => kind === wanted);
  const isAttribute = name.endsWith("-attr");
  const isStrictDynamic = hasKeyword("strict-dynamic") && !name.startsWith("style");
  const disablesUnsafeInline = hasKind("nonce") || hasKind("hash") || isStrictDynamic;
  if (hasKeyword("unsafe-inline") && !disablesUnsafeInline)
    return { verdict: "allowed", directive };
  if (hasKind("nonce") && !isAttribute) return { verdict: "undecided", directive, reason: "nonce" };
  // A hash allows an attribute only with 'unsafe-hashes'.
  if (hasKind("hash") && (!isAttribute || hasKeyword("unsafe-hashes")))
    return { verdict: "undecided", directive, reason: "hash" };
  return { verdict: "blocked", directive };
}

function evaluateUrl(
  { sources, directive }: SourceList,
  name: string,
  { url, pageUrl }: { readonly url: UrlParts; readonly pageUrl: string | undefined },
  hasKeyword: HasKeyword,
): PolicyVerdict {
  const hasKind = (wanted: SourceExpression["kind"]) => sources.some(({ kind }) => kind === wanted);
  const isScript = name === "script-src" || name === "script-src-elem";
  // With 'strict-dynamic' URL sources do not count. A trusted script creates every worker.
  if (hasKeyword("strict-dynamic") && isScript)
    return { verdict: "undecided", directive, reason: "strict-dynamic" };
  if (hasKeyword("strict-dynamic") && name === "worker-src" && directive === "script-src")
    return { verdict: "allowed", directive };
  const pageUrlParts = pageUrl === undefined ? undefined : toUrlParts(pageUrl);
  if (sources.some((source) => matchesSource(source, url, pageUrlParts)))
    return { verdict: "allowed", directive };
  const isElement = isScript || name === "style-src" || name === "style-src-elem";
  if (hasKind("nonce") && isElement) return { verdict: "undecided", directive, reason: "nonce" };
  if (hasKind("hash") && isScript) return { verdict: "undecided", directive, reason: "hash" };
  const canBeSelf = hasKind("self") && pageUrlParts === undefined && url.host !== undefined;
  return canBeSelf
    ? { verdict: "undecided", directive, reason: "page-url" }
    : { verdict: "blocked", directive };
}
