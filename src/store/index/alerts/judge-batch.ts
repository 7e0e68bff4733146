/**
 * Judges the issues that a batch of reports changed, in the transaction that counts them, and adds
 * the alerts that are due to the outbox. Writes nothing unless an alert is due. Synchronous.
 */

import { alertLimits } from "../../../core/alerts/alert-limits.ts";
import type { DueAlert } from "../../../core/alerts/due-alert.ts";
import type { IssueChange } from "../../../core/alerts/judging/detect-triggers.ts";
import {
  type Judgement,
  judgeIssue,
  type ParsedRule,
} from "../../../core/alerts/judging/judge-issue.ts";
import { matchesQuery } from "../../../core/alerts/judging/match-query.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import { type IssueQuery, parseIssueQuery } from "../../../core/issue/issue-query.ts";
import { HOUR_MS, toUtcDay } from "../../../core/utc-time.ts";
import type { RuleSet } from "../../rpc/alerts-rpc.ts";
import type { DailyCapTable } from "../tables/daily-cap-table.ts";
import { toFacetValues } from "../tables/facet-values.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { AlertOutbox } from "./alert-outbox.ts";

/** Held-back alerts that one index logs per hour, and once per issue, rule and reason. */
const MAX_HELD_PER_HOUR = 30;

/** The tables that judging reads and writes; `IndexTables` has them. */
interface JudgedTables {
  readonly alerts: AlertOutbox;
  readonly issues: Pick<IssueTable, "hasTrusted">;
  readonly caps: Pick<DailyCapTable, "take">;
}

const parsedRules = new WeakMap<RuleSet, readonly ParsedRule[]>();

/** True if an alert is due or was held back: the outbox has rows. */
export function judgeBatch(
  tables: JudgedTables,
  changes: readonly IssueChange[],
  heldLog: HeldAlertLogLimit,
  nowMs: number,
): boolean {
  const rules = getRules(tables);
  if (rules.length === 0) return false;
  const alerts: DueAlert[] = [];
  for (const change of changes) {
    const judgement = judgeSafely(tables, change, rules, nowMs);
    alerts.push(...judgement.alerts.filter((alert) => heldLog.accepts(alert, nowMs)));
    for (const [rule, history] of judgement.histories)
      tables.alerts.saveAlertHistory(change.after.digest, rule, history);
  }
  if (alerts.length === 0) return false;
  tables.alerts.add(alerts, nowMs);
  return true;
}

function getRules({ alerts }: JudgedTables): readonly ParsedRule[] {
  const ruleSet = alerts.rules.get();
  const known = parsedRules.get(ruleSet);
  if (known !== undefined) return known;
  const enabled = ruleSet.rules.filter((rule) => rule.enabled);
  const parsed = enabled.map((rule) => ({ rule, query: parseIssueQuery(rule.query) }));
  parsedRules.set(ruleSet, parsed);
  return parsed;
}

/** A bug in judging must not prevent the counting of reports. */
function judgeSafely(
  tables: JudgedTables,
  change: IssueChange,
  rules: readonly ParsedRule[],
  nowMs: number,
): Judgement {
  const { digest } = change.after;
  try {
    return judgeIssue(change, rules, {
      nowMs,
      getAlertHistory: (rule) => tables.alerts.getAlertHistory(digest, rule),
      matches: (query: IssueQuery, issue: Issue) =>
        matchesQuery(query, issue, toFacetValues(issue), nowMs),
      hasTrustedIssues: () => tables.issues.hasTrusted(),
      takePublicAlert: () => {
        const { maxPublicAlertsPerDay: max } = alertLimits;
        return tables.caps.take(toUtcDay(nowMs), "alert", max) > 0;
      },
    });
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    console.error("index: alert rules failed for an issue", { digest, error: String(error) });
    return { alerts: [], histories: [] };
  }
}

/** Limits the held-back alerts that are logged: a batch can hold one back each time. */
export class HeldAlertLogLimit {
  readonly #logged = new Map<string, number>();
  #hour = 0;
  #count = 0;

  /** True for an alert that is due, and for a held-back one that is logged. */
  accepts({ held, digest, triggers }: DueAlert, nowMs: number): boolean {
    if (held === undefined) return true;
    const hour = Math.floor(nowMs / HOUR_MS);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#count = 0;
      this.#logged.clear();
    }
    const key = JSON.stringify([held, digest, triggers.flatMap(({ rules }) => rules)]);
    if (this.#logged.has(key) || this.#count >= MAX_HELD_PER_HOUR) return false;
    this.#logged.set(key, nowMs);
    this.#count += 1;
    return true;
  }
}
