/** The edits of members: each returns the changed settings, or why it is refused. Pure. */
import { alertLimits } from "../../core/alerts/alert-limits.ts";
import type { AlertFailure } from "../../core/alerts/decode.ts";
import {
  checkDestination,
  type Destination,
  getDestinationKind,
  toConfirmedSettings,
} from "../../core/alerts/destinations/destinations.ts";
import type { SummaryChoice } from "../../core/alerts/periods/summary-period.ts";
import { type AlertPreferences, decodePreferences } from "../../core/alerts/preferences.ts";
import { type AlertRule, decodeRule } from "../../core/alerts/rule.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { containsText, redactText } from "../redact-text.ts";
import type { AlertSettingsChange } from "./sender-settings.ts";
import type { DeletedDestination } from "./tables/deleted-destination-table.ts";
import type { StoredSettings } from "./tables/settings-table.ts";

type Edited = Result<AlertSettingsChange, AlertFailure>;

/** Creates or replaces a rule. */
export function putRule(settings: StoredSettings, rule: AlertRule, origin: string): Edited {
  const decoded = decodeRule(rule);
  if (!decoded.ok) return decoded;
  const known = new Set(settings.destinations.map(({ id }) => id));
  if (!decoded.value.destinations.every((id) => known.has(id)))
    return fail({ reason: "invalid", detail: "A destination of the rule was deleted." });
  const rules = putById(settings.rules, decoded.value);
  return rules.length > alertLimits.maxRules
    ? refuseMore(`A project has at most ${alertLimits.maxRules} rules.`)
    : ok({ rules, origin });
}

export function removeRule({ rules }: StoredSettings, id: string): AlertSettingsChange {
  return { rules: rules.filter((rule) => rule.id !== id) };
}

/** Creates or replaces a destination and enables it. */
export function putDestination(
  settings: StoredSettings,
  destination: Destination,
  allowedTargets: readonly string[],
  origin: string,
): Edited {
  const { disabled: _, unconfirmed: __, ...enabled } = destination;
  const checked = checkDestination(enabled.settings, allowedTargets, new URL(origin).host);
  if (!checked.ok) return checked;
  const isShared = enabled.person === undefined;
  // The client chooses the host of a request, so only the member's own links use it.
  const unconfirmed = listUnconfirmed(settings, enabled);
  const before = settings.destinations.find(({ id }) => id === enabled.id);
  const saved = {
    ...enabled,
    // A form that replaces the addresses does not have it.
    summaryEvery:
      enabled.summaryEvery ??
      (getDestinationKind(enabled.settings.kind).hasSummaries ? before?.summaryEvery : undefined),
    ...(!isShared && { origin }),
    ...(unconfirmed.length > 0 && { unconfirmed }),
  };
  const destinations = putById(settings.destinations, saved);
  const refusal = findExcess(destinations, enabled);
  if (refusal !== null) return refuseMore(refusal);
  const preferences = enableInPreferences(settings.preferences, enabled);
  return ok({ destinations, preferences, ...(isShared && { origin }) });
}

/** The addresses of a destination that no destination of the project has confirmed. */
function listUnconfirmed(
  { destinations }: StoredSettings,
  { settings }: Destination,
): readonly string[] {
  if (settings.kind !== "email") return [];
  const confirmed = destinations.flatMap((one) => {
    const known = toConfirmedSettings(one);
    return known?.kind === "email" ? known.to : [];
  });
  return settings.to.filter((address) => !confirmed.includes(address));
}

/** Confirms an address in all destinations of the project. Null if none waits for it. */
export function confirmAddress(
  { destinations }: StoredSettings,
  address: string,
): AlertSettingsChange | null {
  const waits = ({ unconfirmed = [] }: Destination) => unconfirmed.includes(address);
  if (!destinations.some(waits)) return null;
  return {
    destinations: destinations.map((one) =>
      waits(one)
        ? { ...one, unconfirmed: one.unconfirmed?.filter((other) => other !== address) ?? [] }
        : one,
    ),
  };
}

