/** Alerts: the settings of a project, and the inbox and the preferences of a person. */
import * as v from "valibot";
import { hasRole } from "../core/accounts/actors.ts";
import { concernsPerson } from "../core/alerts/destinations/destinations.ts";
import { toListedView } from "../core/issue/saved-view.ts";
import type { AlertSettings } from "../core/ports/alerts-port.ts";
import { ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { flag, number, reportKind } from "./issue-output.ts";
import { type Call, defineRead, orNull } from "./operation.ts";
import { readOwnInbox } from "./own-inbox.ts";
import { byErrata, byMember, reported, reportedByAnyone, time, trustLevel } from "./provenance.ts";
import { listedViews } from "./saved-views.ts";

const READ = {
  role: "viewer",
  rate: "read",
  dependency: "alerts",
  input: v.strictObject({}),
  reasons: [],
} as const;

/** The kind of a condition, such as `new-issue`. */
const trigger = byErrata();
const id = byErrata();
const digest = v.optional(byErrata());

/** Minutes after midnight. */
const hours = { from: number, to: number, timeZone: byMember() };

const rules = list(
  v.strictObject({
    id,
    name: byMember(),
    enabled: v.boolean(),
    triggers: list(
      v.strictObject({
        kind: trigger,
        count: v.optional(number),
        withinMs: v.optional(number),
        below: v.optional(number),
      }),
    ),
    query: byMember(),
    minTrust: v.optional(trustLevel),
    workingHours: v.optional(v.strictObject({ days: list(number), ...hours })),
    destinations: list(id),
    coolDownMs: number,
  }),
);

/** Addresses and reasons are empty for callers who may not see them. */
export const destinations = list(
  v.strictObject({
    id,
    name: byMember(),
    kind: byErrata(),
    target: byMember(),
    previousUntilMs: v.optional(time),
    pausedUntilMs: v.optional(time),
    person: v.optional(id),
    unconfirmed: v.optional(list(byMember())),
    summaryEvery: v.optional(byErrata()),
    // The reason quotes the answer of a service.
    disabled: v.optional(v.strictObject({ atMs: time, reason: reportedByAnyone() })),
  }),
);

/** The health of delivery. */
export const alertHealth = v.strictObject({
  waiting: number,
  undelivered: number,
  delivered: number,
  delayP50Ms: v.optional(number),
  delayP99Ms: v.optional(number),
  oldestWaitingMs: v.optional(number),
});

export const getAlertSettings = defineRead({
  ...READ,
  name: "alerts.settings",
  summary: "Read the rules, destinations and deliveries of alerts, and the saved views.",
  route: "GET /alerts/settings",
  output: v.strictObject({
    settings: v.strictObject({
      rules,
      destinations,
      pushKey: byErrata(),
      origin: v.optional(byErrata()),
      repository: v.optional(byMember()),
      health: alertHealth,
    }),
    deliveries: list(
      v.strictObject({
        atMs: time,
        message: id,
        title: byErrata(),
        digest,
        destination: byMember(),
        attempt: number,
        result: byErrata(),
        status: v.optional(number),
        answer: v.optional(reportedByAnyone()),
        durationMs: number,
        nextMs: v.optional(time),
      }),
    ),
    heldBack: list(v.strictObject({ atMs: time, trigger, digest, reason: byMember() })),
    views: v.nullable(listedViews),
  }),
  async load(_, { caller, services }) {
    const { alerts, projectStore } = services;
    const [settings, deliveries, heldBack, views] = await Promise.all([
      alerts.readSettings(),
      alerts.listDeliveries(),
      alerts.listHeldBack(),
      orNull(services, projectStore.listViews()),
    ]);
    const isOwner = hasRole(caller.role, "owner");
    return ok({
      settings: hideFrom(caller, settings),
      deliveries: isOwner ? deliveries : deliveries.map(({ answer: _, ...attempt }) => attempt),
      heldBack,
      views: views?.map(toListedView) ?? null,
    });
  },
  toOutput: (loaded) => loaded,
});

type Destination = AlertSettings["destinations"][number];

/** Viewers see no addresses, and others not those of other people. Only owners see answers. */
function hideFrom({ role, person = "" }: Call["caller"], settings: AlertSettings): AlertSettings {
  const isMember = hasRole(role, "member");
  const hide = (one: Destination): Destination => {
    const isForeign = !concernsPerson(one, person);
    const isHidden = isMember ? isForeign : true;
    const hidesName = isMember ? isForeign : one.person !== undefined;
    const { disabled } = one;
    return {
      ...one,
      ...(hidesName && { name: "…" }),
      ...(isHidden && { target: "", unconfirmed: undefined }),
      disabled:
        disabled && (isForeign || !hasRole(role, "owner")) ? { ...disabled, reason: "" } : disabled,
    };
  };
  return { ...settings, destinations: settings.destinations.map(hide) };
}

/** An issue in a message. */
export const alertedIssue = v.strictObject({
  digest: byErrata(),
  kind: reportKind,
  trust: trustLevel,
  type: reported(),
  message: reported(),
  place: v.optional(reported()),
  source: v.optional(reported()),
  missingMap: v.optional(reported("A release without maps; empty for a report without one")),
  cause: v.optional(reported()),
  route: v.optional(reported()),
  browser: v.optional(reported()),
  level: v.optional(reported()),
  logger: v.optional(reported()),
  release: v.optional(reported()),
  firstRelease: v.optional(reported()),
  deployedMs: v.optional(time),
  environment: v.optional(reported()),
  count: number,
  userCount: v.optional(number),
  firstSeenMs: time,
  lastSeenMs: time,
  assignee: v.optional(byMember()),
  returnedMs: v.optional(time),
  resolved: v.optional(
    v.strictObject({
      atMs: time,
      by: v.optional(byMember()),
      release: v.optional(byMember()),
    }),
  ),
  feedback: v.optional(v.strictObject({ text: reported(), author: v.optional(reported()) })),
  triggers: v.optional(list(trigger)),
  links: v.strictObject({
    issue: byErrata(),
    receipt: byErrata(),
    resolve: v.optional(byErrata()),
    ignore: v.optional(byErrata()),
    assign: v.optional(byErrata()),
    github: v.optional(reported("A prefilled issue of the repository")),
    tracker: v.optional(byMember("The issue of a tracker that it is linked to")),
  }),
});

/** A message. Its URLs are absolute. */
export const alertMessage = v.strictObject({
  id,
  kind: byErrata(),
  atMs: time,
  project: v.strictObject({ id, name: byMember(), url: byErrata() }),
  reasons: list(
    v.strictObject({
      trigger,
      // May name a release.
      text: reportedByAnyone(),
      figures: v.optional(byErrata()),
      growth: v.optional(byErrata()),
      rules: list(v.strictObject({ name: byMember(), url: byErrata() })),
    }),
  ),
  title: byErrata(),
  issues: list(alertedIssue),
  summary: v.optional(
    v.strictObject({ issues: number, sinceMs: time, url: byErrata(), digests: list(id) }),
  ),
  listUrl: v.optional(byErrata()),
  isMadeUp: v.optional(flag),
  quietUntilMs: v.optional(time),
  settingsUrl: byErrata(),
});

export const listAlerts = defineRead({
  ...READ,
  name: "alerts.list",
  summary: "List the newest alerts of the inbox, and how many the caller has not read.",
  route: "GET /alerts",
  output: v.strictObject({ messages: list(alertMessage), unread: number, isFailing: v.boolean() }),
  load: async (_, call) => ok(readOwnInbox(call)),
  async toOutput(loading) {
    const { messages, unread, isFailing } = await loading;
    return { messages, unread, isFailing };
  },
});

export const getAlertPreferences = defineRead({
  ...READ,
  name: "alerts.preferences",
  summary: "Read which alerts the caller gets, and where.",
  route: "GET /alerts/preferences",
  output: v.strictObject({
    preferences: v.strictObject({
      destinations: list(id),
      onlyAssigned: v.boolean(),
      quietHours: v.optional(v.strictObject(hours)),
    }),
    destinations,
    pushKey: byErrata(),
  }),
  async load(_, { caller: { person = "" }, services: { alerts } }) {
    const [preferences, settings] = await Promise.all([
      alerts.readPreferences(person),
      alerts.readSettings(),
    ]);
    const own = settings.destinations.filter((one) => one.person === person);
    return ok({ preferences, destinations: own, pushKey: settings.pushKey });
  },
  toOutput: (loaded) => loaded,
});
