/** Changes of alerts: rules, destinations, deliveries and feeds of a project. */
import * as v from "valibot";
import { hasRole } from "../core/accounts/actors.ts";
import { getProjectBasePath } from "../core/accounts/project-path.ts";
import { alertLimits } from "../core/alerts/alert-limits.ts";
import { describeResult } from "../core/alerts/destinations/delivery-result.ts";
import {
  concernsPerson,
  DESTINATION_FORMS,
  readSettings,
} from "../core/alerts/destinations/destinations.ts";
import { formatWebhookSecret } from "../core/alerts/destinations/webhook.ts";
import { SUMMARY_PERIOD_NAMES } from "../core/alerts/periods/summary-period.ts";
import { decodeRule } from "../core/alerts/rule.ts";
import { CHOSEN_TRIGGERS } from "../core/alerts/triggers/triggers.ts";
import { toHex } from "../core/hex.ts";
import { parseIssueQuery } from "../core/issue/issue-query.ts";
import { limits } from "../core/limits.ts";
import { fail, ok } from "../core/result.ts";
import { list } from "../core/schema/stored-object.ts";
import { FEEDS_PATH } from "../core/scrubbing/own-secrets.ts";
import { TRUST_LEVELS } from "../core/trust/trust.ts";
import { alertIdText, idText, integer, nameText } from "./inputs.ts";
import { flag, number } from "./issue-output.ts";
import { type Call, defineOperation, defineRead, orNull } from "./operation.ts";
import { byErrata, byMember, reportedByAnyone } from "./provenance.ts";

const CHANGE = { role: "owner", effect: "set", rate: "change", dependency: "alerts" } as const;

const idOf = (what: string) =>
  alertIdText(`the id of a ${what}: at most 64 letters, digits, - and _`);
const name = nameText(alertLimits.maxNameChars, "a name");
const id = byErrata();
const secrets = list(byErrata("A secret that is shown only here"));

// Rules.

const queryCheck = v.nullable(
  v.strictObject({
    matched: v.pipe(number, v.description("Issues of the last days that the query matches")),
    total: number,
    days: number,
    isCapped: v.optional(flag),
    missing: list(byMember("A tag of the query that no examined issue has")),
  }),
);

const checkRule = ({ services }: Call, query: string) =>
  orNull(services, services.projectStore.checkQuery(parseIssueQuery(query)));

const minutes = (max: number) => integer(0, max, "minutes after midnight");
const trigger = v.strictObject({
  kind: v.picklist(CHOSEN_TRIGGERS.map(({ kind }) => kind)),
  count: v.optional(v.number()),
  withinMs: v.optional(v.number()),
  below: v.optional(v.number()),
});
const workingHours = v.strictObject({
  days: list(integer(0, 6, "a day of the week")),
  from: minutes(1_439),
  to: minutes(1_440),
  timeZone: v.string(),
});

export const saveRule = defineOperation({
  ...CHANGE,
  name: "alerts.saveRule",
  summary: "Create or replace a rule of alerts, and try its query.",
  route: "PUT /alerts/rules/{id}",
  input: v.strictObject({
    id: idOf("rule"),
    name,
    triggers: v.pipe(
      list(trigger),
      v.description("conditions, each with a kind and its numbers, as alerts.settings lists them"),
    ),
    query: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(limits.maxIssueQueryChars),
        v.description(`a query of at most ${limits.maxIssueQueryChars} characters`),
      ),
      "",
    ),
    destinations: v.optional(
      v.pipe(list(v.string()), v.description("ids of destinations; none for all of the project")),
      [],
    ),
    coolDownMs: v.optional(
      integer(
        alertLimits.minCoolDownMs,
        alertLimits.maxCoolDownMs,
        "the time in ms until the same issue can alert again",
      ),
      alertLimits.defaultCoolDownMs,
    ),
    enabled: v.optional(v.pipe(v.boolean(), v.description("true or false")), true),
    minTrust: v.optional(
      v.pipe(v.picklist(TRUST_LEVELS), v.description(`a level: ${TRUST_LEVELS.join(", ")}`)),
    ),
    workingHours: v.optional(
      v.pipe(workingHours, v.description("days from 0 for Sunday, from, to and a time zone")),
    ),
  }),
  output: v.strictObject({ id, check: queryCheck }),
  reasons: ["invalid-alert"],
  audit: ({ name: saved }) => ({ text: `saved the alert rule ${saved}` }),
  async run(input, call) {
    const rule = decodeRule(input);
    if (!rule.ok) return fail({ reason: "invalid-alert", detail: rule.detail });
    const check = await checkRule(call, rule.value.query);
    const saved = await call.services.alerts.saveRule(rule.value, call.origin ?? "");
    return saved.ok
      ? ok({ id: input.id, check })
      : fail({ reason: "invalid-alert", detail: saved.detail });
  },
});

