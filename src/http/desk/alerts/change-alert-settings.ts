/** The forms of `/settings/alerts`. A rejected form is shown again with the reason. */
import { hasRole } from "../../../core/accounts/actors.ts";
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { DeliveryResult } from "../../../core/alerts/destinations/delivery-result.ts";
import {
  concernsPerson,
  type DestinationSummary,
} from "../../../core/alerts/destinations/destinations.ts";
import { formatWebhookSecret } from "../../../core/alerts/destinations/webhook.ts";
import type { QueryCheck } from "../../../core/alerts/queries/check-rule-query.ts";
import { type AlertRule, decodeRule } from "../../../core/alerts/rule.ts";
import { parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { fail, ok } from "../../../core/result.ts";
import { TRUST_LEVELS } from "../../../core/trust/trust.ts";
import type { RuleDraft } from "../../../ui/alerts/rule-form.tsx";
import { ALERT_PREFERENCES_URL, ALERT_SETTINGS_URL } from "../../../ui/urls/alert-urls.ts";
import type { AppContext } from "../../context.ts";
import { readForm } from "../../forms/form-body.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import type { Flash } from "../../forms/messages.ts";
import { createUndoId, respondToAction, respondWithSecret } from "../../forms/respond.ts";
import { toSentText } from "../../forms/validators.ts";
import { getPersonId, getRole } from "../../operation-call.ts";
import { awaitOrNull } from "../../unavailable.ts";
import {
  parseAgainForm,
  parseDestinationForm,
  parseRepositoryForm,
  parseRuleForm,
  parseTextField,
} from "./alert-forms.ts";
import { sendAlertSettingsPage } from "./alert-settings.tsx";

/**
 * `POST /settings/alerts/rules`: saves, checks or deletes a rule. 400 for an invalid one. The page
 * shows the form of a rule that was checked or rejected with its fields. JSON of a check:
 * `{"check":{"matched":3,"total":41,"days":7,"missing":[]}}`; `{"check":null}` while the index is
 * unavailable.
 */
export async function updateRules(c: AppContext): Promise<Response> {
  const { alerts, projectStore, newId } = c.get("services");
  let draft: RuleDraft | undefined;
  let isCheck = false;
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-alert", (fields) => parseRuleForm(fields, newId()));
    if (!form.ok) return form;
    if (form.value.do === "delete") {
      await alerts.deleteRule(form.value.id);
      return ok({ ...toSettings("rules"), flash: { kind: "rule-deleted", count: 1 } } as const);
    }
    draft = toRuleDraft(form.value.rule);
    const { expected } = form.value;
    if (expected !== undefined) return fail({ reason: "bad-alert", expected });
    const rule = decodeRule(form.value.rule);
    if (!rule.ok) return fail({ reason: "invalid-alert", detail: rule.detail });
    const check = await awaitOrNull(c, projectStore.checkQuery(parseIssueQuery(rule.value.query)));
    isCheck = form.value.do === "check";
    if (isCheck) {
      draft = { rule: rule.value, check };
      return ok({ ...toSettings("rules"), body: { check } } as const);
    }
    const saved = await alerts.saveRule(rule.value, new URL(c.req.url).origin);
    if (!saved.ok) return fail({ reason: "invalid-alert", detail: saved.detail });
    return ok({
      ...toSettings("rules"),
      body: { id: rule.value.id, ...(check !== null && { check }) },
      flash: toSavedFlash(check),
    } as const);
  };
  const response = await respondToAction(c, perform, { dependency: "alerts" });
  if (isCheck && response.status === 303) return sendAlertSettingsPage(c, { draft });
  return rerenderFormOnError(c, response, (rejected) =>
    sendAlertSettingsPage(c, { rejected, draft }),
  );
}

/** The message after a rule was saved; `check` is the result of trying its query. */
function toSavedFlash(check: QueryCheck | null): Flash {
  if (check?.matched !== 0) return { kind: "rule-saved", count: 1 };
  return check.isCapped === true
    ? { kind: "rule-unmatched-newest", count: check.total }
    : { kind: "rule-unmatched", count: check.days };
}

