/** What members do with issues: decide, assign, comment, merge, split, and undo that. */

import * as v from "valibot";
import { LOCAL_ASSIGNEE, listMemberNames } from "../core/accounts/names.ts";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import { listMentioned } from "../core/comment/mentions.ts";
import { canSplitByStack } from "../core/grouping/stack-identity.ts";
import type { AnnotationChange, Annotations } from "../core/issue/annotations.ts";
import type { DecisionInput } from "../core/issue/decision.ts";
import type { IssueCursor } from "../core/issue/issue-list-page.ts";
import { parseIssueQuery } from "../core/issue/issue-query.ts";
import {
  ALL_STATE_NAMES,
  ISSUE_STATES,
  type IssueState,
  STATE_NAMES,
} from "../core/issue/issue-states.ts";
import { isLeftOut } from "../core/issue/query-problems.ts";
import { findSnoozeOption, SNOOZE_OPTIONS, type SnoozeWord } from "../core/issue/snooze-options.ts";
import { limits } from "../core/limits.ts";
import type { Digest } from "../core/report.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { DAY_MS, formatRfc3339, HOUR_MS } from "../core/utc-time.ts";
import {
  digestList,
  digestText,
  idText,
  integer,
  nameText,
  plainText,
  timeText,
} from "./inputs.ts";
import { annotationMembers, changedIssue, toIssueOutput } from "./issue-output.ts";
import { type Call, defineOperation, type OperationContext } from "./operation.ts";
import { parseOwnQuery } from "./own-query.ts";
import { byErrata } from "./provenance.ts";

/** What the changes of this file have in common. */
const CHANGE = { role: REQUIRED_ROLES.triage, effect: "set", rate: "change" } as const;

const change = byErrata("The id of the change, for changes.undo");

// Decisions.

const DECISION = {
  state: v.pipe(
    v.picklist(ALL_STATE_NAMES),
    v.description("a state: open, snoozed, resolved or archived"),
  ),
  release: v.optional(
    v.pipe(
      plainText(limits.maxReleaseChars, "a release"),
      // As an empty variable in a script: every release would be an earlier one.
      v.check((name) => name.trim() !== ""),
    ),
  ),
  inNextRelease: v.optional(v.pipe(v.boolean(), v.description("inNextRelease to be true"))),
  duration: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}[hd]$/),
      v.check((text) => toDurationMs(text) > 0),
      v.check((text) => toDurationMs(text) <= limits.maxSnoozedDays * DAY_MS),
      v.description(`duration in whole hours or days, from 1h to ${limits.maxSnoozedDays}d`),
    ),
  ),
  until: v.optional(timeText("until, the end of the snooze")),
  count: v.optional(integer(1, limits.maxSnoozedCount, "count of further reports")),
  users: v.optional(integer(1, limits.maxSnoozedCount, "users, the number of further users")),
  untilEscalation: v.optional(v.pipe(v.boolean(), v.description("untilEscalation to be true"))),
  untilNextRelease: v.optional(v.pipe(v.boolean(), v.description("untilNextRelease to be true"))),
};

type DecisionMembers = v.InferOutput<v.ObjectSchema<typeof DECISION, undefined>>;

/** The conditions that each state can have. */
const CONDITIONS: Readonly<Record<IssueState, readonly (keyof DecisionMembers)[]>> = {
  open: [],
  archived: [],
  resolved: ["release", "inNextRelease"],
  snoozed: ["duration", "until", "count", "users", "untilEscalation", "untilNextRelease"],
};
const ALL_CONDITIONS = Object.values(CONDITIONS).flat();

/** Rejects conditions of other states, and two answers to "in which release" or "until when". */
const hasOwnConditions = <Input extends DecisionMembers>() =>
  v.check<Input, string>((input) => {
    const given = ALL_CONDITIONS.filter((name) => input[name] !== undefined);
    const { release, inNextRelease, duration, until } = input;
    return (
      given.every((name) => CONDITIONS[toState(input)].includes(name)) &&
      !(release !== undefined && inNextRelease === true) &&
      !(duration !== undefined && until !== undefined)
    );
  }, "release or inNextRelease only for resolved, the other conditions only for snoozed, and either duration or until");

