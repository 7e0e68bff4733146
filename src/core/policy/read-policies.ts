/**
 * The policies in a text that somebody pasted: one policy, several with commas between them as a header joins them, or whole
 * header lines. Line breaks within a policy are blanks.
 * Source: CSP Level 3 § 2.2.1 Parse a serialized CSP, § 2.2.2 Parse response's Content Security Policies.
 */
import { limits } from "../limits.ts";
import { fail, ok, type Result } from "../result.ts";
import {
  type Directive,
  directiveOf,
  hasSources,
  isKnownDirective,
  type Policy,
} from "./directives.ts";
import { readSource } from "./source.ts";

/** What is wrong with a directive or a source of a policy that can be read all the same. */
export type Fault =
  | "unknown-directive"
  | "repeated-directive"
  | "not-ascii"
  | "unquoted"
  | "unknown-keyword"
  | "no-source"
  | "none-beside-others";

/** A fault, and the word that has it. */
export interface Remark {
  readonly fault: Fault;
  readonly word: string;
}

/** What was read. */
export interface ReadPolicies {
  readonly policies: readonly Policy[];
  /** At most a few, those that came first. */
  readonly remarks: readonly Remark[];
  /** How many more there are. */
  readonly unsaid: number;
}

/** Why a text is no policy. */
export interface PolicyFailure {
  readonly reason: "bad-policy";
  readonly expected: string;
}

const HEADER_LINE = /^[ \t]*content-security-policy(?:-report-only)?[ \t]*:/gim;

/**
 * The policies, one at least; fails for a text longer than `limits.maxPolicyChars`, and for one without a single directive that
 * is known. What browsers leave out is left out, and `remarks` names it: directives with characters that no policy may have or
 * that stand there again, words that are no source, `'none'` beside others. Directives and keywords that are not known stay.
 */
export function readPolicies(text: string): Result<ReadPolicies, PolicyFailure> {
  if (text.length > limits.maxPolicyChars)
    return bad(`a policy of at most ${limits.maxPolicyChars} characters`);
  const remarks: Remark[] = [];
  let noted = 0;
  const note = (fault: Fault, word: string) => {
    noted += 1;
    if (noted <= limits.maxPolicyRemarks) remarks.push({ fault, word });
  };
  const policies = text
    .split(HEADER_LINE)
    .flatMap((lines) => lines.split(","))
    .map((written) => readPolicy(written, note))
    .filter((policy) => policy.length > 0);
  if (policies.length > limits.maxPolicies) return bad(`at most ${limits.maxPolicies} policies`);
  const isPolicy = policies.some((policy) => policy.some(({ name }) => isKnownDirective(name)));
  if (!isPolicy)
    return bad("a Content-Security-Policy with directives, as script-src 'self' is one");
  return ok({ policies, remarks, unsaid: noted - remarks.length });
}

/** A policy as a header has it. */
export function writePolicy(policy: Policy): string {
  return policy.map(({ name, values }) => [name, ...values].join(" ")).join("; ");
}

type Note = (fault: Fault, word: string) => void;

function readPolicy(written: string, note: Note): Policy {
  const policy: Directive[] = [];
  for (const token of written.split(";")) {
    const [first = "", ...values] = token.split(/[\t\n\f\r ]+/).filter((word) => word !== "");
    const name = first.toLowerCase();
    if (name === "") continue;
    if (!isPrintable(token)) note("not-ascii", first);
    else if (directiveOf(policy, name) !== undefined) note("repeated-directive", name);
    else {
      if (!isKnownDirective(name)) note("unknown-directive", first);
      policy.push({ name, values: hasSources(name) ? sourcesOf(values, note) : values });
    }
  }
  return policy;
}

/** ASCII, and no controls but white space. */
function isPrintable(token: string): boolean {
  return /^[\t\n\f\r -~]*$/.test(token);
}

const KEYWORD =
  /^(?:self|none|unsafe-inline|unsafe-eval|unsafe-hashes|strict-dynamic|(?:nonce|sha256|sha384|sha512)-.+)$/i;

/** The values that browsers make something of. A keyword that is not known may be a younger one, or a nonce to be filled in. */
function sourcesOf(values: readonly string[], note: Note): readonly string[] {
  return values.filter((value) => {
    const { kind } = readSource(value);
    if (kind === "none" && values.length > 1) {
      note("none-beside-others", value);
      return false;
    }
    if (KEYWORD.test(value)) note("unquoted", value);
    if (kind !== "unreadable") return true;
    const isQuoted = /^'.*'$/.test(value);
    note(isQuoted ? "unknown-keyword" : "no-source", value);
    return isQuoted;
  });
}

function bad(expected: string): Result<never, PolicyFailure> {
  return fail({ reason: "bad-policy", expected });
}
