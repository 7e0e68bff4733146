/**
 * The header that would be clean: a policy with no more in it than what was blocked and can be told by its address. What runs
 * inline or through `eval` is never let in by a word that lets in everything; it is named, with what it needs.
 */
import {
  type Directive,
  decidingDirective,
  directiveOf,
  hasSources,
  type Policy,
} from "./directives.ts";
import { blockedOf, judgeBy, type Violation } from "./judge.ts";
import { matches, readSource, type Target, targetOf } from "./source.ts";

/** A source that was added, and for how many violations. */
export interface Addition {
  readonly directive: string;
  readonly source: string;
  readonly violations: number;
}

/** What no address lets in, and what it needs instead. */
export type Need =
  | "nonce-or-hash"
  | "no-handler"
  | "no-style-attribute"
  | "no-eval"
  | "wasm-unsafe-eval"
  | "no-scheme"
  | "by-hand";

/** A violation that the extended policy still blocks. */
export interface Left<V> {
  readonly violation: V;
  readonly need: Need;
}

/** The extended policies, in their order, and what they still block. */
export interface Extended<V> {
  readonly policies: readonly Policy[];
  readonly additions: readonly Addition[];
  readonly left: readonly Left<V>[];
}

/** Extends each policy by what it blocks of `violations`. What it allowed before it allows still. */
export function extend<V extends Violation>(
  policies: readonly Policy[],
  violations: readonly V[],
): Extended<V> {
  const added = new Map<string, Addition>();
  const left = new Map<V, Left<V>>();
  const extended = policies.map((before) => {
    let policy = before;
    for (const violation of violations) {
      // What a source lets in that was just added is looked at once more: it has to be counted with it.
      if (judgeBy(before, violation).verdict !== "blocked") continue;
      const source = hasSources(violation.directive) ? sourceFor(violation) : undefined;
      if (source === undefined) {
        left.set(violation, { violation, need: needOf(violation) });
        continue;
      }
      const { name, values } = homeOf(before, policy, violation.directive);
      if (!values.includes(source)) policy = withSource(policy, { name, values }, source);
      const key = `${name} ${source}`;
      const known = added.get(key)?.violations ?? 0;
      added.set(key, { directive: name, source, violations: known + 1 });
    }
    return policy;
  });
  const additions = [...added.values()].sort((a, b) => b.violations - a.violations);
  return { policies: extended, additions, left: [...left.values()] };
}

/**
 * Where a source goes: into the directive itself, and never into what stands in for others too. What stood in for it `before` is
 * what it begins with.
 */
function homeOf(before: Policy, policy: Policy, effective: string): Directive {
  const name = effective.replace(/^(script|style)-src-elem$/, "$1-src");
  const own = directiveOf(policy, effective) ?? directiveOf(policy, name);
  return own ?? { name, values: decidingDirective(before, effective)?.values ?? [] };
}

function withSource(policy: Policy, home: Directive, source: string): Policy {
  const values = home.values.filter((value) => readSource(value).kind !== "none");
  const extended = { name: home.name, values: [...values, source] };
  const isThere = policy.some(({ name }) => name === home.name);
  return isThere
    ? policy.map((directive) => (directive.name === home.name ? extended : directive))
    : [...policy, extended];
}

/** Schemes whose content a page has made itself. In place of a script or a plugin they let in whatever is written into them. */
const OWN_SCHEMES: ReadonlySet<string> = new Set(["data", "blob", "mediastream", "filesystem"]);
const WITHOUT_SCHEMES = /^(?:script-src|object-src|default-src|base-uri)/;

/** The narrowest source that lets a violation in: an origin, `'self'` or a harmless scheme. */
function sourceFor({ directive, blocked, page }: Violation): string | undefined {
  const what = blockedOf(blocked);
  if (what.kind !== "target") return undefined;
  const { target } = what;
  if (target.host === undefined) {
    const isFine = OWN_SCHEMES.has(target.scheme) && !WITHOUT_SCHEMES.test(directive);
    return isFine ? `${target.scheme}:` : undefined;
  }
  const document = page === undefined ? undefined : targetOf(page);
  if (matches({ kind: "self" }, target, document)) return "'self'";
  const source = originOf(blocked);
  return isReadable(source, target) ? source : undefined;
}

function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

/** A host that no source can name, an IPv6 address for one, is left to people. */
function isReadable(source: string, target: Target): boolean {
  return matches(readSource(source), target, undefined);
}

function needOf({ directive, blocked }: Violation): Need {
  if (!hasSources(directive)) return "by-hand";
  switch (blockedOf(blocked).kind) {
    case "inline":
      if (directive === "script-src-attr") return "no-handler";
      return directive === "style-src-attr" ? "no-style-attribute" : "nonce-or-hash";
    case "eval":
      return "no-eval";
    case "wasm":
      return "wasm-unsafe-eval";
    case "target":
      return "no-scheme";
    case "other":
      return "by-hand";
  }
}