/** The state of a name. An issue that is ignored without a limit is archived. */
function toState({ state, duration, count }: DecisionMembers): IssueState {
  if (state === "muted") return "archived";
  if (state !== "ignored") return state;
  return duration === undefined && count === undefined ? "archived" : "snoozed";
}

/** `1h` or `7d` in milliseconds. */
function toDurationMs(text: string): number {
  return Number.parseInt(text, 10) * (text.endsWith("h") ? HOUR_MS : DAY_MS);
}

function toDecision(input: DecisionMembers, { caller }: Call): DecisionInput {
  const { release, inNextRelease, duration, until, count, users } = input;
  const by = caller.name;
  const state = toState(input);
  switch (state) {
    case "resolved":
      return { by, state, release, inNextRelease: inNextRelease || undefined };
    case "snoozed": {
      const forMs = duration === undefined ? undefined : toDurationMs(duration);
      const limits = { forMs, untilMs: until, forCount: count, forUsers: users };
      const untilEscalation = input.untilEscalation || undefined;
      return {
        ...{ by, state, ...limits, untilEscalation },
        untilNextRelease: input.untilNextRelease || undefined,
      };
    }
    case "open":
    case "archived":
      return { by, state };
  }
}

/** What is wrong with the end of a snooze at `nowMs`, as a failure; undefined if nothing is. */
function checkEnd({ until }: Pick<DecisionMembers, "until">, nowMs: number) {
  if (until === undefined) return undefined;
  if (until > nowMs && until <= nowMs + limits.maxSnoozedDays * DAY_MS) return undefined;
  const expected = `a time within the next ${limits.maxSnoozedDays} days`;
  return fail({ reason: "invalid-input", fields: { until: expected } } as const);
}

function toDecisionText(input: DecisionMembers, issues: string): string {
  const { release, inNextRelease } = input;
  const state = toState(input);
  const done = `${ISSUE_STATES[state].done} ${issues}`;
  if (state === "snoozed") return `${done} ${listSnoozeTexts(input).join(" or ")}`;
  if (state !== "resolved") return done;
  if (inNextRelease) return `${done} in the next release`;
  return `${done}${release === undefined ? "" : ` in ${release}`}`;
}

/** What ends a snooze; by default an escalation. */
function listSnoozeTexts(input: DecisionMembers): readonly string[] {
  const { duration, until, count, users, untilEscalation, untilNextRelease } = input;
  const texts = [
    ...(duration === undefined ? [] : [`for ${toDurationText(toDurationMs(duration))}`]),
    ...(until === undefined ? [] : [`until ${formatRfc3339(until)}`]),
    ...(count === undefined ? [] : [`until ${count} more reports`]),
    ...(users === undefined ? [] : [`until ${users} more people`]),
    ...(untilNextRelease ? ["until a later release"] : []),
  ];
  const isEscalation = untilEscalation || texts.length === 0;
  return isEscalation ? ["until it escalates", ...texts] : texts;
}

/** The longest unit first. */
const UNITS = [
  ["a week", "weeks", 7 * DAY_MS],
  ["a day", "days", DAY_MS],
  ["an hour", "hours", HOUR_MS],
] as const;

/** A duration in whole hours: "a week", "3 days". */
function toDurationText(ms: number): string {
  const [one, several, unitMs] = UNITS.find(([, , unit]) => ms % unit === 0) ?? UNITS[2];
  return ms === unitMs ? one : `${ms / unitMs} ${several}`;
}

