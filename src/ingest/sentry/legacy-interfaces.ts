/**
 * Renames members of Sentry events from before 2015.
 * Source: Sentry develop docs › Event Payloads, "sentry.interfaces".
 */
import type { JsonFields } from "../../core/decode/as-type.ts";

/** Old and current names of members. */
const LEGACY_INTERFACES: readonly (readonly [before: string, now: string])[] = [
  ["sentry.interfaces.Exception", "exception"],
  ["sentry.interfaces.Stacktrace", "stacktrace"],
  ["sentry.interfaces.Message", "logentry"],
  ["sentry.interfaces.Http", "request"],
  ["sentry.interfaces.User", "user"],
  ["sentry.interfaces.Breadcrumbs", "breadcrumbs"],
  ["culprit", "transaction"],
];

/** The event with current names. Undefined stays undefined. */
export function renameLegacyInterfaces(fields: JsonFields | undefined): JsonFields | undefined {
  const present = LEGACY_INTERFACES.filter(
    ([legacyName]) => fields !== undefined && legacyName in fields,
  );
  if (fields === undefined || present.length === 0) return fields;
  return {
    ...Object.fromEntries(present.map(([legacyName, name]) => [name, fields[legacyName]])),
    ...fields,
  };
}
