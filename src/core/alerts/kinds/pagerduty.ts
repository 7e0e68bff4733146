/** Services of PagerDuty, by the integration key of Events API v2. */
import { toPagerDutyEvent } from "../formats/pagerduty-event.ts";
import {
  checkKey,
  checkServiceUrl,
  createKeyKind,
  type KindDefinition,
  type SettingsOf,
} from "./kind.ts";

const HOSTS = ["events.pagerduty.com", "events.eu.pagerduty.com"] as const;
const DEFAULT_URL = `https://${HOSTS[0]}`;

export const pagerduty: KindDefinition<SettingsOf<"pagerduty">> = {
  ...createKeyKind("pagerduty", DEFAULT_URL),
  check({ token, url = DEFAULT_URL }, rules) {
    const checked = checkKey(
      token,
      /^[A-Za-z\d]{32}$/,
      "The integration key must have 32 letters and digits.",
    );
    return checked.ok ? checkServiceUrl(url, HOSTS, rules) : checked;
  },
  createRequest: ({ token, url = DEFAULT_URL }, message) => ({
    url: `${new URL(url).origin}/v2/enqueue`,
    body: toPagerDutyEvent(message, token),
  }),
  isClosing: true,
};