/** Of the states, and of each entry of the menu *Snooze*. */
const DECIDED = {
  ...(Object.fromEntries(
    STATE_NAMES.map((state) => [state, `{issues} ${ISSUE_STATES[state].done}.`]),
  ) as Readonly<Record<IssueState, string>>),
  ...(Object.fromEntries(
    SNOOZE_OPTIONS.map(({ word, text }) => [word, `{issues} snoozed ${text}.`]),
  ) as Readonly<Record<SnoozeWord, string>>),
  "snooze-several": "{issues} snoozed until they escalate.",
  "resolved-next": "{issues} resolved in the next release.",
  "issues-unknown": "No changes. The selected issues no longer exist.",
} as const;

function toDecidedMessage(input: DecisionMembers, digests: readonly Digest[]) {
  return { kind: toDecidedKind(input, digests.length), digests } as const;
}

function toDecidedKind(input: DecisionMembers, count: number): keyof typeof DECIDED {
  const state = toState(input);
  if (count === 0) return "issues-unknown";
  if (state !== "snoozed") return input.inNextRelease ? "resolved-next" : state;
  const conditions = CONDITIONS.snoozed.map((name) => [name, input[name]]);
  const { word = "snoozed" } = findSnoozeOption(Object.fromEntries(conditions)) ?? {};
  return word === "snooze" && count > 1 ? "snooze-several" : word;
}

export const decideIssue = defineOperation({
  ...CHANGE,
  name: "issues.decide",
  summary:
    "Set the state of an issue: open, snoozed until it escalates or for a time or count, resolved, or archived.",
  route: "PUT /issues/{digest}/decision",
  canUndo: true,
  input: v.pipe(v.strictObject({ digest: digestText(), ...DECISION }), hasOwnConditions()),
  output: changedIssue,
  reasons: ["unknown-digest"],
  issues: ({ digest }) => [digest],
  audit: ({ digest, ...decision }) => ({
    text: toDecisionText(decision, digest),
    subject: digest,
  }),
  messages: DECIDED,
  message: (decision, { digest }) => toDecidedMessage(decision, [digest]),
  async run({ digest, ...decision }, context) {
    const { services, changeId } = context;
    const { projectStore, nowMs } = services;
    const refused = checkEnd(decision, nowMs());
    if (refused !== undefined) return refused;
    const decided = await projectStore.decide(digest, toDecision(decision, context), changeId);
    return decided === null
      ? fail({ reason: "unknown-digest" })
      : ok({ ...toIssueOutput(decided, nowMs()), change: changeId });
  },
});

// Changes of several issues.

const TARGET = {
  digests: v.optional(
    digestList(
      limits.maxIssuesPerDecision,
      `1 to ${limits.maxIssuesPerDecision} digests of issues`,
    ),
  ),
  query: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(limits.maxFormBytes),
      v.description(
        `a query of which every part is understood, whose first ${limits.maxMatchesPerAction} ` +
          "issues are changed, in place of digests",
      ),
      v.check((text) => parseIssueQuery(text).leftOut.length === 0),
    ),
  ),
};

type Target = v.InferOutput<v.ObjectSchema<typeof TARGET, undefined>>;

const hasOneTarget = <Input extends Target>() =>
  v.check<Input, string>(
    ({ digests, query }) => (digests === undefined) !== (query === undefined),
    "either digests or query",
  );

const changedIssues = v.strictObject({
  digests: list(byErrata()),
  change,
});

/** A query may contain personal data, which an erasure could not remove from the audit log. */
function toTargetText({ digests }: Target): string {
  return digests === undefined ? "the issues of a search" : toIssuesText(digests);
}

function toIssuesText(digests: readonly Digest[]): string {
  return digests.length === 1 ? `${digests[0]}` : `${digests.length} issues`;
}

/** Digests in the subject of an entry of the audit log. */
const MAX_SUBJECT_DIGESTS = Math.floor(limits.maxAuditSubjectChars / "7F3K-Q2M9 ".length);

