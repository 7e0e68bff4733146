/** Connections to trackers, and the links of issues to theirs. */
import * as v from "valibot";
import { REQUIRED_ROLES } from "../core/accounts/required-roles.ts";
import { MAX_LINK_CHARS } from "../core/issue/tracker-link.ts";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { toTrackerDraft } from "../core/trackers/draft.ts";
import {
  TRACKER_KIND_NAMES,
  type TrackerSummary,
  trackerLimits,
} from "../core/trackers/tracker.ts";
import { toShownMarkdown } from "../core/trackers/tracker-text.ts";
import { toTrackerLink } from "../core/trackers/trackers.ts";
import { digestText, idText, plainText } from "./inputs.ts";
import { issueTracker, number } from "./issue-output.ts";
import { type Call, defineOperation, defineRead, orNull } from "./operation.ts";
import { byErrata, byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";

const trackerId = idText("the id of a tracker");

const tracker = v.strictObject({
  id: byErrata(),
  kind: v.picklist(TRACKER_KIND_NAMES),
  project: byMember("The repository, project or team"),
  baseUrl: v.optional(byMember("The address of a service of one's own")),
  email: v.optional(byMember()),
  issueType: v.optional(byMember()),
  hasSecret: v.boolean(),
  state: v.strictObject({
    waiting: number,
    failed: number,
    calledMs: v.optional(time),
    receivedMs: v.optional(time),
    // Quotes the answer of a service.
    problem: v.optional(v.strictObject({ atMs: time, detail: reportedByAnyone() })),
  }),
});

/** The token and the account are those of the owner. */
const withoutEmail = ({ email: _, ...shown }: TrackerSummary): TrackerSummary => shown;

export const listTrackers = defineRead({
  name: "trackers.list",
  summary: "List the connections to issue trackers, with what waits for each.",
  role: "member",
  rate: "read",
  dependency: "alerts",
  route: "GET /trackers",
  input: v.strictObject({}),
  output: v.strictObject({ trackers: list(tracker) }),
  reasons: [],
  load: async (_, { services }) => ok(await services.alerts.listTrackers()),
  toOutput: (trackers, _, { caller }) => ({
    trackers: caller.role === "owner" ? trackers : trackers.map(withoutEmail),
  }),
});

/** Completes “Ada …” with the connection: `removed the tracker github acme/shop`. */
async function describeTracker(verb: string, id: string, { services }: Call) {
  const trackers = await orNull(services, services.alerts.listTrackers());
  const known = trackers?.find((one) => one.id === id);
  return { text: `${verb} the tracker ${known ? `${known.kind} ${known.project}` : id}` };
}

/** What the changes of connections have in common. */
const CHANGE = { role: "owner", effect: "set", rate: "change", dependency: "alerts" } as const;

const secret = v.optional(byErrata("The secret of the webhook, which is not shown again"));
const text = (about: string) => v.optional(plainText(limits.maxStringChars, about));

export const saveTracker = defineOperation({
  ...CHANGE,
  effect: "add",
  name: "trackers.save",
  summary: "Connect a repository, project or team of an issue tracker, or change a connection.",
  route: "POST /trackers",
  input: v.strictObject({
    tracker: v.optional(idText("the id of a tracker, to change it")),
    kind: v.pipe(
      v.picklist(TRACKER_KIND_NAMES),
      v.description(`a kind: ${TRACKER_KIND_NAMES.join(", ")}`),
    ),
    project: plainText(trackerLimits.maxProjectChars, "a repository, project or team"),
    baseUrl: text("the address of a service of one's own"),
    token: text("a token; without it, a connection keeps its own"),
    email: text("the email address of the token's account in Jira Cloud"),
    issueType: text("the type of new issues in Jira"),
    secret: text("the signing secret that Linear shows for its webhook"),
  }),
  output: v.strictObject({ tracker, secret }),
  reasons: ["unknown-tracker", "invalid-tracker"],
  audit: ({ kind, project }) => ({ text: `saved the tracker ${kind} ${project}` }),
  messages: { "tracker-saved": "Tracker saved. Check whether it works." },
  message: () => ({ kind: "tracker-saved", digests: [] }),
  async run({ tracker: id, ...input }, { services, origin }) {
    const saved = await services.alerts.saveTracker(id, input, origin);
    if (saved.ok) return ok(saved.value);
    return saved.reason === "unknown"
      ? fail({ reason: "unknown-tracker" })
      : fail({ reason: "invalid-tracker", detail: saved.detail });
  },
});

export const removeTracker = defineOperation({
  ...CHANGE,
  effect: "erase",
  name: "trackers.remove",
  summary: "Remove a connection to a tracker. Links of issues stay.",
  route: "DELETE /trackers/{tracker}",
  input: v.strictObject({ tracker: trackerId }),
  output: v.strictObject({ removed: v.literal(true) }),
  reasons: ["unknown-tracker"],
  audit: (input, _, call) => describeTracker("removed", input.tracker, call),
  messages: { "tracker-removed": "Tracker removed. Links of issues stay." },
  message: () => ({ kind: "tracker-removed", digests: [] }),
  async run({ tracker: id }, { services }) {
    const isKnown = await services.alerts.removeTracker(id);
    return isKnown ? ok({ removed: true } as const) : fail({ reason: "unknown-tracker" });
  },
});

const WORKS = "The tracker accepts the token and knows the project.";

export const checkTracker = defineOperation({
  ...CHANGE,
  name: "trackers.check",
  summary: "Check whether a tracker accepts the token and knows the project.",
  route: "POST /trackers/{tracker}/check",
  input: v.strictObject({ tracker: trackerId }),
  output: v.strictObject({
    works: v.boolean(),
    reason: byErrata("The result, in words of Errata"),
    status: v.optional(number),
    detail: reportedByAnyone("The name of the project there, or what the tracker says is wrong"),
  }),
  reasons: ["unknown-tracker"],
  audit: (input, _, call) => describeTracker("checked", input.tracker, call),
  messages: {
    "tracker-works": WORKS,
    "not-working": "The check failed. The reason is below.",
  },
  message: (_, { works }) => ({ kind: works ? "tracker-works" : "not-working", digests: [] }),
  async run({ tracker: id }, { services }) {
    const checked = await services.alerts.checkTracker(id);
    if (checked === null) return fail({ reason: "unknown-tracker" });
    const { ok: works, detail, reason = "The check failed.", status } = checked;
    return ok({ works, reason: works ? WORKS : reason, status, detail });
  },
});

export const rotateTrackerSecret = defineOperation({
  ...CHANGE,
  effect: "add",
  name: "trackers.rotateSecret",
  summary: "Replace the secret of a tracker's webhook. The earlier one stops working at once.",
  route: "POST /trackers/{tracker}/secret",
  input: v.strictObject({ tracker: trackerId }),
  output: v.strictObject({ secret }),
  reasons: ["unknown-tracker"],
  audit: (input, _, call) => describeTracker("replaced the secret of", input.tracker, call),
  async run({ tracker: id }, { services }) {
    const created = await services.alerts.rotateTrackerSecret(id);
    return created === undefined ? fail({ reason: "unknown-tracker" }) : ok({ secret: created });
  },
});

export const sendToTracker = defineOperation({
  ...CHANGE,
  name: "trackers.sendAgain",
  summary: "Send everything that waits for a tracker, or that it has refused.",
  route: "POST /trackers/{tracker}/send-again",
  input: v.strictObject({ tracker: trackerId }),
  output: v.strictObject({ queued: v.literal(true) }),
  reasons: ["unknown-tracker"],
  audit: (input, _, call) => describeTracker("sent what waited for", input.tracker, call),
  messages: { "tracker-sent": "Queued again." },
  message: () => ({ kind: "tracker-sent", digests: [] }),
  async run({ tracker: id }, { services }) {
    const isKnown = await services.alerts.sendToTracker(id);
    return isKnown ? ok({ queued: true } as const) : fail({ reason: "unknown-tracker" });
  },
});

// Issues.

const ISSUE = {
  role: REQUIRED_ROLES.triage,
  effect: "set",
  rate: "change",
} as const;

const linked = v.strictObject({ digest: byErrata(), tracker: v.optional(issueTracker) });

export const previewTrackerIssue = defineRead({
  name: "issues.previewTrackerIssue",
  summary: "Read what the creation of a tracker's issue would send, as Markdown.",
  role: REQUIRED_ROLES.triage,
  rate: "read",
  route: "GET /issues/{digest}/tracker-issue",
  input: v.strictObject({ digest: digestText() }),
  output: v.strictObject({
    digest: byErrata(),
    trust: trustLevel,
    title: reported("The title of the new issue"),
    body: reported("Its text, without the link to Errata"),
  }),
  reasons: ["unknown-digest"],
  async load({ digest }, { services }) {
    const issue = await services.projectStore.getFreshIssue(digest);
    return issue === null ? fail({ reason: "unknown-digest" }) : ok(issue);
  },
  toOutput(issue) {
    const { digest, trust } = issue;
    const { title, ...draft } = toTrackerDraft(issue, `/d/${digest}`, "");
    return { digest, trust, title, body: toShownMarkdown(draft) };
  },
});

export const createTrackerIssue = defineOperation({
  ...ISSUE,
  effect: "add",
  dependency: "alerts",
  name: "issues.createTrackerIssue",
  summary: "Create an issue in a tracker for an issue, once, and link the two.",
  route: "POST /issues/{digest}/tracker-issue",
  input: v.strictObject({ digest: digestText(), tracker: trackerId }),
  output: v.strictObject({
    digest: byErrata(),
    state: v.pipe(
      v.picklist(["created", "waiting"]),
      v.description("waiting: Errata creates it when the tracker answers again"),
    ),
    tracker: v.optional(issueTracker),
    detail: v.optional(reportedByAnyone("Why it waits")),
  }),
  reasons: ["unknown-digest", "unknown-tracker", "already-linked", "tracker-refused"],
  issues: ({ digest }) => [digest],
  audit: ({ digest }) => ({ text: `created a tracker's issue for ${digest}`, subject: digest }),
  messages: {
    "tracker-issue-created": "Issue created. Both stay in the same state.",
    "tracker-issue-waits":
      "The tracker does not answer now. Errata creates the issue when it does.",
  },
  message: (_, { digest, state }) => ({
    kind: state === "created" ? "tracker-issue-created" : "tracker-issue-waits",
    digests: [digest],
  }),
  async run({ digest, tracker: id }, { caller, services }) {
    const done = await services.alerts.createTrackerIssue(digest, id, caller.name);
    switch (done.kind) {
      case "created":
        return ok({ digest, state: done.kind, tracker: done.tracker });
      case "waiting":
        return ok({ digest, state: done.kind, detail: done.detail });
      case "refused":
        return fail({ reason: "tracker-refused", detail: done.detail });
      case "linked":
        return fail({ reason: "already-linked" });
      case "unknown-digest":
      case "unknown-tracker":
        return fail({ reason: done.kind });
    }
  },
});

export const linkTracker = defineOperation({
  ...ISSUE,
  name: "issues.linkTracker",
  summary:
    "Link an issue to one of a tracker by its URL. A connected tracker is followed; any other URL is a plain link.",
  route: "PUT /issues/{digest}/tracker",
  input: v.strictObject({
    digest: digestText(),
    url: v.pipe(
      v.string(),
      v.maxLength(MAX_LINK_CHARS),
      v.check((url) => toTrackerLink(url, []) !== undefined),
      v.description("the http or https URL of an issue"),
    ),
  }),
  output: linked,
  reasons: ["unknown-digest"],
  issues: ({ digest }) => [digest],
  audit: ({ digest }) => ({ text: `linked ${digest} to a tracker's issue`, subject: digest }),
  messages: { "tracker-linked": "Issue linked." },
  message: (_, { digest }) => ({ kind: "tracker-linked", digests: [digest] }),
  async run({ digest, url }, context) {
    const { caller, services } = context;
    const link = toTrackerLink(url, await services.alerts.listTrackers());
    if (link === undefined) throw new Error("the URL was checked");
    const change = { change: "link-tracker", link, by: caller.name } as const;
    const done = await services.projectStore.annotate(digest, change);
    if (done === null) return fail({ reason: "unknown-digest" });
    const { tracker: id, item } = link;
    if (id !== undefined && item !== undefined)
      await readState(context, { digest, tracker: id, item });
    return ok({ digest, tracker: done.tracker });
  },
});

/** Learns the state of an issue that was linked. The next walk does if the tracker is down. */
async function readState(
  { services }: Call,
  issue: { readonly digest: string; readonly tracker: string; readonly item: string },
): Promise<void> {
  await services.alerts.refreshTracker(issue).catch(services.logProblem);
}

export const unlinkTracker = defineOperation({
  ...ISSUE,
  name: "issues.unlinkTracker",
  summary: "Remove the link of an issue to that of a tracker, which stays as it is.",
  route: "DELETE /issues/{digest}/tracker",
  input: v.strictObject({ digest: digestText() }),
  output: linked,
  reasons: ["unknown-digest"],
  issues: ({ digest }) => [digest],
  audit: ({ digest }) => ({ text: `unlinked ${digest} from a tracker's issue`, subject: digest }),
  messages: { "tracker-unlinked": "Issue unlinked." },
  message: (_, { digest }) => ({ kind: "tracker-unlinked", digests: [digest] }),
  async run({ digest }, { services }) {
    const done = await services.projectStore.annotate(digest, { change: "unlink-tracker" });
    return done === null ? fail({ reason: "unknown-digest" }) : ok({ digest });
  },
});