export const deleteRule = defineOperation({
  ...CHANGE,
  name: "alerts.deleteRule",
  summary: "Delete a rule of alerts.",
  route: "DELETE /alerts/rules/{id}",
  input: v.strictObject({ id: idOf("rule") }),
  output: v.strictObject({ id }),
  reasons: [],
  async audit({ id: deleted }, _, { services }) {
    const settings = await orNull(services, services.alerts.readSettings());
    const rule = settings?.rules.find((one) => one.id === deleted);
    return { text: `deleted the alert rule ${rule?.name ?? deleted}` };
  },
  async run({ id: deleted }, { services }) {
    await services.alerts.deleteRule(deleted);
    return ok({ id: deleted });
  },
});

export const checkQuery = defineRead({
  name: "alerts.checkQuery",
  summary: "Say how many issues of the last days the query of a rule would match.",
  role: "viewer",
  rate: "search",
  route: "GET /alerts/query-check",
  input: v.strictObject({
    query: v.pipe(
      v.string(),
      v.maxLength(limits.maxIssueQueryChars),
      v.description("a query, such as release:1.4"),
    ),
  }),
  output: v.strictObject({ check: queryCheck }),
  reasons: [],
  load: async ({ query }, call) => ok({ check: await checkRule(call, query) }),
  toOutput: (loaded) => loaded,
});

// Destinations.

const EXPECTED_SETTINGS = "the settings of the kind, by name, as texts";
const destination = idOf("destination");
const done = v.strictObject({ id });

/** The destination with the id, if it is the project's; `of` a person, also one of that person. */
async function findDestination({ services }: Call, wanted: string, of = "") {
  const { destinations } = await services.alerts.readSettings();
  return destinations.find((one) => one.id === wanted && concernsPerson(one, of));
}

const unknownDestination = fail({ reason: "not-found", what: "destination" } as const);

/**
 * Completes “Ada …” with the name of the destination: `deleted the alert destination On call`. The
 * name of a personal one is often an address, which others do not see.
 */
async function describeDestination(verb: string, wanted: string, call: Call) {
  const { caller, services } = call;
  const known = await orNull(services, findDestination(call, wanted, caller.person));
  const name = known?.person === undefined ? (known?.name ?? wanted) : undefined;
  return {
    text:
      name === undefined ? `${verb} an own destination` : `${verb} the alert destination ${name}`,
  };
}

/** Completes “Ada …” with the alert of a message: `sent the alert about 7F3K-Q2M9 again`. */
async function describeMessage(message: string, { services }: Call) {
  const deliveries = await orNull(services, services.alerts.listDeliveries());
  const { digest } = deliveries?.find((one) => one.message === message) ?? {};
  return digest === undefined
    ? { text: `sent the alert ${message} again` }
    : { text: `sent the alert about ${digest} again`, subject: digest };
}

export const saveDestination = defineOperation({
  ...CHANGE,
  name: "alerts.saveDestination",
  summary: "Create or replace a destination of alerts. The secret of a webhook is shown once.",
  route: "PUT /alerts/destinations/{id}",
  input: v.strictObject({
    id: destination,
    name,
    kind: v.pipe(
      v.picklist(DESTINATION_FORMS.map(({ kind }) => kind)),
      v.description(`a kind: ${DESTINATION_FORMS.map(({ kind }) => kind).join(", ")}`),
    ),
    settings: v.pipe(
      v.record(v.string(), v.pipe(v.string(), v.maxLength(alertLimits.maxTargetChars))),
      v.description(EXPECTED_SETTINGS),
    ),
  }),
  output: v.strictObject({ id, secrets }),
  reasons: ["invalid-alert", "not-found"],
  audit: ({ name: saved }) => ({ text: `saved the alert destination ${saved}` }),
  async run({ id: saved, name: title, kind, settings: fields }, call) {
    const { services, origin = "" } = call;
    const names = DESTINATION_FORMS.find((one) => one.kind === kind)?.fields.map((one) => one.name);
    if (!Object.keys(fields).every((field) => names?.includes(field)))
      return fail({
        reason: "invalid-input",
        fields: { settings: `settings with only ${names?.join(", ")}` },
      });
    const { destinations } = await services.alerts.readSettings();
    if (destinations.some((one) => one.id === saved && one.person !== undefined))
      return unknownDestination;
    const secret = createWebhookSecret(call);
    const settings = readSettings(kind, (field) => fields[field]?.trim() ?? "", secret);
    if (settings === undefined)
      return fail({ reason: "invalid-input", fields: { settings: EXPECTED_SETTINGS } });
    const result = await services.alerts.saveDestination(
      { id: saved, name: title, settings },
      origin,
    );
    if (!result.ok) return fail({ reason: "invalid-alert", detail: result.detail });
    return ok({ id: saved, secrets: "secret" in settings ? [secret] : [] });
  },
});

