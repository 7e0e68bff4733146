/**
 * An alert of Opsgenie's Alert API, which Jira Service Management shares: created, or closed by its
 * alias. Limits: Opsgenie › Alert API › Create alert.
 */
import { truncateText } from "../../truncate.ts";
import type { AlertMessage } from "../alert-message.ts";
import { getOnlyIssue } from "../formats/alert-facts.ts";
import { toIncident } from "../formats/incident.ts";
import { escapeMarkup } from "../formats/inert-text.ts";
import {
  checkServiceUrl,
  defineDestination,
  keySetting,
  maskKey,
  regionSetting,
} from "./destination-kind.ts";

const JSM_HOST = "api.atlassian.com";
const HOSTS = ["api.opsgenie.com", "api.eu.opsgenie.com", JSM_HOST] as const;
const DEFAULT_URL = `https://${HOSTS[0]}`;

/** Opsgenie and Jira Service Management, by the key of an API integration. */
export const opsgenie = defineDestination({
  kind: "opsgenie",
  label: "Opsgenie",
  hint: "Also Jira Service Management: the key of an API integration.",
  settings: {
    token: keySetting(
      { label: "API key", placeholder: "00000000-…", problem: "The API key is not valid." },
      /^[\w-]{20,100}$/,
    ),
    url: regionSetting("https://api.eu.opsgenie.com or https://api.atlassian.com"),
  },
  checkTarget: ({ url = DEFAULT_URL }, rules) => checkServiceUrl(url, HOSTS, rules),
  describeTarget: ({ token, url = DEFAULT_URL }) => maskKey(token, url),
  createCall({ token, url = DEFAULT_URL }, message) {
    const { origin, hostname } = new URL(url);
    const base = hostname === JSM_HOST ? `${origin}/jsm/ops/integration` : origin;
    const { path, body } = toOpsgenieRequest(message);
    return {
      kind: "json",
      url: `${base}/v2/alerts${path}`,
      headers: { authorization: `GenieKey ${token}` },
      body,
    };
  },
  isClosing: true,
});

const MAX_MESSAGE_CHARS = 130;
const MAX_DESCRIPTION_CHARS = 15_000;

const PRIORITIES = { critical: "P1", error: "P2", warning: "P3", info: "P5" } as const;

interface OpsgenieAlert {
  readonly message: string;
  readonly alias: string;
  readonly description: string;
  readonly source: "Errata";
  readonly priority: "P1" | "P2" | "P3" | "P5";
  /** Links by their labels. */
  readonly details: Readonly<Record<string, string>>;
}

/** The path after `/v2/alerts`, and the JSON. */
interface OpsgenieRequest {
  readonly path: string;
  readonly body: OpsgenieAlert | { readonly source: "Errata"; readonly note: string };
}

/** The request of a message. */
export function toOpsgenieRequest(message: AlertMessage): OpsgenieRequest {
  const { key, isResolved, severity, title, lines, facts } = toIncident(message);
  if (isResolved) {
    const path = `/${encodeURIComponent(key)}/close?identifierType=alias`;
    return { path, body: { source: "Errata", note: "The issue was resolved in Errata." } };
  }
  const links = getOnlyIssue(facts)?.links ?? [facts.main];
  return {
    path: "",
    body: {
      message: truncateText(title, MAX_MESSAGE_CHARS),
      alias: key,
      // The web app shows HTML of descriptions.
      description: truncateText(lines.map(escapeMarkup).join("\n"), MAX_DESCRIPTION_CHARS),
      source: "Errata",
      priority: PRIORITIES[severity],
      details: Object.fromEntries(
        links.filter(({ url }) => url !== "").map(({ label, url }) => [label, url]),
      ),
    },
  };
}