/** The rest of the entry of several issues; with the output, those that were changed. */
function toChangedText(target: Pick<Target, "digests">, output?: { digests: readonly Digest[] }) {
  const isUnchanged = output?.digests.length === 0;
  const { digests } = output === undefined || isUnchanged ? target : output;
  return { subject: toSubject(digests), isUnchanged };
}

/** The issues in an entry of the audit log: the first ones. */
function toSubject(digests: readonly Digest[] | undefined): string | undefined {
  return digests?.slice(0, MAX_SUBJECT_DIGESTS).join(" ") || undefined;
}

/** The maximum of pages read for one action. Pages of a search in a long list may be empty. */
const MAX_READ_PAGES = 20;

/** The first `limits.maxMatchesPerAction` issues of the target. */
async function listTarget(
  { digests: given, query: text = "" }: Target,
  call: Call,
): Promise<readonly Digest[]> {
  if (given !== undefined) return given;
  const store = call.services.projectStore;
  const { maxMatchesPerAction, maxIssuesPerDecision } = limits;
  const query = parseOwnQuery(text, call);
  const digests: Digest[] = [];
  let from: IssueCursor | undefined;
  for (let n = 0; n < MAX_READ_PAGES && digests.length < maxMatchesPerAction; n++) {
    const {
      issues,
      next,
      unknownTags = [],
    } = await store.listIssues(query, from, maxIssuesPerDecision);
    // A part that is left out would make the change one of more issues.
    if (query.filters.some((one) => unknownTags.includes(one.key) && isLeftOut(one))) return [];
    digests.push(...issues.map(({ digest }) => digest));
    if (next === undefined) break;
    from = next;
  }
  return digests.slice(0, maxMatchesPerAction);
}

/** Changes at most `limits.maxIssuesPerDecision` issues in one call. */
async function changeInParts(
  target: Target,
  context: OperationContext,
  changePart: (part: readonly Digest[]) => Promise<readonly Digest[]>,
) {
  const digests = await listTarget(target, context);
  const changed: Digest[] = [];
  for (let at = 0; at < digests.length; at += limits.maxIssuesPerDecision)
    changed.push(...(await changePart(digests.slice(at, at + limits.maxIssuesPerDecision))));
  return ok({ digests: changed, change: context.changeId });
}

export const decideIssues = defineOperation({
  ...CHANGE,
  name: "issues.decideMany",
  summary: "Set the state of several issues, or of those that match a query.",
  route: "POST /issues/decision",
  canUndo: true,
  input: v.pipe(v.strictObject({ ...TARGET, ...DECISION }), hasOneTarget(), hasOwnConditions()),
  output: changedIssues,
  reasons: [],
  audit: (input, output) => ({
    text: toDecisionText(input, toTargetText(input)),
    ...toChangedText(input, output),
  }),
  messages: DECIDED,
  message: (input, { digests }) => toDecidedMessage(input, digests),
  async run(input, context) {
    const { projectStore, nowMs } = context.services;
    const refused = checkEnd(input, nowMs());
    if (refused !== undefined) return refused;
    return changeInParts(input, context, (part) =>
      projectStore.decideMany(part, toDecision(input, context), context.changeId),
    );
  },
});

// Assignees.

const assignee = v.optional(nameText(limits.maxAssigneeChars, "the name of a member"));

const ASSIGNED = {
  assigned: "{issues} assigned to {assignee}.",
  unassigned: "{issues} unassigned.",
} as const;

function toAssignedMessage(to: string | undefined, digests: readonly Digest[]) {
  return { kind: to === undefined ? "unassigned" : "assigned", digests, assignee: to } as const;
}

function toAssignedText(to: string | undefined, issues: string): string {
  return to === undefined ? `unassigned ${issues}` : `assigned ${issues} to ${to}`;
}