function createWebhookSecret({ services: { sha256, newId } }: Call): string {
  return formatWebhookSecret(sha256(newId() + newId()));
}

export const deleteDestination = defineOperation({
  ...CHANGE,
  name: "alerts.deleteDestination",
  summary: "Delete a destination of alerts.",
  route: "DELETE /alerts/destinations/{id}",
  input: v.strictObject({ id: destination }),
  output: v.strictObject({
    id,
    removal: byErrata("The id for alerts.restoreDestination, for half a minute"),
  }),
  reasons: ["not-found"],
  audit: (input, _, call) => describeDestination("deleted", input.id, call),
  async run({ id: deleted }, call) {
    if ((await findDestination(call, deleted)) === undefined) return unknownDestination;
    await call.services.alerts.deleteDestination(deleted, call.changeId);
    return ok({ id: deleted, removal: call.changeId });
  },
});

export const restoreDestination = defineOperation({
  ...CHANGE,
  name: "alerts.restoreDestination",
  summary: "Undo the deletion of a destination, with its secrets and waiting messages.",
  route: "POST /alerts/removals/{removal}/undo",
  input: v.strictObject({ removal: idText("the id of a deletion") }),
  output: v.strictObject({ restored: v.boolean() }),
  reasons: [],
  async audit({ removal }, _, { services }) {
    const name = await orNull(services, services.alerts.nameDeleted(removal));
    return { text: `restored the alert destination ${name ?? removal}` };
  },
  run: async ({ removal }, { services }) =>
    ok({ restored: await services.alerts.restoreDestination(removal) }),
});

export const enableDestination = defineOperation({
  ...CHANGE,
  name: "alerts.enableDestination",
  summary: "Send to a destination again that was disabled after failures.",
  route: "PUT /alerts/destinations/{id}/enabled",
  input: v.strictObject({ id: destination }),
  output: done,
  reasons: ["not-found"],
  audit: (input, _, call) => describeDestination("enabled", input.id, call),
  run: async ({ id: enabled }, { services }) =>
    (await services.alerts.enableDestination(enabled)) ? ok({ id: enabled }) : unknownDestination,
});

const SUMMARIES = ["never", ...SUMMARY_PERIOD_NAMES] as const;

export const setSummary = defineOperation({
  ...CHANGE,
  name: "alerts.setSummary",
  summary: "Set how often a destination gets a summary of the project.",
  route: "PUT /alerts/destinations/{id}/summary",
  input: v.strictObject({
    id: destination,
    every: v.pipe(v.picklist(SUMMARIES), v.description(SUMMARIES.join(", "))),
  }),
  output: done,
  reasons: ["not-found"],
  audit: (input, _, call) => describeDestination("changed the summary for", input.id, call),
  run: async ({ id: set, every }, { services }) =>
    (await services.alerts.setSummary(set, every))
      ? ok({ id: set })
      : fail({ reason: "not-found", what: "email destination" }),
});

export const rotateSecret = defineOperation({
  ...CHANGE,
  name: "alerts.rotateSecret",
  summary: "Replace the secret of a webhook. For a day, both sign.",
  effect: "add",
  route: "POST /alerts/destinations/{id}/secret",
  input: v.strictObject({ id: destination }),
  output: v.strictObject({ id, secrets }),
  reasons: ["not-found"],
  audit: (input, _, call) => describeDestination("replaced the secret of", input.id, call),
  async run({ id: rotated }, call) {
    const secret = createWebhookSecret(call);
    return (await call.services.alerts.rotateSecret(rotated, secret))
      ? ok({ id: rotated, secrets: [secret] })
      : fail({ reason: "not-found", what: "webhook" });
  },
});

// Deliveries.

const DELIVERY = { ...CHANGE, role: "member", effect: "add" } as const;