/** Enables a destination of `person`, or of the project, again. Null if there is none. */
export function enableDestination(
  { destinations }: StoredSettings,
  id: string,
  person: string | undefined,
): AlertSettingsChange | null {
  return changeDestination(destinations, id, person, ({ disabled: _, ...enabled }) => enabled);
}

/**
 * Sets how often a destination of `person`, or of the project, gets a summary; `never` for none.
 * Null if there is no such destination, or its kind gets none.
 */
export function setSummary(
  { destinations }: StoredSettings,
  id: string,
  every: SummaryChoice,
  person: string | undefined,
): AlertSettingsChange | null {
  return changeDestination(destinations, id, person, ({ summaryEvery: _, ...one }) => {
    if (!getDestinationKind(one.settings.kind).hasSummaries) return null;
    return every === "never" ? one : { ...one, summaryEvery: every };
  });
}

/**
 * Replaces the secret of a webhook. For a day, the old one signs too. Null if it is not a webhook.
 */
export function rotateSecret(
  { destinations }: StoredSettings,
  id: string,
  secret: string,
  nowMs: number,
): AlertSettingsChange | null {
  return changeDestination(destinations, id, undefined, (one) => {
    if (!("secret" in one.settings)) return null;
    const previous = {
      previousSecret: one.settings.secret,
      previousUntilMs: nowMs + alertLimits.rotationMs,
    };
    return { ...one, settings: { ...one.settings, secret, ...previous } };
  });
}

export function removeDestination(
  { destinations, rules }: StoredSettings,
  id: string,
): AlertSettingsChange {
  return {
    destinations: destinations.filter((one) => one.id !== id),
    rules: rules.flatMap((rule) => {
      const others = rule.destinations.filter((one) => one !== id);
      // A rule without destinations sends to every destination.
      const isLast = others.length === 0 && rule.destinations.length > 0;
      return isLast ? { ...rule, enabled: false } : { ...rule, destinations: others };
    }),
  };
}

/** Removes everything of a person. Null if there is nothing. */
export function removePerson(
  { destinations, preferences }: StoredSettings,
  person: string,
): AlertSettingsChange | null {
  const isOther = (one: Destination) => one.person !== person;
  const { [person]: own, ...others } = preferences;
  if (own === undefined && destinations.every(isOther)) return null;
  return { destinations: destinations.filter(isOther), preferences: others };
}

/**
 * Puts a deleted destination back, and into the rules that named it. A rule that was changed since
 * keeps its changes.
 */
export function restoreDestination(
  settings: StoredSettings,
  { destination, rules: named }: DeletedDestination,
): Edited {
  const destinations = putById(settings.destinations, destination);
  const refusal = findExcess(destinations, destination);
  if (refusal !== null) return refuseMore(refusal);
  const rules = settings.rules.map((rule) => {
    const known = named.find(({ before }) => before.id === rule.id);
    if (known === undefined) return rule;
    // As the deletion left it.
    if (JSON.stringify(rule) === JSON.stringify(known.after)) return known.before;
    const isNamed = rule.destinations.length === 0 || rule.destinations.includes(destination.id);
    return isNamed ? rule : { ...rule, destinations: [...rule.destinations, destination.id] };
  });
  return ok({ destinations, rules });
}

/** Throws for preferences that no form sends. */
export function setPreferences(
  settings: StoredSettings,
  person: string,
  preferences: AlertPreferences,
): AlertSettingsChange {
  const decoded = decodePreferences(preferences);
  if (decoded === null) throw new Error("invalid preferences");
  const all = { ...settings.preferences, [person]: decoded };
  const kept = Object.entries(all).slice(-alertLimits.maxPreferences);
  return { preferences: Object.fromEntries(kept) };
}

