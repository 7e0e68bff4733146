/** Decodes and validates alert rules and preferences. Unknown members are dropped. */

import { limits } from "../limits.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { ok, type Result } from "../result.ts";
import { TRUST_LEVELS } from "../trust/trust.ts";
import { MINUTE_MS } from "../utc-time.ts";
import { alertLimits } from "./alert-limits.ts";
import { type AlertFailure, type AlertPreferences, refuse } from "./preferences.ts";
import { findQueryProblem } from "./queries/check-rule-query.ts";
import type { AlertRule, AlertTrigger, WorkingHours } from "./rule.ts";

const DAY_MINUTES = 1_440;

/** A valid rule, or a sentence for the form. */
export function decodeRule(value: unknown): Result<AlertRule, AlertFailure> {
  const { id, name, enabled, triggers, query, minTrust, workingHours, destinations, coolDownMs } =
    toRecord(value);
  if (!isName(id, 64)) return refuse("The id of the rule is missing.");
  if (!isName(name, alertLimits.maxNameChars))
    return refuse(`Enter a name of at most ${alertLimits.maxNameChars} characters for the rule.`);
  if (typeof query !== "string" || query.length > limits.maxIssueQueryChars)
    return refuse(`A query has at most ${limits.maxIssueQueryChars} characters.`);
  const queryProblem = findQueryProblem(query);
  if (queryProblem !== null) return refuse(`The query: ${queryProblem}`);
  const list = Array.isArray(triggers) ? triggers.map(decodeTrigger) : [];
  if (list.length === 0 || list.length > alertLimits.maxTriggers)
    return refuse("Choose at least one condition for the alert.");
  for (const trigger of list) if (typeof trigger === "string") return refuse(trigger);
  const level = TRUST_LEVELS.find((one) => one === minTrust);
  if (minTrust !== undefined && level === undefined) return refuse("The trust level is unknown.");
  const hours = workingHours === undefined ? undefined : decodeHours(workingHours);
  if (hours === null)
    return refuse("Working hours need days, an end that is not the start, and a time zone.");
  if (!isIdList(destinations)) return refuse("The destinations are not a list of ids.");
  if (!isWithin(coolDownMs, alertLimits.minCoolDownMs, alertLimits.maxCoolDownMs))
    return refuse("The cool-down must be between 0 and 30 days.");
  return ok({
    ...{ id, name: name.trim(), enabled: enabled !== false, query: query.trim() },
    ...{ triggers: list as AlertTrigger[], destinations, coolDownMs },
    ...omitUndefined({ minTrust: level, workingHours: hours }),
  });
}

/** Valid preferences, or null. */
export function decodePreferences(value: unknown): AlertPreferences | null {
  const { destinations, onlyAssigned, quietHours } = toRecord(value);
  if (!isIdList(destinations)) return null;
  if (quietHours === undefined) return { destinations, onlyAssigned: onlyAssigned === true };
  const { from, to, timeZone } = toRecord(quietHours);
  if (!isMinute(from) || !isMinute(to) || from === to || !isTimeZone(timeZone)) return null;
  return { destinations, onlyAssigned: onlyAssigned === true, quietHours: { from, to, timeZone } };
}

/** The trigger, or why it is invalid. */
function decodeTrigger(value: unknown): AlertTrigger | string {
  const { kind, count, withinMs, below } = toRecord(value);
  switch (kind) {
    case "occurrences":
      if (!isWithin(count, 1, limits.maxCount))
        return "The number of occurrences must be at least 1.";
      if (!isWithin(withinMs, alertLimits.minWindowMs, alertLimits.maxWindowMs))
        return "The period of the occurrences must be between 5 minutes and 30 days.";
      if (withinMs % MINUTE_MS !== 0) return "The period must be a whole number of minutes.";
      return { kind, count, withinMs };
    case "users":
      return isWithin(count, 1, limits.maxCount)
        ? { kind, count }
        : "The number of users must be at least 1.";
    case "crash-free":
      return typeof below === "number" && below > 0 && below <= 1
        ? { kind, below }
        : "The crash-free rate must be above 0 and at most 100 %.";
    case "new-issue":
    case "regressed":
    case "escalating":
    case "new-in-release":
    case "csp-violation":
    case "user-feedback":
    case "ingestion":
    case "source-maps":
    case "budget":
      return { kind };
    default:
      return "The trigger is unknown.";
  }
}

function decodeHours(value: unknown): WorkingHours | null {
  const { days, from, to, timeZone } = toRecord(value);
  const isDay = (day: unknown) => isWithin(day, 0, 6);
  if (!Array.isArray(days) || days.length === 0 || days.length > 7 || !days.every(isDay))
    return null;
  // Hours that pass midnight end before they begin.
  const isRange = isMinute(from) && isWithin(to, 1, DAY_MINUTES) && from !== to;
  return isRange && isTimeZone(timeZone) ? { days, from, to, timeZone } : null;
}

function isTimeZone(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 64) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

function isMinute(value: unknown): value is number {
  return isWithin(value, 0, DAY_MINUTES - 1);
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isName(value: unknown, maxChars: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= maxChars;
}

function isIdList(value: unknown): value is readonly string[] {
  const max = alertLimits.maxDestinations;
  return Array.isArray(value) && value.length <= max && value.every((id) => isName(id, 64));
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
