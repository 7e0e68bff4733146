/** What the desk says about policies: verdicts, what keeps them open, what is wrong in a policy, what a violation needs. */

import type { PolicyVerdict, UndecidedReason } from "../../core/csp/evaluate-policies.ts";
import type { Requirement } from "../../core/csp/extend-policy.ts";
import type { PolicyProblem } from "../../core/csp/parse-policies.ts";

/** A verdict in two words. */
export const VERDICT_TEXTS: Readonly<Record<PolicyVerdict["verdict"], string>> = {
  blocked: "Still blocked",
  allowed: "Allowed now",
  undecided: "Cannot be told",
};

/** What would decide, and stands in no report. */
export const UNDECIDED_TEXTS: Readonly<Record<UndecidedReason, string>> = {
  nonce: "depends on its nonce",
  hash: "depends on its hash",
  "strict-dynamic": "depends on who loads it",
  "page-url": "depends on the page’s origin",
  "frame-ancestor": "depends on who frames it",
  "policy-name": "depends on the policy’s name",
  directive: "the report names no directive of this policy",
  resource: "the report does not say what it was",
};

/** What is wrong with a word of a policy, and whether the header keeps it; the word stands before it. */
export const PROBLEM_TEXTS: Readonly<Record<PolicyProblem, string>> = {
  "unknown-directive": "is no directive that browsers know. It is kept, and does nothing.",
  "duplicate-directive":
    "stands there twice. Left out, as browsers do: the first is the one that counts.",
  "not-ascii":
    "has characters beside it that no policy may have. The directive is left out, as browsers do.",
  unquoted: "is the name of a host as it stands. A keyword has single quotes around it.",
  "unknown-keyword": "is no keyword that browsers know. It is kept, and lets nothing in.",
  "invalid-source": "is no source. Left out, as browsers do.",
  "none-beside-others": "means nothing beside other sources. Left out.",
};

/** What a violation needs that no source gives. */
export const REQUIREMENT_TEXTS: Readonly<Record<Requirement, string>> = {
  "nonce-or-hash":
    "Inline code needs a nonce or a hash of its own. 'unsafe-inline' would let in every injected script too.",
  "no-handler": "A handler in an attribute belongs in a script: addEventListener.",
  "no-style-attribute":
    "A style attribute belongs in a style sheet, or is set by a script through element.style.",
  "no-eval":
    "Code that is made from text needs another way. 'unsafe-eval' would let in whatever reaches it.",
  "wasm-unsafe-eval": "WebAssembly needs 'wasm-unsafe-eval', which lets in no JavaScript.",
  "no-scheme":
    "To allow a whole scheme here would let in whatever is written into such an address, and what extensions bring.",
  manual: "Which source it needs stands in no report.",
};