/**
 * Redacts a text in the names and queries of rules and in the names of destinations, and removes
 * the mail addresses that contain it. Null if nothing does.
 */
export function eraseFromSettings(
  settings: StoredSettings,
  text: string,
): AlertSettingsChange | null {
  const rules = settings.rules.map((rule) => ({
    ...rule,
    name: redactText(rule.name, text),
    query: rule.query && redactText(rule.query, text),
  }));
  const destinations = settings.destinations.flatMap((one) => {
    const to = one.settings.kind === "email" ? one.settings.to : [];
    const kept = to.filter((address) => !containsText(address, text));
    const { unconfirmed, disabled } = one;
    const redacted = {
      ...one,
      name: redactText(one.name, text),
      unconfirmed: unconfirmed?.filter((address) => kept.includes(address)),
      disabled: disabled && redactText(disabled, text),
    };
    if (one.settings.kind !== "email") return [redacted];
    return kept.length === 0 ? [] : [{ ...redacted, settings: { ...one.settings, to: kept } }];
  });
  const trackers = settings.trackers?.filter(({ email = "" }) => !containsText(email, text));
  const erased = { ...settings, rules, destinations, trackers };
  if (JSON.stringify(erased) === JSON.stringify(settings)) return null;
  let change: AlertSettingsChange = { rules, destinations, trackers };
  for (const { id } of settings.destinations)
    if (destinations.every((one) => one.id !== id))
      change = removeDestination({ ...settings, ...change }, id);
  return change;
}

/** Refuses a change after which the settings exceed the size of their row. */
export function limitSize(settings: StoredSettings, change: AlertSettingsChange): Edited {
  const before = countBytes(settings);
  const after = countBytes({ ...settings, ...change });
  return after > alertLimits.maxSettingsBytes && after > before
    ? refuseMore("The alert settings of this project are full. Delete destinations or rules.")
    : ok(change);
}

function countBytes(settings: StoredSettings): number {
  return new TextEncoder().encode(JSON.stringify(settings)).length;
}

function changeDestination(
  destinations: readonly Destination[],
  id: string,
  person: string | undefined,
  change: (destination: Destination) => Destination | null,
): AlertSettingsChange | null {
  const known = destinations.find((one) => one.id === id && one.person === person);
  const changed = known === undefined ? null : change(known);
  return changed === null ? null : { destinations: putById(destinations, changed) };
}

function putById<T extends { readonly id: string }>(all: readonly T[], one: T): readonly T[] {
  const isKnown = all.some(({ id }) => id === one.id);
  return isKnown ? all.map((other) => (other.id === one.id ? one : other)) : [...all, one];
}

/** Enables a new destination in the preferences of its person. */
function enableInPreferences(
  preferences: Readonly<Record<string, AlertPreferences>>,
  { id, person }: Destination,
): Readonly<Record<string, AlertPreferences>> {
  const own = person === undefined ? undefined : preferences[person];
  if (person === undefined || own === undefined || own.destinations.includes(id))
    return preferences;
  return { ...preferences, [person]: { ...own, destinations: [...own.destinations, id] } };
}

/** A sentence if there are too many destinations of the project, or of the person; null if not. */
function findExcess(all: readonly Destination[], { person }: Destination): string | null {
  const { maxDestinations, maxOwnDestinations, maxDestinationsOfPersons } = alertLimits;
  const count = (isOne: (one: Destination) => boolean) => all.filter(isOne).length;
  if (person === undefined)
    return count((one) => one.person === undefined) > maxDestinations
      ? `A project has at most ${maxDestinations} destinations.`
      : null;
  return count((one) => one.person === person) > maxOwnDestinations ||
    count((one) => one.person !== undefined) > maxDestinationsOfPersons
    ? `You can add at most ${maxOwnDestinations} destinations.`
    : null;
}

function refuseMore(detail: string) {
  return fail({ reason: "too-many" as const, detail });
}
