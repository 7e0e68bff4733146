/**
 * Where alert messages go. The settings of destinations, their forms, checks and requests derive
 * from this table: to add a kind, write its file and name it here. Pure.
 */
import * as v from "valibot";
import {
  choice,
  code,
  list,
  type StoredSchema,
  type StoredValue,
  storedObject,
  text,
  timeMs,
} from "../../schema/stored-object.ts";
import { isSealed, LOST_SECRET } from "../../secrets/sealed-text.ts";
import type { AlertMessage } from "../alert-message.ts";
import { decode, refuse } from "../decode.ts";
import type { AgentDestination } from "../hand-off.ts";
import { SUMMARY_PERIOD_NAMES, type SummaryChoice } from "../periods/summary-period.ts";
import { agent } from "./agent.ts";
import { getDailyCap } from "./agent-kind.ts";
import { claudeCode } from "./claude-code.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import type {
  Checked,
  DestinationKindOf,
  OutgoingCall,
  SettingField,
  SettingValues,
  TargetRules,
} from "./destination-kind.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { googleChat } from "./google-chat.ts";
import { ntfy } from "./ntfy.ts";
import { opsgenie } from "./opsgenie.ts";
import { pagerduty } from "./pagerduty.ts";
import { push } from "./push.ts";
import { rocketChat } from "./rocket-chat.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { webhook } from "./webhook.ts";

/** In the order of the form. */
const DESTINATIONS = [
  slack,
  discord,
  teams,
  pagerduty,
  opsgenie,
  googleChat,
  rocketChat,
  webhook,
  email,
  ntfy,
  telegram,
  push,
  agent,
  claudeCode,
  copilot,
  cursor,
] as const;

type Entry = (typeof DESTINATIONS)[number];

/** The settings of a destination. Stored by the alert sender; secrets never leave it. */
export type DestinationSettings = {
  [E in Entry as E["kind"]]: { readonly kind: E["kind"] } & SettingValues<E["settings"]>;
}[Entry["kind"]];

export type DestinationKind = DestinationSettings["kind"];

/** A destination of a project or of a person. Stored (version 1). */
export type Destination = StoredValue<typeof destinationSchema>;
export const destinationSchema = /* @__PURE__ */ storedObject({
  id: code(),
  name: text(),
  /** A later release may know more kinds. */
  settings: storedObject({ kind: code() }) as unknown as StoredSchema<DestinationSettings>,
  /** The id of a person whose own destination this is; absent for one of the project. */
  person: v.optional(code()),
  /** The origin at which the person saved it. Links use it until an owner has saved settings. */
  origin: v.optional(text()),
  /**
   * Unconfirmed email addresses, which get no alerts. Absent from destinations that
   * were saved before Errata asked.
   */
  unconfirmed: v.optional(list(text())),
  /** How often it gets a summary of the project, besides its alerts; absent for never. */
  summaryEvery: v.optional(choice(SUMMARY_PERIOD_NAMES)),
  /** Why and when it was disabled. */
  disabled: v.optional(storedObject({ atMs: timeMs, reason: text() })),
});

/** A destination as pages show it: no secrets, but enough to recognize it. */
export interface DestinationSummary
  extends Pick<Destination, "id" | "name" | "person" | "disabled"> {
  readonly kind: DestinationKind;
  /** The host and the last four characters, or the addresses: `hooks.slack.com …x7Qa`. */
  readonly target: string;
  /** Until when the secret before a rotation signs too, ms. */
  readonly previousUntilMs?: number;
  /** Until when no message is sent, because the service asked for a pause, ms. */
  readonly pausedUntilMs?: number;
  /** Email addresses that get no alerts until their owners confirm them. */
  readonly unconfirmed?: readonly string[];
  /** How often it gets a summary, `never` if it can; absent for kinds that get none. */
  readonly summaryEvery?: SummaryChoice;
}

const byKind: ReadonlyMap<string, DestinationKindOf> = new Map(
  DESTINATIONS.map((one) => [one.kind, one as DestinationKindOf]),
);

/** Of a destination that a newer version stored. */
const UNKNOWN: DestinationKindOf = {
  kind: "unknown",
  label: "Unknown",
  settings: {},
  checkTarget: () => refuse("This version of Errata does not know the kind of the destination."),
  describeTarget: () => "",
  createCall() {
    throw new Error("the kind of the destination is unknown");
  },
};

