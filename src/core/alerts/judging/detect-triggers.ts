/** Detects which triggers fire when reports change an issue. Pure. */

import type { Issue } from "../../issue/issue.ts";
import { countOwnLevel, countUsers } from "../../stats/trust-counts.ts";
import { type Trust, toTrustRank } from "../../trust/trust.ts";
import { DAY_MS, HOUR_MS } from "../../utc-time.ts";
import type { FiredTrigger } from "../due-alert.ts";
import type { AlertTrigger } from "../rule.ts";
import { findEscalation, type LastEscalation, mayEscalate } from "./escalation.ts";
import { listDays, listHours, MAX_HOURS, sumFirst, toHourlyRate } from "./hourly-counts.ts";

/** The change of an issue by the reports of a batch. */
export interface IssueChange {
  /** Null if the issue did not exist. */
  readonly before: Issue | null;
  readonly after: Issue;
  /** The issue expired and returned: it has a decision or comments. */
  readonly isKnown: boolean;
  /** The highest level of user feedback among the reports; absent without feedback. */
  readonly feedbackTrust?: Trust;
}

/** The alerts of one rule about an issue. Stored (version 1): fields may be added. */
export interface AlertHistory {
  /** The last alert. */
  readonly atMs: number;
  readonly escalation?: LastEscalation;
  /** The last alert about occurrences within a window. */
  readonly occurrencesMs?: number;
  /** The last alert about nothing but feedback. */
  readonly feedbackMs?: number;
  /** Numbers of users that the issue reached during the cool-down, for an alert after it. */
  readonly heldUsers?: readonly number[];
}

/** A trigger that fired, and what to remember of it. */
interface Detected extends Omit<FiredTrigger, "rules"> {
  readonly history?: Partial<AlertHistory>;
}

/**
 * The fired trigger; null if it did not fire. `minTrust` is the rule's. `getAlertHistory` reads the
 * rule's earlier alerts, which only repeatable triggers need.
 */
export function detectTrigger(
  trigger: AlertTrigger,
  change: IssueChange,
  minTrust: Trust | undefined,
  getAlertHistory: () => AlertHistory | undefined,
  nowMs: number,
): Detected | null {
  const { before, after } = change;
  const { kind } = trigger;
  switch (kind) {
    case "new-issue":
      return isNewIssue(change, minTrust) ? { kind } : null;
    case "regressed": {
      const { regressedAtMs, regressedInRelease: detail = "" } = after.decision ?? {};
      const isSame = regressedAtMs === before?.decision?.regressedAtMs;
      return regressedAtMs === undefined || isSame ? null : { kind, detail };
    }
    case "escalating": {
      if (!mayEscalate(after, nowMs)) return null;
      const found = findEscalation(after, nowMs, getAlertHistory()?.escalation);
      if (found === null) return null;
      const { value, limit, usual, last } = found;
      return { kind, value, limit, usual, history: { escalation: last } };
    }
    case "occurrences": {
      const value = countWindow(after, trigger.withinMs, trigger.count, nowMs);
      if (value < trigger.count) return null;
      const lastMs = getAlertHistory()?.occurrencesMs;
      if (lastMs !== undefined && !hasFallen(after, trigger, lastMs, nowMs)) return null;
      const { count: limit, withinMs } = trigger;
      return { kind, value, limit, withinMs, history: { occurrencesMs: nowMs } };
    }
    case "users": {
      const value = countJudgedUsers(after, minTrust);
      const { count: limit } = trigger;
      if (value < limit) return null;
      const wasReached = before !== null && countJudgedUsers(before, minTrust) >= limit;
      if (wasReached && getAlertHistory()?.heldUsers?.includes(limit) !== true) return null;
      return { kind, value, limit };
    }
    case "new-in-release": {
      const detail = findNewRelease(before, after);
      return detail === undefined ? null : { kind, detail };
    }
    case "csp-violation":
      return after.kind === "csp" && isNewIssue(change, minTrust) ? { kind } : null;
    case "user-feedback":
      return change.feedbackTrust !== undefined ? { kind } : null;
    // The alert sender judges the project.
    case "crash-free":
    case "ingestion":
    case "source-maps":
    case "budget":
      return null;
  }
}

/**
 * True for the first occurrence of level `minTrust` or above. Reports of lower levels, which the
 * rule ignores, may have created the issue before.
 */
function isNewIssue({ before, after, isKnown }: IssueChange, minTrust: Trust = "page"): boolean {
  if (after.count === 0 || isKnown) return false;
  if (before === null || before.count === 0) return true;
  const needed = toTrustRank(minTrust);
  return toTrustRank(before.trust) < needed && toTrustRank(after.trust) >= needed;
}

/** The users of an issue; for a rule about servers only those that servers named. */
function countJudgedUsers(issue: Issue, minTrust: Trust | undefined): number {
  return countUsers(issue, minTrust);
}

/** Occurrences within a window; 0 if the issue has fewer than `min` in total. */
function countWindow(issue: Issue, withinMs: number, min: number, nowMs: number): number {
  if (countOwnLevel(issue) < min) return 0;
  const hours = Math.round(withinMs / HOUR_MS);
  if (hours === 1) return Math.floor(toHourlyRate(listHours(issue, nowMs), nowMs));
  return hours <= MAX_HOURS
    ? sumFirst(listHours(issue, nowMs), hours)
    : sumFirst(listDays(issue, nowMs), Math.round(withinMs / DAY_MS));
}

/** True if a window that ended after `sinceMs` had fewer than `count` occurrences. */
function hasFallen(
  issue: Issue,
  { count, withinMs }: Extract<AlertTrigger, { kind: "occurrences" }>,
  sinceMs: number,
  nowMs: number,
): boolean {
  const isHourly = withinMs <= MAX_HOURS * HOUR_MS;
  const binMs = isHourly ? HOUR_MS : DAY_MS;
  const bins = isHourly ? listHours(issue, nowMs) : listDays(issue, nowMs);
  const size = Math.max(1, Math.round(withinMs / binMs));
  const since = Math.floor(nowMs / binMs) - Math.floor(sinceMs / binMs);
  for (let end = 1; end < since; end++) if (sumFirst(bins.slice(end), size) < count) return true;
  return since > bins.length;
}

function findNewRelease(before: Issue | null, after: Issue): string | undefined {
  if (before?.releases === after.releases) return undefined;
  const known = new Set(before?.releases?.values.map(([name]) => name));
  return after.releases?.values.find(([name]) => !known.has(name))?.[0];
}
