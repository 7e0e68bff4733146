/**
 * Parses a bulk action: the issues and the change. Programs send `state` with its conditions, as
 * for one issue; the buttons of the form send one word, `do`.
 *
 *     digest=<digest>      one issue; may be repeated
 *     matching=<query>     all issues of this query, instead
 *     row=<word> <digest>  a button in the row of an issue, whatever else is selected
 *     assign=<name>, unassign=1    instead of `do`
 */

import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { DecisionInput } from "../../../core/issue/decision.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import { limits } from "../../../core/limits.ts";
import { parseName } from "../../../core/plain-text.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { parseListName } from "../../../ui/urls/issue-list-urls.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import { isTrueValue } from "../../forms/validators.ts";
import { parseDecisionForm } from "./decision-form.ts";

export interface BulkAction {
  /** The issues, or the query that they match. */
  readonly target: { readonly digests: readonly Digest[] } | { readonly query: IssueQuery };
  /** `merge` merges the others into the first. */
  readonly action:
    | { readonly kind: "decide"; readonly decision: DecisionInput }
    | { readonly kind: "assign"; readonly to?: string }
    | { readonly kind: "merge" };
  /** Where to redirect to; not validated. */
  readonly returnTo: unknown;
}

/** The action behind each button. */
const ACTIONS: ReadonlyMap<unknown, BulkAction["action"]> = new Map<string, BulkAction["action"]>([
  ["resolve", { kind: "decide", decision: { state: "resolved" } }],
  ["resolve-next", { kind: "decide", decision: { state: "resolved", inNextRelease: true } }],
  ["ignore", { kind: "decide", decision: { state: "ignored" } }],
  ["mute", { kind: "decide", decision: { state: "muted" } }],
  ["reopen", { kind: "decide", decision: { state: "open" } }],
  ["merge", { kind: "merge" }],
]);

export function parseBulkActionForm(fields: FormFields): Parsed<BulkAction> {
  const { digest, matching, row, returnTo, ...rest } = Object.fromEntries(fields);
  if (row !== undefined) return parseRowButton(row, returnTo);
  const target = parseTarget(digest, matching);
  if (target === undefined)
    return expected(`1 to ${limits.maxIssuesPerDecision} digests of issues, in the field digest`);
  const action = parseAction(rest);
  if (!action.ok) return action;
  if (action.value.kind === "merge" && "query" in target)
    return expected("digests of the issues to merge");
  return ok({ target, action: action.value, returnTo });
}

function parseRowButton(row: unknown, returnTo: unknown): Parsed<BulkAction> {
  const [word, code = ""] = typeof row === "string" ? row.split(" ") : [];
  const [action, digest] = [ACTIONS.get(word), parseDigest(code)];
  return action === undefined || !digest.ok
    ? expected("an action and a digest in the field row")
    : ok({ target: { digests: [digest.value] }, action, returnTo });
}

function parseAction({
  do: word,
  assign,
  unassign,
  ...unexpected
}: Readonly<Record<string, unknown>>): Parsed<BulkAction["action"]> {
  const hasOthers = Object.keys(unexpected).length > 0;
  if (assign !== undefined || unassign !== undefined) {
    const to = parseName(assign, limits.maxAssigneeChars);
    const isAssigned = to !== undefined && unassign === undefined;
    if (hasOthers || word !== undefined || (!isAssigned && !isTrueValue(unassign)))
      return expected("the name of a member in assign, or unassign to be true");
    return ok({ kind: "assign", ...(isAssigned && { to }) });
  }
  if (word === undefined) {
    const choice = parseDecisionForm(new Map(Object.entries(unexpected)));
    return choice.ok ? ok({ kind: "decide", decision: choice.value }) : choice;
  }
  const action = ACTIONS.get(word);
  return action === undefined || hasOthers
    ? expected(`do to be one of ${[...ACTIONS.keys()].join(", ")}, and no other fields`)
    : ok(action);
}

/** Undefined if there is no issue, one is invalid or there are too many. */
function parseTarget(digest: unknown, matching: unknown): BulkAction["target"] | undefined {
  if (typeof matching === "string") return { query: parseListName(matching) };
  const digests = parseDigests(digest);
  return digests && { digests };
}

/** Unique digests; undefined if one is invalid or there are too many. */
function parseDigests(rawDigests: unknown): readonly Digest[] | undefined {
  const all: unknown[] = Array.isArray(rawDigests) ? rawDigests : [rawDigests];
  const parsed = all.map((one) => parseDigest(typeof one === "string" ? one : ""));
  const digests = new Set(parsed.filter((one) => one.ok).map(({ value }) => value));
  const isValid = parsed.every((one) => one.ok) && digests.size > 0;
  return isValid && digests.size <= limits.maxIssuesPerDecision ? [...digests] : undefined;
}
