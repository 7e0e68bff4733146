/**
 * What a policy would do with a violation that was reported: the report says what was blocked by which directive on which page,
 * and that is asked again. What a report does not say (a nonce, a hash, who loaded a script) is not guessed.
 * Source: CSP Level 3 § 4.1, § 4.2, § 6.7.1 Script directive checks, § 6.7.3 Element Matching Algorithms.
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

/** What was reported. */
export interface CspViolation {
  /** The effective directive: `script-src-elem`. */
  readonly directive: string;
  /** A URL, the scheme of one (`data`), or `inline`, `eval`, `wasm-eval`. */
  readonly blockedUri: string;
  /** The document's URL or its origin, where that is known. */
  readonly pageUrl?: string;
}

/** What would decide, and stands in no report: why a verdict is open. */
export type UndecidedReason =
  | "nonce"
  | "hash"
  | "strict-dynamic"
  | "page-url"
  | "frame-ancestor"
  | "policy-name"
  | "directive"
  | "resource";

/** What would become of it; `by` names the directive that decides, absent where none does. */
export type PolicyVerdict =
  | { readonly verdict: "allowed" | "blocked"; readonly directive?: string }
  | {
      readonly verdict: "undecided";
      readonly directive?: string;
      readonly reason: UndecidedReason;
    };

/** What was blocked, as policies look at it. */
export type BlockedResource =
  | { readonly kind: "inline" | "eval" | "wasm" | "other" }
  | { readonly kind: "url"; readonly url: UrlParts };

/** The verdict of all policies together: one that blocks is enough, and then one that leaves it open. */
export function evaluatePolicies(
  policies: readonly CspPolicy[],
  violation: CspViolation,
): PolicyVerdict {
  const verdicts = policies.map((policy) => evaluatePolicy(policy, violation));
  const find = (wanted: PolicyVerdict["verdict"]) =>
    verdicts.find(({ verdict }) => verdict === wanted);
  return find("blocked") ?? find("undecided") ?? verdicts[0] ?? { verdict: "allowed" };
}

/** What the text in a report means. */
export function parseBlockedUri(text: string): BlockedResource {
  if (text === "inline" || text === "eval") return { kind: text };
  if (text === "wasm-eval") return { kind: "wasm" };
  if (text === "something" || /^trusted-types-/.test(text)) return { kind: "other" };
  const scheme = /^[a-z][a-z0-9+-]*$/i.test(text) ? text.toLowerCase() : undefined;
  const url = scheme === undefined ? toUrlParts(text) : { scheme, path: "" };
  return url === undefined ? { kind: "other" } : { kind: "url", url };
}

/** The verdict of one policy. */
export function evaluatePolicy(policy: CspPolicy, violation: CspViolation): PolicyVerdict {
  const name = getEvaluatedDirective(violation);
  if (!hasSourceList(name)) return evaluateOther(policy, name);
  if (name === "default-src" && findDirective(policy, name) === undefined) {
    // What was loaded is not said: any directive may be the one that decides.
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

/** `eval` is a matter of scripts, whatever a report names. */
function getEvaluatedDirective({ directive, blockedUri }: CspViolation): string {
  const { kind } = parseBlockedUri(blockedUri);
  return kind === "eval" || kind === "wasm" ? "script-src" : directive;
}

/** Directives without a list of addresses: to be there is to block. */
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
      return evaluateUrl(list, name, { target: resource.url, page: violation.pageUrl }, hasKeyword);
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
  // Of an attribute a hash counts only where 'unsafe-hashes' says so.
  if (hasKind("hash") && (!isAttribute || hasKeyword("unsafe-hashes")))
    return { verdict: "undecided", directive, reason: "hash" };
  return { verdict: "blocked", directive };
}

function evaluateUrl(
  { sources, directive }: SourceList,
  name: string,
  { target: url, page: pageUrl }: { readonly target: UrlParts; readonly page: string | undefined },
  hasKeyword: HasKeyword,
): PolicyVerdict {
  const hasKind = (wanted: SourceExpression["kind"]) => sources.some(({ kind }) => kind === wanted);
  const isScript = name === "script-src" || name === "script-src-elem";
  // Sources of addresses count no more; a worker is always made by a script that was trusted.
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
