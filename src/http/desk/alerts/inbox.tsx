/** `/alerts`: the inbox; `/alerts/preferences`: a person's preferences; `/alerts/act`: actions. */
import { concernsPerson } from "../../../core/alerts/destinations/destinations.ts";
import { decodePreferences } from "../../../core/alerts/preferences.ts";
import { parseDigest } from "../../../core/grouping/parse-digest.ts";
import type { SignedAction } from "../../../core/ports/alerts-port.ts";
import { fail, ok } from "../../../core/result.ts";
import { ALERT_ACTION_PATH } from "../../../core/scrubbing/own-secrets.ts";
import { getAlertPreferences, listAlerts } from "../../../operations/alerts.ts";
import { listAllAlerts, mergeInboxes } from "../../../operations/all-projects.ts";
import { markInboxRead, mergeNotices } from "../../../operations/inbox.ts";
import type { AlertsApi } from "../../../store/objects.ts";
import { ActionPage, InvalidActionPage } from "../../../ui/alerts/action-page.tsx";
import { ALL_ALERTS_PATH, AllAlertsPage, InboxPage } from "../../../ui/alerts/inbox-page.tsx";
import { PreferencesPage } from "../../../ui/alerts/preferences-page.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import {
  ALERT_PREFERENCES_URL,
  INBOX_URL,
  parseInboxTab,
  toInboxUrl,
} from "../../../ui/urls/alert-urls.ts";
import { keepAlertMarks } from "../../alert-marks.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import { readForm } from "../../forms/form-body.ts";
import { type RejectedForm, rerenderFormOnError } from "../../forms/form-error-page.ts";
import { createUndoId, respondToAction } from "../../forms/respond.ts";
import {
  getPersonId,
  perform as performOperation,
  respondWithOutput,
  serveRead,
  toCall,
  toFailure,
} from "../../operation-call.ts";
import { ignoreRejection, sendPage, wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";
import { parsePreferencesForm, parseReadForm } from "./alert-forms.ts";
import { toRestoredFlash } from "./change-alert-settings.ts";

/**
 * Serves the newest messages. JSON: `{"messages":[…],"unread":2,"isFailing":false}`; 503 while
 * unavailable.
 */
export function serveInbox(c: AppContext): Promise<Response> {
  const { alerts, nowMs } = c.get("services");
  return serveRead(c, listAlerts, {}, async (loading) => {
    const inbox = awaitOrNull(c, loading);
    const hasOwn = awaitOrNull(c, hasDestinations(alerts, getPersonId(c)));
    // The header has the number of what is below it, and is sent first.
    const marks = await inbox;
    if (marks !== null) keepAlertMarks(c, getPersonId(c), marks);
    return sendPageWithFlash(c, (flash) => ({
      title: "Inbox",
      route: INBOX_URL,
      content: (
        <Layout current="alerts" isSignedIn flash={flash}>
          <InboxPage
            tab={parseInboxTab(c.req.query("tab"))}
            inbox={inbox}
            hasDestinations={hasOwn}
            nowMs={nowMs()}
          />
        </Layout>
      ),
    }));
  });
}

/** Serves the newest messages of all projects of the person. JSON: those of `alerts.listAll`. */
export function serveAllAlerts(c: AppContext): Promise<Response> {
  const { nowMs } = c.get("services");
  return serveRead(c, listAllAlerts, {}, (loading) =>
    sendPage(c, {
      title: "Inbox of all projects",
      route: ALL_ALERTS_PATH,
      content: (
        <Layout current="alerts" isSignedIn>
          <AllAlertsPage
            tab={parseInboxTab(c.req.query("tab"))}
            alerts={ignoreRejection(
              loading.then((projects) => ({
                notices: mergeNotices(projects),
                messages: mergeInboxes(projects),
                projects,
              })),
            )}
            nowMs={nowMs()}
          />
        </Layout>
      ),
    }),
  );
}

/** True if messages of the project can leave Errata, to all or to `person`. */
async function hasDestinations(alerts: AlertsApi, person: string): Promise<boolean> {
  const { destinations } = await alerts.readSettings();
  return destinations.some((one) => concernsPerson(one, person));
}

/**
 * `POST /alerts/read`: marks as read a `notice`, all notices up to `noticesUpTo`, or all alerts up
 * to `upTo`; returns to the `tab`.
 */
export function readInboxForm(c: AppContext): Promise<Response> {
  const perform = async () => {
    const form = await readForm(c.req.raw, "bad-alert", parseReadForm);
    if (!form.ok) return form;
    const { tab, ...input } = form.value;
    const done = await performOperation(c, markInboxRead, input, "bad-alert");
    if (!done.ok) return done;
    keepAlertMarks(c, getPersonId(c), {
      ...(input.alertsUpTo !== undefined && { unread: 0 }),
      ...(input.noticesUpTo !== undefined && { unreadNotices: 0 }),
    });
    return ok({
      body: done.value,
      redirectTo: tab === undefined ? INBOX_URL : toInboxUrl(INBOX_URL, tab),
    });
  };
  return respondToAction(c, perform, { dependency: "alerts", getFormPath: () => INBOX_URL });
}

/** Serves the preferences of the person. JSON: `{"preferences","destinations","pushKey"}`. */
export function servePreferences(c: AppContext): Promise<Response> {
  return wantsJson(c) ? respondWithOutput(c, getAlertPreferences, {}) : sendPreferencesPage(c);
}

/**
 * `POST /alerts/preferences`: saves the preferences, or adds, changes or removes an own
 * destination. 400 for invalid ones, 404 for a destination of another person.
 */
export async function updatePreferences(c: AppContext): Promise<Response> {
  const { alerts, newId } = c.get("services");
  const person = getPersonId(c);
  const perform = async () => {
    if (person === "") return fail({ reason: "forbidden" } as const);
    const form = await readForm(c.req.raw, "bad-alert", parsePreferencesForm);
    if (!form.ok) return form;
    const change = form.value;
    const loaded = await getAlertPreferences.load({}, toCall(c));
    if (!loaded.ok) return fail(toFailure(loaded, "bad-alert"));
    const { destinations } = loaded.value;
    const isOwn = (id: string) => destinations.some((one) => one.id === id);
    const done = { body: {}, redirectTo: ALERT_PREFERENCES_URL } as const;
    if ("id" in change) {
      const { id } = change;
      if (!isOwn(id)) return fail({ reason: "not-found", what: "destination" } as const);
      if (change.do === "summary") {
        if (!(await alerts.setSummary(id, change.every, person)))
          return fail({ reason: "not-found", what: "email destination" } as const);
        return ok({ ...done, flash: { kind: "destination-saved", count: 1 } } as const);
      }
      if (change.do === "enable") {
        await alerts.enableDestination(id, person);
        return ok({ ...done, flash: { kind: "destination-saved", count: 1 } } as const);
      }
      const undoId = createUndoId(c);
      await alerts.deleteDestination(id, undoId);
      return ok({ ...done, flash: { kind: "own-destination-deleted", count: 1, undoId } } as const);
    }
    if (change.do === "restore") {
      const isRestored = await alerts.restoreDestination(change.undoId, person);
      return ok({ ...done, flash: toRestoredFlash(isRestored) });
    }
    if (change.do === "add") {
      const { name, settings } = change;
      const added = { id: newId(), name, settings, person };
      const saved = await alerts.saveDestination(added, new URL(c.req.url).origin);
      if (!saved.ok) return fail({ reason: "invalid-alert", detail: saved.detail } as const);
      return ok({ ...done, flash: { kind: "destination-saved", count: 1 } } as const);
    }
    const preferences = decodePreferences(change.preferences);
    if (preferences === null || !preferences.destinations.every(isOwn)) {
      const detail = "Quiet hours need a start, an end and a time zone such as Europe/Berlin.";
      return fail({ reason: "invalid-alert", detail } as const);
    }
    await alerts.savePreferences(person, preferences);
    return ok({ ...done, flash: { kind: "preferences-saved", count: 1 } } as const);
  };
  const response = await respondToAction(c, perform, { dependency: "alerts" });
  return rerenderFormOnError(c, response, (rejected) => sendPreferencesPage(c, rejected));
}

async function sendPreferencesPage(c: AppContext, rejected?: RejectedForm): Promise<Response> {
  const { nowMs } = c.get("services");
  const loaded = await awaitOrNull(c, getAlertPreferences.load({}, toCall(c)));
  const data = loaded?.ok ? loaded.value : null;
  const response = await sendPageWithFlash(c, (flash) => ({
    title: "Your alerts",
    route: ALERT_PREFERENCES_URL,
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="alerts" isSignedIn flash={flash}>
        <PreferencesPage data={data} error={rejected?.detail} nowMs={nowMs()} />
      </Layout>
    ),
  }));
  return allowPushWorker(response);
}

