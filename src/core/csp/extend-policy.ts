/**
 * Extends policies to allow reported violations, with sources as narrow as possible. Inline code
 * and `eval` are never allowed by a keyword that allows everything; they are listed with what they
 * need instead.
 */
import {
  type CspDirective,
  type CspPolicy,
  findDirective,
  findEffectiveDirective,
  hasSourceList,
} from "./directives.ts";
import { type CspViolation, evaluatePolicy, parseBlockedUri } from "./evaluate-policies.ts";
import {
  matchesSource,
  parseSourceExpression,
  toUrlParts,
  type UrlParts,
} from "./source-expression.ts";

/** An added source, and the number of violations that it allows. */
export interface AddedSource {
  readonly directive: string;
  readonly source: string;
  readonly violationCount: number;
}

/** The change that a violation needs instead of a source. */
export type Requirement =
  | "nonce-or-hash"
  | "no-handler"
  | "no-style-attribute"
  | "no-eval"
  | "wasm-unsafe-eval"
  | "no-scheme"
  | "manual";

/** A violation that the extended policies still block. */
export interface StillBlocked<V> {
  readonly violation: V;
  readonly requirement: Requirement;
}

/** The extended policies in their order, and what they still block. */
export interface ExtendedPolicies<V> {
  readonly policies: readonly CspPolicy[];
  readonly additions: readonly AddedSource[];
  readonly stillBlocked: readonly StillBlocked<V>[];
}

/**
 * The policies, each extended by the sources that it blocks in `violations`. Allowed loads stay
 * allowed. Never adds inline code, eval or whole schemes: such violations are in `stillBlocked`.
 */
export function extendPolicies<V extends CspViolation>(
  policies: readonly CspPolicy[],
  violations: readonly V[],
): ExtendedPolicies<V> {
  const added = new Map<string, AddedSource>();
  const stillBlocked = new Map<V, StillBlocked<V>>();
  const extended = policies.map((original) => {
    let policy = original;
    for (const violation of violations) {
      // Evaluates against the original policy, so that an added source counts every violation that
      // it allows.
      if (evaluatePolicy(original, violation).verdict !== "blocked") continue;
      const source = hasSourceList(violation.directive) ? toSourceExpression(violation) : undefined;
      if (source === undefined) {
        stillBlocked.set(violation, { violation, requirement: getRequirement(violation) });
        continue;
      }
      const { name, values } = findTargetDirective(original, policy, violation.directive);
      if (!values.includes(source)) policy = addSource(policy, { name, values }, source);
      const key = `${name} ${source}`;
      const count = added.get(key)?.violationCount ?? 0;
      added.set(key, { directive: name, source, violationCount: count + 1 });
    }
    return policy;
  });
  const additions = [...added.values()].sort((a, b) => b.violationCount - a.violationCount);
  return { policies: extended, additions, stillBlocked: [...stillBlocked.values()] };
}

/**
 * The directive that receives a source: the effective directive itself, never a fallback that also
 * applies to others. If it is missing, it starts with the values of its fallback.
 */
function findTargetDirective(
  original: CspPolicy,
  policy: CspPolicy,
  effective: string,
): CspDirective {
  const name = effective.replace(/^(script|style)-src-elem$/, "$1-src");
  const existing = findDirective(policy, effective) ?? findDirective(policy, name);
  return existing ?? { name, values: findEffectiveDirective(original, effective)?.values ?? [] };
}

function addSource(policy: CspPolicy, target: CspDirective, source: string): CspPolicy {
  const values = target.values.filter((value) => parseSourceExpression(value).kind !== "none");
  const extended = { name: target.name, values: [...values, source] };
  const hasDirective = policy.some(({ name }) => name === target.name);
  return hasDirective
    ? policy.map((directive) => (directive.name === target.name ? extended : directive))
    : [...policy, extended];
}

/**
 * Schemes of content that the page itself created. For scripts and plugins they would allow any
 * content.
 */
const LOCAL_SCHEMES: ReadonlySet<string> = new Set(["data", "blob", "mediastream", "filesystem"]);
const NO_SCHEME_DIRECTIVES = /^(?:script-src|object-src|default-src|base-uri)/;

/** The narrowest source that allows a violation: an origin, `'self'` or a local scheme. */
function toSourceExpression({ directive, blockedUri, pageUrl }: CspViolation): string | undefined {
  const resource = parseBlockedUri(blockedUri);
  if (resource.kind !== "url") return undefined;
  const { url: urlParts } = resource;
  if (urlParts.host === undefined) {
    const isAllowed = LOCAL_SCHEMES.has(urlParts.scheme) && !NO_SCHEME_DIRECTIVES.test(directive);
    return isAllowed ? `${urlParts.scheme}:` : undefined;
  }
  const pageUrlParts = pageUrl === undefined ? undefined : toUrlParts(pageUrl);
  if (matchesSource({ kind: "self" }, urlParts, pageUrlParts)) return "'self'";
  const source = toOrigin(blockedUri);
  return isExpressibleSource(source, urlParts) ? source : undefined;
}

function toOrigin(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** False for a host that no source can name, such as an IPv6 address. */
function isExpressibleSource(source: string, urlParts: UrlParts): boolean {
  return matchesSource(parseSourceExpression(source), urlParts, undefined);
}

function getRequirement({ directive, blockedUri }: CspViolation): Requirement {
  if (!hasSourceList(directive)) return "manual";
  switch (parseBlockedUri(blockedUri).kind) {
    case "inline":
      if (directive === "script-src-attr") return "no-handler";
      return directive === "style-src-attr" ? "no-style-attribute" : "nonce-or-hash";
    case "eval":
      return "no-eval";
    case "wasm":
      return "wasm-unsafe-eval";
    case "url":
      return "no-scheme";
    case "other":
      return "manual";
  }
}