export const testDestination = defineOperation({
  ...DELIVERY,
  name: "alerts.test",
  summary: "Send a test to a destination, and say how its service answered.",
  route: "POST /alerts/destinations/{id}/test",
  input: v.strictObject({ id: destination }),
  output: v.strictObject({
    result: v.strictObject({
      kind: byErrata("delivered, retry, failed or gone"),
      reason: byErrata("What became of it, in words of Errata"),
      status: v.optional(number),
      afterMs: v.optional(number),
      answer: v.optional(reportedByAnyone("Of the service; for owners")),
    }),
  }),
  reasons: ["not-found", "too-many-requests"],
  audit: (input, _, call) => describeDestination("sent a test alert to", input.id, call),
  async run({ id: tested }, call) {
    const { caller, services } = call;
    const known = await findDestination(call, tested, caller.person);
    const result = known === undefined ? null : await services.alerts.sendTest(known.id);
    if (result === null) return unknownDestination;
    if (result === "too-many") return fail({ reason: "too-many-requests", retryAfterSeconds: 600 });
    const { answer, ...others } = result;
    const shown = { ...others, reason: describeResult(result) };
    return ok({ result: hasRole(caller.role, "owner") ? { ...shown, answer } : shown });
  },
});

export const sendMessageAgain = defineOperation({
  ...DELIVERY,
  name: "alerts.sendAgain",
  summary: "Send a message again that was not delivered, or that waits after a failure.",
  route: "POST /alerts/messages/{message}/send",
  input: v.strictObject({
    message: v.pipe(v.string(), v.maxLength(200), v.description("the id of a message")),
  }),
  output: v.strictObject({ message: id }),
  reasons: ["not-found"],
  audit: (input, _, call) => describeMessage(input.message, call),
  run: async ({ message }, { services }) =>
    (await services.alerts.sendAgain(message))
      ? ok({ message })
      : fail({ reason: "not-found", what: "message" }),
});

export const sendWaitingMessages = defineOperation({
  ...DELIVERY,
  name: "alerts.sendWaiting",
  summary: "Send everything that waits for a destination after a failure.",
  route: "POST /alerts/destinations/{id}/send",
  input: v.strictObject({ id: destination }),
  output: done,
  reasons: ["not-found"],
  audit: (input, _, call) => describeDestination("sent what waited for", input.id, call),
  async run({ id: waiting }, call) {
    const known = await findDestination(call, waiting, call.caller.person);
    const isSent = known !== undefined && (await call.services.alerts.sendWaiting(known.id));
    return isSent ? ok({ id: waiting }) : unknownDestination;
  },
});

// Feeds.

const FEED = { ...CHANGE, dependency: "index" } as const;
const view = v.pipe(v.string(), v.description("the name of a saved view"));

/** Replaces the hash of the view’s address; an empty one revokes it. False for an unknown view. */
async function setFeed({ services: { projectStore } }: Call, wanted: string, feedHash: string) {
  const known = (await projectStore.listViews()).find((one) => one.name === wanted);
  if (known === undefined) return false;
  const { name: saved, ...rest } = known;
  await projectStore.saveView(saved, { ...rest, feedHash });
  return true;
}

const unknownView = fail({ reason: "not-found", what: "view" } as const);

export const createFeed = defineOperation({
  ...FEED,
  name: "views.createFeed",
  summary: "Create the secret address of a saved view’s Atom feed, in place of an earlier one.",
  effect: "add",
  route: "POST /feeds/{view}",
  input: v.strictObject({ view }),
  output: v.strictObject({ secrets }),
  reasons: ["not-found"],
  audit: ({ view: fed }) => ({ text: `created the address of the feed of the view ${fed}` }),
  async run({ view: wanted }, call) {
    const { services, project, origin = "" } = call;
    const token = services.newId();
    if (!(await setFeed(call, wanted, toHex(services.sha256(token))))) return unknownView;
    return ok({ secrets: [`${origin}${getProjectBasePath(project)}${FEEDS_PATH}/${token}.atom`] });
  },
});

export const revokeFeed = defineOperation({
  ...FEED,
  name: "views.revokeFeed",
  summary: "Revoke the address of a saved view’s feed.",
  route: "DELETE /feeds/{view}",
  input: v.strictObject({ view }),
  output: v.strictObject({ revoked: flag }),
  reasons: ["not-found"],
  audit: ({ view: fed }) => ({ text: `revoked the address of the feed of the view ${fed}` }),
  run: async ({ view: wanted }, call) =>
    (await setFeed(call, wanted, "")) ? ok({ revoked: true as const }) : unknownView,
});