/** The rule of a rejected form, as far as a form can show it. */
function toRuleDraft(sent: Readonly<Record<string, unknown>>): RuleDraft {
  const { id, name, query, minTrust, destinations, triggers, coolDownMs, enabled } = sent;
  const known = TRUST_LEVELS.find((level) => level === minTrust);
  return {
    rule: {
      id: String(id),
      name: toSentText(name),
      query: toSentText(query),
      enabled: enabled === true,
      triggers: triggers as AlertRule["triggers"],
      destinations: destinations as AlertRule["destinations"],
      coolDownMs: Number.isFinite(coolDownMs) ? Number(coolDownMs) : alertLimits.defaultCoolDownMs,
      minTrust: known,
      workingHours: toHoursDraft(sent.workingHours),
    },
  };
}

function toHoursDraft(sent: unknown): AlertRule["workingHours"] {
  if (typeof sent !== "object" || sent === null) return undefined;
  const { days, from, to, timeZone } = sent as Partial<Record<string, unknown>>;
  const minutes = [from, to].filter((one) => Number.isFinite(one)).map(Number);
  const [start, end] = minutes;
  return start === undefined || end === undefined
    ? undefined
    : { days: days as readonly number[], from: start, to: end, timeZone: toSentText(timeZone) };
}

/**
 * `POST /settings/alerts/destinations`: saves, deletes, restores or enables a destination of the
 * project, sets its summaries, or replaces the secret of a webhook. Shows a new secret once. JSON:
 * `{"secrets":[…],"createdId":"…"}`.
 */
export async function updateDestinations(c: AppContext): Promise<Response> {
  const { alerts, newId, sha256 } = c.get("services");
  const newSecret = formatWebhookSecret(sha256(newId() + newId()));
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-alert", (fields) =>
      parseDestinationForm(fields, newSecret),
    );
    if (!form.ok) return form;
    const redirectTo = `${ALERT_SETTINGS_URL}#destinations`;
    if (form.value.do === "restore") {
      const isRestored = await alerts.restoreDestination(form.value.undoId);
      return ok({ secrets: [], redirectTo, flash: toRestoredFlash(isRestored) });
    }
    if (form.value.id !== undefined && !(await isShared(c, form.value.id)))
      return fail({ reason: "not-found", what: "destination" });
    if (form.value.do !== "save") {
      const { do: action, id } = form.value;
      if (action === "delete") {
        const undoId = createUndoId(c);
        await alerts.deleteDestination(id, undoId);
        const flash = { kind: "destination-deleted", count: 1, undoId } as const;
        return ok({ secrets: [], redirectTo, flash });
      }
      if (action === "enable") await alerts.enableDestination(id);
      if (action === "summary" && !(await alerts.setSummary(id, form.value.every)))
        return fail({ reason: "not-found", what: "email destination" });
      const isRotated = action === "rotate" && (await alerts.rotateSecret(id, newSecret));
      if (action === "rotate" && !isRotated) return fail({ reason: "not-found", what: "webhook" });
      return ok({ secrets: isRotated ? [newSecret] : [], redirectTo });
    }
    const { id = newId(), name, settings } = form.value;
    const saved = await alerts.saveDestination({ id, name, settings }, new URL(c.req.url).origin);
    if (!saved.ok) return fail({ reason: "invalid-alert", detail: saved.detail });
    const secrets = "secret" in settings ? [newSecret] : [];
    return ok({ secrets, redirectTo, createdId: id });
  };
  const show = ([text = ""]: readonly string[]) =>
    sendAlertSettingsPage(c, { issued: { kind: "webhook", text } });
  const response = await respondWithSecret(c, perform, show, "alerts");
  return rerenderFormOnError(c, response, (rejected) => sendAlertSettingsPage(c, { rejected }));
}

/** The message after an attempt to restore a destination. */
export function toRestoredFlash(isRestored: boolean): Flash {
  return { kind: isRestored ? "destination-restored" : "not-restored", count: 1 };
}

