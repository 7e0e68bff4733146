/**
 * Judges whether a change of an issue makes an alert due: which triggers of which rules fire, and
 * what holds them back. Pure.
 *
 * An alert has the level of the reports that fired it. Public ones have hourly limits of their own
 * (`public-alerts.ts`), and no alert changes the history of a higher level (`alert-history.ts`).
 */
import { fnv1a } from "../../fnv1a.ts";
import { getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
import { type IssueQuery, parseIssueQuery } from "../../issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../issue/other-anonymous-reports.ts";
import { SAMPLE_ENVIRONMENT } from "../../report/sample-environment.ts";
import { maxTrust, type Trust } from "../../trust/trust.ts";
import { alertLimits } from "../alert-limits.ts";
import type { DueAlert, FiredTrigger, HeldReason } from "../due-alert.ts";
import type { AlertRule } from "../rule.ts";
import {
  type AlertHistory,
  addToHistory,
  getLastAlertMs,
  getLastAlertOfAnyMs,
  getLevelHistory,
} from "../triggers/alert-history.ts";
import {
  addReports,
  countAt,
  countUsersAt,
  type MatchedCounts,
} from "../triggers/judged-counts.ts";
import {
  hadMatchingValues,
  matchesReport,
  type SplitQuery,
  splitQuery,
} from "../triggers/report-filters.ts";
import type { DetectedAlert, IssueChange, JudgedChange } from "../triggers/trigger.ts";
import { getIssueTrigger, getTrigger, toTriggerKey } from "../triggers/triggers.ts";
import type { PublicLimit } from "./public-alerts.ts";
import { asksForQuiet, isQuietIssue } from "./quiet-issues.ts";

/** A rule with its parsed query. */
export interface ParsedRule extends SplitQuery {
  readonly rule: AlertRule;
  /** When the index received the rule, ms. */
  readonly sinceMs: number;
  /** The rule asks for issues that are quiet otherwise. */
  readonly isAsking: boolean;
}

/** Parses the query of a rule. */
export function parseRule(rule: AlertRule, sinceMs: number): ParsedRule {
  const query = parseIssueQuery(rule.query);
  return { rule, sinceMs, isAsking: asksForQuiet(query), ...splitQuery(query) };
}

/** The facts for judging that are expensive to read. */
export interface JudgeFacts {
  readonly nowMs: number;
  /** The earlier alerts of a rule about the issue. */
  readonly getAlertHistory: (rule: string) => AlertHistory | undefined;
  /** The counts of a rule that counts the reports itself (`needsMatchedCounts`). */
  readonly getMatchedCounts: (rule: string) => MatchedCounts | undefined;
  readonly matches: (query: IssueQuery, issue: Issue) => boolean;
  /** Takes one of the hour's alerts about public reports; false if none is left. */
  readonly takePublicAlert: (limit: PublicLimit) => boolean;
}

/** The alerts of one change, and the facts to store of each rule. */
export interface Judgement {
  /** At most one that is due; the others are held back. */
  readonly alerts: readonly DueAlert[];
  /** Set if the due alert waits: the issue grows, and its last alert was a moment ago. */
  readonly waitMs?: number;
  readonly histories: readonly (readonly [rule: string, history: AlertHistory])[];
  readonly matchedCounts: readonly (readonly [rule: string, counts: MatchedCounts])[];
}

const NOTHING: Judgement = { alerts: [], histories: [], matchedCounts: [] };

/** A trigger of a rule that fired. `key` is its name in histories. */
interface Fired extends Pick<DetectedAlert, "level" | "facts" | "isWorse"> {
  readonly trigger: Omit<FiredTrigger, "rules">;
  readonly key: string;
  readonly rule: AlertRule;
  readonly change: JudgedChange;
}

/** Judges one change by all rules. */
export function judgeIssue(
  change: IssueChange,
  rules: readonly ParsedRule[],
  facts: JudgeFacts,
): Judgement {
  const { after } = change;
  const isExcluded =
    after.digest === OTHER_ANONYMOUS_DIGEST || after.environment === SAMPLE_ENVIRONMENT;
  if (isExcluded) return NOTHING;
  const seen = rules.flatMap((parsed) => seeChange(change, parsed, facts) ?? []);
  const matchedCounts = seen.flatMap(({ rule, matched }) =>
    matched === undefined ? [] : [[rule.id, matched] as const],
  );
  const fired = seen.flatMap((one) => fireRule(one, facts));
  const { due: passed, held } = separateHeld(change, fired, facts);
  // Only an alert that is sent makes another one superfluous.
  const due = passed.filter(isNeeded(passed));
  const waitMs = findWait(due, facts.nowMs);
  return {
    alerts: [
      ...(due.length === 0 ? [] : [toAlert(after, due, facts.nowMs)]),
      ...[...held].map(([reason, all]) => toHeldAlert(after, all, reason, facts.nowMs)),
    ],
    waitMs,
    histories: listHistories(due, facts),
    matchedCounts,
  };
}

interface SeenChange extends JudgedChange, Pick<ParsedRule, "isAsking"> {
  readonly rule: AlertRule;
  /** The conditions on the issue, unless it meets them. */
  readonly query?: IssueQuery;
  readonly matched?: MatchedCounts;
}

/** The triggers of a rule that fire. Few do, so the issue is compared with the query only then. */
function fireRule(seen: SeenChange, { matches }: JudgeFacts): readonly Fired[] {
  const { rule, query, after } = seen;
  const isQuiet = !seen.isAsking && isQuietIssue(after);
  const fired = rule.triggers.flatMap((trigger) => {
    // A person wrote the feedback.
    if (isQuiet && getTrigger(trigger.kind).isFeedback !== true) return [];
    const key = toTriggerKey(trigger);
    const found = getIssueTrigger(trigger)?.detect(seen, trigger, key) ?? [];
    return found.map(
      ({ kind = trigger.kind, figures, ...one }): Fired => ({
        ...one,
        trigger: { kind, ...figures },
        key,
        rule,
        change: seen,
      }),
    );
  });
  return fired.length > 0 && query !== undefined && !matches(query, after) ? [] : fired;
}

/** The change as a rule sees it; null if nothing in it matches. */
function seeChange(
  change: IssueChange,
  { rule, query, reportFilters, sinceMs: ruleSinceMs, isAsking }: ParsedRule,
  facts: JudgeFacts,
): SeenChange | null {
  const { before, after } = change;
  const reports =
    reportFilters.length === 0
      ? change.reports
      : change.reports.filter((report) => matchesReport(reportFilters, report));
  if (reports.length === 0) return null;
  const seen = {
    ...change,
    reports,
    rule,
    isAsking,
    minTrust: rule.minTrust ?? "public",
    reportFilters,
    ruleSinceMs,
    nowMs: facts.nowMs,
    getAlertHistory: () => facts.getAlertHistory(rule.id),
  };
  if (!needsMatchedCounts(rule, reportFilters.length > 0))
    return { ...seen, query, counts: { before, after } };
  if (!facts.matches(query, after)) return null;
  const known = facts.getMatchedCounts(rule.id);
  const wasSeen = before !== null && hadMatchingValues(reportFilters, before);
  const sinceMs = wasSeen ? before.firstSeenMs : undefined;
  const matched = addReports(known, rule.query, reports, facts.nowMs, sinceMs);
  const matchedBefore = known?.queryHash === fnv1a(rule.query) ? known : null;
  if (reportFilters.length > 0)
    return { ...seen, matched, counts: { before: matchedBefore, after: matched } };
  // Only windows of minutes need the counts of the rule.
  const { minutes } = matched;
  return {
    ...seen,
    matched,
    counts: { before, after: { ...after, minutes } },
  };
}

/** True if the counts of an issue are not enough for the rule: it has filters, or short windows. */
function needsMatchedCounts({ triggers }: AlertRule, hasReportFilters: boolean): boolean {
  return triggers.some(
    (trigger) => getIssueTrigger(trigger)?.needsMatchedCounts?.(trigger, hasReportFilters) === true,
  );
}

/** False for an escalation of a new issue whose message by the same rule states the count anyway. */
function isNeeded(fired: readonly Fired[]): (one: Fired) => boolean {
  const isNew = fired.flatMap(({ rule, trigger }) => (trigger.kind === "new-issue" ? rule : []));
  return ({ rule, trigger: { kind, usual } }) =>
    kind !== "escalating" || (usual ?? 0) > 0 || !isNew.includes(rule);
}

function separateHeld(change: IssueChange, fired: readonly Fired[], facts: JudgeFacts) {
  const due: Fired[] = [];
  const held = new Map<HeldReason, Fired[]>();
  const taken = new Map<PublicLimit, boolean>();
  // One alert of the hour for all rules.
  const takePublicAlert = (limit: PublicLimit) => {
    const isTaken = taken.get(limit) ?? facts.takePublicAlert(limit);
    taken.set(limit, isTaken);
    return isTaken;
  };
  for (const one of fired) {
    const reason = findHeldReason(change, one, { ...facts, takePublicAlert });
    if (reason === null) due.push(one);
    else held.set(reason, [...(held.get(reason) ?? []), one]);
  }
  return { due, held };
}

function findHeldReason(
  { after, isFolded = false, isQuiet = false, isWidespread = false }: IssueChange,
  fired: Fired,
  { takePublicAlert, nowMs }: JudgeFacts,
): HeldReason | null {
  const state = getCurrentState(after, nowMs);
  if (state === "archived" || state === "snoozed" || state === "resolved") return "state";
  if (isFolded) return "folded";
  if (isQuiet) return "deploy";
  if (isCoolingDown(fired, nowMs)) return "cool-down";
  if (fired.level !== "public") return null;
  return takePublicAlert(toPublicLimit(fired.trigger, isWidespread)) ? null : "public-limit";
}

function isCoolingDown({ rule, level, key, trigger, isWorse, change }: Fired, nowMs: number) {
  const lastMs = getLastAlertMs(getLevelHistory(change.getAlertHistory(), level), key);
  if (lastMs === 0 || nowMs - lastMs >= rule.coolDownMs || isWorse === true) return false;
  // The return of an issue that a member resolved or snoozed after the alert is news.
  const { says } = getTrigger(trigger.kind);
  const isNewReturn = says === "returned" && (change.after.decision?.atMs ?? 0) > lastMs;
  return says !== "new" && !isNewReturn;
}

/** The limit that an alert about public reports uses. */
function toPublicLimit({ kind }: Pick<FiredTrigger, "kind">, isWidespread: boolean): PublicLimit {
  const { says, isFeedback } = getTrigger(kind);
  if (isFeedback === true) return "feedback";
  if (isWidespread) return "widespread";
  return says === "growing" || says === "returned" ? "worse" : "new";
}

/**
 * How long an alert waits for the growth that follows: a burst passes several limits within
 * seconds, and one message has them all. Undefined if it need not wait.
 */
function findWait(due: readonly Fired[], nowMs: number): number | undefined {
  if (due.length === 0 || !due.every(({ trigger }) => getTrigger(trigger.kind).says === "growing"))
    return undefined;
  const lastMs = Math.max(
    ...due.map(({ change, level }) =>
      getLastAlertOfAnyMs(getLevelHistory(change.getAlertHistory(), level)),
    ),
  );
  return nowMs - lastMs < alertLimits.burstMs ? alertLimits.settleMs : undefined;
}

function listHistories(due: readonly Fired[], facts: JudgeFacts): Judgement["histories"] {
  const histories = new Map<string, AlertHistory>();
  for (const one of due) {
    if (!needsHistory(one)) continue;
    const { rule, level, key, facts: sent = {}, change } = one;
    const { after } = change.counts;
    const before = histories.get(rule.id) ?? facts.getAlertHistory(rule.id);
    const toFigures = (each: Trust) => ({
      count: countAt(after, each),
      users: countUsersAt(after, each),
    });
    histories.set(rule.id, addToHistory(before, level, key, facts.nowMs, sent, toFigures));
  }
  return [...histories];
}

/** True if the rule needs its alert history. A rule about new issues alerts once per issue. */
function needsHistory({ rule, change }: Fired): boolean {
  const isRepeated = rule.triggers.some((trigger) => getIssueTrigger(trigger)?.isOnce !== true);
  return isRepeated || change.reportFilters.length > 0;
}

function toAlert({ digest }: Issue, fired: readonly Fired[], nowMs: number): DueAlert {
  const repeating = fired.filter(({ trigger }) => getTrigger(trigger.kind).isRepeating);
  const coolDownMs = Math.max(0, ...repeating.map(({ rule }) => rule.coolDownMs));
  return {
    atMs: nowMs,
    digest,
    trust: toLevel(fired),
    triggers: joinTriggers(fired),
    quietUntilMs: coolDownMs > 0 ? nowMs + coolDownMs : undefined,
  };
}

function toHeldAlert(
  { digest }: Issue,
  held: readonly Fired[],
  reason: HeldReason,
  nowMs: number,
): DueAlert {
  const ends = held.map(
    ({ rule, level, key, change }) =>
      getLastAlertMs(getLevelHistory(change.getAlertHistory(), level), key) + rule.coolDownMs,
  );
  return {
    atMs: nowMs,
    digest,
    trust: toLevel(held),
    triggers: joinTriggers(held),
    held: reason,
    quietUntilMs: reason === "cool-down" ? Math.max(...ends) : undefined,
  };
}

function toLevel(fired: readonly Fired[]): Trust {
  return fired.map(({ level }) => level).reduce(maxTrust);
}

/** Joins triggers with the same figures, with all rules that asked for them. */
function joinTriggers(fired: readonly Fired[]): readonly FiredTrigger[] {
  const joined = new Map<string, FiredTrigger>();
  for (const { rule, trigger } of fired) {
    const key = JSON.stringify(trigger);
    const known = joined.get(key)?.rules ?? [];
    joined.set(key, { ...trigger, rules: [...known, rule.id] });
  }
  return [...joined.values()];
}
