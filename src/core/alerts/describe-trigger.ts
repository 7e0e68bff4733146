/** The titles and sentences of alerts. Pure. */
import { formatNumber } from "../numbers.ts";
import { assertNever } from "../result.ts";
import { MAX_NETWORKS } from "../stats/network-sketch.ts";
import { HOUR_MS, MINUTE_MS } from "../utc-time.ts";
import type { FiredTrigger, HeldReason } from "./due-alert.ts";

/** The sketch of a flood counts no more. */
const MANY_NETWORKS = `${MAX_NETWORKS}+ networks`;

/** The title of a message, without reported text: `New issue`. */
export function toTriggerTitle(trigger: FiredTrigger): string {
  const { kind, value = 0, usual = 0 } = trigger;
  switch (kind) {
    case "new-issue":
      return "New issue";
    case "regressed":
      return "Regressed";
    case "escalating":
      return "Escalating";
    case "occurrences":
      return formatCount(value, "occurrence");
    case "users":
      return `${formatCount(value, "user")} affected`;
    case "new-in-release":
      return "First seen in a release";
    case "csp-violation":
      return "New CSP violation";
    case "user-feedback":
      return "User feedback";
    case "crash-free":
      return "Crash-free rate is low";
    case "ingestion":
      return "Ingestion changed";
    case "source-maps":
      return "Source maps need attention";
    case "budget":
      return "A daily budget is nearly used up";
    case "delivery":
      return value > 0 ? "An alert was not delivered" : "A destination was disabled";
    case "returned":
      return "Returned";
    case "flood":
      return formatFlood(trigger);
    case "more-public":
      return formatMore(value, usual);
    case "resolved":
      return "Resolved";
    default:
      return assertNever(kind, "Alert");
  }
}

/** A sentence with the figures. */
export function describeTrigger(trigger: FiredTrigger): string {
  const { kind, value = 0, limit = 0, usual = 0, withinMs = 0, detail = "" } = trigger;
  switch (kind) {
    case "new-issue":
      return "The issue occurred for the first time.";
    case "regressed":
      return detail === ""
        ? "The issue was resolved and occurred again."
        : `The issue was resolved and occurred again in ${detail}.`;
    case "escalating":
      return usual > 0
        ? `${formatGrowth(trigger)}: ${formatFigures(trigger)}.`
        : `${formatCount(value, "occurrence")} of an issue that is less than a day old.`;
    case "occurrences":
      return `${formatCount(value, "occurrence")} within ${formatSpan(withinMs)}; the limit is ${format(limit)}.`;
    case "users":
      return `${formatCount(value, "user")} affected; the limit is ${format(limit)}.`;
    case "new-in-release":
      return `The first occurrence in ${detail}.`;
    case "csp-violation":
      return "This is the first violation of its kind.";
    case "user-feedback":
      return "A user sent feedback about the issue.";
    case "returned":
      return limit > 0
        ? `The issue was ignored until ${format(limit)} more; ${format(value)} came.`
        : "The issue was ignored for a time that is over, and occurred again.";
    case "flood":
      return `${formatFlood(trigger)} in ${formatSpan(withinMs)}. They are one row of the list.`;
    case "more-public":
      return (
        `${formatMore(value, usual)}. ` +
        `Each kind of alert about public reports is limited to ${format(limit)} an hour.`
      );
    case "resolved":
      return "The issue was resolved.";
    case "crash-free":
      return (
        `${format(value)} % of the sessions of ${detail} did not crash; ` +
        `the limit is ${format(limit)} %.`
      );
    case "ingestion":
    case "source-maps":
    case "budget":
    case "delivery":
      return detail;
    default:
      return assertNever(kind, "");
  }
}

/** `13 × its usual rate`, for an issue that escalates and has one. */
export function formatGrowth({ kind, value = 0, usual = 0 }: FiredTrigger): string | undefined {
  return kind === "escalating" && usual > 0
    ? `${formatNumber(Math.max(1, Math.round(value / usual)))} × its usual rate`
    : undefined;
}

/** `40 in the last hour, usually 3`: what triggers say instead of all occurrences. */
export function formatFigures(trigger: FiredTrigger): string | undefined {
  const { kind, value = 0, limit = 0, usual = 0, withinMs = 0 } = trigger;
  if (kind === "escalating" && usual > 0)
    return `${format(value)} in the last hour, usually ${format(usual)}`;
  if (kind === "occurrences")
    return `${format(value)} within ${formatSpan(withinMs)}, the limit is ${format(limit)}`;
  return undefined;
}

/** Why an alert was held back, as a sentence. `rules` are names. */
export function describeHeld(
  reason: HeldReason,
  rules: readonly string[],
  quietUntilMs: number | undefined,
): string {
  const names = rules.map((name) => `“${name}”`).join(", ");
  switch (reason) {
    case "cool-down":
      return quietUntilMs === undefined
        ? `${names}: this alert was sent before.`
        : `${names}: the same alert about this issue is not repeated until ${formatTime(quietUntilMs)}.`;
    case "state":
      return `${names}: the issue is muted, ignored or resolved.`;
    case "public-limit":
      return `${names}: the hourly limit for alerts about public reports is reached.`;
    case "folded":
      return `${names}: the issue is part of a flood from few networks.`;
    case "no-rule":
      return "No enabled rule asks for this alert any more.";
    default:
      return assertNever(reason, names);
  }
}

/** `14:02 UTC`. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(11, 16)} UTC`;
}

/** `1,204 times`; `1 time`. */
function formatCount(count: number, noun: string): string {
  const written = format(count);
  return `${written} ${noun}${written === "1" ? "" : "s"}`;
}

/** `412`, `4.7`, `12,000`. */
function format(value: number): string {
  const rounded = value < 100 ? Math.round(value * 10) / 10 : Math.round(value);
  return formatNumber(rounded);
}

/** `Flood from browsers: 3,412 reports, 41 issues, 2 networks`. */
function formatFlood({ value = 0, limit = 0, usual = 0 }: FiredTrigger): string {
  const counts = [formatCount(value, "report"), formatCount(limit, "issue")];
  if (usual > 0) counts.push(usual < MAX_NETWORKS ? formatCount(usual, "network") : MANY_NETWORKS);
  return `Flood from browsers: ${counts.join(", ")}`;
}

/** `41 more new issues from browsers`. */
function formatMore(newIssues: number, others: number): string {
  const counted = (count: number, what: string) =>
    `${format(count)} more ${what}${count === 1 ? "" : "s"} from browsers`;
  if (newIssues === 0) return counted(others, "alert");
  const rest = others === 0 ? "" : `, and ${counted(others, "alert")}`;
  return counted(newIssues, "new issue") + rest;
}

function formatSpan(ms: number): string {
  if (ms < HOUR_MS || ms % HOUR_MS !== 0)
    return formatCount(Math.max(1, Math.round(ms / MINUTE_MS)), "minute");
  const hours = ms / HOUR_MS;
  if (hours === 1) return "an hour";
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}
