/** The forms of `/settings/alerts`. A rejected form is shown again with the reason. */
import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { QueryCheck } from "../../../core/alerts/queries/check-rule-query.ts";
import { type AlertRule, decodeRule } from "../../../core/alerts/rule.ts";
import { fail, ok } from "../../../core/result.ts";
import { TRUST_LEVELS } from "../../../core/trust/trust.ts";
import {
  checkQuery,
  deleteDestination,
  deleteRule,
  enableDestination,
  restoreDestination,
  rotateSecret,
  saveDestination,
  saveRule,
  sendMessageAgain,
  sendWaitingMessages,
  setSummary,
  testDestination,
} from "../../../operations/alert-changes.ts";
import type { InputOf } from "../../../operations/operation.ts";
import type { RuleDraft } from "../../../ui/alerts/rule-form.tsx";
import { ALERT_PREFERENCES_URL, ALERT_SETTINGS_URL } from "../../../ui/urls/alert-urls.ts";
import type { AppContext } from "../../context.ts";
import { readForm } from "../../forms/form-body.ts";
import { rerenderFormOnError } from "../../forms/form-error-page.ts";
import type { Flash } from "../../forms/messages.ts";
import { respondToAction, respondWithSecret } from "../../forms/respond.ts";
import { toSentText } from "../../forms/validators.ts";
import { getPersonId, perform, toCall } from "../../operation-call.ts";
import {
  parseAgainForm,
  parseDestinationForm,
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
  const { newId } = c.get("services");
  let draft: RuleDraft | undefined;
  let isCheck = false;
  const act = async () => {
    const form = await readForm(c.req.raw, "bad-alert", (fields) => parseRuleForm(fields, newId()));
    if (!form.ok) return form;
    if (form.value.do === "delete") {
      const deleted = await perform(c, deleteRule, { id: form.value.id }, "bad-alert");
      if (!deleted.ok) return deleted;
      return ok({ ...toSettings("rules"), flash: { kind: "rule-deleted", count: 1 } } as const);
    }
    draft = toRuleDraft(form.value.rule);
    const { expected } = form.value;
    if (expected !== undefined) return fail({ reason: "bad-alert", expected });
    const rule = decodeRule(form.value.rule);
    if (!rule.ok) return fail({ reason: "invalid-alert", detail: rule.detail });
    isCheck = form.value.do === "check";
    if (isCheck) {
      const tried = await checkQuery.load({ query: rule.value.query }, toCall(c));
      const check = tried.ok ? tried.value.check : null;
      draft = { rule: rule.value, check };
      return ok({ ...toSettings("rules"), body: { check } } as const);
    }
    const saved = await perform(c, saveRule, rule.value, "bad-alert");
    if (!saved.ok) return saved;
    const { id, check } = saved.value;
    return ok({
      ...toSettings("rules"),
      body: { id, ...(check !== null && { check }) },
      flash: toSavedFlash(check),
    } as const);
  };
  const response = await respondToAction(c, act, { dependency: "alerts" });
  if (isCheck && response.status === 303) return sendAlertSettingsPage(c, { draft });
  return rerenderFormOnError(c, response, (rejected) =>
    sendAlertSettingsPage(c, { rejected, draft }),
  );
}

