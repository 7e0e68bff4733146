/**
 * The forms that change issues, saved views and what can be undone: their addresses, and which
 * operation the fields of each ask for. Programs send the same fields as JSON.
 */
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import { formatIssueQuery, parseIssueQuery, parseSort } from "../../../core/issue/issue-query.ts";
import { SNOOZE_OPTIONS, TOMORROW_HOUR } from "../../../core/issue/snooze-options.ts";
import { parseCodes } from "../../../core/lookup/parse-codes.ts";
import type { Digest } from "../../../core/report.ts";
import { ok } from "../../../core/result.ts";
import { findTomorrow, isTimeZone } from "../../../core/time-zone.ts";
import { formatRfc3339 } from "../../../core/utc-time.ts";
import { eraseIssue, eraseReport } from "../../../operations/erasure.ts";
import { handOffIssue } from "../../../operations/fix-changes.ts";
import {
  assignIssue,
  assignIssues,
  commentIssue,
  decideIssue,
  decideIssues,
  deleteComment,
  groupTogether,
  mergeIssues,
  mergeSelectedIssues,
  splitByStack,
  splitIssue,
  undoChange,
} from "../../../operations/issue-changes.ts";
import type { Operation } from "../../../operations/operation.ts";
import { deleteView, saveView } from "../../../operations/saved-views.ts";
import { parseListName, toIssueListUrl } from "../../../ui/urls/issue-list-urls.ts";
import { toIssueUrl } from "../../../ui/urls/issue-urls.ts";
import type { AppContext } from "../../context.ts";
import type { Failure } from "../../failures.ts";
import { expected, type FormFields, type Parsed } from "../../forms/form-body.ts";
import {
  type OperationForm,
  type RequestedOperation,
  readMember,
} from "../../forms/operation-form.ts";
import { isTrueValue } from "../../forms/validators.ts";
import { issueTrackerForm } from "../trackers/issue-tracker.tsx";
import { toIssueUrlInList, toReturnPath } from "./return-path.ts";

function request(
  operation: Operation,
  input: RequestedOperation["input"],
  returnTo?: unknown,
): Parsed<RequestedOperation> {
  return ok({ operation, input, returnTo });
}

/** The digest in the path, which `submitForm` has checked. */
function readDigest(c: AppContext): Digest {
  const digest = parseDigest(c.req.param("digest") ?? "");
  return digest.ok ? digest.value : "";
}

/** The issue; the list if it does not exist. */
async function toIssueOrList(c: AppContext, failure: Failure): Promise<string> {
  const digest = readDigest(c);
  const { projectStore } = c.get("services");
  const isUnknown =
    failure.reason === "unknown-digest" && (await projectStore.getFreshIssue(digest)) === null;
  return isUnknown ? "/issues" : toIssueUrl(digest);
}

/**
 * Sets the state of an issue. The fields are the members of the operation's input; the entries of
 * the menu *Snooze* send one word, `do`.
 */
const decisionForm: OperationForm = {
  path: "/d/:digest/state",
  operations: [decideIssue],
  rejection: "bad-decision",
  read(fields, c) {
    const { do: word, timeZone, ...decision } = withDigest(fields, c);
    if (word === undefined) return request(decideIssue, decision);
    const button = readButton(word, timeZone, c);
    return button?.operation === decideIssues
      ? request(decideIssue, { ...button.input, ...decision })
      : expected("an action in the field do");
  },
  redirectTo: (c, _, output) => toIssueUrlInList(c, readMember(output, "digest")),
  formPath: toIssueOrList,
};

/** The fields as input, with the digest in the path. A field of that name is a mistake. */
function withDigest(fields: FormFields, c: AppContext): Record<string, unknown> {
  return { ...Object.fromEntries(fields), digest: fields.has("digest") ? "" : readDigest(c) };
}

/**
 * The changes of annotations, by the one field that asks for each. Issues are given by digest, in
 * any text that contains one, such as a URL.
 */
const ANNOTATIONS: Readonly<
  Record<string, (value: unknown, digest: Digest) => Parsed<RequestedOperation>>