/** `POST /settings/alerts/github`: sets or removes the repository. 400 for an invalid one. */
export async function updateRepository(c: AppContext): Promise<Response> {
  const perform = async () => {
    const text = await readForm(c.req.raw, "bad-alert", parseRepositoryForm);
    if (!text.ok) return text;
    const { origin } = new URL(c.req.url);
    const saved = await c.get("services").alerts.saveRepository(text.value.trim(), origin);
    if (!saved.ok) return fail({ reason: "invalid-alert", detail: saved.detail });
    return ok({ ...toSettings("github"), flash: { kind: "repository-saved", count: 1 } } as const);
  };
  return performOnSettings(c, perform);
}

/** True for a destination of the project, not of a person. */
async function isShared(c: AppContext, id: string): Promise<boolean> {
  const { destinations } = await c.get("services").alerts.readSettings();
  return destinations.some((one) => one.id === id && one.person === undefined);
}

/**
 * `POST /settings/alerts/test`: sends a test to a destination of the project, or of the person.
 * JSON: `{"result":{"kind":"delivered","status":200,…}}`. 404 for an unknown destination.
 */
export async function sendTestAlert(c: AppContext): Promise<Response> {
  const { alerts } = c.get("services");
  const perform = async () => {
    const id = await readForm(c.req.raw, "bad-alert", (fields) =>
      parseTextField(fields, "destination"),
    );
    if (!id.ok) return id;
    const known = await findDestination(c, id.value);
    const result = known === undefined ? null : await alerts.sendTest(known.id);
    if (known === undefined || result === null)
      return fail({ reason: "not-found", what: "destination" });
    if (result === "too-many") return fail({ reason: "too-many-requests", retryAfterSeconds: 600 });
    return ok({
      body: { result: hasRole(getRole(c), "owner") ? result : withoutAnswer(result) },
      redirectTo:
        known.person === undefined ? `${ALERT_SETTINGS_URL}#deliveries` : ALERT_PREFERENCES_URL,
      flash: toTestFlash(result),
    });
  };
  return performOnSettings(c, perform);
}

function toTestFlash(result: DeliveryResult) {
  const { kind, status = 0 } = result;
  return { kind: kind === "delivered" ? "test-delivered" : "not-tested", count: status } as const;
}

function withoutAnswer({ answer: _, ...result }: DeliveryResult) {
  return result;
}

/**
 * `POST /settings/alerts/again`: sends an undelivered or waiting message, or everything that waits
 * for a destination. 404 for an unknown one.
 */
export async function sendAlertAgain(c: AppContext): Promise<Response> {
  const { alerts } = c.get("services");
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-alert", parseAgainForm);
    if (!form.ok) return form;
    const { message, destination } = form.value;
    const isKnown =
      message === undefined ? await sendWaiting(c, destination) : await alerts.sendAgain(message);
    const what = message === undefined ? "destination" : "message";
    if (!isKnown) return fail({ reason: "not-found", what });
    return ok({ ...toSettings("deliveries"), flash: { kind: "sent-again", count: 1 } } as const);
  };
  return performOnSettings(c, perform);
}

/** False for a destination that is unknown, or of another person. */
async function sendWaiting(c: AppContext, id: string): Promise<boolean> {
  const known = await findDestination(c, id);
  return known !== undefined && c.get("services").alerts.sendWaiting(known.id);
}

/** A destination of the project, or of the person; undefined for any other. */
async function findDestination(c: AppContext, id: string): Promise<DestinationSummary | undefined> {
  const { destinations } = await c.get("services").alerts.readSettings();
  const person = getPersonId(c);
  return destinations.find((one) => one.id === id && concernsPerson(one, person));
}

function toSettings(section: string) {
  return { body: {}, redirectTo: `${ALERT_SETTINGS_URL}#${section}` };
}

/** Performs an action. The page shows why its form was rejected. */
async function performOnSettings(
  c: AppContext,
  perform: Parameters<typeof respondToAction>[1],
): Promise<Response> {
  const response = await respondToAction(c, perform, { dependency: "alerts" });
  return rerenderFormOnError(c, response, (rejected) => sendAlertSettingsPage(c, { rejected }));
}
