/** The pages of alerts in tests: their forms, their text, and the alert sender behind them. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import type { AlertsApi } from "#src/store/objects.ts";
import { type Visit, visit } from "#support/http/visit.ts";
import { getAlertSender, NOW_MS } from "#support/store/store.ts";

export const DIGEST = "7F3K-Q2M9";
/** The address of a destination, with a secret in it. */
export const SLACK = "https://hooks.slack.com/services/T0/B0/secret-path-x7Qa";

/** The headers of a form of Errata's own page. */
export const OWN = { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" };

/** The body of a form. */
export function encodeForm(fields: Readonly<Record<string, string>>): string {
  return `${new URLSearchParams(fields)}`;
}

/** Sends a form as a page of Errata does. */
export function postForm(
  path: string,
  fields: Readonly<Record<string, string>>,
  options: object = {},
): Promise<Visit> {
  return visit(path, {
    method: "POST",
    redirect: "manual",
    headers: { ...OWN, "content-type": "application/x-www-form-urlencoded" },
    body: encodeForm(fields),
    ...options,
  });
}

/** The text that a page shows. */
export function toText(html: string): string {
  return html
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, " ");
}

/** The text of the page at `path`. */
export async function readText(path: string, options: object = {}): Promise<string> {
  return toText((await visit(path, options)).body);
}

/** The settings in the alert sender. */
export function readSettings() {
  return getAlertSender().readSettings();
}

/** Options of a visit, for an alert sender with some methods replaced. */
export function replaceAlerts(over: Partial<AlertsApi>) {
  const sender = getAlertSender() as unknown as AlertsApi;
  const alerts = new Proxy(sender, {
    get: (target, name) => Reflect.get(over, name) ?? Reflect.get(target, name),
  });
  return { services: { alerts } };
}

/** Adds a destination with the address `SLACK`. */
export function addSlack(): Promise<Visit> {
  return postForm("/settings/alerts/destinations", {
    do: "save",
    kind: "slack",
    name: "#shop",
    url: SLACK,
  });
}

/** Disables a destination, as after a service answered that it does not exist. */
export async function disableDestination(id: string): Promise<void> {
  await runInDurableObject(getAlertSender(), (_, { storage }) => {
    const disabled = JSON.stringify({ atMs: NOW_MS, reason: "no_service" });
    storage.sql.exec(
      `UPDATE settings SET body = json_set(body, '$.destinations[0].disabled', json(?))
       WHERE json_extract(body, '$.destinations[0].id') = ?`,
      disabled,
      id,
    );
  });
  await abortAllDurableObjects();
}