/** The message after a rule was saved; `check` is the result of trying its query. */
function toSavedFlash(
  check: Pick<QueryCheck, "matched" | "isCapped" | "total" | "days"> | null,
): Flash {
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
  const { newId } = c.get("services");
  const redirectTo = `${ALERT_SETTINGS_URL}#destinations`;
  const act = async () => {
    const form = await readForm(c.req.raw, "bad-alert", parseDestinationForm);
    if (!form.ok) return form;
    const change = form.value;
    switch (change.do) {
      case "save": {
        const { name, settings } = change;
        const kind = change.kind as InputOf<typeof saveDestination.input>["kind"];
        if (change.id !== undefined && !(await isShared(c, change.id)))
          return fail({ reason: "not-found", what: "destination" } as const);
        const id = change.id ?? newId();
        const saved = await perform(c, saveDestination, { id, name, kind, settings }, "bad-alert");
        return saved.ok ? ok({ secrets: saved.value.secrets, redirectTo, createdId: id }) : saved;
      }
      case "restore": {
        const input = { removal: change.undoId };
        const restored = await perform(c, restoreDestination, input, "bad-alert");
        return restored.ok
          ? ok({ secrets: [], redirectTo, flash: toRestoredFlash(restored.value.restored) })
          : restored;
      }
      case "delete": {
        const deleted = await perform(c, deleteDestination, { id: change.id }, "bad-alert");
        if (!deleted.ok) return deleted;
        const { removal: undoId } = deleted.value;
        const flash = { kind: "destination-deleted", count: 1, undoId } as const;
        return ok({ secrets: [], redirectTo, flash });
      }
      case "rotate": {
        const rotated = await perform(c, rotateSecret, { id: change.id }, "bad-alert");
        return rotated.ok ? ok({ secrets: rotated.value.secrets, redirectTo }) : rotated;
      }
      case "enable": {
        const enabled = await perform(c, enableDestination, { id: change.id }, "bad-alert");
        return enabled.ok ? ok({ secrets: [], redirectTo }) : enabled;
      }
      case "summary": {
        const { id, every } = change;
        const set = await perform(c, setSummary, { id, every }, "bad-alert");
        return set.ok ? ok({ secrets: [], redirectTo }) : set;
      }
    }
  };
  const show = ([text = ""]: readonly string[]) =>
    sendAlertSettingsPage(c, { issued: { kind: "webhook", text } });
  const response = await respondWithSecret(c, act, show, "alerts");
  return rerenderFormOnError(c, response, (rejected) => sendAlertSettingsPage(c, { rejected }));
}

/** The message after an attempt to restore a destination. */
export function toRestoredFlash(isRestored: boolean): Flash {
  return { kind: isRestored ? "destination-restored" : "not-restored", count: 1 };
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
  const act = async () => {
    const id = await readForm(c.req.raw, "bad-alert", (fields) =>
      parseTextField(fields, "destination"),
    );
    if (!id.ok) return id;
    const person = getPersonId(c);
    const { destinations } = await c.get("services").alerts.readSettings();
    const isOwn = destinations.some((one) => one.id === id.value && one.person === person);
    const tested = await perform(c, testDestination, { id: id.value }, "bad-alert");
    if (!tested.ok) return tested;
    const { kind, status = 0 } = tested.value.result;
    const flash = kind === "delivered" ? "test-delivered" : "not-tested";
    return ok({
      body: tested.value,
      redirectTo: isOwn ? ALERT_PREFERENCES_URL : `${ALERT_SETTINGS_URL}#deliveries`,
      flash: { kind: flash, count: status },
    } as const);
  };
  return performOnSettings(c, act);
}

/**
 * `POST /settings/alerts/again`: sends an undelivered or waiting message, or everything that waits
 * for a destination. 404 for an unknown one.
 */
export async function sendAlertAgain(c: AppContext): Promise<Response> {
  const act = async () => {
    const form = await readForm(c.req.raw, "bad-alert", parseAgainForm);
    if (!form.ok) return form;
    const { message, destination: id } = form.value;
    const sent =
      message === undefined
        ? await perform(c, sendWaitingMessages, { id }, "bad-alert")
        : await perform(c, sendMessageAgain, { message }, "bad-alert");
    if (!sent.ok) return sent;
    return ok({ ...toSettings("deliveries"), flash: { kind: "sent-again", count: 1 } } as const);
  };
  return performOnSettings(c, act);
}

function toSettings(section: string) {
  return { body: {}, redirectTo: `${ALERT_SETTINGS_URL}#${section}` };
}

/** Performs an action. The page shows why its form was rejected. */
async function performOnSettings(
  c: AppContext,
  act: Parameters<typeof respondToAction>[1],
): Promise<Response> {
  const response = await respondToAction(c, act, { dependency: "alerts" });
  return rerenderFormOnError(c, response, (rejected) => sendAlertSettingsPage(c, { rejected }));
}
