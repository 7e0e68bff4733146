/**
 * Sends the alerts of the outbox to the alert sender, in order, until the sender has accepted all
 * of them, with what messages state of their issues. The sender accepts each alert number once.
 * Alerts that wait enter the outbox when they are due.
 */
import type { AlertedFacts } from "../../../core/alerts/alerted-facts.ts";
import type { DueAlert, FiredTrigger, NumberedAlert } from "../../../core/alerts/due-alert.ts";
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
import type { AlertsApi } from "../../objects.ts";
import type { SharedAlarm } from "../../shared-alarm.ts";
import { withTimeout } from "../../with-timeout.ts";
import type { IssueTable } from "../tables/issue-table.ts";
import type { AlertOutbox } from "./alert-outbox.ts";

/** The sender reads the facts itself if these are not read in time. */
const FACTS_TIMEOUT_MS = 2_000;
/** Issues whose facts one call has: a destination gets few messages at once. */
const MAX_FACTS = 50;
/** The delay of a retry if the object stops or the sender is unavailable. */
const RETRY_MS = 5_000;
const MIN_WAIT_MS = 500;

export class AlertDispatcher {
  readonly #deps;
  #running: Promise<void> | null = null;

  constructor(deps: {
    readonly tables: SettledTables & { stagingTransaction(work: () => void): void };
    readonly alarm: Pick<SharedAlarm, "setBy">;
    readonly sender: Pick<AlertsApi, "take">;
    /** What messages state of issues. Rejects during a rebuild. */
    readonly readFacts: (digests: readonly Digest[]) => Promise<readonly AlertedFacts[]>;
    readonly readFloods: ReadFloods;
    readonly nowMs: () => number;
  }) {
    this.#deps = deps;
  }

  /** Sets the alarm, so that a restart does not forget the alerts. */
  async prepare(): Promise<void> {
    const { alarm, tables, nowMs } = this.#deps;
    const dueMs = tables.alerts.deferred.getDueMs() ?? Number.POSITIVE_INFINITY;
    await alarm.setBy(Math.min(nowMs() + RETRY_MS, dueMs));
  }

  /** Sends the alerts of the outbox. Concurrent calls share one run. Never rejects. */
  run(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Moves the alerts that are due into the outbox. A failure must not block others. */
  #settle(): void {
    const { tables, readFloods, nowMs } = this.#deps;
    try {
      const dueMs = tables.alerts.deferred.getDueMs();
      if (dueMs !== undefined && dueMs <= nowMs())
        tables.stagingTransaction(() => settleAlerts(tables, readFloods, nowMs()));
    } catch (error) {
      console.error("index: waiting alerts not added", String(error));
    }
  }

  /** The facts of the issues of alerts that are due; none if they cannot be read now. */
  async #readFacts(batch: readonly NumberedAlert[]): Promise<readonly AlertedFacts[]> {
    const digests = batch.flatMap(({ alert: { held, digest } }) =>
      held === undefined && digest !== undefined ? digest : [],
    );
    if (digests.length === 0) return [];
    const read = this.#deps.readFacts([...new Set(digests)].slice(0, MAX_FACTS));
    return withTimeout(read, FACTS_TIMEOUT_MS).catch(() => []);
  }

  async #sendAll(): Promise<void> {
    const { tables, sender, nowMs, alarm } = this.#deps;
    const { alerts } = tables;
    try {
      this.#settle();
      for (let batch = alerts.list(); batch.length > 0; batch = alerts.list()) {
        const sent = { atMs: nowMs(), issues: await this.#readFacts(batch) };
        const { version } = alerts.rules.get();
        const rules = await sender.take(batch, version, sent);
        alerts.removeUpTo(batch.at(-1)?.n ?? 0);
        if (rules !== null) alerts.rules.save(rules, nowMs());
      }
      const nextMs = alerts.deferred.getDueMs();
      if (nextMs !== undefined) await alarm.setBy(Math.max(nextMs, nowMs() + MIN_WAIT_MS));
    } catch (error) {
      console.warn("index: alerts not sent, will retry", String(error));
      await this.prepare().catch(() => undefined);
    }
  }
}

/** The tables that settling reads and writes; `IndexTables` has them. */
interface SettledTables {
  readonly alerts: AlertOutbox;
  readonly issues: Pick<IssueTable, "get">;
}

/** The floods of now, and the issues that they fold; `IssueLists` reads them. */
export type ReadFloods = (nowMs: number) => {
  readonly floods: readonly FloodSummary[];
  readonly folded: ReadonlySet<Digest>;
};

/**
 * Moves the alerts that have waited into the outbox, with the figures of now. Synchronous; call
 * inside a transaction.
 */
function settleAlerts(
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
    alerts.saveAlertHistories([{ digest: issue.digest, rule, history: next }]);
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