/** True for the name of a member of the project, and for `LOCAL_ASSIGNEE` of local access. */
async function isMember(name: string, { caller, project, services }: Call): Promise<boolean> {
  if (name === LOCAL_ASSIGNEE && caller.actor.kind === "local") return true;
  const { registry } = services;
  if (listMemberNames(await registry.readCopy(), project).includes(name)) return true;
  // The person may have just joined.
  return listMemberNames(await registry.readFresh(), project).includes(name);
}

export const assignIssues = defineOperation({
  ...CHANGE,
  name: "issues.assignMany",
  summary: "Assign several issues, or those that match a query, to a member, or unassign them.",
  route: "POST /issues/assignee",
  canUndo: true,
  input: v.pipe(v.strictObject({ ...TARGET, assignee }), hasOneTarget()),
  output: changedIssues,
  reasons: ["unknown-member"],
  audit: (input, output) => ({
    text: toAssignedText(input.assignee, toTargetText(input)),
    ...toChangedText(input, output),
  }),
  messages: ASSIGNED,
  message: (input, { digests }) => toAssignedMessage(input.assignee, digests),
  async run({ assignee: to, ...target }, context) {
    const { caller, services, changeId } = context;
    if (to !== undefined && !(await isMember(to, context)))
      return fail({ reason: "unknown-member" });
    return changeInParts(target, context, (part) =>
      services.projectStore.assignMany(part, { change: "assign", to, by: caller.name }, changeId),
    );
  },
});

// Annotations of one issue.

const digestOutput = byErrata();
const annotatedIssue = v.strictObject({ digest: digestOutput, ...annotationMembers });
const undoableAnnotation = v.strictObject({ digest: digestOutput, ...annotationMembers, change });

/** Changes the annotations of an issue. */
async function annotate(
  digest: Digest,
  requested: AnnotationChange,
  { caller, services, changeId }: OperationContext,
) {
  const by = caller.name;
  const annotations: Annotations | null = await services.projectStore.annotate(
    digest,
    by === undefined ? requested : { ...requested, by },
    requested.change === "assign" || requested.change === "merge" ? changeId : undefined,
  );
  return annotations === null
    ? fail({ reason: "unknown-digest" })
    : ok({ ...annotations, digest, change: changeId });
}

export const assignIssue = defineOperation({
  ...CHANGE,
  name: "issues.assign",
  summary: "Assign an issue to a member of the project, or unassign it.",
  route: "PUT /issues/{digest}/assignee",
  canUndo: true,
  input: v.strictObject({ digest: digestText(), assignee }),
  output: undoableAnnotation,
  reasons: ["unknown-digest", "unknown-member"],
  audit: ({ digest, assignee: to }) => ({ text: toAssignedText(to, digest), subject: digest }),
  messages: ASSIGNED,
  message: ({ assignee: to }, { digest }) => toAssignedMessage(to, [digest]),
  async run({ digest, assignee: to }, context) {
    if (to !== undefined && !(await isMember(to, context)))
      return fail({ reason: "unknown-member" });
    return annotate(digest, { change: "assign", to }, context);
  },
});

export const commentIssue = defineOperation({
  ...CHANGE,
  name: "issues.comment",
  summary: "Add a comment to an issue.",
  effect: "add",
  route: "POST /issues/{digest}/comments",
  input: v.strictObject({
    digest: digestText(),
    comment: v.pipe(
      v.string(),
      v.description(`a comment of at most ${limits.maxCommentChars} characters`),
      v.transform(toComment),
      v.minLength(1),
      v.maxLength(limits.maxCommentChars),
    ),
  }),
  output: annotatedIssue,
  reasons: ["unknown-digest"],
  issues: ({ digest }) => [digest],
  audit: ({ digest }) => ({ text: `commented on ${digest}`, subject: digest }),
  messages: { commented: "Comment added." },
  message: (_, { digest }) => ({ kind: "commented", digests: [digest] }),
  async run({ digest, comment: text }, context) {
    const { project, services, changeId: id } = context;
    const names = text.includes("@")
      ? listMemberNames(await services.registry.readCopy(), project)
      : [];
    const mentions = listMentioned(text, names);
    const change = { change: "comment", id, text } as const;
    return annotate(digest, mentions.length === 0 ? change : { ...change, mentions }, context);
  },
});

