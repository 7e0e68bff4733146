/** URLs of alerts, relative to the origin. */
import { FEEDS_PATH } from "../../core/scrubbing/own-secrets.ts";

/** Rules, destinations and the delivery log. */
export const ALERT_SETTINGS_URL = "/settings/alerts";

/** The inbox. */
export const INBOX_URL = "/alerts";

/** The tabs of an inbox: what concerns the person, and the alerts. */
export type InboxTab = "you" | "project";

/** A tab of the inbox at a path. */
export function toInboxUrl(path: string, tab: InboxTab): string {
  return `${path}?tab=${tab}`;
}

/** The tab that a text names; undefined for any other text. */
export function parseInboxTab(text: string | undefined): InboxTab | undefined {
  return text === "you" || text === "project" ? text : undefined;
}

/** The messages that a person receives. */
export const ALERT_PREFERENCES_URL = "/alerts/preferences";

/** The forms of the settings. */
export const ALERT_FORMS = ["rules", "destinations", "test", "again", "feeds"] as const;

/** The route of a form of the settings. */
export function toAlertFormUrl(form: (typeof ALERT_FORMS)[number]): string {
  return `${ALERT_SETTINGS_URL}/${form}`;
}

/** The feed of a saved view. The token is its secret. */
export function toFeedUrl(token: string): string {
  return `${FEEDS_PATH}/${token}.atom`;
}