> = {
  comment: (comment, digest) => request(commentIssue, { digest, comment }),
  deleteComment: (comment, digest) => request(deleteComment, { digest, comment }),
  assign: (assignee, digest) => request(assignIssue, { digest, assignee }),
  unassign: (value, digest) =>
    isTrueValue(value) ? request(assignIssue, { digest }) : expected("unassign to be true"),
  merge: (value, digest) =>
    request(mergeIssues, { digest, from: parseOtherDigests(value, digest) }),
  mergeInto(value, digest) {
    const [into, ...others] = parseOtherDigests(value, digest);
    if (into === undefined || others.length > 0) return expected("the digest of one other issue");
    return request(mergeIssues, { digest: into, from: [digest] });
  },
  split(value, digest) {
    const digests = parseOtherDigests(value, digest);
    return request(splitIssue, { digest, split: digests.length === 1 ? digests[0] : undefined });
  },
  splitByStack: (value, digest) =>
    isTrueValue(value) ? request(splitByStack, { digest }) : expected("splitByStack to be true"),
  groupTogether: (value, digest) =>
    isTrueValue(value) ? request(groupTogether, { digest }) : expected("groupTogether to be true"),
  handOff: (destination, digest) => request(handOffIssue, { digest, destination }),
  handOffAgain: (destination, digest) =>
    request(handOffIssue, { digest, destination, again: true }),
};

const annotationForm: OperationForm = {
  path: "/d/:digest/annotations",
  operations: [
    commentIssue,
    deleteComment,
    assignIssue,
    mergeIssues,
    splitIssue,
    splitByStack,
    groupTogether,
    handOffIssue,
  ],
  rejection: "bad-annotation",
  read(fields, c) {
    const [[name = "", value] = []] = [...fields];
    const read = Object.hasOwn(ANNOTATIONS, name) ? ANNOTATIONS[name] : undefined;
    return read === undefined || fields.size !== 1
      ? expected(`one of the fields ${Object.keys(ANNOTATIONS).join(", ")}, and no others`)
      : read(value, readDigest(c));
  },
  redirectTo(c, { operation }, output) {
    const url = toIssueUrlInList(c, readMember(output, "digest"));
    const isComment = operation === commentIssue || operation === deleteComment;
    return isComment ? `${url}#activity` : url;
  },
  formPath: toIssueOrList,
};

/** The digests in a text or list of texts, without the issue's own; empty if one is misspelled. */
function parseOtherDigests(value: unknown, ownDigest: Digest): readonly Digest[] {
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === "string")) return [];
  const codes = parseCodes(texts.join("\n"));
  if (codes.some(({ kind }) => kind === "misread")) return [];
  const digests = codes.flatMap((code) =>
    code.kind === "digest" && code.digest !== ownDigest ? [code.digest] : [],
  );
  return [...new Set(digests)];
}

/** The decision behind each button; `merge` merges the others into the first. */
const BUTTONS: ReadonlyMap<unknown, RequestedOperation> = new Map<unknown, RequestedOperation>([
  // Pages that were open during an update send the former words.
  ["ignore", { operation: decideIssues, input: { state: "ignored" } }],
  ["mute", { operation: decideIssues, input: { state: "muted" } }],
  ["resolve", { operation: decideIssues, input: { state: "resolved" } }],
  ["resolve-next", { operation: decideIssues, input: { state: "resolved", inNextRelease: true } }],
  ...SNOOZE_OPTIONS.map(({ word, input }): readonly [string, RequestedOperation] => [
    word,
    {
      operation: decideIssues,
      input: { state: "snoozed", ...(input === "tomorrow" ? {} : input) },
    },
  ]),
  ["archive", { operation: decideIssues, input: { state: "archived" } }],
  ["reopen", { operation: decideIssues, input: { state: "open" } }],
  ["merge", { operation: mergeSelectedIssues, input: {} }],
]);

/**
 * What a button asks for; undefined if there is no such button. *Tomorrow* is that of a time zone,
 * by default UTC.
 */
function readButton(
  word: unknown,
  timeZone: unknown,
  c: AppContext,
): RequestedOperation | undefined {
  const button = BUTTONS.get(word);
  if (button === undefined || !isTomorrow(word)) return button;
  const zone = typeof timeZone === "string" && isTimeZone(timeZone) ? timeZone : "UTC";
  const untilMs = findTomorrow(TOMORROW_HOUR, zone, c.get("services").nowMs());
  return { ...button, input: { ...button.input, until: formatRfc3339(untilMs) } };
}

const isTomorrow = (word: unknown) =>
  SNOOZE_OPTIONS.some((option) => option.word === word && option.input === "tomorrow");

