/**
 * Judges whether a change of an issue makes an alert due: which triggers of which rules fire, and
 * what holds them back. Pure.
 *
 * A rule without `minTrust` covers every trusted issue. It covers public issues only while the
 * project has no trusted ones, and causes at most `alertLimits.maxPublicAlertsPerDay` alerts about
 * them. Other public issues appear in the inbox without a message, because strangers can create
 * them. Public feedback about a trusted issue counts in the same daily limit. It uses neither the
 * messages nor the cool-down of other alerts.
 */
import { getCurrentState } from "../../issue/decision.ts";
import type { Issue } from "../../issue/issue.ts";
import type { IssueQuery } from "../../issue/issue-query.ts";
import { OTHER_ANONYMOUS_DIGEST } from "../../issue/other-anonymous-reports.ts";
import { SAMPLE_ENVIRONMENT } from "../../report/sample-environment.ts";
import { isTrusted, maxTrust, type Trust, toTrustRank } from "../../trust/trust.ts";
import type { DueAlert, FiredTrigger, HeldReason } from "../due-alert.ts";
import type { AlertRule } from "../rule.ts";
import { type AlertHistory, detectTrigger, type IssueChange } from "./detect-triggers.ts";

/** A rule with its parsed query. */
export interface ParsedRule {
  readonly rule: AlertRule;
  readonly query: IssueQuery;
}

/** The facts for judging that are expensive to read. */
export interface JudgeFacts {
  readonly nowMs: number;
  /** The earlier alerts of a rule about the issue. */
  readonly getAlertHistory: (rule: string) => AlertHistory | undefined;
  readonly matches: (query: IssueQuery, issue: Issue) => boolean;
  /** True if any issue of the project has trusted reports. */
  readonly hasTrustedIssues: () => boolean;
  /** Takes one of the day's alerts of public issues; false if none is left. */
  readonly takePublicAlert: () => boolean;
}

/** The alerts of one change, and the new alert history of each rule. */
export interface Judgement {
  /** At most one that is due; the others are held back. */
  readonly alerts: readonly DueAlert[];
  readonly histories: readonly (readonly [rule: string, history: AlertHistory])[];
}

const NOTHING: Judgement = { alerts: [], histories: [] };

interface Fired {
  readonly rule: AlertRule;
  readonly triggers: readonly FiredTrigger[];
  /** The level of the reports that fired. */
  readonly trust: Trust;
  readonly history: AlertHistory;
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
  const fired = rules.flatMap((parsed) => fireRule(change, parsed, facts) ?? []);
  if (fired.length === 0) return NOTHING;
  const held = new Map<HeldReason, Fired[]>();
  const due: Fired[] = [];
  // One alert of the day for all rules.
  let isAllowed: boolean | undefined;
  const takePublicAlert = () => {
    isAllowed ??= facts.takePublicAlert();
    return isAllowed;
  };
  for (const one of fired) {
    const reason =
      findHeldReason(change, one, facts) ?? holdPublic(one, { ...facts, takePublicAlert });
    if (reason === null) due.push(one);
    else held.set(reason, [...(held.get(reason) ?? []), one]);
  }
  return {
    alerts: [
      ...(due.length === 0 ? [] : [toAlert(after, due, facts.nowMs)]),
      ...[...held].map(([reason, all]) => ({ ...toAlert(after, all, facts.nowMs), held: reason })),
    ],
    histories: [
      ...due
        .filter(({ rule }) => needsHistory(rule))
        .map(({ rule, history }) => [rule.id, history] as const),
      ...(held.get("cool-down") ?? []).flatMap((one) => holdUsers(one, facts)),
    ],
  };
}

