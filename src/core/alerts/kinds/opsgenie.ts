/** Opsgenie and Jira Service Management, by the key of an API integration. */
import { toOpsgenieRequest } from "../formats/opsgenie-alert.ts";
import {
  checkKey,
  checkServiceUrl,
  createKeyKind,
  type KindDefinition,
  type SettingsOf,
} from "./kind.ts";

const JSM_HOST = "api.atlassian.com";
const HOSTS = ["api.opsgenie.com", "api.eu.opsgenie.com", JSM_HOST] as const;
const DEFAULT_URL = `https://${HOSTS[0]}`;

export const opsgenie: KindDefinition<SettingsOf<"opsgenie">> = {
  ...createKeyKind("opsgenie", DEFAULT_URL),
  check({ token, url = DEFAULT_URL }, rules) {
    const checked = checkKey(token, /^[\w-]{20,100}$/, "The API key is not valid.");
    return checked.ok ? checkServiceUrl(url, HOSTS, rules) : checked;
  },
  createRequest({ token, url = DEFAULT_URL }, message) {
    const { origin, hostname } = new URL(url);
    const base = hostname === JSM_HOST ? `${origin}/jsm/ops/integration` : origin;
    const { path, body } = toOpsgenieRequest(message);
    return {
      url: `${base}/v2/alerts${path}`,
      headers: { authorization: `GenieKey ${token}` },
      body,
    };
  },
  isClosing: true,
};
