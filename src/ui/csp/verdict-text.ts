/** Texts for dry runs: verdicts, undecided reasons, policy problems and requirements. */

import type { PolicyVerdict, UndecidedReason } from "../../core/csp/evaluate-policies.ts";
import type { Requirement } from "../../core/csp/extend-policy.ts";
import type { PolicyProblem } from "../../core/csp/parse-policies.ts";

/** The label of each verdict. */
export const VERDICT_TEXTS: Readonly<Record<PolicyVerdict["verdict"], string>> = {
  blocked: "Still blocked",
  allowed: "Allowed",
  undecided: "Undecided",
};

/** The missing fact that would decide. Follows "Undecided". */
export const UNDECIDED_TEXTS: Readonly<Record<UndecidedReason, string>> = {
  nonce: "depends on its nonce",
  hash: "depends on its hash",
  "strict-dynamic": "depends on the script that loads it",
  "page-url": "depends on the page’s origin",
  "frame-ancestor": "depends on the page that embeds this page",
  "policy-name": "depends on the names of Trusted Types policies",
  directive: "the report names no directive of this policy",
  resource: "the report does not name the resource",
};

/** The problem of a word in a policy, and whether the word is kept. Follows the word. */
export const PROBLEM_TEXTS: Readonly<Record<PolicyProblem, string>> = {
  "unknown-directive": "is not a known directive. It is kept and has no effect.",
  "duplicate-directive": "is repeated. It is removed, because browsers use only the first one.",
  "not-ascii":
    "is next to non-ASCII characters. The directive is removed, because browsers ignore it.",
  unquoted: "is read as a host name. Keywords need single quotes.",
  "unknown-keyword": "is not a known keyword. It is kept and allows nothing.",
  "invalid-source": "is not a source. It is removed, because browsers ignore it.",
  "none-beside-others": "has no effect next to other sources. It is removed.",
};

/** Requirements of violations that no source can meet. */
export const REQUIREMENT_TEXTS: Readonly<Record<Requirement, string>> = {
  "nonce-or-hash":
    "Inline code needs a nonce or a hash. 'unsafe-inline' would also allow injected scripts.",
  "no-handler": "Move inline event handlers to a script that calls addEventListener.",
  "no-style-attribute": "Move style attributes to a style sheet, or set element.style in a script.",
  "no-eval":
    "Replace eval and similar calls. 'unsafe-eval' would allow any text that reaches them.",
  "wasm-unsafe-eval": "WebAssembly needs 'wasm-unsafe-eval', which does not allow JavaScript.",
  "no-scheme": "Allowing the whole scheme would also allow injected URLs and extensions.",
  manual: "The reports do not contain the required source.",
};
