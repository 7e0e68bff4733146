/** Detects which triggers fire when reports change an issue. Pure. */

import { countForDecision, getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
import type { IssueFilter } from "../../issue/issue-query.ts";
import type { ReportSummary } from "../../report/report-summary.ts";
import { isAtLeast, maxTrust, TRUST_LEVELS, type Trust } from "../../trust/trust.ts";
import { DAY_MS, HOUR_MS } from "../../utc-time.ts";
import type { FiredTrigger } from "../due-alert.ts";
import type { AlertRule, AlertTrigger } from "../rule.ts";
import {
  type AlertHistory,
  getLevelHistory,
  getToldMs,
  type LevelHistory,
  type ToldFacts,
  toTriggerKey,
} from "./alert-history.ts";
import { findEscalation, mayEscalate, WORSE_FACTOR } from "./escalation.ts";
import { listDays, listHours, MAX_HOURS, sumFirst, sumWindow } from "./hourly-counts.ts";
import { countAt, countUsersAt, type JudgedCounts } from "./judged-counts.ts";
import { hadMatchingValues } from "./report-filters.ts";

/** The change of an issue by the reports of a batch. */
export interface IssueChange {
  /** Null if the issue did not exist. */
  readonly before: Issue | null;
  readonly after: Issue;
  /** The issue expired and returned: it has a decision or comments. */
  readonly isKnown: boolean;
  /** The reports of the batch that are recent enough for an alert. */
  readonly reports: readonly ReportSummary[];
  /** True while the issue is folded into a flood: it causes no alert. */
  readonly isFolded?: boolean;
  /** True if it began in a flood, had no message, and has many networks now: it is new. */
  readonly isSpreading?: boolean;
  /** True if its public reports come from many networks: strangers have few. */
  readonly isWidespread?: boolean;
}

/** A change as one rule sees it. */
export interface JudgedChange extends IssueChange {
  readonly rule: AlertRule;
  /** The filters on reports; `reports` has only those that match. */
  readonly reportFilters: readonly IssueFilter[];
  /** When the index received the rule. */
  readonly ruleSinceMs: number;
  /** The counts that the rule judges, before and after the batch. */
  readonly counts: { readonly before: JudgedCounts | null; readonly after: JudgedCounts };
  readonly getAlertHistory: () => AlertHistory | undefined;
  readonly nowMs: number;
}

/** A trigger that fired, the level of the reports that fired it, and what to remember of it. */
export interface Detected {
  readonly trigger: Omit<FiredTrigger, "rules">;
  readonly level: Trust;
  readonly key: string;
  readonly facts?: ToldFacts;
  /** True if it is far worse than the last alert stated. */
  readonly isWorse?: boolean;
}

/** The alerts of a trigger; none if it does not fire. */
export function detectTrigger(trigger: AlertTrigger, change: JudgedChange): readonly Detected[] {
  const key = toTriggerKey(trigger);
  const { kind } = trigger;
  switch (kind) {
    case "new-issue":
      return detectNew(change, key).map((level) => ({ trigger: { kind }, level, key }));
    case "csp-violation":
      if (change.after.kind !== "csp") return [];
      return detectNew(change, key).map((level) => ({ trigger: { kind }, level, key }));
    case "regressed":
      return detectReturn(change, key);
    case "escalating":
    case "occurrences":
    case "users":
      return detectGrowth(trigger, change, key);
    case "new-in-release":
      return detectRelease(change, key);
    case "user-feedback": {
      const level = getHighest(change.reports.filter((one) => one.kind === "feedback"));
      const { after, rule } = change;
      if (level === undefined || isBelow(after.trust, rule)) return [];
      return [{ trigger: { kind }, level, key }];
    }
    // The alert sender judges the project.
    case "crash-free":
    case "ingestion":
    case "source-maps":
    case "budget":
      return [];
  }
}

/**
 * The level at which the issue is new: its first occurrence, or the first one of a higher level.
 * With filters on reports, the first occurrence that meets them.
 */
function detectNew(change: JudgedChange, key: string): readonly Trust[] {
  const { before, after, isKnown, rule, reportFilters } = change;
  if (after.count === 0 || isKnown) return [];
  const level = getHighest(change.reports.filter(({ isLinked }) => !isLinked));
  if (level === undefined || isBelow(level, rule)) return [];
  const history = getLevelHistory(change.getAlertHistory(), level);
  const wasTold = getToldMs(history, key) > 0;
  if (before === null || before.count === 0 || change.isSpreading === true) return [level];
  const isRise = !isAtLeast(before.trust, level);
  if (reportFilters.length === 0) return isRise ? [level] : [];
  if (wasTold) return [];
  // The history has every alert about an issue that is younger than the rule.
  const hasHistory = before.firstSeenMs >= change.ruleSinceMs;
  return isRise || hasHistory || !hadMatchingValues(reportFilters, before) ? [level] : [];
}

/** A resolved issue that occurs again, or an ignored one whose condition ended. */
function detectReturn(change: JudgedChange, key: string): readonly Detected[] {
  const { before, after, nowMs, reportFilters, ruleSinceMs } = change;
  const { decision } = after;
  if (decision === undefined) return [];
  const returned = findEndOfIgnoring(before, after, nowMs);
  const { regressedAtMs: atMs = returned?.atMs } = decision;
  if (atMs === undefined) return [];
  const isInBatch =
    returned === null
      ? decision.regressedAtMs !== before?.decision?.regressedAtMs
      : returned.isInBatch;
  const own = change.reports.filter(({ isLinked }) => !isLinked);
  // An earlier report of the batch may match, and a later one regress.
  const from = returned === null ? atMs : 0;
  const level = getHighest(own.filter((one) => (one.lastAtMs ?? one.atMs) >= from));
  if (level === undefined || isBelow(level, change.rule)) return [];
  if (!isInBatch) {
    // It returned elsewhere before: in another environment, for example.
    const isLater = reportFilters.length > 0 && atMs >= ruleSinceMs;
    const { returnedMs } = getLevelHistory(change.getAlertHistory(), level);
    if (!isLater || returnedMs === atMs) return [];
  }
  const { regressedInRelease: detail = "" } = decision;
  const trigger =
    returned === null
      ? ({ kind: "regressed", detail } as const)
      : ({ kind: "returned", ...returned.figures } as const);
  return [{ trigger, level, key, facts: { returnedMs: atMs } }];
}

interface EndOfIgnoring {
  /** When the issue was ignored. */
  readonly atMs: number;
  /** False if it ended before the batch. */
  readonly isInBatch: boolean;
  /** How many reports it was ignored for, and how many came. */
  readonly figures: Pick<FiredTrigger, "limit" | "value">;
}

function findEndOfIgnoring(
  before: Issue | null,
  after: Issue,
  nowMs: number,
): EndOfIgnoring | null {
  const { decision } = after;
  if (decision?.state !== "ignored" || getCurrentState(after, nowMs) !== "open") return null;
  const { atMs, untilCount, forCount } = decision;
  const stateBefore =
    before === null
      ? "ignored"
      : getCurrentState({ ...before, decision }, Math.max(before.asOfMs, atMs));
  const count = countForDecision(decision, after);
  const isByCount = untilCount !== undefined && forCount !== undefined && count >= untilCount;
  const figures = isByCount ? { limit: forCount, value: count - (untilCount - forCount) } : {};
  return { atMs, isInBatch: stateBefore === "ignored", figures };
}

type GrowthTrigger = Extract<AlertTrigger, { kind: "escalating" | "occurrences" | "users" }>;

/** Judges the counts of each level, the highest first: lower ones are easier to send. */
function detectGrowth(
  trigger: GrowthTrigger,
  change: JudgedChange,
  key: string,
): readonly Detected[] {
  const { reports, rule, counts } = change;
  const highest = getHighest(reports);
  for (const level of TRUST_LEVELS) {
    const hasReports = highest !== undefined && isAtLeast(highest, level);
    if (!hasReports || isBelow(level, rule) || !isAtLeast(counts.after.trust, level)) continue;
    const found = detectGrowthAt(trigger, change, level);
    if (found !== null) return [{ ...found, level, key }];
  }
  return [];
}

type Growth = Omit<Detected, "level" | "key">;

function detectGrowthAt(trigger: GrowthTrigger, change: JudgedChange, level: Trust): Growth | null {
  const history = getLevelHistory(change.getAlertHistory(), level);
  if (trigger.kind === "escalating") return detectEscalation(change, level, history);
  if (trigger.kind === "users") return detectUsers(trigger, change, level, history);
  return detectOccurrences(trigger, change, level, history);
}

function detectEscalation(
  { counts: { before, after }, nowMs }: JudgedChange,
  level: Trust,
  history: LevelHistory,
): Growth | null {
  if (!mayEscalate(after, level, nowMs)) return null;
  const found = findEscalation(after, {
    ...{ nowMs, level, last: history.escalation, toldCount: history.count },
    countBefore: countAt(before, level),
  });
  if (found === null) return null;
  const { last: escalation, ...figures } = found;
  const isWorse = isFarWorse(countAt(after, level), history.count);
  return { trigger: { kind: "escalating", ...figures }, facts: { escalation }, isWorse };
}

function detectOccurrences(
  trigger: Extract<AlertTrigger, { kind: "occurrences" }>,
  { counts: { after }, nowMs }: JudgedChange,
  level: Trust,
  history: LevelHistory,
): Growth | null {
  // Hours and days are those of the highest level.
  if (level !== after.trust || countAt(after, level) < trigger.count) return null;
  const { count: limit, withinMs } = trigger;
  const value = sumWindow(after, withinMs, nowMs);
  if (value < limit) return null;
  const lastMs = getToldMs(history, toTriggerKey(trigger));
  const isWorse = lastMs > 0 && isFarWorse(countAt(after, level), history.count);
  if (lastMs > 0 && !isWorse && !hasFallen(after, trigger, lastMs, nowMs)) return null;
  return { trigger: { kind: "occurrences", value, limit, withinMs }, isWorse };
}

function detectUsers(
  trigger: Extract<AlertTrigger, { kind: "users" }>,
  { counts: { before, after } }: JudgedChange,
  level: Trust,
  history: LevelHistory,
): Growth | null {
  const value = countUsersAt(after, level);
  const { count: limit } = trigger;
  if (value < limit) return null;
  const wasReached = countUsersAt(before, level) >= limit;
  const wasTold = getToldMs(history, toTriggerKey(trigger)) > 0;
  const isWorse = wasTold && isFarWorse(value, history.users);
  return wasReached && !isWorse ? null : { trigger: { kind: "users", value, limit }, isWorse };
}

function isFarWorse(value: number, told: number): boolean {
  return told > 0 && value >= WORSE_FACTOR * told;
}

/** True if a window that ended after `sinceMs` had fewer than `count` occurrences. */
function hasFallen(
  counts: JudgedCounts,
  { count, withinMs }: Extract<AlertTrigger, { kind: "occurrences" }>,
  sinceMs: number,
  nowMs: number,
): boolean {
  if (withinMs < HOUR_MS) {
    // The window before this one; an issue without reports in it had fallen.
    const earlierMs = nowMs - withinMs;
    return earlierMs > sinceMs && sumWindow(counts, withinMs, earlierMs) < count;
  }
  const isHourly = withinMs <= MAX_HOURS * HOUR_MS;
  const binMs = isHourly ? HOUR_MS : DAY_MS;
  const bins = isHourly ? listHours(counts, nowMs) : listDays(counts, nowMs);
  const size = Math.max(1, Math.round(withinMs / binMs));
  const since = Math.floor(nowMs / binMs) - Math.floor(sinceMs / binMs);
  for (let end = 1; end < since; end++) if (sumFirst(bins.slice(end), size) < count) return true;
  return since > bins.length;
}

function detectRelease(change: JudgedChange, key: string): readonly Detected[] {
  const { before, after, reports, rule } = change;
  if (before?.releases === after.releases || isBelow(after.trust, rule)) return [];
  const known = new Set(before?.releases?.values.map(([name]) => name));
  const counted = new Set(after.releases?.values.map(([name]) => name));
  const detail = reports.find(
    ({ release, trust, isLinked }) =>
      !isLinked &&
      isAtLeast(trust, after.trust) &&
      release !== undefined &&
      counted.has(release) &&
      !known.has(release),
  )?.release;
  return detail === undefined
    ? []
    : [{ trigger: { kind: "new-in-release", detail }, level: after.trust, key }];
}

function getHighest(reports: readonly ReportSummary[]): Trust | undefined {
  const levels = reports.map(({ trust }) => trust);
  return levels.length === 0 ? undefined : levels.reduce(maxTrust);
}

function isBelow(level: Trust, { minTrust = "public" }: AlertRule): boolean {
  return !isAtLeast(level, minTrust);
}
