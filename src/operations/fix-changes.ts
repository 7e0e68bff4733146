/**
 * What members and programs do about the fix of an issue: hand it to an agent, say what changed.
 */
import * as v from "valibot";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import type { HandOffRefusal } from "../core/alerts/hand-off.ts";
import { FIX_EVENT_KINDS, fixEventLimits, limitFixEvent } from "../core/issue/fix-event.ts";
import { fail, ok } from "../core/result.ts";
import { alertIdText, digestText, plainText, timeText } from "./inputs.ts";
import { fixStatus, loadFix, toFixOutput } from "./issue-and-release.ts";
import { defineOperation } from "./operation.ts";
import { byErrata, byMember } from "./provenance.ts";

const CHANGE = { role: REQUIRED_ROLES.triage, rate: "change" } as const;
const change = byErrata("The id of the change, for changes.undo");

/** The reasons of the index as those of the operation. A request by a member has no others. */
const REASONS = {
  untrusted: "untrusted-issue",
  "not-open": "not-open",
  "handed-off": "handed-off",
  "being-fixed": "being-fixed",
  "daily-cap": "hand-off-limit",
  noise: "not-open",
  deploy: "not-open",
  withdrawn: "not-open",
} as const satisfies Readonly<Record<HandOffRefusal, string>>;

export const handOffIssue = defineOperation({
  ...CHANGE,
  name: "issues.handOff",
  summary:
    "Hand an issue to a coding agent, which gets its digest and reads it through MCP. " +
    "For ten seconds, it can be undone.",
  effect: "add",
  canUndo: true,
  route: "POST /issues/{digest}/hand-off",
  input: v.strictObject({
    digest: digestText(),
    destination: v.optional(
      alertIdText("the id of the agent’s destination; needed if the project has several agents"),
    ),
    again: v.optional(
      v.pipe(
        v.boolean(),
        v.description("again to be true, if an agent has the issue, or a change is proposed"),
      ),
    ),
  }),
  output: v.strictObject({
    digest: byErrata(),
    agent: byMember("The name of the destination"),
    change,
  }),
  reasons: ["unknown-digest", "unknown-agent", ...Object.values(REASONS)],
  audit: ({ digest }) => ({ text: `handed ${digest} to an agent`, subject: digest }),
  messages: { "handed-off": "Handed {issues} to the agent." },
  message: (_, { digest }) => ({ kind: "handed-off", digests: [digest] }),
  async run({ digest, destination: to, again: isAgain }, { services, caller, changeId }) {
    const input = { to, isAgain, by: caller.name };
    const done = await services.projectStore.requestHandOff(digest, input, changeId);
    if (done.ok) return ok({ digest, agent: done.value.name, change: changeId });
    const { reason } = done;
    if (reason === "unknown-digest" || reason === "unknown-agent") return fail({ reason });
    return fail({ reason: REASONS[reason] });
  },
});

const { maxUrlChars, maxTitleChars, maxCommitChars, maxAuthorChars } = fixEventLimits;

export const reportFix = defineOperation({
  ...CHANGE,
  name: "issues.reportFix",
  summary:
    "Say that a change that fixes an issue was proposed, merged, or closed. " +
    "A merge resolves the issue in the next release.",
  effect: "set",
  canUndo: true,
  route: "POST /issues/{digest}/fix",
  input: v.strictObject({
    digest: digestText(),
    kind: v.pipe(v.picklist(FIX_EVENT_KINDS), v.description("kind: proposed, merged or closed")),
    url: v.optional(plainText(maxUrlChars, "the http(s) URL of the pull or merge request in url")),
    title: v.optional(plainText(maxTitleChars, "title")),
    commit: v.optional(plainText(maxCommitChars, "the commit on the default branch in commit")),
    author: v.optional(plainText(maxAuthorChars, "author")),
    at: v.optional(timeText("at")),
  }),
  output: v.strictObject({ digest: byErrata(), fix: fixStatus, change }),
  reasons: ["unknown-digest"],
  issues: ({ digest }) => [digest],
  audit: ({ digest, kind }) => ({
    text: `said that a fix of ${digest} was ${kind}`,
    subject: digest,
  }),
  messages: { "fix-recorded": "The change is recorded." },
  message: (_, { digest }) => ({ kind: "fix-recorded", digests: [digest] }),
  async run({ digest, at, ...sent }, context) {
    const { services, changeId } = context;
    const { projectStore, nowMs } = services;
    const event = limitFixEvent({ ...sent, atMs: at ?? nowMs() });
    if (event === null) {
      const expected = "an http(s) URL in url, or a commit of 7 to 64 hexadecimal digits in commit";
      return fail({ reason: "invalid-input", fields: { url: expected } });
    }
    const [known] = await projectStore.recordFixEvents([{ ...event, digests: [digest] }]);
    const issue = known === undefined ? null : await projectStore.getFreshIssue(known);
    if (known === undefined || issue === null) return fail({ reason: "unknown-digest" });
    const by = context.caller.name;
    const decided =
      event.kind === "merged" && issue.decision?.state !== "resolved"
        ? await projectStore.decide(known, { state: "resolved", inNextRelease: true, by }, changeId)
        : null;
    const annotations = await projectStore.getAnnotations(known);
    const fix = await loadFix(context, decided ?? issue, annotations);
    return ok({ digest: known, fix: toFixOutput(fix), change: changeId });
  },
});
