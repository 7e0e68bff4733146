/** What concerns a person in a project, and what the person has read. */
import * as v from "valibot";
import { NOTICE_KINDS } from "../core/alerts/notice.ts";
import type { AlertInbox, PersonalNotice } from "../core/ports/alerts-port.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { alertedIssue } from "./alerts.ts";
import { readEach } from "./all-projects.ts";
import { alertIdText } from "./inputs.ts";
import { flag, number } from "./issue-output.ts";
import { defineOperation, defineRead } from "./operation.ts";
import { findReader, readOwnInbox } from "./own-inbox.ts";
import { byErrata, byMember, reportedByAnyone, time } from "./provenance.ts";

const READ = {
  role: "viewer",
  dependency: "alerts",
  input: v.strictObject({}),
  reasons: [],
} as const;

const notice = {
  id: byErrata(),
  kind: v.pipe(v.picklist(NOTICE_KINDS), v.description("Why the caller is told")),
  atMs: time,
  by: v.optional(byMember()),
  release: v.optional(reportedByAnyone("In which the issue came back")),
  comment: v.optional(byMember("The beginning of the comment, unless it was deleted")),
  isUnread: v.optional(flag),
  issue: alertedIssue,
};

function toNoticeOutput({ isUnread, ...rest }: PersonalNotice) {
  return { ...rest, isUnread: isUnread || undefined };
}

export const listInbox = defineRead({
  ...READ,
  name: "inbox.list",
  summary:
    "List what concerns the caller: assigned, mentioned, commented and returned issues; and how much of it, and how many alerts, the caller has not read.",
  rate: "read",
  route: "GET /inbox",
  output: v.strictObject({
    notices: list(v.strictObject(notice)),
    unread: number,
    unreadAlerts: v.pipe(number, v.description("Of the alerts of the project")),
  }),
  load: async (_, call) => ok(readOwnInbox(call)),
  async toOutput(loading) {
    const { notices, unreadNotices: unread, unread: unreadAlerts } = await loading;
    return { notices: notices.map(toNoticeOutput), unread, unreadAlerts };
  },
});

const project = { id: byErrata("The number in URLs"), name: byMember() };

/** The inbox of a project; null if it did not answer. */
interface InboxOfProject {
  readonly id: string;
  readonly name: string;
  readonly inbox: AlertInbox | null;
}

/** Notices of the merged inbox. The others are in the inboxes of their projects. */
const MAX_NOTICES = 50;

/** What concerns the caller in all projects, newest first. */
export function mergeNotices(inboxes: readonly InboxOfProject[]) {
  return inboxes
    .flatMap(({ id, name, inbox }) =>
      (inbox?.notices ?? []).map((one) => ({ ...one, project: { id, name } })),
    )
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, MAX_NOTICES);
}

export const listAllInboxes = defineRead({
  ...READ,
  name: "inbox.listAll",
  summary: "List what concerns the caller in all projects.",
  rate: "search",
  route: "GET /all-inboxes",
  output: v.strictObject({
    notices: list(v.strictObject({ ...notice, project: v.strictObject(project) })),
    projects: list(
      v.strictObject({
        ...project,
        unread: v.optional(v.pipe(number, v.description("Absent if the project did not answer"))),
        unreadAlerts: v.optional(number),
      }),
    ),
  }),
  load: async (_, call) => {
    const reading = readEach(call, (of, id) => readOwnInbox(call, of, id));
    return ok(reading.then((read) => read.map(({ answer: inbox, ...of }) => ({ ...of, inbox }))));
  },
  async toOutput(loading) {
    const inboxes = await loading;
    return {
      notices: mergeNotices(inboxes).map(({ project: of, ...one }) => ({
        ...toNoticeOutput(one),
        project: of,
      })),
      projects: inboxes.map(({ id, name, inbox }) => ({
        ...{ id, name, unread: inbox?.unreadNotices, unreadAlerts: inbox?.unread },
      })),
    };
  },
});

const noticeId = alertIdText("the id of a notice");

export const markInboxRead = defineOperation({
  name: "inbox.markRead",
  summary:
    "Mark a notice as read, or all up to one; or the alerts of the project up to one. Only the caller sees it.",
  role: "viewer",
  effect: "set",
  rate: "change",
  dependency: "alerts",
  route: "PUT /inbox/read",
  input: v.pipe(
    v.strictObject({
      notice: v.optional(noticeId),
      noticesUpTo: v.optional(noticeId),
      alertsUpTo: v.optional(alertIdText("the id of an alert")),
    }),
    v.check(
      (input) => Object.values(input).some((one) => one !== undefined),
      "notice, noticesUpTo or alertsUpTo",
    ),
  ),
  output: v.strictObject({
    digest: v.optional(byErrata("The issue of the notice; absent if it is not the caller's")),
  }),
  reasons: [],
  audit: "own",
  async run({ notice: one, noticesUpTo, alertsUpTo }, call) {
    const reader = await findReader(call, call.project);
    // An API token is nobody's, and has read nothing.
    if (reader === null) return ok({});
    const { person, name, sinceMs } = reader;
    const { alerts } = call.services;
    if (alertsUpTo !== undefined) await alerts.markRead(person, alertsUpTo);
    const id = one ?? noticesUpTo;
    if (id === undefined) return ok({});
    const isUpTo = noticesUpTo !== undefined;
    const digest = await alerts.markNoticeRead({ name, sinceMs }, noticesUpTo ?? id, isUpTo);
    return ok({ digest: digest ?? undefined });
  },
});