/** The triggers of a rule that fire; null if none does, or the issue does not match. */
function fireRule(change: IssueChange, parsed: ParsedRule, facts: JudgeFacts): Fired | null {
  const { rule, query } = parsed;
  const { getAlertHistory, matches, nowMs } = facts;
  const { after, feedbackTrust } = change;
  let history: Partial<AlertHistory> = {};
  const triggers: FiredTrigger[] = [];
  for (const trigger of rule.triggers) {
    const detected = detectTrigger(
      trigger,
      change,
      rule.minTrust,
      () => getAlertHistory(rule.id),
      nowMs,
    );
    if (detected === null) continue;
    const { history: more, ...fired } = detected;
    history = { ...history, ...more };
    triggers.push({ ...fired, rules: [rule.id] });
  }
  if (triggers.length === 0 || toTrustRank(after.trust) < toTrustRank(rule.minTrust ?? "public"))
    return null;
  if (!matches(query, after)) return null;
  const before = getAlertHistory(rule.id);
  const { heldUsers: _, ...others } = before ?? {};
  return feedbackTrust !== undefined && isOnlyFeedback(triggers)
    ? {
        ...{ rule, triggers, trust: feedbackTrust },
        history: { ...before, atMs: before?.atMs ?? 0, feedbackMs: nowMs },
      }
    : { rule, triggers, trust: after.trust, history: { ...others, ...history, atMs: nowMs } };
}

function isOnlyFeedback(triggers: readonly FiredTrigger[]): boolean {
  return triggers.every(({ kind }) => kind === "user-feedback");
}

function findHeldReason(
  { after }: IssueChange,
  { rule, triggers }: Fired,
  { getAlertHistory, nowMs }: JudgeFacts,
): HeldReason | null {
  const state = getCurrentState(after, nowMs);
  if (state === "muted" || state === "ignored" || state === "resolved") return "state";
  const { atMs = 0, feedbackMs = 0 } = getAlertHistory(rule.id) ?? {};
  const lastMs = isOnlyFeedback(triggers) ? Math.max(atMs, feedbackMs) : atMs;
  if (lastMs === 0 || nowMs - lastMs >= rule.coolDownMs) return null;
  // The return of an issue that a member resolved after the alert is news.
  const isNews = triggers.some(({ kind }) => kind === "regressed");
  return isNews && (after.decision?.atMs ?? 0) > lastMs ? null : "cool-down";
}

/** Remembers each number of users that was reached during the cool-down. */
function holdUsers(
  { rule, triggers }: Fired,
  { getAlertHistory }: JudgeFacts,
): Judgement["histories"] {
  const before = getAlertHistory(rule.id);
  const { heldUsers = [] } = before ?? {};
  const reached = triggers.flatMap(({ kind, limit = 0 }) => (kind === "users" ? limit : []));
  const all = [...new Set([...heldUsers, ...reached])];
  if (before === undefined || all.length === heldUsers.length) return [];
  return [[rule.id, { ...before, heldUsers: all }]];
}

/** Why the alert about public reports is held back; null if it is not. */
function holdPublic(
  { trust, triggers, rule: { minTrust } }: Fired,
  { hasTrustedIssues, takePublicAlert }: JudgeFacts,
): HeldReason | null {
  if (isTrusted(trust)) return null;
  // Feedback is nearly always public, so a rule that names feedback includes public feedback.
  const wantsTrusted = minTrust === undefined && !isOnlyFeedback(triggers);
  if (wantsTrusted && hasTrustedIssues()) return "trusted-only";
  return takePublicAlert() ? null : "public-limit";
}

/** True if the rule needs its alert history. A rule about new issues alerts once per issue. */
function needsHistory({ triggers }: AlertRule): boolean {
  return triggers.some(({ kind }) => kind !== "new-issue" && kind !== "regressed");
}

function toAlert({ digest }: Issue, fired: readonly Fired[], nowMs: number): DueAlert {
  const trust = fired.map((one) => one.trust).reduce(maxTrust);
  const coolDownMs = Math.max(...fired.map(({ rule }) => rule.coolDownMs));
  return {
    ...{ atMs: nowMs, digest, trust, triggers: joinTriggers(fired) },
    ...(coolDownMs > 0 && { quietUntilMs: nowMs + coolDownMs }),
  };
}

/** Joins triggers with the same figures, with all rules that asked for them. */
function joinTriggers(fired: readonly Fired[]): readonly FiredTrigger[] {
  const joined = new Map<string, FiredTrigger>();
  for (const { rules, ...figures } of fired.flatMap(({ triggers }) => triggers)) {
    const key = JSON.stringify(figures);
    const known = joined.get(key)?.rules ?? [];
    joined.set(key, { ...figures, rules: [...known, ...rules] });
  }
  return [...joined.values()];
}
