/** `/settings/alerts`: rules, destinations, deliveries and feeds of a project. */
import { getAlertSettings } from "../../../operations/alerts.ts";
import { AlertSettingsPage } from "../../../ui/alerts/alert-settings-page.tsx";
import type { RuleDraft } from "../../../ui/alerts/rule-form.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { ALERT_FORMS, ALERT_SETTINGS_URL } from "../../../ui/urls/alert-urls.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import type { RejectedForm } from "../../forms/form-error-page.ts";
import { respondWithOutput, toCall } from "../../operation-call.ts";
import type { SettingsPage } from "../../pages/settings-page.tsx";
import { wantsJson } from "../../send-page.tsx";
import { awaitOrNull } from "../../unavailable.ts";

/** A secret that the page shows once. */
interface IssuedAlertSecret {
  readonly kind: "webhook" | "feed";
  readonly text: string;
}

/**
 * Serves the settings. Viewers see no addresses. Only owners see the answers of services. JSON: the
 * same data; 503 while the object of alerts is unavailable.
 */
function serveAlertSettings(c: AppContext): Promise<Response> {
  if (wantsJson(c)) return respondWithOutput(c, getAlertSettings, {});
  return sendAlertSettingsPage(c);
}

export const alertSettingsPage: SettingsPage = {
  path: ALERT_SETTINGS_URL,
  role: getAlertSettings.role,
  title: "Alerts",
  hasJson: true,
  serve: serveAlertSettings,
};

/**
 * Redirects from the URL of a form, at which a page shows the form again, to the settings. 404 for
 * another path.
 */
export function redirectToAlertSettings(c: AppContext): Response | Promise<Response> {
  const isForm = ALERT_FORMS.some((form) => form === c.req.param("form"));
  return isForm ? c.redirect(ALERT_SETTINGS_URL) : c.notFound();
}

/**
 * Sends the page, with a secret or with the reason why a form was rejected. `draft` is the rule of
 * the form that was sent.
 */
export function sendAlertSettingsPage(
  c: AppContext,
  {
    rejected,
    issued,
    draft,
  }: {
    readonly rejected?: RejectedForm;
    readonly issued?: IssuedAlertSecret;
    readonly draft?: RuleDraft;
  } = {},
): Promise<Response> {
  const { nowMs } = c.get("services");
  const data = awaitOrNull(c, getAlertSettings.load({}, toCall(c)));
  return sendPageWithFlash(c, (flash) => ({
    title: "Alerts",
    route: ALERT_SETTINGS_URL,
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="settings" isSignedIn flash={flash}>
        <AlertSettingsPage
          data={data.then((read) => (read?.ok ? read.value : null))}
          issued={issued}
          draft={draft}
          error={rejected?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  }));
}