/** The definition of a kind. */
export function getDestinationKind(kind: DestinationKind): DestinationKindOf {
  return byKind.get(kind) ?? UNKNOWN;
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
  if (hasSealedSetting(settings)) return refuse(LOST_SECRET);
  const rules: TargetRules = { allowedTargets, ownHost };
  const definition = getDestinationKind(settings.kind);
  const decoded = decode(v.object(definition.settings), settings);
  if (!decoded.ok) return decoded;
  return definition.checkTarget?.(settings, rules) ?? { ok: true, value: undefined };
}

/** True if a setting could not be decrypted. */
export function hasSealedSetting(settings: DestinationSettings): boolean {
  return Object.values(settings).some((value) => typeof value === "string" && isSealed(value));
}

/** How `message` reaches a destination with these settings. */
export function createCall(
  settings: DestinationSettings,
  message: AlertMessage,
  nowMs: number,
): OutgoingCall {
  return getDestinationKind(settings.kind).createCall(settings, message, nowMs);
}

/** The destination without its secrets. */
export function summarizeDestination(destination: Destination): DestinationSummary {
  const { id, name, settings, person, unconfirmed, disabled } = destination;
  const { describeTarget, hasSummaries } = getDestinationKind(settings.kind);
  return {
    id,
    name,
    kind: settings.kind,
    target: hasSealedSetting(settings) ? "unreadable secret" : describeTarget(settings),
    person,
    disabled,
    previousUntilMs: "secret" in settings ? settings.previousUntilMs : undefined,
    unconfirmed,
    summaryEvery:
      hasSummaries === true ? (destination.summaryEvery ?? ("never" as const)) : undefined,
  };
}

/** The destination as the index knows it; null if it leads to no agent. */
export function toAgentDestination({
  id,
  name,
  settings,
  disabled,
}: Destination): AgentDestination | null {
  const isAgent = getDestinationKind(settings.kind).isAgent === true && disabled === undefined;
  return isAgent ? { id, name, dailyCap: getDailyCap(settings) } : null;
}

/** True for a destination of the project or of `person`. */
export function concernsPerson(destination: Pick<Destination, "person">, person: string): boolean {
  return destination.person === undefined || destination.person === person;
}

/** The settings without unconfirmed email addresses; null if none is left. */
export function toConfirmedSettings({
  settings,
  unconfirmed = [],
}: Destination): DestinationSettings | null {
  if (settings.kind !== "email" || unconfirmed.length === 0) return settings;
  const to = settings.to.filter((address) => !unconfirmed.includes(address));
  return to.length === 0 ? null : { ...settings, to };
}

/** A kind that a project can have, with the fields of its form. */
export interface DestinationForm {
  readonly kind: string;
  readonly label: string;
  readonly hint: string;
  /** The button of a new one: `Add webhook`, but `Add Slack`. */
  readonly addLabel: string;
  readonly fields: readonly (SettingField & { readonly name: string })[];
}

/** The kinds that a project can have, in the order of the page. */
export const DESTINATION_FORMS: readonly DestinationForm[] = [...byKind.values()].flatMap(
  ({ kind, label, hint, noun = label, settings }) =>
    hint === undefined
      ? []
      : [{ kind, label, hint, addLabel: `Add ${noun}`, fields: listFields(settings) }],
);

/**
 * The settings that a form has, to be checked by `checkDestination`; undefined for a kind that no
 * form of a project adds. `getText` returns the trimmed text of a field, empty if it is absent.
 */
export function readSettings(
  kind: unknown,
  getText: (name: string) => string,
  newSecret: string,
): DestinationSettings | undefined {
  const definition = typeof kind === "string" ? byKind.get(kind) : undefined;
  if (definition?.hint === undefined) return undefined;
  const settings: Record<string, unknown> = { kind: definition.kind };
  for (const { name, isList, isOptional } of listFields(definition.settings)) {
    const text = getText(name);
    if (isList === true) settings[name] = text.split(/[\s,;]+/).filter((part) => part !== "");
    else if (text !== "" || isOptional !== true) settings[name] = text;
  }
  if (definition.createsSecret === true) settings.secret = newSecret;
  return settings as unknown as DestinationSettings;
}

function listFields(settings: DestinationKindOf["settings"]): DestinationForm["fields"] {
  return Object.entries(settings).flatMap(([name, schema]) => {
    const { field } = v.getMetadata(schema as v.GenericSchema);
    return field === undefined ? [] : [{ name, ...(field as SettingField) }];
  });
}
