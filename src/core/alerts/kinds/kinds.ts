/** The kinds of destinations. To add one, write its file and name it here. */

import { omitUndefined } from "../../omit-undefined.ts";
import type { AlertMessage } from "../alert-message.ts";
import type {
  Destination,
  DestinationKind,
  DestinationSettings,
  DestinationSummary,
} from "../destination.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { googleChat } from "./google-chat.ts";
import type {
  Checked,
  FieldReader,
  JsonRequest,
  KindDefinition,
  SettingsOf,
  TargetRules,
} from "./kind.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { push } from "./push.ts";
import { rocketChat } from "./rocket-chat.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

const KINDS: { readonly [K in DestinationKind]: KindDefinition<SettingsOf<K>> } = {
  slack,
  discord,
  teams,
  webhook,
  email,
  ntfy,
  telegram,
  push,
  pagerduty,
  opsgenie,
  "google-chat": googleChat,
  "rocket-chat": rocketChat,
};

/** The kind of these settings. */
function getKind({ kind }: DestinationSettings): KindDefinition<DestinationSettings> {
  return KINDS[kind] as KindDefinition<DestinationSettings>;
}

/**
 * Accepts the settings, or refuses them with a sentence for the form. Checked when a destination is
 * saved and before each attempt.
 */
export function checkDestination(
  settings: DestinationSettings,
  allowedTargets: readonly string[],
  ownHost?: string,
): Checked {
  const rules: TargetRules = { allowedTargets, ownHost };
  return getKind(settings).check(settings, rules);
}

/** The destination without its secrets. */
export function summarizeDestination(destination: Destination): DestinationSummary {
  const { id, name, settings, person, unconfirmed, disabled } = destination;
  const { summaryEvery = "never" } = destination;
  const target = getKind(settings).describeTarget(settings);
  const previousUntilMs = settings.kind === "webhook" ? settings.previousUntilMs : undefined;
  return {
    ...{ id, name, kind: settings.kind, target },
    ...omitUndefined({ person, disabled, previousUntilMs, unconfirmed }),
    ...(hasSummaries(settings.kind) && { summaryEvery }),
  };
}

/** The request of a message; null for kinds that sign or encrypt it, or send mail. */
export function createJsonRequest(
  settings: DestinationSettings,
  message: AlertMessage,
): JsonRequest | null {
  return getKind(settings).createRequest?.(settings, message) ?? null;
}

/** The settings that a form has; undefined for a kind that no form of a project adds. */
export function readSettings(
  kind: unknown,
  field: FieldReader,
  newSecret: string,
): DestinationSettings | undefined {
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) return undefined;
  return KINDS[kind as DestinationKind].read?.(field, newSecret);
}

/** True if the service closes its alert when the issue is resolved. */
export function isClosingKind(kind: DestinationKind): boolean {
  return KINDS[kind].isClosing === true;
}

/** True if a destination of the kind can ask for a summary of each day or week. */
export function hasSummaries(kind: DestinationKind): boolean {
  return KINDS[kind].hasSummaries === true;
}