/** The text with line feeds and without invisible control characters. */
function toComment(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "")
    .trim();
}

export const deleteComment = defineOperation({
  ...CHANGE,
  name: "issues.deleteComment",
  summary: "Delete a comment of an issue.",
  effect: "erase",
  route: "DELETE /issues/{digest}/comments/{comment}",
  input: v.strictObject({ digest: digestText(), comment: idText("the id of a comment") }),
  output: annotatedIssue,
  reasons: ["unknown-digest"],
  audit: ({ digest }) => ({ text: `deleted a comment on ${digest}`, subject: digest }),
  messages: { "comment-deleted": "Comment deleted." },
  message: (_, { digest }) => ({ kind: "comment-deleted", digests: [digest] }),
  run: ({ digest, comment }, context) =>
    annotate(digest, { change: "delete-comment", id: comment }, context),
});

// Merges and splits.

export const mergeIssues = defineOperation({
  ...CHANGE,
  name: "issues.merge",
  summary: "Merge other issues into one. They count as one, and each digest opens it.",
  route: "POST /issues/{digest}/merge",
  canUndo: true,
  input: v.pipe(
    v.strictObject({
      digest: digestText(),
      from: digestList(limits.maxIssuesPerDecision, "digests of other issues"),
    }),
    v.check(({ digest, from }) => !from.includes(digest), "digests of other issues"),
  ),
  output: undoableAnnotation,
  reasons: ["unknown-digest"],
  issues: ({ digest, from }) => [digest, ...from],
  audit: ({ digest, from }) => ({
    text: `merged ${toIssuesText(from)} into ${digest}`,
    subject: toSubject([digest, ...from]),
  }),
  messages: { "merged-into": "Issues merged. Both digests lead here." },
  message: (_, { digest }) => ({ kind: "merged-into", digests: [digest] }),
  run: ({ digest, from }, context) => annotate(digest, { change: "merge", from }, context),
});

export const mergeSelectedIssues = defineOperation({
  ...CHANGE,
  name: "issues.mergeMany",
  summary: "Merge the other issues of a list into the first; nothing if one is unknown.",
  route: "POST /issues/merge",
  canUndo: true,
  input: v.strictObject({
    digests: digestList(limits.maxIssuesPerDecision, "digests of the issues to merge"),
  }),
  output: changedIssues,
  reasons: [],
  audit: ({ digests }, output) => ({
    text: `merged ${toIssuesText(digests.slice(1))} into ${digests[0]}`,
    ...toChangedText({ digests }, output),
  }),
  messages: {
    merged: "{issues} merged into one.",
    "nothing-merged": "Not merged. Select at least two existing issues.",
  },
  message: (_, { digests }) => ({
    kind: digests.length === 0 ? "nothing-merged" : "merged",
    digests,
  }),
  async run({ digests }, context) {
    const [into, ...from] = digests;
    const isMerged =
      into !== undefined &&
      from.length > 0 &&
      (await annotate(into, { change: "merge", from }, context)).ok;
    return ok({ digests: isMerged ? digests : [], change: context.changeId });
  },
});

const SPLIT_MESSAGE = {
  split: "Issue split. New reports count separately; past counts stay together.",
} as const;

export const splitIssue = defineOperation({
  ...CHANGE,
  name: "issues.split",
  summary: "Split a merged issue off again. Its past counts stay.",
  route: "POST /issues/{digest}/split",
  input: v.strictObject({
    digest: digestText(),
    split: digestText("the digest of one issue that was merged"),
  }),
  output: annotatedIssue,
  reasons: ["unknown-digest"],
  audit: ({ digest, split }) => ({
    text: `split ${split} off ${digest}`,
    subject: `${digest} ${split}`,
  }),
  messages: SPLIT_MESSAGE,
  message: (_, { digest }) => ({ kind: "split", digests: [digest] }),
  run: ({ digest, split }, context) =>
    annotate(digest, { change: "split", digest: split }, context),
});

