/**
 * An event of PagerDuty's Events API v2: a trigger, or the resolution of the incident with the same
 * key. All texts are plain. Limits: PagerDuty › Events API v2 › Send an alert event.
 */
import { truncateText } from "../../truncate.ts";
import { formatRfc3339, MAX_RFC3339_MS } from "../../utc-time.ts";
import type { AlertMessage } from "../alert-message.ts";
import { getOnlyIssue } from "../formats/alert-facts.ts";
import { toIncident } from "../formats/incident.ts";
import {
  checkServiceUrl,
  defineDestination,
  keySetting,
  maskKey,
  regionSetting,
} from "./destination-kind.ts";

const HOSTS = ["events.pagerduty.com", "events.eu.pagerduty.com"] as const;
const DEFAULT_URL = `https://${HOSTS[0]}`;

/** Services of PagerDuty, by the integration key of Events API v2. */
export const pagerduty = defineDestination({
  kind: "pagerduty",
  label: "PagerDuty",
  hint: "The integration key of a service (Events API v2).",
  settings: {
    token: keySetting(
      {
        label: "Integration key",
        placeholder: "R0…",
        problem: "The integration key must have 32 letters and digits.",
      },
      /^[A-Za-z\d]{32}$/,
    ),
    url: regionSetting("https://events.eu.pagerduty.com"),
  },
  checkTarget: ({ url = DEFAULT_URL }, rules) => checkServiceUrl(url, HOSTS, rules),
  describeTarget: ({ token, url = DEFAULT_URL }) => maskKey(token, url),
  createCall: ({ token, url = DEFAULT_URL }, message) => ({
    kind: "json",
    url: `${new URL(url).origin}/v2/enqueue`,
    body: toPagerDutyEvent(message, token),
  }),
  isClosing: true,
});

const MAX_SUMMARY_CHARS = 1_024;
const MAX_LINKS = 6;

/** The JSON of `POST https://events.pagerduty.com/v2/enqueue`. */
interface PagerDutyEvent {
  readonly routing_key: string;
  readonly event_action: "trigger" | "resolve";
  readonly dedup_key: string;
  readonly client?: "Errata";
  readonly client_url?: string;
  readonly payload?: {
    readonly summary: string;
    readonly source: string;
    readonly severity: "critical" | "error" | "warning" | "info";
    readonly timestamp?: string;
    readonly custom_details: { readonly message: string };
  };
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

/** `message` for the service with this integration key. */
export function toPagerDutyEvent(message: AlertMessage, key: string): PagerDutyEvent {
  const { key: dedup_key, isResolved, severity, title, lines, facts } = toIncident(message);
  const base = { routing_key: key, dedup_key };
  if (isResolved) return { ...base, event_action: "resolve" };
  const links = [...(getOnlyIssue(facts)?.links ?? [facts.main]), facts.settings];
  return {
    ...base,
    event_action: "trigger",
    client: "Errata",
    ...(facts.main.url === "" ? {} : { client_url: facts.main.url }),
    payload: {
      summary: truncateText(title, MAX_SUMMARY_CHARS),
      source: facts.project,
      severity,
      ...(Math.abs(message.atMs) <= MAX_RFC3339_MS
        ? { timestamp: formatRfc3339(message.atMs) }
        : {}),
      custom_details: { message: lines.join("\n") },
    },
    links: links
      .filter(({ url }) => url !== "")
      .slice(0, MAX_LINKS)
      .map(({ label, url }) => ({ href: url, text: label })),
  };
}
