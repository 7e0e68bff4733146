/**
 * What a policy would do with a violation that was reported: the report says what was blocked by which directive on which page,
 * and that is asked again. What a report does not say (a nonce, a hash, who loaded a script) is not guessed.
 * Source: CSP Level 3 § 4.1, § 4.2, § 6.7.1 Script directive checks, § 6.7.3 Element Matching Algorithms.
 */
import {
  decidingDirective,
  directiveOf,
  hasSources,
  isFetchDirective,
  type Policy,
} from "./directives.ts";
import { matches, readSource, type Source, type Target, targetOf } from "./source.ts";

/** What was reported. */
export interface Violation {
  /** The effective directive: `script-src-elem`. */
  readonly directive: string;
  /** A URL, the scheme of one (`data`), or `inline`, `eval`, `wasm-eval`. */
  readonly blocked: string;
  /** The document's URL or its origin, where that is known. */
  readonly page?: string;
}

/** What would decide, and stands in no report: why a verdict is open. */
export type Unknown =
  | "nonce"
  | "hash"
  | "strict-dynamic"
  | "page"
  | "framed-by"
  | "policy-name"
  | "directive"
  | "what";

/** What would become of it; `by` names the directive that decides, absent where none does. */
export type Verdict =
  | { readonly verdict: "allowed" | "blocked"; readonly by?: string }
  | { readonly verdict: "undecided"; readonly by?: string; readonly why: Unknown };

/** What was blocked, as policies look at it. */
export type Blocked =
  | { readonly kind: "inline" | "eval" | "wasm" | "other" }
  | { readonly kind: "target"; readonly target: Target };

/** The verdict of all policies together: one that blocks is enough, and then one that leaves it open. */
export function judge(policies: readonly Policy[], violation: Violation): Verdict {
  const verdicts = policies.map((policy) => judgeBy(policy, violation));
  const find = (wanted: Verdict["verdict"]) => verdicts.find(({ verdict }) => verdict === wanted);
  return find("blocked") ?? find("undecided") ?? verdicts[0] ?? { verdict: "allowed" };
}

/** What the text in a report means. */
export function blockedOf(text: string): Blocked {
  if (text === "inline" || text === "eval") return { kind: text };
  if (text === "wasm-eval") return { kind: "wasm" };
  if (text === "something" || /^trusted-types-/.test(text)) return { kind: "other" };
  const scheme = /^[a-z][a-z0-9+-]*$/i.test(text) ? text.toLowerCase() : undefined;
  const target = scheme === undefined ? targetOf(text) : { scheme, path: "" };
  return target === undefined ? { kind: "other" } : { kind: "target", target };
}

/** The verdict of one policy. */
export function judgeBy(policy: Policy, violation: Violation): Verdict {
  const name = directiveThatCounts(violation);
  if (!hasSources(name)) return judgeOther(policy, name);
  if (name === "default-src" && directiveOf(policy, name) === undefined) {
    // What was loaded is not said: any directive may be the one that decides.
    const decides = policy.some((directive) => isFetchDirective(directive.name));
    return decides ? { verdict: "undecided", why: "directive" } : { verdict: "allowed" };
  }
  const deciding = decidingDirective(policy, name);
  if (deciding === undefined) return { verdict: "allowed" };
  const list = { sources: deciding.values.map(readSource), by: deciding.name };
  return judgeList(list, name, violation);
}

/** `eval` is a matter of scripts, whatever a report names. */
function directiveThatCounts({ directive, blocked }: Violation): string {
  const { kind } = blockedOf(blocked);
  return kind === "eval" || kind === "wasm" ? "script-src" : directive;
}

/** Directives without a list of addresses: to be there is to block. */
function judgeOther(policy: Policy, name: string): Verdict {
  const directive = directiveOf(policy, name);
  switch (name) {
    case "block-all-mixed-content":
    case "require-trusted-types-for":
    case "sandbox":
    case "upgrade-insecure-requests":
      return directive === undefined ? { verdict: "allowed" } : { verdict: "blocked", by: name };
    case "frame-ancestors":
    case "trusted-types": {
      if (directive === undefined) return { verdict: "allowed" };
      const [first = "'none'", ...others] = directive.values;
      if (first === "'none'" && others.length === 0) return { verdict: "blocked", by: name };
      if (directive.values.includes("*")) return { verdict: "allowed", by: name };
      const why = name === "trusted-types" ? "policy-name" : "framed-by";
      return { verdict: "undecided", by: name, why };
    }
    default:
      return { verdict: "undecided", why: "directive" };
  }
}

interface List {
  readonly sources: readonly Source[];
  readonly by: string;
}

function judgeList(list: List, name: string, violation: Violation): Verdict {
  const { sources, by } = list;
  if (sources.every(({ kind }) => kind === "none")) return { verdict: "blocked", by };
  const blocked = blockedOf(violation.blocked);
  const has = (keyword: string) =>
    sources.some((source) => source.kind === "keyword" && source.name === keyword);
  switch (blocked.kind) {
    case "eval":
      return { verdict: has("unsafe-eval") ? "allowed" : "blocked", by };
    case "wasm": {
      const isAllowed = has("unsafe-eval") || has("wasm-unsafe-eval");
      return { verdict: isAllowed ? "allowed" : "blocked", by };
    }
    case "other":
      return { verdict: "undecided", by, why: "what" };
    case "inline":
      return judgeInline(list, name, has);
    case "target":
      return judgeTarget(list, name, { target: blocked.target, page: violation.page }, has);
  }
}

type Has = (keyword: string) => boolean;

function judgeInline({ sources, by }: List, name: string, has: Has): Verdict {
  const hasKind = (wanted: Source["kind"]) => sources.some(({ kind }) => kind === wanted);
  const isAttribute = name.endsWith("-attr");
  const isTrusting = has("strict-dynamic") && !name.startsWith("style");
  const isClosed = hasKind("nonce") || hasKind("hash") || isTrusting;
  if (has("unsafe-inline") && !isClosed) return { verdict: "allowed", by };
  if (hasKind("nonce") && !isAttribute) return { verdict: "undecided", by, why: "nonce" };
  // Of an attribute a hash counts only where 'unsafe-hashes' says so.
  if (hasKind("hash") && (!isAttribute || has("unsafe-hashes")))
    return { verdict: "undecided", by, why: "hash" };
  return { verdict: "blocked", by };
}

function judgeTarget(
  { sources, by }: List,
  name: string,
  { target, page }: { readonly target: Target; readonly page: string | undefined },
  has: Has,
): Verdict {
  const hasKind = (wanted: Source["kind"]) => sources.some(({ kind }) => kind === wanted);
  const isScript = name === "script-src" || name === "script-src-elem";
  // Sources of addresses count no more; a worker is always made by a script that was trusted.
  if (has("strict-dynamic") && isScript) return { verdict: "undecided", by, why: "strict-dynamic" };
  if (has("strict-dynamic") && name === "worker-src" && by === "script-src")
    return { verdict: "allowed", by };
  const document = page === undefined ? undefined : targetOf(page);
  if (sources.some((source) => matches(source, target, document)))
    return { verdict: "allowed", by };
  const isElement = isScript || name === "style-src" || name === "style-src-elem";
  if (hasKind("nonce") && isElement) return { verdict: "undecided", by, why: "nonce" };
  if (hasKind("hash") && isScript) return { verdict: "undecided", by, why: "hash" };
  const mayBeSelf = hasKind("self") && document === undefined && target.host !== undefined;
  return mayBeSelf ? { verdict: "undecided", by, why: "page" } : { verdict: "blocked", by };
}