/** Registering a service worker needs a Trusted Type, so this page may create one policy. */
function allowPushWorker(response: Response): Response {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  response.headers.set(
    "Content-Security-Policy",
    policy.replace("trusted-types 'none'", "trusted-types push-worker"),
  );
  return response;
}

const ACTIONS: readonly SignedAction["action"][] = ["resolve", "snooze", "ignore", "assign"];

/**
 * Serves the page that asks before an action of a message; it changes nothing. 404 for a link that
 * was changed, has expired, or names an unknown issue.
 */
export async function serveAction(c: AppContext): Promise<Response> {
  const { alerts, projectStore } = c.get("services");
  const digest = parseDigest(c.req.query("digest") ?? "");
  const action = ACTIONS.find((one) => one === c.req.query("action"));
  const untilMs = Number(c.req.query("until"));
  const signature = c.req.query("signature") ?? "";
  const isComplete = digest.ok && action !== undefined && Number.isSafeInteger(untilMs);
  const isValid =
    isComplete &&
    (await awaitOrNull(
      c,
      alerts.verifyAction({ action, digest: digest.value, untilMs, signature }),
    )) === true;
  const issue = isValid ? await awaitOrNull(c, projectStore.getFreshIssue(digest.value)) : null;
  return sendPage(c, {
    title: issue === null ? "Link expired" : "Confirm",
    route: ALERT_ACTION_PATH,
    ...(issue === null && { status: 404 }),
    content: (
      <Layout isSignedIn>
        {issue === null || action === undefined ? (
          <InvalidActionPage digest={digest.ok ? digest.value : undefined} />
        ) : (
          <ActionPage action={action} issue={issue} />
        )}
      </Layout>
    ),
  });
}
