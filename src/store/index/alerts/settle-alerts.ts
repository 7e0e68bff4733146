/**
 * Moves the alerts that have waited into the outbox, with the figures of now. Synchronous; call
 * inside a transaction.
 */
import type { DueAlert, FiredTrigger } from "../../../core/alerts/due-alert.ts";
import { takeFloodAlert } from "../../../core/alerts/judging/flood-alerts.ts";
import {
  addUnsentFlood,
  takeHeldPublicAlerts,
} from "../../../core/alerts/judging/public-alerts.ts";
import { addToHistory, getLevelHistory } from "../../../core/alerts/triggers/alert-history.ts";
import { countAt, countUsersAt } from "../../../core/alerts/triggers/judged-counts.ts";
import type { Issue } from "../../../core/issue/issue.ts";
import type { FloodSummary } from "../../../core/issue/issue-list-page.ts";
import type { Digest } from "../../../core/report.ts";
import type { Trust } from "../../../core/trust/trust.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { AlertOutbox } from "./alert-outbox.ts";

/** The tables that settling reads and writes; `IndexTables` has them. */
export interface SettledTables {
  readonly alerts: AlertOutbox;
  readonly issues: Pick<IssueTable, "get">;
}

/** The floods of now, and the issues that they fold; `IssueLists` reads them. */
export type ReadFloods = (nowMs: number) => {
  readonly floods: readonly FloodSummary[];
  readonly folded: ReadonlySet<Digest>;
};

/** Adds the alerts that are due to the outbox. */
export function settleAlerts(
  { alerts, issues }: SettledTables,
  readFloods: ReadFloods,
  nowMs: number,
): void {
  const { deferred } = alerts;
  const settled = deferred.takeDue(nowMs).map((alert) => {
    const issue = alert.digest === undefined ? undefined : issues.get(alert.digest);
    return issue === undefined ? alert : settle(alerts, alert, issue);
  });
  const { floods, folded } = readFloods(nowMs);
  const more = takeHeldPublicAlerts(deferred.getPublic(), folded, nowMs);
  const flood = takeFloodAlert(more.state, floods, nowMs);
  const { unsent } = flood;
  deferred.savePublic(unsent ? addUnsentFlood(flood.state, unsent, nowMs) : flood.state);
  const all = [...settled, ...more.alerts, ...flood.alerts];
  if (all.length > 0) alerts.add(all, nowMs);
}

/** The alert and the histories of its rules with the counts that its message will have. */
function settle(alerts: AlertOutbox, alert: DueAlert, issue: Issue): DueAlert {
  const { digest, trust = "public" } = alert;
  const ofIssue = new Set(
    alerts.rules
      .get()
      .rules.filter(({ id }) => alerts.matches.get(issue.digest, id) === undefined)
      .map(({ id }) => id),
  );
  for (const rule of new Set(alert.triggers.flatMap((one) => one.rules))) {
    const history = alerts.getAlertHistory(issue.digest, rule);
    if (digest === undefined || history === undefined || !ofIssue.has(rule)) continue;
    const { told } = getLevelHistory(history, trust);
    const [[key, toldMs] = ["", alert.atMs]] = Object.entries(told).sort(([, a], [, b]) => b - a);
    const toFigures = (level: Trust) => ({
      count: countAt(issue, level),
      users: countUsersAt(issue, level),
    });
    const next = addToHistory(history, trust, key, toldMs, {}, toFigures);
    alerts.saveAlertHistory(issue.digest, rule, next);
  }
  const isOfIssue = ({ rules }: FiredTrigger) => rules.every((rule) => ofIssue.has(rule));
  return {
    ...alert,
    triggers: alert.triggers.map((trigger) =>
      isOfIssue(trigger) ? updateFigures(trigger, issue, trust) : trigger,
    ),
  };
}

function updateFigures(trigger: FiredTrigger, issue: Issue, trust: Trust): FiredTrigger {
  const { kind, value = 0, usual = 0 } = trigger;
  if (kind === "users") return { ...trigger, value: Math.max(value, countUsersAt(issue, trust)) };
  const isStep = kind === "escalating" && usual === 0;
  return isStep ? { ...trigger, value: Math.max(value, countAt(issue, trust)) } : trigger;
}
