/** Names that members of a Sentry event had before 2015. Source: Sentry develop docs › Event Payloads, "sentry.interfaces". */
import type { Fields } from "./decode.ts";

/** What SDKs before 2015 called an event's members. */
const INTERFACES: readonly (readonly [before: string, now: string])[] = [
  ["sentry.interfaces.Exception", "exception"],
  ["sentry.interfaces.Stacktrace", "stacktrace"],
  ["sentry.interfaces.Message", "logentry"],
  ["sentry.interfaces.Http", "request"],
  ["sentry.interfaces.User", "user"],
  ["sentry.interfaces.Breadcrumbs", "breadcrumbs"],
  ["culprit", "transaction"],
];

/** An event with the names of today in place of those. Undefined stays undefined. */
export function withTodaysNames(fields: Fields | undefined): Fields | undefined {
  const named = INTERFACES.filter(([before]) => fields !== undefined && before in fields);
  if (fields === undefined || named.length === 0) return fields;
  return { ...Object.fromEntries(named.map(([before, now]) => [now, fields[before]])), ...fields };
}
