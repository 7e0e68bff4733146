/**
 * Parses a bulk action: the selected `digest`s and what to do with them. Programs send `state` with
 * its conditions, as for one issue; the buttons of the form send one word, `do`.
 */

import { parseDigest } from "../../../core/grouping/digest.ts";
import type { DecisionInput } from "../../../core/issue/decision.ts";
import { limits } from "../../../core/limits.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { parseDecisionForm } from "./decision-form.ts";

/** One decision for all issues, or "merge" to merge the others into the first. */
export interface BulkAction {
  readonly digests: readonly Digest[];
  readonly decision: DecisionInput | "merge";
  /** Where to redirect to; not validated. */
  readonly returnTo: unknown;
}

/** The decision behind each button. */
const DECISIONS_BY_ACTION: Readonly<Record<string, BulkAction["decision"]>> = {
  resolve: { state: "resolved" },
  "resolve-next": { state: "resolved", inNextRelease: true },
  ignore: { state: "ignored" },
  mute: { state: "muted" },
  reopen: { state: "open" },
  merge: "merge",
};

/** Parses a bulk action. `digest` may be repeated. */
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
      `do to be one of ${Object.keys(DECISIONS_BY_ACTION).join(", ")}, and no other fields`,
    );
  return ok({ digests, decision: choice, returnTo });
}

/** Unique digests; undefined if one is invalid or there are too many. */
function parseDigests(rawDigests: unknown): readonly Digest[] | undefined {
  const all: unknown[] = Array.isArray(rawDigests) ? rawDigests : [rawDigests];
  const parsed = all.map((one) => parseDigest(typeof one === "string" ? one : ""));
  const digests = new Set(parsed.filter((one) => one.ok).map(({ value }) => value));
  const isValid = parsed.every((one) => one.ok) && digests.size > 0;
  return isValid && digests.size <= limits.maxIssuesPerDecision ? [...digests] : undefined;
}
