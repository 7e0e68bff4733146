/**
 * What is to be done with several issues of the list: the selected `digest`s and what, as a form or as JSON sends it. A program
 * says the `state` with its conditions, as for one issue; a form's button says all of it in one word, `do`.
 */

import { parseDigest } from "../../../core/grouping/digest.ts";
import type { DecisionInput } from "../../../core/issue/decision.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { parseDecisionForm } from "./decision-form.ts";

/** One decision about all of them, or that the others are the first one. */
export interface BulkAction {
  readonly digests: readonly Digest[];
  readonly decision: DecisionInput | "merge";
  /** Where the form stood: whatever was sent. */
  readonly returnTo: unknown;
}

/** What the words of the buttons mean. */
const DECISIONS_BY_ACTION: Readonly<Record<string, BulkAction["decision"]>> = {
  resolve: { state: "resolved" },
  "resolve-next": { state: "resolved", inNextRelease: true },
  ignore: { state: "ignored" },
  mute: { state: "muted" },
  reopen: { state: "open" },
  merge: "merge",
};

/** The selection in the body of a request. Consumes the request. Never rejects. */
export function parseBulkActionForm(fields: FormFields): Parsed<BulkAction> {
  const { digest, do: action, returnTo, ...unexpected } = Object.fromEntries(fields);
  const digests = parseDigests(digest);
  if (digests === undefined)
    return expected(`1 to ${limits.maxIssuesPerDecision} digests of issues, in the field digest`);
  if (action === undefined) {
    const choice = parseDecisionForm(new Map(Object.entries(unexpected)));
    return choice.ok ? ok({ digests, decision: choice.value, returnTo }) : choice;
  }
  const choice = Object.entries(DECISIONS_BY_ACTION).find(([name]) => name === action)?.[1];
  if (choice === undefined || Object.keys(unexpected).length > 0)
    return expected(
      `in do one of ${Object.keys(DECISIONS_BY_ACTION).join(", ")}, and nothing beside it`,
    );
  return ok({ digests, decision: choice, returnTo });
}

/** Each digest once; undefined for what is no list of them. */
function parseDigests(rawDigests: unknown): readonly Digest[] | undefined {
  const all: unknown[] = Array.isArray(rawDigests) ? rawDigests : [rawDigests];
  const parsed = all.map((one) => parseDigest(typeof one === "string" ? one : ""));
  const digests = new Set(parsed.filter((one) => one.ok).map(({ value }) => value));
  const isValid = parsed.every((one) => one.ok) && digests.size > 0;
  return isValid && digests.size <= limits.maxIssuesPerDecision ? [...digests] : undefined;
}