/**
 * Changes selected issues. Programs send `state` with its conditions, as for one issue; the buttons
 * of the form send one word, `do`.
 *
 *     digest=<digest>      one issue; may be repeated
 *     matching=<query>     all issues of this query, instead
 *     row=<word> <digest>  a button in the row of an issue, whatever else is selected
 *     timeZone=<name>      the zone of *until tomorrow*
 *     assign=<name>, unassign=1    instead of `do`
 */
const selectionForm: OperationForm = {
  path: "/issues/state",
  operations: [decideIssues, assignIssues, mergeSelectedIssues],
  rejection: "bad-bulk-action",
  repeated: "digest",
  read(fields, c) {
    const { digest, matching, row, returnTo, timeZone, ...action } = Object.fromEntries(fields);
    const toButton = (word: unknown) => readButton(word, timeZone, c);
    if (row !== undefined) {
      const [word, code] = typeof row === "string" ? row.split(" ") : [];
      const button = toButton(word);
      return button === undefined
        ? expected("an action and a digest in the field row")
        : request(button.operation, { ...button.input, digests: [code] }, returnTo);
    }
    const target =
      typeof matching === "string"
        ? { query: formatIssueQuery(parseListName(matching)) }
        : { digests: Array.isArray(digest) ? digest : digest === undefined ? [] : [digest] };
    const requested = readSelectedAction(action, toButton);
    if (!requested.ok) return requested;
    const { operation, input } = requested.value;
    return request(operation, { ...input, ...target }, returnTo);
  },
  redirectTo: (_, { returnTo }) => toReturnPath(returnTo),
  formPath: () => "/issues",
};

function readSelectedAction(
  { do: word, assign, unassign, ...decision }: Readonly<Record<string, unknown>>,
  toButton: (word: unknown) => RequestedOperation | undefined,
): Parsed<RequestedOperation> {
  const others = Object.keys(decision).length;
  if (assign !== undefined || unassign !== undefined) {
    const isClear = assign === undefined ? isTrueValue(unassign) : unassign === undefined;
    return isClear && others === 0 && word === undefined
      ? request(assignIssues, { assignee: assign })
      : expected("the name of a member in assign, or unassign to be true");
  }
  if (word === undefined) return request(decideIssues, decision);
  const button = toButton(word);
  return button === undefined || others > 0
    ? expected(`do to be one of ${[...BUTTONS.keys()].join(", ")}, and no other fields`)
    : ok(button);
}

/** Takes `undo`, the id of an action. */
const undoForm: OperationForm = {
  path: "/undo",
  operations: [undoChange],
  rejection: "bad-bulk-action",
  read: (fields) => request(undoChange, { change: fields.get("undo") }, fields.get("returnTo")),
  redirectTo: (_, { returnTo }) => toReturnPath(returnTo),
  formPath: (_c, _failure, requested) => toReturnPath(requested?.returnTo),
};

/** Saves the current list under a name, or deletes a saved view. */
const viewForm: OperationForm = {
  path: "/saved-views",
  operations: [saveView, deleteView],
  rejection: "bad-view",
  read(fields) {
    const { delete: deletion, query, sort, ...others } = Object.fromEntries(fields);
    return deletion === undefined
      ? request(saveView, { ...others, query, sort })
      : request(deleteView, others, toViewUrl(query, sort));
  },
  redirectTo: (_, { returnTo, input: { query, sort } }) =>
    typeof returnTo === "string" ? returnTo : toViewUrl(query, sort),
  formPath: () => "/issues",
};

function toViewUrl(query: unknown, sort: unknown): string {
  const [text = "", order] = [query, sort].map((value) =>
    typeof value === "string" ? value : undefined,
  );
  return toIssueListUrl({ query: parseIssueQuery(text, parseSort(order)) });
}

/** Erases an issue, whose digest is in `confirm`, or the report `report`. */
const erasureForm: OperationForm = {
  path: "/d/:digest/erase",
  operations: [eraseIssue, eraseReport],
  rejection: "bad-erasure",
  read: (fields, c) =>
    request(fields.has("report") ? eraseReport : eraseIssue, withDigest(fields, c)),
  redirectTo: (c, { operation }) =>
    operation === eraseIssue ? "/issues" : toIssueUrl(readDigest(c)),
  formPath: toIssueOrList,
};

export const ISSUE_FORMS: readonly OperationForm[] = [
  decisionForm,
  annotationForm,
  selectionForm,
  undoForm,
  viewForm,
  erasureForm,
  issueTrackerForm,
];
