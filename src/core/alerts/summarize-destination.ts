/** Summarizes destinations for pages, without their secrets. */
import { omitUndefined } from "../omit-undefined.ts";
import type { Destination, DestinationSettings, DestinationSummary } from "./destination.ts";

/** The destination without its secrets. */
export function summarizeDestination(destination: Destination): DestinationSummary {
  const { id, name, settings, person, disabled } = destination;
  const target = describeTarget(settings);
  const previousUntilMs = settings.kind === "webhook" ? settings.previousUntilMs : undefined;
  return {
    ...{ id, name, kind: settings.kind, target },
    ...omitUndefined({ person, disabled, previousUntilMs }),
  };
}

function describeTarget(settings: DestinationSettings): string {
  switch (settings.kind) {
    case "email":
      return settings.to.join(", ");
    case "telegram":
      return `api.telegram.org, chat ${settings.chatId}`;
    case "push":
      return maskUrl(settings.endpoint);
    default:
      return maskUrl(settings.url);
  }
}

/** `hooks.slack.com …x7Qa`: the path of a webhook is a secret. */
function maskUrl(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "invalid address";
  return `${host} …${url.slice(-4)}`;
}
