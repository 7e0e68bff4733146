/** `/settings/alerts`: rules, destinations, deliveries and feeds of a project. */
import { hasRole } from "../../../core/accounts/actors.ts";
import {
  concernsPerson,
  type DestinationSummary,
} from "../../../core/alerts/destinations/destinations.ts";
import { toListedView } from "../../../core/issue/issue-query.ts";
import type { AlertSettings } from "../../../core/ports/alerts-port.ts";
import {
  type AlertSettingsData,
  AlertSettingsPage,
} from "../../../ui/alerts/alert-settings-page.tsx";
import type { RuleDraft } from "../../../ui/alerts/rule-form.tsx";
import { Layout } from "../../../ui/layout/layout.tsx";
import { ALERT_FORMS, ALERT_SETTINGS_URL } from "../../../ui/urls/alert-urls.ts";
import type { AppContext } from "../../context.ts";
import { sendPageWithFlash } from "../../forms/flash-cookie.ts";
import type { RejectedForm } from "../../forms/form-error-page.ts";
import type { SettingsPage } from "../../pages/settings-page.tsx";
import { wantsJson } from "../../send-page.tsx";
import { awaitOrNull, respondOrUnavailable } from "../../unavailable.ts";
import { getPersonId, getRole } from "./alert-person.ts";

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
  if (wantsJson(c)) return respondOrUnavailable(c, () => loadData(c), "alerts");
  return sendAlertSettingsPage(c);
}

export const alertSettingsPage: SettingsPage = {
  path: ALERT_SETTINGS_URL,
  role: "viewer",
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
  return sendPageWithFlash(c, (flash) => ({
    title: "Alerts",
    route: ALERT_SETTINGS_URL,
    ...(rejected && { status: rejected.status }),
    content: (
      <Layout current="settings" isSignedIn flash={flash}>
        <AlertSettingsPage
          data={awaitOrNull(c, loadData(c))}
          issued={issued}
          draft={draft}
          error={rejected?.detail}
          nowMs={nowMs()}
        />
      </Layout>
    ),
  }));
}

async function loadData(c: AppContext): Promise<AlertSettingsData> {
  const { alerts, projectStore } = c.get("services");
  const [settings, deliveries, heldBack, views] = await Promise.all([
    alerts.readSettings(),
    alerts.listDeliveries(),
    alerts.listHeldBack(),
    awaitOrNull(c, projectStore.listViews()),
  ]);
  const role = getRole(c);
  const isOwner = hasRole(role, "owner");
  return {
    settings: isOwner
      ? hideOthers(settings, getPersonId(c))
      : hasRole(role, "member")
        ? hideAnswers(hideOthers(settings, getPersonId(c)))
        : hideAnswers(hideTargets(settings)),
    deliveries: isOwner ? deliveries : deliveries.map(({ answer: _, ...attempt }) => attempt),
    heldBack,
    views: views?.map(toListedView) ?? null,
  };
}

/** Members do not see the addresses of other people. */
function hideOthers(settings: AlertSettings, person: string): AlertSettings {
  return {
    ...settings,
    destinations: settings.destinations.map((one) =>
      concernsPerson(one, person) ? one : withoutReason(withoutTarget({ ...one, name: "…" })),
    ),
  };
}

function withoutTarget({ unconfirmed: _, ...one }: DestinationSummary): DestinationSummary {
  return { ...one, target: "" };
}

/** Only owners see the answers of services, which the reason of a disabled destination quotes. */
function hideAnswers(settings: AlertSettings): AlertSettings {
  return { ...settings, destinations: settings.destinations.map(withoutReason) };
}

function withoutReason(one: DestinationSummary): DestinationSummary {
  return one.disabled === undefined ? one : { ...one, disabled: { ...one.disabled, reason: "" } };
}

function hideTargets(settings: AlertSettings): AlertSettings {
  return {
    ...settings,
    destinations: settings.destinations.map((one) =>
      withoutTarget({ ...one, ...(one.person !== undefined && { name: "…" }) }),
    ),
  };
}
