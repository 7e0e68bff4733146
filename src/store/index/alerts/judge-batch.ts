/**
 * Judges the issues that a batch of reports changed, in the transaction that counts them, and adds
 * the alerts that are due to the outbox. Writes nothing unless an alert is due. Synchronous.
 */

import type { DueAlert } from "../../../core/alerts/due-alert.ts";
import { addFoldedAlert } from "../../../core/alerts/judging/flood-alerts.ts";
import {
  type Judgement,
  judgeIssue,
  type ParsedRule,
  parseRule,
} from "../../../core/alerts/judging/judge-issue.ts";
import { matchesQuery } from "../../../core/alerts/judging/match-query.ts";
import {
  addHeldPublicAlert,
  type PublicAlerts,
  takePublicAlert,
} from "../../../core/alerts/judging/public-alerts.ts";
import type { IssueChange } from "../../../core/alerts/triggers/trigger.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { IssueQuery } from "../../../core/issue/issue-query.ts";
import type { Digest } from "../../../core/report.ts";
import { HOUR_MS } from "../../../core/utc-time.ts";
import type { RuleSet } from "../../alerts/sender-settings.ts";
import { toFacetValues } from "../tables/facet-values.ts";
import type { AlertOutbox, SavedHistory } from "./alert-outbox.ts";

/** Held-back alerts that one index logs per hour, and once per issue, rule and reason. */
const MAX_HELD_PER_HOUR = 30;
/** Alerts above the limit of public ones that are counted per hour. */
const MAX_ABOVE_LIMIT = 5_000;

/** The tables that judging reads and writes; `IndexTables` has them. */
interface JudgedTables {
  readonly alerts: AlertOutbox;
  stageMatches(digest: Digest, counted: Judgement["matchedCounts"]): void;
}

const parsedRules = new WeakMap<RuleSet, readonly ParsedRule[]>();

/** True if an alert is due, was held back or waits. */
export function judgeBatch(
  tables: JudgedTables,
  changes: readonly IssueChange[],
  heldLog: HeldAlertLogLimit,
  nowMs: number,
): boolean {
  const rules = getRules(tables);
  if (rules.length === 0) return false;
  const { alerts: outbox } = tables;
  const alerts: DueAlert[] = [];
  const histories: SavedHistory[] = [];
  let publicAlerts = outbox.deferred.getPublic();
  let hasWaiting = false;
  for (const change of changes) {
    const { digest } = change.after;
    const judged = judgeSafely(tables, change, rules, publicAlerts, nowMs);
    publicAlerts = judged.publicAlerts;
    for (const alert of judged.alerts) {
      const isAboveLimit = alert.held === "public-limit" && heldLog.isFirst(alert, nowMs);
      if (isAboveLimit) publicAlerts = addHeldPublicAlert(publicAlerts, alert, nowMs);
      if (alert.held === "folded") publicAlerts = addFoldedAlert(publicAlerts, alert, nowMs);
      const isWaiting = alert.held === undefined && judged.waitMs !== undefined;
      if (isWaiting) outbox.deferred.add(digest, alert, nowMs + (judged.waitMs ?? 0));
      else if (heldLog.accepts(alert, nowMs)) alerts.push(alert);
      hasWaiting ||= isWaiting || isAboveLimit;
    }
    for (const [rule, history] of judged.histories) histories.push({ digest, rule, history });
    tables.stageMatches(digest, judged.matchedCounts);
  }
  hasWaiting ||= publicAlerts.flood?.dueMs !== outbox.deferred.getPublic().flood?.dueMs;
  outbox.deferred.savePublic(publicAlerts);
  outbox.saveAlertHistories(histories);
  if (alerts.length > 0) outbox.add(alerts, nowMs);
  return hasWaiting || alerts.length > 0;
}

function getRules({ alerts }: JudgedTables): readonly ParsedRule[] {
  const ruleSet = alerts.rules.get();
  const known = parsedRules.get(ruleSet);
  if (known !== undefined) return known;
  const enabled = ruleSet.rules.filter((rule) => rule.enabled);
  // Of a rule without a time it is not known which issues its history has.
  const parsed = enabled.map((rule) => parseRule(rule, ruleSet.since?.[rule.id] ?? Infinity));
  parsedRules.set(ruleSet, parsed);
  return parsed;
}

/** A judgement, and the public alerts after it. */
interface Judged extends Judgement {
  readonly publicAlerts: PublicAlerts;
}

/** A bug in judging must not prevent the counting of reports. */
function judgeSafely(
  { alerts }: JudgedTables,
  change: IssueChange,
  rules: readonly ParsedRule[],
  before: PublicAlerts,
  nowMs: number,
): Judged {
  const { digest } = change.after;
  let publicAlerts = before;
  try {
    const judgement = judgeIssue(change, rules, {
      nowMs,
      getAlertHistory: (rule) => alerts.getAlertHistory(digest, rule),
      getMatchedCounts: (rule) => alerts.matches.get(digest, rule),
      matches: (query: IssueQuery, issue: Issue) =>
        matchesQuery(query, issue, toFacetValues(issue), nowMs),
      takePublicAlert: (limit) => {
        const taken = takePublicAlert(publicAlerts, limit, nowMs);
        publicAlerts = taken ?? publicAlerts;
        return taken !== null;
      },
    });
    return { ...judgement, publicAlerts };
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    console.error("index: alert rules failed for an issue", { digest, error: String(error) });
    return { alerts: [], histories: [], matchedCounts: [], publicAlerts: before };
  }
}

function toHeldKey({ held, digest, triggers }: DueAlert): string {
  return JSON.stringify([held, digest, triggers.map(({ kind, rules }) => [kind, rules])]);
}

/** Limits the held-back alerts that are logged: a batch can hold one back each time. */
export class HeldAlertLogLimit {
  readonly #logged = new Set<string>();
  readonly #aboveLimit = new Set<string>();
  #hour = 0;
  #count = 0;

  /** True for an alert that is due, and for a held-back one that is logged. */
  accepts(alert: DueAlert, nowMs: number): boolean {
    if (alert.held === undefined) return true;
    this.#startHour(nowMs);
    const key = toHeldKey(alert);
    if (this.#logged.has(key) || this.#count >= MAX_HELD_PER_HOUR) return false;
    this.#logged.add(key);
    this.#count += 1;
    return true;
  }

  /** True for the first alert above the limit of public ones about its issue within the hour. */
  isFirst(alert: DueAlert, nowMs: number): boolean {
    this.#startHour(nowMs);
    const key = toHeldKey(alert);
    if (this.#aboveLimit.has(key) || this.#aboveLimit.size >= MAX_ABOVE_LIMIT) return false;
    this.#aboveLimit.add(key);
    return true;
  }

  #startHour(nowMs: number): void {
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour === this.#hour) return;
    this.#hour = hour;
    this.#count = 0;
    this.#logged.clear();
    this.#aboveLimit.clear();
  }
}
