/**
 * A coding agent of any kind, by a signed webhook (Standard Webhooks 1.0.0). The body has
 * identifiers only: `{"type":"issue.handed_off","timestamp":…,"data":{…}}`.
 */
import { formatRfc3339 } from "../../utc-time.ts";
import type { AlertMessage } from "../alert-message.ts";
import { toHandOffData } from "../hand-off.ts";
import { dailyCapSetting, readHandOff } from "./agent-kind.ts";
import { checkUrl, defineDestination, maskUrl, urlSetting } from "./destination-kind.ts";
import { webhook } from "./webhook.ts";

const { secret, previousSecret, previousUntilMs } = webhook.settings;

export const agent = defineDestination({
  kind: "agent",
  label: "Coding agent",
  noun: "coding agent",
  hint: "Hands issues off by signed JSON (Standard Webhooks) that has identifiers only.",
  isAgent: true,
  settings: {
    url: urlSetting("https://example.com/hooks/agent"),
    dailyCap: dailyCapSetting(),
    secret,
    previousSecret,
    previousUntilMs,
  },
  createsSecret: true,
  checkTarget: ({ url }, rules) => checkUrl(url, rules),
  describeTarget: ({ url }) => maskUrl(url),
  createCall(settings, message, nowMs) {
    const call = webhook.createCall(settings, message, nowMs);
    if (call.kind !== "json") throw new Error("a webhook sends JSON");
    return { ...call, body: toBody(message) };
  },
  answers: webhook.answers ?? {},
});

function toBody(message: AlertMessage): object {
  const handOff = readHandOff(message);
  const timestamp = formatRfc3339(message.atMs);
  if (handOff === null) return { type: "alerts.test", timestamp, data: { id: message.id } };
  const data = toHandOffData(handOff.facts, handOff.base);
  const type = handOff.facts.return === undefined ? "issue.handed_off" : "issue.came_back";
  return { type, timestamp, data: { id: message.id, ...data } };
}
