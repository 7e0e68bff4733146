/**
 * Parses pasted policies: one policy, several policies joined by commas as in a header, or whole
 * header lines. Line breaks within a policy are white space. Source: CSP Level 3 § 2.2.1 Parse a
 * serialized CSP, § 2.2.2 Parse response's Content Security Policies.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import {
  type CspDirective,
  type CspPolicy,
  findDirective,
  hasSourceList,
  isKnownDirective,
} from "./directives.ts";
import { parseSourceExpression } from "./source-expression.ts";

/** A problem in a policy that can still be parsed. */
export type PolicyProblem =
  | "unknown-directive"
  | "duplicate-directive"
  | "not-ascii"
  | "unquoted"
  | "unknown-keyword"
  | "invalid-source"
  | "none-beside-others";

/** A problem, and the word that has it. */
export interface PolicyWarning {
  readonly problem: PolicyProblem;
  readonly word: string;
}

export interface ParsedPolicies {
  readonly policies: readonly CspPolicy[];
  /** The first `limits.maxPolicyWarnings` warnings. */
  readonly warnings: readonly PolicyWarning[];
  /** The number of further warnings. */
  readonly hiddenWarningCount: number;
}

/** The reason why a text is not a policy. */
export interface PolicyFailure {
  readonly reason: "bad-policy";
  readonly expected: string;
}

const HEADER_LINE = /^[ \t]*content-security-policy(?:-report-only)?[ \t]*:/gim;

/**
 * At least one policy. Fails for a text longer than `limits.maxPolicyChars` and for a text without
 * a known directive. Like a browser it drops directives with invalid characters, duplicate
 * directives, words that are not sources, and `'none'` next to other sources; each adds a warning.
 * Unknown directives and keywords stay.
 */
export function parsePolicies(text: string): Result<ParsedPolicies, PolicyFailure> {
  if (text.length > limits.maxPolicyChars)
    return failBadPolicy(`a policy of at most ${limits.maxPolicyChars} characters`);
  const warnings: PolicyWarning[] = [];
  let warningCount = 0;
  const addWarning = (problem: PolicyProblem, word: string) => {
    warningCount += 1;
    if (warningCount <= limits.maxPolicyWarnings) warnings.push({ problem, word });
  };
  const policies = text
    .split(HEADER_LINE)
    .flatMap((lines) => lines.split(","))
    .map((text) => parsePolicy(text, addWarning))
    .filter((policy) => policy.length > 0);
  if (policies.length > limits.maxPolicies)
    return failBadPolicy(`at most ${limits.maxPolicies} policies`);
  const isPolicy = policies.some((policy) => policy.some(({ name }) => isKnownDirective(name)));
  if (!isPolicy)
    return failBadPolicy("a Content-Security-Policy with directives, such as script-src 'self'");
  return ok({ policies, warnings, hiddenWarningCount: warningCount - warnings.length });
}

/** The policy as the value of a header. */
export function serializePolicy(policy: CspPolicy): string {
  return policy.map(({ name, values }) => [name, ...values].join(" ")).join("; ");
}

type AddWarning = (problem: PolicyProblem, word: string) => void;

function parsePolicy(text: string, addWarning: AddWarning): CspPolicy {
  const policy: CspDirective[] = [];
  for (const token of text.split(";")) {
    const [first = "", ...values] = token.split(/[\t\n\f\r ]+/).filter((word) => word !== "");
    const name = first.toLowerCase();
    if (name === "") continue;
    if (!isPrintable(token)) addWarning("not-ascii", first);
    else if (findDirective(policy, name) !== undefined) addWarning("duplicate-directive", name);
    else {
      if (!isKnownDirective(name)) addWarning("unknown-directive", first);
      policy.push({
        name,
        values: hasSourceList(name) ? filterSources(values, addWarning) : values,
      });
    }
  }
  return policy;
}

/** ASCII without control characters except white space. */
function isPrintable(token: string): boolean {
  return /^[\t\n\f\r -~]*$/.test(token);
}

const UNQUOTED_KEYWORD =
  /^(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|strict-dynamic|(?:nonce|sha256|sha384|sha512)-.+)$/i;

/** The values that browsers use. Unknown keywords may be newer, or templates of nonces. */
function filterSources(values: readonly string[], addWarning: AddWarning): readonly string[] {
  return values.filter((value) => {
    const { kind } = parseSourceExpression(value);
    if (kind === "none" && values.length > 1) {
      addWarning("none-beside-others", value);
      return false;
    }
    if (UNQUOTED_KEYWORD.test(value)) addWarning("unquoted", value);
    if (kind !== "invalid") return true;
    const isQuoted = /^'.*'$/.test(value);
    addWarning(isQuoted ? "unknown-keyword" : "invalid-source", value);
    return isQuoted;
  });
}

function failBadPolicy(expected: string): Result<never, PolicyFailure> {
  return fail({ reason: "bad-policy", expected });
}