const stackSplit = {
  ...CHANGE,
  input: v.strictObject({ digest: digestText() }),
  output: v.strictObject({ digest: digestOutput, splitByStack: v.boolean() }),
  // A setting of the project, not an annotation.
  audit: "registry",
} as const;

/** Changes the setting of the project. */
async function changeStackSplit(
  word: "split-by-stack" | "group-together",
  digest: Digest,
  { caller, project, services }: Call,
) {
  const changed = await services.registry
    .applyChange(caller.actor, { do: word, project, digest })
    .catch((cause: unknown) => {
      services.logProblem(cause);
      return fail({ reason: "registry-unavailable" });
    });
  if (changed.ok) return ok({ digest, splitByStack: word === "split-by-stack" });
  switch (changed.reason) {
    case "forbidden":
    case "not-found":
    case "too-many":
    case "registry-unavailable":
      return changed;
    default:
      throw new Error(`${word}: ${changed.reason}`);
  }
}

export const splitByStack = defineOperation({
  ...stackSplit,
  name: "issues.splitByStack",
  summary: "Count new reports of an issue in separate issues, one for each stack.",
  route: "PUT /issues/{digest}/split-by-stack",
  reasons: ["unknown-digest", "too-many", "not-found", "registry-unavailable"],
  messages: { "split-by-stack": "Split by stack. It takes effect within a minute." },
  message: (_, { digest }) => ({ kind: "split-by-stack", digests: [digest] }),
  async run({ digest }, context) {
    const issue = await context.services.projectStore.getFreshIssue(digest);
    if (issue?.digest !== digest) return fail({ reason: "unknown-digest" });
    if (!canSplitByStack(issue)) {
      const expected = "an issue with a grouping key, without a stack in it";
      return fail({ reason: "invalid-input", fields: { digest: expected } });
    }
    return changeStackSplit("split-by-stack", digest, context);
  },
});

/** The issue may be erased: the split outlives it. */
export const groupTogether = defineOperation({
  ...stackSplit,
  name: "issues.groupTogether",
  summary: "End the split of an issue by stack: new reports count together again.",
  route: "DELETE /issues/{digest}/split-by-stack",
  reasons: ["too-many", "not-found", "registry-unavailable"],
  messages: { "group-together": "New reports count together again within a minute." },
  message: (_, { digest }) => ({ kind: "group-together", digests: [digest] }),
  run: ({ digest }, context) => changeStackSplit("group-together", digest, context),
});

// Undo.

export const undoChange = defineOperation({
  ...CHANGE,
  name: "changes.undo",
  summary: "Undo a change of the last hour, once. Issues that were changed again stay as they are.",
  route: "POST /changes/{change}/undo",
  input: v.strictObject({ change: idText("the id of a change") }),
  output: v.strictObject({
    digests: list(byErrata()),
    undone: v.optional(v.picklist(["decision", "assignee", "merge", "hand-off"])),
  }),
  reasons: [],
  audit: (_, output) => ({ text: "undid an action", ...toChangedText({}, output) }),
  messages: {
    ...SPLIT_MESSAGE,
    undone: "Undone. {issues} restored.",
    "not-undone": "Not undone. The action is too old, or the issues have changed since.",
  },
  message: (_, { digests, undone }) => {
    if (digests.length === 0) return { kind: "not-undone", digests };
    return { kind: undone === "merge" ? "split" : "undone", digests };
  },
  async run({ change: id }, { services }) {
    const undone = await services.projectStore.undo(id);
    return ok({ digests: undone?.digests ?? [], undone: undone?.change });
  },
});
